"""Weights that scikit-learn's users give, in numbers of cases."""

from math import fsum

import numpy as np

from treelab._typing import FloatArray

MOST = 2.0**53
"""Larger floats are all whole, which says nothing about what they mean."""


def in_cases(weights: FloatArray, of_class: FloatArray | None = None) -> FloatArray:
    """Return weights of cases such that a sum of them is a number of cases.

    Whole weights are repetitions and stay as they are: 2 is a case that occurs twice. Other
    weights, such as 1 / n or those of boosting, only say how much cases count beside each other,
    and so do weights of classes: they are scaled so that all together weigh what there is without
    them, each case of weight above 0 being one. Equal ones become exactly 1.

    Parameters
    ----------
    weights
        The weight of each case.
    of_class
        The weight of the class of each case.

    Examples
    --------
    >>> in_cases(np.array([1.0, 2.0, 0.0]))
    array([1., 2., 0.])
    >>> in_cases(np.array([0.01, 0.02, 0.03]))
    array([0.5, 1. , 1.5])
    >>> in_cases(np.array([1.0, 2.0, 0.0]), of_class=np.array([7.0, 7.0, 7.0]))
    array([1., 2., 0.])
    """
    times, counts = _parted(weights)
    if of_class is not None:
        counts = counts * of_class
    weights = times * counts
    weighs = weights > 0
    if not weighs.any() or weights.min() < 0 or not np.isfinite(weights).all():
        return weights  # there is nothing to scale, or a mistake to be refused
    there, counts = times * weighs, counts / counts[weighs].max()
    if np.ptp(counts[weighs]) == 0:
        return there
    # The sums are exact, so the order of the cases does not matter.
    return np.asarray(times * counts * (fsum(there) / fsum(times * counts)))


def _parted(weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how often each case occurs and how much it counts."""
    ones = np.ones_like(weights)
    is_whole = np.array_equal(weights, np.floor(weights)) and weights.max(initial=0.0) <= MOST
    return (weights, ones) if is_whole else (ones, weights)
