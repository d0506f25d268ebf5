"""Send numbers to bins, or to their ranks."""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel


@kernel
def bin_numbers(values: FloatArray, ends: FloatArray) -> IntArray:
    """Return how many of the ascending `ends` lie below each value; -1 for NaN.

    The steps of the search do not depend on the values, so no branch is ever mispredicted.
    """
    bins = np.empty(len(values), np.int32)
    for i in range(len(values)):
        value = values[i]
        first, size = 0, len(ends)
        while size > 0:
            half = (size + 1) >> 1
            first += half if ends[first + half - 1] < value else 0
            size -= half
        bins[i] = -1 if np.isnan(value) else first
    return bins


@kernel
def rank_numbers(values: FloatArray, order: IndexArray, points: FloatArray, ranks: IntArray) -> int:
    """Fill the distinct values, ascending, and the rank of each value among them; -1 for NaN.

    `order` sorts the values. Returns the number of distinct values.
    """
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
