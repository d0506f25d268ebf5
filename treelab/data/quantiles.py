"""Cut points that put about the same weight into every bin.

*border*  two neighbouring values, the lower one in one bin and the upper one in the next.
"""

import numpy as np

from treelab._typing import FloatArray


def quantile_cuts(values: FloatArray, weights: FloatArray, bins: int) -> FloatArray:
    """Return at most `bins - 1` cut points, each midway between two neighbouring values.

    Values below a cut lie in the lower bin, the others in the upper one.
    """
    known = ~np.isnan(values) & (weights > 0)
    points, inverse = np.unique(values[known], return_inverse=True)
    mass = np.asarray(np.bincount(inverse, weights[known]), dtype=np.float64)
    return cut_between(*quantile_borders(points, mass, bins))


def cut_between(below: FloatArray, above: FloatArray) -> FloatArray:
    """Return the cut points between neighbouring values: midway, where a number lies there.

    A cut belongs to the upper interval, so where nothing lies between it is the upper value.
    """
    middle = midway(below, above)
    return np.where(middle > below, middle, above)


def midway(below: FloatArray, above: FloatArray) -> FloatArray:
    """Return the numbers midway; the lower one where rounding would give the upper."""
    middle = below / 2 + above / 2
    # Halves of the smallest numbers round to 0, or beyond the lower number.
    middle = np.where((below <= middle) & (middle < above), middle, below)
    return np.asarray(middle)


def quantile_borders(
    points: FloatArray, mass: FloatArray, bins: int
) -> tuple[FloatArray, FloatArray]:
    """Return the values below and above each of at most `bins - 1` borders.

    `points` are the distinct values, ascending, and `mass` is the weight of each. The case at
    (weighted) rank r of n falls into bin `r * bins // n` (duch2004, SPEC 3.4); equal values stay
    together, in the bin of the first of them.
    """
    number = np.cumsum(mass)
    total = mass.sum()
    number -= mass
    number *= bins
    number /= total
    # The small shift keeps a rank that is whole but for rounding in the bin it belongs to.
    number += 1e-9
    # Each bin is looked for, or only those that are not empty where there may be too many.
    sought = np.arange(1, bins) if bins <= len(points) else np.unique(np.floor(number[1:]))
    first = np.unique(np.searchsorted(number, sought))
    first = first[(first > 0) & (first < len(points))]
    return points[first - 1], points[first]
