"""Pessimistic estimates of the errors a leaf will make (C4.5 release 8; SPEC 6.1)."""

from functools import cache
from typing import Any

import numpy as np

from treelab._typing import FloatArray
from treelab.kernels import error_limits
from treelab.kernels._jit import pointer

METHODS: dict[str, error_limits.Formula] = {
    "c45": error_limits.c45_extra_errors,
    "exact": error_limits.exact_extra_errors,
}

# C4.5's table of the normal deviate of a confidence (release 8, Src/stats.c).
_CONFIDENCE = np.array([0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00])
_DEVIATE = np.array([4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00])


def c45_deviate(confidence: float) -> float:
    """Return C4.5's deviate of a confidence, interpolated in its table.

    >>> round(c45_deviate(0.25), 4)
    0.6925
    """
    return float(np.interp(confidence, _CONFIDENCE, _DEVIATE))


@cache
def compiled(method: str) -> Any:
    """Return the formula of a method as kernels call it."""
    return pointer(METHODS[method], error_limits.SIGNATURE)


def extra_errors(method: str, cases: Any, errors: Any, confidence: float) -> FloatArray:
    """Return the errors to be added to those seen, of leaves of so many cases and errors."""
    n, e = np.broadcast_arrays(np.asarray(cases, float), np.asarray(errors, float))
    extra = error_limits.extra_errors_of(
        compiled(method), n.flatten(), e.flatten(), float(confidence), c45_deviate(confidence)
    )
    return extra.reshape(n.shape)
