"""Probabilities of numeric features by fuzzy intervals instead of counts (duch2004 section 5)."""

import numpy as np

from treelab._typing import FloatArray, IntArray
from treelab.errors import LARGEST


def fuzzy_table(
    x: FloatArray, y: IntArray, weights: FloatArray, n_classes: int, edges: FloatArray
) -> FloatArray:
    """Return the table (interval, class) of memberships in intervals without sharp edges.

    A value in the middle of an interval is of that one only; between the middles of two neighbours
    it belongs to both, the more to the one the nearer (triangular memberships, whose sum is 1).
    Beyond the outer middles it is of the outer interval.
    """
    if not len(edges):
        return np.bincount(y, weights, n_classes)[None].astype(np.float64)
    table = np.zeros((len(edges) + 1, n_classes))
    x, edges = (x / 4, edges / 4) if _is_far(x, edges) else (x, edges)
    middles = _middles(x, edges)
    low = np.clip(np.searchsorted(middles, x) - 1, 0, len(middles) - 2)
    apart = middles[low + 1] - middles[low]
    # No number lies between some middles, so that none is between both of them.
    upper = np.clip((x - middles[low]) / np.where(apart > 0, apart, 1.0), 0.0, 1.0)
    np.add.at(table, (low, y), weights * (1.0 - upper))
    np.add.at(table, (low + 1, y), weights * upper)
    return table


def _is_far(x: FloatArray, edges: FloatArray) -> bool:
    """Tell whether numbers are so large that their sums may be none."""
    return bool(max(np.abs(x).max(), np.abs(edges).max()) > LARGEST / 4)


def _middles(x: FloatArray, edges: FloatArray) -> FloatArray:
    """Return the middles of the intervals; the outer ones end where the values do."""
    first, last = min(x.min(), edges[0]), max(x.max(), edges[-1])
    ends = np.concatenate(([first], edges, [last]))
    return np.asarray((ends[1:] + ends[:-1]) / 2)
