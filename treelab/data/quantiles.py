"""Cut points that put about the same weight into every bin."""

import numpy as np

from treelab._typing import FloatArray


def quantile_cuts(values: FloatArray, weights: FloatArray, bins: int) -> FloatArray:
    """Return at most `bins - 1` cut points, each midway between two neighbouring values.

    The case at (weighted) rank r of n falls into bin `r * bins // n` (duch2004, SPEC 3.4); equal
    values stay together, in the bin of the first of them.
    """
    known = ~np.isnan(values) & (weights > 0)
    points, inverse = np.unique(values[known], return_inverse=True)
    if len(points) < 2:
        return np.empty(0)
    mass = np.bincount(inverse, weights[known])
    rank = np.cumsum(mass) - mass
    # The small shift keeps a rank that is whole but for rounding in the bin it belongs to.
    number = np.floor(rank * bins / mass.sum() + 1e-9)
    here = np.flatnonzero(np.diff(number) > 0)
    middle = points[here] + (points[here + 1] - points[here]) / 2
    return np.where(middle > points[here], middle, points[here + 1])
