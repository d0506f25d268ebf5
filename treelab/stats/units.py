"""Units in which numbers of any size can be squared."""

import numpy as np

from treelab._typing import FloatArray


def unit_of(values: FloatArray) -> FloatArray:
    """Return a power of 2 near the largest number of each column.

    Divided by it numbers of any size can be squared, and none is rounded.
    """
    largest = np.abs(values).max(axis=0, initial=0.0)
    return np.asarray(np.ldexp(1.0, np.maximum(np.frexp(largest)[1] - 1, -1022)))
