"""The collector rests while kernels are compiled, in however many threads, and goes on then."""

import gc
from threading import Barrier, Thread

import pytest

from treelab.kernels._collector import uncollected


@pytest.fixture(autouse=True)
def collector():
    before = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if before else gc.disable)()


def test_blocks_in_blocks_and_errors_leave_the_collector_on():
    with pytest.raises(ZeroDivisionError), uncollected():  # noqa: PT012  (blocks in the block)
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
        raise ZeroDivisionError

    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    with uncollected():
        pass

    assert not gc.isenabled()


def test_it_goes_on_when_the_last_thread_is_done_whoever_began():
    both_in, first_out = Barrier(2, timeout=60), Barrier(2, timeout=60)
    seen = []

    def first():
        with uncollected():
            both_in.wait()
        first_out.wait()

    def last():
        with uncollected():
            both_in.wait()
            first_out.wait()
            seen.append(gc.isenabled())

    threads = [Thread(target=first), Thread(target=last)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen == [False]
    assert gc.isenabled()
