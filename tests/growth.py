"""How work grows with its input, as a ratio: no test knows how fast the machine is."""

import sys
from time import process_time


def python_steps(call):
    """Return how many lines of Python a call runs: where numpy does the work, n does not matter."""
    steps = 0

    def count(_frame, _event, _argument):
        nonlocal steps
        steps += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        call()
    finally:
        sys.settrace(before)
    return steps


def growth(small, large, times=3):
    """Return how many times the processor time of one call another takes, the best of each."""
    return _least(large, times) / _least(small, times)


def _least(call, times):
    taken = []
    for _ in range(times):
        start = process_time()
        call()
        taken.append(process_time() - start)
    return min(taken)
