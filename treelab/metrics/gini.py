"""Gini and its relatives (kononenko1995 section 2.2, duch2004 section 2)."""

import numpy as np

from treelab._typing import FloatArray
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.stats.formulas.expectation import expected_gini_gain, expected_squares
from treelab.stats.formulas.impurity import (
    of_classes,
    of_values,
    ratio,
    share,
    square,
    sum_of_squares,
)
from treelab.stats.formulas.sums import Sum, sums_of


@register_formula(
    MetricInfo("gini", "drop of the chance to guess wrong", "kononenko1995 eq. 6", "[0, 1 - 1/C]"),
    expectation=expected_gini_gain,
    uninformed=0.0,
)
@sums_of(square)
def gini(_cells: Sum, _branches: Sum, shares: Sum, classes: Sum, whole: Sum, n: Sum) -> Sum:
    """Gini gain: sum_j p_j sum_i p_{i|j}^2 - sum_i p_i^2 (kononenko1995 eq. 6).

    Range 0 to 1 - 1/C. Prefers features with many values. Cost: one pass over the table.
    """
    return shares / n - classes / whole


def expected_gini_prime(table: FloatArray) -> FloatArray:
    """Return what chance gives Gini', exactly: its cells are squared (hong1996 eq. 13)."""
    within = share(expected_squares(table), sum_of_squares(of_values(table)))
    return np.asarray(within - sum_of_squares(of_classes(table)))


@register_formula(
    MetricInfo("gini-prime", "gini with squared value shares", "kononenko1995 eq. 8", "[-1, 1]"),
    expectation=expected_gini_prime,
    uninformed=0.0,
)
@sums_of(square)
def gini_prime(cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, _n: Sum) -> Sum:
    """Gini' = sum_j (p_j^2 / sum_j p_j^2) sum_i p_{i|j}^2 - sum_i p_i^2 (kononenko1995 eq. 8).

    Equals the Gini gain where all values are equally frequent, with its bias. Cost: one pass.
    """
    return ratio(cells, branches, 0.0) - classes / whole


def expected_relief_myopic(table: FloatArray) -> FloatArray:
    """Return what chance gives it, exactly: Gini' times what margins decide."""
    same = sum_of_squares(of_classes(table))
    prime = expected_gini_prime(table)
    return ratio(sum_of_squares(of_values(table)) * prime, same * (1 - same))


@register_formula(
    MetricInfo(
        "relief-myopic",
        "P(values differ | classes differ) - P(values differ | classes agree)",
        "kononenko1995 eq. 7",
        "[-1, 1]",
    ),
    expectation=expected_relief_myopic,
    uninformed=0.0,
)
@sums_of(square)
def relief_myopic(
    cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, _n: Sum
) -> Sum:
    """Relief without neighbours: sum_j p_j^2 Gini' / (S (1 - S)), S = sum_i p_i^2 (eq. 7).

    Two cases are drawn independently, with replacement. Range -1 to 1; 0 for one class. Against
    features with many values. Cost: one pass over the table.
    """
    same = classes / whole
    prime = ratio(cells, branches, 0.0) - same
    return ratio(branches / whole * prime, same * (1 - same))


@register_formula(
    MetricInfo("concentration", "chance to meet the same cell twice", "duch2004 P2", "[1/CV, 1]"),
    expectation=expected_squares,
)
@sums_of(square)
def concentration(
    cells: Sum, _branches: Sum, _shares: Sum, _classes: Sum, whole: Sum, _n: Sum
) -> Sum:
    """P2 = sum p(C, x)^2 (duch2004 section 2).

    Range 1/CV to 1. Follows the shape of the feature more than the class: compare features of
    equally filled values only. Cost: one pass over the table.
    """
    return cells / whole
