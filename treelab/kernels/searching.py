"""Send numbers to bins."""

import numpy as np

from treelab.kernels._arrays import FloatArray, IntArray
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
