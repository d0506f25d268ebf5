"""Sort things by numbers; numba takes seconds to compile `np.argsort` and what picks by it."""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel

RUN = 16
"""So many are sorted by insertion; longer runs are merged."""


@kernel
def sort_by(keys: FloatArray, items: IndexArray) -> None:
    """Sort items, and their keys with them, by ascending keys; equal ones stay as they come."""
    # Merged, because that is stable: who sorts by two keys sorts twice. Insertion takes the place
    # of the first four rounds of merging.
    n = len(items)
    for start in range(0, n, RUN):
        _insert(keys, items, start, min(start + RUN, n))
    if n <= RUN:
        return
    other_keys, other_items = np.empty(n, np.float64), np.empty(n, np.int64)
    width = RUN
    while width < n:
        for start in range(0, n, 2 * width):
            middle, stop = min(start + width, n), min(start + 2 * width, n)
            _merge(keys, items, start, middle, stop, other_keys, other_items)
        for place in range(n):
            keys[place], items[place] = other_keys[place], other_items[place]
        width *= 2


@kernel
def _insert(keys: FloatArray, items: IndexArray, start: int, stop: int) -> None:
    for place in range(start + 1, stop):
        key, item, there = keys[place], items[place], place
        while there > start and keys[there - 1] > key:
            keys[there], items[there] = keys[there - 1], items[there - 1]
            there -= 1
        keys[there], items[there] = key, item


@kernel
def _merge(
    keys: FloatArray,
    items: IndexArray,
    start: int,
    middle: int,
    stop: int,
    new_keys: FloatArray,
    new_items: IndexArray,
) -> None:
    """Merge the sorted runs before and behind `middle`; of equal ones those before come first."""
    # `<=`, because that is what makes the sort stable.
    left, right = start, middle
    for there in range(start, stop):
        if right == stop or (left < middle and keys[left] <= keys[right]):
            new_keys[there], new_items[there] = keys[left], items[left]
            left += 1
        else:
            new_keys[there], new_items[there] = keys[right], items[right]
            right += 1
