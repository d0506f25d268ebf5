"""Weights: whole ones, those on a grid, and those that scikit-learn's users give."""

from math import frexp, fsum

import numpy as np

from treelab._typing import FloatArray

MOST = 2.0**53
"""Larger floats are all whole, which says nothing about what they mean."""

BITS = 52
"""So many binary digits the sum of all weights may take: one less than a float64 holds."""


def is_integral(weights: FloatArray) -> bool:
    """Tell whether all weights are whole numbers."""
    return bool(np.all(weights == np.round(weights)))


def unit_of(total: float) -> float:
    """Return what all weights of such a sum are rounded to multiples of; see `on_grid`."""
    return 2.0 ** (frexp(total)[1] - BITS)


def on_grid(weights: FloatArray, unit: float) -> FloatArray:
    """Round weights to multiples of a unit so small that it is lost in rounding anyway.

    Sums of such multiples are exact: neither the order in which cases are added up nor the place
    where they lie leaves a trace in a tree.

    >>> float(on_grid(np.array([0.3]), 0.25)[0])
    0.25
    """
    return np.asarray(np.round(weights / unit) * unit)


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
