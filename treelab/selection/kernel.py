"""Probabilities of numeric features by Gaussian kernels instead of counts (duch2004, SPEC 3.1).

p(x, C) is the share of the class times the density of its cases, a normal curve about each. What
falls into an interval is the integral of that density, so the formulas see a table as ever.
"""

import numpy as np
from scipy.special import ndtr

from treelab._typing import FloatArray, IntArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError
from treelab.metrics.lift import CountMetric
from treelab.protocols import SplitMetric
from treelab.stats.node import n_cases
from treelab.stats.units import unit_of

GRID = 64
"""So many intervals of equal width stand for the line where no discretizer cuts it."""


def check_judges_tables(metric: SplitMetric) -> CountMetric:
    """Return a metric that judges tables one by one, or say that this one does not."""
    if not hasattr(metric, "of_tables"):
        raise ParameterError(
            f"estimator='kernel' needs a metric that judges tables, such as 'gain', got {metric!r}"
        )
    return metric  # type: ignore[return-value]


def kernel_scores(data: Dataset, coding: Coding, metric: CountMetric) -> dict[int, float]:
    """Return the scores of the numeric features, by number."""
    found = {}
    for f, column in enumerate(data.schema.features):
        if not column.is_nominal:
            found[f] = _score(data, f, coding.cuts.get(column.name), metric)
    return found


def _score(data: Dataset, feature: int, cuts: FloatArray | None, metric: CountMetric) -> float:
    values = data.columns[feature]
    known = np.flatnonzero(~np.isnan(values))
    # Sums do not depend on the order of the cases.
    known = known[np.lexsort((data.weights[known], data.y[known], values[known]))]
    unit = unit_of(values[known])
    x, y, weights = values[known] / unit, data.y[known], data.weights[known]
    if not len(x) or np.ptp(x) == 0:
        return np.nan
    edges = np.linspace(x[0], x[-1], GRID + 1)[1:-1] if cuts is None else cuts / unit
    table = kernel_table(x, y, weights, len(data.classes), edges)
    class_counts = np.bincount(data.y, data.weights, len(data.classes)).astype(np.float64)
    return float(metric.of_known(table[None], class_counts[None])[0])


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
