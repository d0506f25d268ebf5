"""The collector of garbage rests while kernels are compiled: that takes a tenth of the time off.

The compiler makes millions of small objects that live until it is done, and the collector would
look at them all again and again.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_waiting: list[bool] = []
"""One for each compilation under way, in whatever thread: whether the collector is to go on."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Stop the collector; it goes on when the last block of all threads is left, if it was on."""
    with _lock:
        _waiting.append(gc.isenabled() or any(_waiting))
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            goes_on = _waiting.pop()
            if goes_on and not _waiting:
                gc.enable()
