"""Send numbers to bins, or to their ranks."""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel

TOGETHER = 64


@kernel
def bin_numbers(values: FloatArray, ends: FloatArray) -> IntArray:
    """Return how many of the ascending `ends` lie below each value; -1 for NaN.

    Some values take each step of the search together: they do not wait for each other's memory,
    and no step depends on a guess. An unsigned index need not be checked.
    """
    bins = np.empty(len(values), np.int32)
    for start in range(0, len(values), TOGETHER):
        some, found = values[start : start + TOGETHER], bins[start : start + TOGETHER]
        found[:] = 0
        size = len(ends)
        while size > 0:
            half = (size + 1) >> 1
            for i in range(len(some)):
                found[i] += half * int(ends[np.uint64(found[i] + half - 1)] < some[i])
            size -= half
        for i in range(len(some)):
            if np.isnan(some[i]):
                found[i] = -1
    return bins


@kernel
def rank_numbers(values: FloatArray, order: IndexArray, points: FloatArray, ranks: IntArray) -> int:
    """Fill the distinct values, ascending, and the rank of each value among them; -1 for NaN.

    `order` sorts the values. Returns the number of distinct values.
    """
    # In sorted order a value is new if it differs from the last point, whatever was seen before;
    # `!=` takes -0.0 for 0.0.
    n_points = 0
    for place in order:
        value = values[place]
        if np.isnan(value):
            ranks[place] = -1
            continue
        if n_points == 0 or points[n_points - 1] != value:
            points[n_points] = value
            n_points += 1
        ranks[place] = n_points - 1
    return n_points
