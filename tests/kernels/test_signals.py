"""Signals wait until the compiler is done, and are answered then."""

import asyncio
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from treelab.kernels._cache import CodeCache
from treelab.kernels._jit import kernel
from treelab.kernels._signals import undisturbed


@pytest.fixture(autouse=True)
def interruptible():
    """Let an interrupt be heard, which processes in the background of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_waits_for_the_end_of_the_block():
    done = []
    with pytest.raises(KeyboardInterrupt), undisturbed():  # noqa: PT012  (the end of it counts)
        signal.raise_signal(signal.SIGINT)
        done.append("all of it")

    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_blocks_in_blocks_answer_behind_the_last():
    came = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: came.append(number))
    try:
        with undisturbed():
            with undisturbed():
                signal.raise_signal(signal.SIGUSR1)
                signal.raise_signal(signal.SIGUSR1)
            assert not came
        assert came == [signal.SIGUSR1]
        signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)

    assert len(came) == 2


def test_a_loop_of_events_answers_once():
    came = []

    async def compile_something():
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, came.append, "answered")
        with undisturbed():
            signal.raise_signal(signal.SIGUSR1)
            assert not came
        await asyncio.sleep(0)
        await asyncio.sleep(0.01)  # the loop reads its descriptor
        loop.remove_signal_handler(signal.SIGUSR1)

    asyncio.run(compile_something())

    assert came == ["answered"]


def test_all_signals_are_answered_though_the_first_ends_the_work():
    came = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: came.append(number))
    try:
        with pytest.raises(KeyboardInterrupt), undisturbed():  # noqa: PT012
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)

    assert came == [signal.SIGUSR1]


def test_a_signal_that_comes_while_handlers_are_given_back_leaves_none_replaced(monkeypatch):
    give = signal.signal
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}

    def interrupted(number, handler):
        give(number, handler)
        if number == signal.SIGINT and handler is signal.default_int_handler:
            raise KeyboardInterrupt

    monkeypatch.setattr("treelab.kernels._signals.signal.signal", interrupted)
    before = give(signal.SIGUSR1, lambda *_: None)
    handlers[signal.SIGUSR1] = signal.getsignal(signal.SIGUSR1)
    try:
        with pytest.raises(KeyboardInterrupt), undisturbed():
            pass
        assert {number: signal.getsignal(number) for number in handlers} == handlers
    finally:
        give(signal.SIGUSR1, before)


def test_signals_that_python_does_not_answer_are_left_alone():
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    try:
        with undisturbed():
            assert signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN
            signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)


def test_an_error_within_gives_the_handlers_back():
    with pytest.raises(ValueError, match="mine"), undisturbed():
        raise ValueError("mine")

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_compile_as_well():
    done = []

    def work():
        with undisturbed():
            done.append("all of it")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert done == ["all of it"]


@pytest.mark.compiled("without the compiler there is nothing to disturb")
def test_an_interrupt_leaves_a_kernel_that_can_be_used(monkeypatch):
    load = CodeCache.load_overload

    def interrupted(self, *given):
        signal.raise_signal(signal.SIGINT)
        return load(self, *given)

    total = kernel(lambda numbers: numbers.sum())
    monkeypatch.setattr(CodeCache, "load_overload", interrupted)
    with pytest.raises(KeyboardInterrupt):
        total(np.arange(5))

    assert len(total.signatures) == 1
    assert total(np.arange(5)) == 10


FOUND = """
import ctypes
from typing import NamedTuple

import numpy as np

give = ctypes.CDLL(None)["raise"]
give.argtypes, give.restype = [ctypes.c_int], ctypes.c_int


class Found(NamedTuple):
    these: np.ndarray
    those: np.ndarray


def found(number):
    give(number)  # as if it came while the kernel runs: it is answered when Python goes on
    return Found(np.zeros(2), np.zeros(3))


def pair(number):
    give(number)
    return np.zeros(2), np.zeros(3)
"""

RAISES = """
import signal, sys

from found import found, pair

from treelab.kernels._jit import kernel

signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
for before in range(3):
    for function in (kernel(found), kernel(pair)):
        for _ in range(before):
            function(0)
        try:
            function(int(signal.SIGTERM))
            print("not heard")
        except SystemExit as end:
            print(end.code)
"""


def test_a_signal_in_a_kernel_that_returns_arrays_is_answered_behind_it(tmp_path):
    """numba lost it, or ended by a fault of memory."""
    (tmp_path / "found.py").write_text(FOUND)
    script = tmp_path / "raises.py"
    script.write_text(RAISES)
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=300, check=False
    )

    assert (done.returncode, done.stdout.split()) == (0, ["143"] * 6), done.stderr
