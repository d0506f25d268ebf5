"""Probabilities of numeric features by Gaussian kernels instead of counts (duch2004, SPEC 3.1).

p(x, C) is the share of the class times the density of its cases, a normal curve about each. What
falls into an interval is the integral of that density, so the formulas see a table as ever.
"""

import numpy as np
from scipy.special import ndtr

from treelab._typing import FloatArray, IntArray
from treelab.stats.stores.node import n_cases


def kernel_table(
    x: FloatArray, y: IntArray, weights: FloatArray, n_classes: int, edges: FloatArray
) -> FloatArray:
    """Return the table (interval, class) of the densities; the outer intervals are open.

    The width of the curves is Scott's, s n^(-1/5), class by class; a class of one value takes that
    of all cases.
    """
    table = np.zeros((len(edges) + 1, n_classes))
    for c in np.unique(y):
        own = y == c
        width = _width(x[own], weights[own]) or _width(x, weights)
        points, place = np.unique(x[own], return_inverse=True)
        mass = np.bincount(place, weights[own])
        below = np.array([mass @ ndtr((edge - points) / width) for edge in edges])
        table[:, c] = np.diff(below, prepend=0.0, append=mass.sum())
    return np.maximum(table, 0.0)


def _width(x: FloatArray, weights: FloatArray) -> float:
    """Return s n^(-1/5); 0 where nothing varies.

    A case of weight 2 counts as two cases, one of a fractional weight as one of many: the scale of
    such weights says nothing.
    """
    if np.ptp(x) == 0:
        return 0.0
    n = n_cases(weights)
    weights = weights * (n / weights.sum())
    mean = weights @ x / n
    return float(np.sqrt(weights @ (x - mean) ** 2 / (n - 1)) * n**-0.2)
