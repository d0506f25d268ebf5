"""Gini and its relatives (kononenko1995 section 2.4, duch2004 section 2)."""

import numpy as np

from treelab._typing import FloatArray
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.stats.expectation import expected_gini_gain, expected_squares
from treelab.stats.impurity import of_classes, of_values, ratio, share, sum_of_squares, total


@register_formula(
    MetricInfo("gini", "drop of the chance to guess wrong", "kononenko1995 eq. 6", "[0, 1 - 1/C]"),
    expectation=expected_gini_gain,
)
def gini(table: FloatArray) -> FloatArray:
    """Gini gain: sum_j p_j sum_i p_{i|j}^2 - sum_i p_i^2 (kononenko1995 eq. 6).

    Range 0 to 1 - 1/C. Prefers features with many values. Cost: one pass over the table.
    """
    n = total(table)
    within = share((table**2).sum(axis=-1), of_values(table)).sum(axis=-1) / n
    return np.asarray(within - (of_classes(table) ** 2).sum(axis=-1) / n**2)


def expected_gini_prime(table: FloatArray) -> FloatArray:
    """Return what chance gives Gini', exactly: its cells are squared (hong1996 eq. 13)."""
    within = share(expected_squares(table), sum_of_squares(of_values(table)))
    return np.asarray(within - sum_of_squares(of_classes(table)))


@register_formula(
    MetricInfo("gini-prime", "gini with squared value shares", "kononenko1995 eq. 7", "[-1, 1]"),
    expectation=expected_gini_prime,
)
def gini_prime(table: FloatArray) -> FloatArray:
    """Gini' = sum_j (p_j^2 / sum_j p_j^2) sum_i p_{i|j}^2 - sum_i p_i^2 (kononenko1995 eq. 7).

    Equals the Gini gain where all values are equally frequent, with its bias. Cost: one pass.
    """
    within = share((table**2).sum(axis=(-2, -1)), (of_values(table) ** 2).sum(axis=-1))
    return within - sum_of_squares(of_classes(table))


def expected_relief_myopic(table: FloatArray) -> FloatArray:
    """Return what chance gives it, exactly: Gini' times what margins decide."""
    return _myopic(expected_gini_prime(table), table)


def _myopic(prime: FloatArray, table: FloatArray) -> FloatArray:
    same = sum_of_squares(of_classes(table))
    return ratio(sum_of_squares(of_values(table)) * prime, same * (1 - same))


@register_formula(
    MetricInfo(
        "relief-myopic",
        "P(values differ | classes differ) - P(values differ | classes agree)",
        "kononenko1995 eq. 8",
        "[-1, 1]",
    ),
    expectation=expected_relief_myopic,
)
def relief_myopic(table: FloatArray) -> FloatArray:
    """Relief without neighbours: sum_j p_j^2 Gini' / (S (1 - S)), S = sum_i p_i^2 (eq. 8).

    Two cases are drawn independently, with replacement. Range -1 to 1; 0 for one class. Against
    features with many values. Cost: one pass over the table.
    """
    return _myopic(gini_prime(table), table)


@register_formula(
    MetricInfo("concentration", "chance to meet the same cell twice", "duch2004 P2", "[1/CV, 1]"),
    expectation=expected_squares,
)
def concentration(table: FloatArray) -> FloatArray:
    """P2 = sum p(C, x)^2 (duch2004 section 2).

    Range 1/CV to 1. Follows the shape of the feature more than the class: compare features of
    equally filled values only. Cost: one pass over the table.
    """
    return np.asarray((table**2).sum(axis=(-2, -1)) / total(table) ** 2)
