"""Metrics that count the cases a majority rule gets right, and the pairs a test separates."""

import numpy as np

from treelab._typing import FloatArray
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.stats.formulas.impurity import n_present, of_classes, of_values, share, total


@register_formula(
    MetricInfo("imc", "accuracy of the informed majority rule", "duch2004 eq. 1", "[1/C, 1]")
)
def imc(table: FloatArray) -> FloatArray:
    """IMC = sum_x max_i p(C_i, x) (duch2004 eq. 1).

    Range max_i p_i to 1. Prefers features with many values, blind to what does not change the
    majority. Cost: one pass over the table.
    """
    return np.asarray(table.max(axis=-1).sum(axis=-1) / total(table))


@register_formula(
    MetricInfo("accuracy", "cases won over the majority class", "SPEC 2.12", "[0, 1 - 1/C]"),
    uninformed=0.0,
)
def accuracy(table: FloatArray) -> FloatArray:
    """Return sum_j p_j max_i p_{i|j} - max_i p_i (SPEC 2.12).

    Range 0 to 1 - 1/C; ranks the candidates of a node as IMC does, with its bias and cost.
    """
    return np.asarray(imc(table) - of_classes(table).max(axis=-1) / total(table))


@register_formula(
    MetricInfo("laplace", "majority rule, cautious in small branches", "SPEC 2.12", "[1/C, 1)")
)
def laplace(table: FloatArray) -> FloatArray:
    """Return sum_j p_j (max_i n_ij + 1) / (n_j + C) (SPEC 2.12).

    Range 1/C to 1. Against features with many values, whose branches are small. Cost: one pass.
    """
    n_classes = n_present(of_classes(table))[..., None]
    right = (table.max(axis=-1) + 1) / (of_values(table) + n_classes)
    return np.asarray((share(of_values(table), total(table)[..., None]) * right).sum(axis=-1))


@register_formula(
    MetricInfo("ssv", "pairs of different class the test separates", "duch2004 SSV", "[-n, n^2]")
)
def ssv(table: FloatArray, lexicographic: bool = False) -> FloatArray:
    """SSV = 2 sum_c |L & c| |R - c| - sum_c min(|L & c|, |R & c|) (duch2004, SPEC 3.3).

    For more branches: all pairs of cases in different branches and of different class, and the
    cases of each class outside the branch that holds most of it. With `lexicographic`
    the second sum only decides between tests that separate equally many pairs (of whole
    counts). From -n to n^2. Cost: one pass over the table.
    """
    pairs = separated_pairs(table)
    torn = (of_classes(table) - table.max(axis=-2)).sum(axis=-1)
    score = pairs - torn / (total(table) + 1) if lexicographic else 2 * pairs - torn
    return np.asarray(score)


def separated_pairs(table: FloatArray) -> FloatArray:
    """Return the number of pairs of cases that differ in class and in branch."""
    same_value = (of_values(table) ** 2).sum(axis=-1)
    same_class = (of_classes(table) ** 2).sum(axis=-1)
    same_both = (table**2).sum(axis=(-2, -1))
    return np.asarray((total(table) ** 2 - same_value - same_class + same_both) / 2)
