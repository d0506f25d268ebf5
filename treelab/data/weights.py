"""Weights: whole ones, those on a grid, and those that scikit-learn's users give."""

from math import floor, frexp, fsum, log10

import numpy as np

from treelab._typing import FloatArray

MOST = 2.0**53
"""Larger floats are all whole, which says nothing about what they mean."""

DIGITS = 9
"""To so many decimals weights are rounded that were computed."""

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


def summable(weights: FloatArray) -> FloatArray:
    """Return weights whose sums are exact, so that the order of the cases leaves no trace."""
    return weights if is_integral(weights) else on_grid(weights, unit_of(fsum(weights)))


def digits_of(total: float) -> int:
    """Return to how many decimals weights of such a sum are rounded.

    Multiplying leaves noise behind numbers that were meant to be short. Light ones keep as many
    digits as others.

    >>> digits_of(100.0), digits_of(0.02)
    (9, 11)
    """
    return DIGITS + max(0, -floor(log10(total)))


def in_cases(weights: FloatArray) -> FloatArray:
    """Return weights of cases such that a sum of them is a number of cases.

    Whole weights are repetitions and stay as they are: 2 is a case that occurs twice. Other
    weights, such as 1 / n or those of boosting, only say how much cases count beside each other:
    they are scaled so that each case of weight above 0 is one on average. Equal ones become
    exactly 1.

    Examples
    --------
    >>> in_cases(np.array([1.0, 2.0, 0.0]))
    array([1., 2., 0.])
    >>> in_cases(np.array([0.01, 0.02, 0.03]))
    array([0.5, 1. , 1.5])
    """
    is_whole = np.array_equal(weights, np.floor(weights)) and weights.max(initial=0.0) <= MOST
    return weights if is_whole else times(np.ones_like(weights), weights)


def times(weights: FloatArray, factors: FloatArray) -> FloatArray:
    """Return weights times factors, scaled so that all together weigh what they did.

    Those of a factor of 0 weigh nothing before and after; equal factors change nothing.

    >>> times(np.array([1.0, 2.0, 1.0]), np.array([3.0, 3.0, 0.0])).tolist()
    [1.0, 2.0, 0.0]
    >>> times(np.array([1.0, 1.0]), np.array([1.0, 3.0])).tolist()
    [0.5, 1.5]
    """
    # Only ratios count: a power of two changes no digit, and no product overflows.
    product = weights * np.ldexp(factors, -np.frexp(factors.max(initial=0.0))[1])
    weighs = product > 0
    if not weighs.any() or product.min() < 0 or not np.isfinite(product).all():
        return np.asarray(weights * factors)  # nothing to scale, or a mistake to be refused
    there, factors = weights * weighs, np.where(weighs, factors, 0.0) / factors[weighs].max()
    if np.ptp(factors[weighs]) == 0:
        return np.asarray(there)
    # The sums are exact, so the order of the cases does not matter.
    return np.asarray(weights * factors * (fsum(there) / fsum(weights * factors)))
