"""The one place that says how kernels are compiled."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a module-level function on first use.

    `cache`: the machine code is kept on disk, so only the first process ever waits for it.
    `nogil`: threads may run kernels side by side.
    No `fastmath`: NaN stands for missing values, and sums must not be reordered.
    """
    compiled: Any = numba.njit(cache=True, nogil=True)(function)
    return cast(Function, compiled)
