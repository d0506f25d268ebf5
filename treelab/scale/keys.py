"""Whole numbers of 64 bits in the order of floating-point numbers, and their digits."""

import numpy as np

from treelab._typing import FloatArray
from treelab.kernels.digits import SIGN, Keys

BITS = 64


def keys_of(values: FloatArray) -> Keys:
    """Return a key for each number, in the same order; none may be NaN.

    >>> keys_of(np.array([-1.0, 0.0, 1e-300])).argsort().tolist()
    [0, 1, 2]
    """
    bits = np.asarray(values + 0.0).view(np.uint64)
    return np.where(bits & SIGN, ~bits, bits | SIGN)


def bits_of(values: FloatArray) -> Keys:
    """Return the bits of each number, as kernels read them."""
    return np.ascontiguousarray(values, np.float64).view(np.uint64)


def values_of_keys(keys: Keys) -> FloatArray:
    """Return the number of each key.

    >>> values_of_keys(keys_of(np.array([-2.5, 0.0, 7.0]))).tolist()
    [-2.5, 0.0, 7.0]
    """
    return np.where(keys & SIGN, keys ^ SIGN, ~keys).view(np.float64)
