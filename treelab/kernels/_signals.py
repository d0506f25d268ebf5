"""Signals wait until the compiler is done.

An interrupt in the midst of it is lost in one of its callbacks, leaves code that cannot be used, or
ends the process by a fault of memory.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold the signals that have a handler in Python; they are answered behind the block."""
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers run in the main thread only
        return
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    held = {number: handler for number, handler in handlers.items() if callable(handler)}
    came: list[int] = []
    with ExitStack() as afterwards:  # all that is in it is done, even if a handler raises
        afterwards.callback(_answer, came)
        for number, handler in held.items():
            afterwards.callback(signal.signal, number, handler)
            signal.signal(number, lambda number, _frame: came.append(number))
        # A loop of events, told by its descriptor, would answer once more.
        afterwards.callback(signal.set_wakeup_fd, signal.set_wakeup_fd(-1))
        yield


def _answer(came: list[int]) -> None:
    with ExitStack() as answers:
        for number in reversed(dict.fromkeys(came)):
            answers.callback(signal.raise_signal, number)
