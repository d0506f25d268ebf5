"""Signals wait until the compiler is done.

An interrupt in the midst of it is lost in one of its callbacks, leaves code that cannot be used, or
ends the process by a fault of memory.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold the signals that have a handler in Python; they are answered behind the block."""
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers run in the main thread only
        return
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    held = {number: handler for number, handler in handlers.items() if callable(handler)}
    came: list[int] = []
    for number in held:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in held.items():
            signal.signal(number, handler)
        for answered in dict.fromkeys(came):
            signal.raise_signal(answered)
