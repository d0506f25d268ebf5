"""Statistics of independence tests (kononenko1995 section 2.6)."""

import numpy as np

from treelab._typing import FloatArray
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.stats.impurity import of_classes, of_values, share, total


@register_formula(
    MetricInfo(
        "chi2",
        "distance from what independence would give",
        "kononenko1995 eq. 10",
        "[0, n (min(C, V) - 1)]",
    )
)
def chi2(table: FloatArray) -> FloatArray:
    """Pearson's chi-square: sum_ij (n_ij - e_ij)^2 / e_ij (kononenko1995 eq. 10).

    Computed as n (sum_ij n_ij^2 / (n_i n_j) - 1). Range 0 to n (min(C, V) - 1). Grows with the
    number of values and of cases. Cost: one pass over the table.
    """
    in_value = share(table, of_values(table)[..., :, None])
    in_class = share(table, of_classes(table)[..., None, :])
    # Rounding can leave a tiny negative number where the table is independent.
    distance = (in_value * in_class).sum(axis=(-2, -1)) - 1.0
    return np.asarray(np.maximum(total(table) * distance, 0.0))
