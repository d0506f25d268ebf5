"""Weight of evidence (kononenko1995 section 2.1)."""

from numbers import Real

import numpy as np

from treelab._typing import FloatArray
from treelab.errors import LARGEST, ParameterError
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.stats.formulas.impurity import n_present, of_classes, of_values, share, total


@register_formula(
    MetricInfo(
        "weight-of-evidence", "how far the test moves the odds", "kononenko1995 eq. 5", "[0, inf)"
    )
)
def weight_of_evidence(table: FloatArray, m: float | None = None) -> FloatArray:
    """WE = sum_i p_i sum_j p_j |log2(odds(p_{i|j}) / odds(p_i))| (kononenko1995 eq. 5).

    p_{i|j} is the Laplace estimate (n_ij + 1) / (n_j + C), so that no odds are infinite; with
    `m` the m-estimate (n_ij + m p_i) / (n_j + m), which is exactly 0 for independent tables.
    Range from 0. Prefers features with many values where they tell nothing. 0 for one class.
    """
    if m is not None and not (isinstance(m, Real) and 0 < m <= LARGEST):
        raise ParameterError(f"m must be a number above 0, got {m!r}")
    prior = share(of_classes(table), total(table)[..., None])[..., None, :]
    size, n_classes = of_values(table)[..., None], n_present(of_classes(table))
    if m is None:
        given = (table + 1) / (size + n_classes[..., None, None])
    else:
        given = share(table + m * prior, size + m)
    moved = np.abs(_log_odds(given) - _log_odds(prior))
    p_value = share(size, total(table)[..., None, None])
    # The share of a single class is 1 but for rounding, and its odds could be anything.
    return np.where(n_classes > 1, (prior * p_value * moved).sum(axis=(-2, -1)), 0.0)


def _log_odds(p: FloatArray) -> FloatArray:
    """Return log2(p / (1 - p)), 0 for the impossible and the certain, which have no weight."""
    inside = (p > 0) & (p < 1)
    safe = np.where(inside, p, 0.5)
    return np.asarray(np.log2(safe / (1 - safe)))
