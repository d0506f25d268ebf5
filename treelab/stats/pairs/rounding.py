"""Numbers rounded for the sieve through which nearest cases are looked for."""

import numpy as np

from treelab.kernels.pairs import NOMINAL, RAMP, Cases
from treelab.kernels.sieve import MOST, Sieve

MOST_FEATURES = 64
"""Rough distances over more features are too rough."""

FEW = 8
"""A sieve helps where so many times as many cases are looked at as are needed."""


def sieve_of(data: Cases, euclid: bool, k: int) -> Sieve:
    """Return the sieve of some cases; none where it would not help, or distances are others.

    k neighbours are wanted, or all where it is negative. A number is off by half a unit, the
    distance of two by 1: two sums of such distances by twice the number of features.
    """
    numeric = data.kind == RAMP
    wants_few = 0 <= FEW * k <= data.weights.min(initial=1.0) * len(data.y)
    if euclid or not wants_few or not _can_be_rounded(data):
        return Sieve(np.empty((0, 0), np.uint16), 0, 0)
    unit = (MOST - 1) // len(data.kind)
    rounded = np.zeros(data.numbers.shape, np.uint16)
    numbers = data.numbers[numeric]
    rounded[numeric] = np.rint((numbers - numbers.min(axis=1, keepdims=True)) * unit)
    return Sieve(rounded, unit, 2 * int(numeric.sum()) + 2)


def _can_be_rounded(data: Cases) -> bool:
    """Tell whether no feature counts more than 1, nothing is missing and there are numbers."""
    numeric = data.kind == RAMP
    if not (numeric | (data.kind == NOMINAL)).all() or (data.gap >= 0).any():
        return False
    if not numeric.any() or len(data.kind) > MOST_FEATURES:
        return False
    return bool((np.ptp(data.numbers[numeric], axis=1) <= 1.0 + 1e-9).all())
