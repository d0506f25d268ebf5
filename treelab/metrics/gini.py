"""Gini and its relatives (kononenko1995 section 2)."""

import numpy as np

from treelab._typing import FloatArray
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.stats.impurity import of_classes, of_values, share, total


@register_formula(
    MetricInfo("gini", "drop of the chance to guess wrong", "kononenko1995 eq. 6", "[0, 1 - 1/C]")
)
def gini(table: FloatArray) -> FloatArray:
    """Gini gain: sum_j p_j sum_i p_{i|j}^2 - sum_i p_i^2 (kononenko1995 eq. 6).

    Range 0 to 1 - 1/C. Prefers features with many values. Cost: one pass over the table.
    """
    n = total(table)
    within = share((table**2).sum(axis=-1), of_values(table)).sum(axis=-1) / n
    return np.asarray(within - (of_classes(table) ** 2).sum(axis=-1) / n**2)
