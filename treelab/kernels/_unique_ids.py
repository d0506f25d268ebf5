"""Numbers that tell compiled functions apart, each given once on all machines.

Numba names machine code after the function and a number, which it counts from 1 in every process.
Code of two processes, loaded from disk into a third, can so hold two functions of one name, and the
linker takes the first for both: `np.sort` then parts numbers as `np.argsort` does, and nobody is
told (numba issue 10486).
"""

import re
from collections.abc import Iterator
from secrets import randbits
from typing import Any

from numba.core.bytecode import FunctionIdentity

DIGITS = 20
"""Of a number given here; no process counts so far."""

COUNTED = re.compile(rf"B\d+v\d{{1,{DIGITS - 1}}}B")
"""In the name of a function that was compiled before treelab was there."""


def number_at_random() -> None:
    """Let numba give every function that it compiles from now on a number of its own.

    Each is drawn by itself: processes that are forked would go on counting alike.
    """
    identity: Any = FunctionIdentity
    if not isinstance(identity._unique_ids, Numbers):
        next(identity._unique_ids)  # an error where numba does not count in this way any more
        identity._unique_ids = Numbers()


class Numbers(Iterator[int]):
    """Numbers drawn at random, without end."""

    def __next__(self) -> int:
        return int(10 ** (DIGITS - 1)) + randbits(63)


def is_counted(library: Any) -> bool:
    """Tell whether machine code holds a function whose name another process may give, too."""
    return any(COUNTED.search(function.name) for function in library._final_module.functions)
