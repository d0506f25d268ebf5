"""Equations 1 and 14 as they are printed: the weight |T_m| / |T| stands outside the sum over m.

There m has no meaning. Two readings are tried: no weights at all, and the same weight for every
value (SPEC 5.1, 5.3; errata E25).
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from treelab import Pi, metric
from treelab.metrics import CountMetric, entropy, of_classes, of_values, sum_of_squares
from treelab.protocols import FloatArray, SplitMetric

Impurity = Callable[[FloatArray], FloatArray]


def gini_impurity(shares: FloatArray) -> FloatArray:
    """Return 1 - sum_i p_i^2 (eq. 3)."""
    return np.asarray(1.0 - sum_of_squares(shares))


def unweighted(table: FloatArray, impurity: Impurity, is_mean: bool) -> FloatArray:
    """Return I(P) minus the sum, or the mean, of I(P_m) over the values that occur."""
    occurs = of_values(table) > 0
    within = impurity(_shares(np.where(occurs[..., None], table, 1.0)))
    found = np.where(occurs, within, 0.0).sum(axis=-1)
    divisor = occurs.sum(axis=-1) if is_mean else 1
    return np.asarray(impurity(_shares(of_classes(table))) - found / divisor)


def _shares(counts: FloatArray) -> FloatArray:
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def unweighted_pi(matrices: FloatArray, shares: FloatArray, is_mean: bool = False) -> float:
    """Return the sum, or the mean, of G(R_m) over the values that occur (eqs. 14, 15)."""
    of_values = matrices.sum(axis=1) @ [1.0, -1.0, -1.0, 1.0]
    return float(of_values.sum() / (max((shares > 0).sum(), 1) if is_mean else 1))


def _mean_pi(matrices: FloatArray, shares: FloatArray) -> float:
    return unweighted_pi(matrices, shares, is_mean=True)


READINGS: Mapping[str, SplitMetric] = {
    f"{name}, {how}": CountMetric(partial(unweighted, impurity=impurity, is_mean=how == "mean"))
    for name, impurity in {"gini": gini_impurity, "gain": entropy}.items()
    for how in ("sum", "mean")
} | {"pi, sum": Pi(aggregate=unweighted_pi), "pi, mean": Pi(aggregate=_mean_pi)}
"""Metrics that have no name of their own."""


def metric_of(spec: str) -> SplitMetric:
    """Return a reading, or a metric of treelab's, by name."""
    return READINGS[spec] if spec in READINGS else metric(spec)
