"""Metrics that measure how far the classes lie apart (kononenko1995 section 2.3, SPEC 2.12).

p_u and q_u are the shares of value u in two classes. For more than two classes that occur, `many`
says of which two: 'pairs-mean' and 'pairs-max' are the mean and the largest distance over all pairs
of classes; 'rest-mean' and 'rest-max' set each class against all others together.
"""

import math
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from treelab._typing import FloatArray
from treelab.errors import check_choice
from treelab.kernels._jit import elementwise
from treelab.kernels.ties import TIE
from treelab.metrics.options import ParametricFormula
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.protocols import Formula
from treelab.stats.formulas.impurity import (
    cleared,
    n_present,
    of_classes,
    of_values,
    ratio,
    share,
    total,
)
from treelab.stats.formulas.per_table import PerTableFormula

Many = Literal["pairs-mean", "pairs-max", "rest-mean", "rest-max"]


@register_formula(
    MetricInfo(
        "relevance", "each value's best class, by its share of it", "kononenko1995 eq. 9", "[0, 1]"
    ),
    uninformed=0.0,
)
def relevance(table: FloatArray) -> FloatArray:
    """Return (sum_j max_i n_ij / n_i - 1) / (C - 1); 0 for one class (kononenko1995 eq. 9).

    Range 0 to 1. Prefers features with many values. Cost: one pass over the table.
    """
    best = share(table, of_classes(table)[..., None, :]).max(axis=-1).sum(axis=-1)
    others = n_present(of_classes(table)) - 1
    return np.where(others > 0, share(best - 1, others), 0.0)


@register_formula(
    MetricInfo(
        "orthogonality",
        "angle between the class vectors of the branches",
        "Fayyad and Irani 1992, SPEC 2.12",
        "[0, 1]",
    ),
    uninformed=0.0,
)
def orthogonality(table: FloatArray) -> FloatArray:
    """Return 1 - cos(angle between the class vectors of two branches) (Fayyad and Irani 1992).

    For more branches the mean over pairs of branches u, v weighted by p_u p_v (SPEC 2.12).
    Range 0 to 1; 0 for a single branch. Cost: one pass over the table.
    """
    p = share(of_values(table), total(table)[..., None])
    unit = share(table, np.sqrt((table**2).sum(axis=-1))[..., None])
    mean = (p[..., None] * unit).sum(axis=-2)
    itself = (p**2).sum(axis=-1)
    # |sum_u p_u x_u|^2 sums the cosines of all ordered pairs, those with itself included.
    cosines = (mean**2).sum(axis=-1) - itself
    apart = 1 - itself
    return ratio(np.maximum(apart - cosines, 0.0), apart)


@register_formula(
    MetricInfo(
        "dkm",
        "drop of 2 sqrt(q (1 - q)), q the majority's share",
        "Dietterich, Kearns and Mansour 1996, SPEC 2.12",
        "[0, 1] for two classes, else [-1, 1]",
    ),
    signed=True,
    uninformed=0.0,
)
def dkm(table: FloatArray) -> FloatArray:
    """Return D(max_i p_i) - sum_j p_j D(max_i p_{i|j}), D(q) = 2 sqrt(q (1 - q)) (SPEC 2.12).

    Range 0 to 1 for two classes; with more it can be negative, for D falls again where no
    class has half of the cases. Less against rare classes than Gini. Cost: one pass.
    """
    n = total(table)[..., None]
    before = _dkm(share(of_classes(table), n).max(axis=-1))
    after = _dkm(share(table, of_values(table)[..., None]).max(axis=-1))
    return np.asarray(before - (share(of_values(table), n) * after).sum(axis=-1))


def _dkm(majority: FloatArray) -> FloatArray:
    return np.asarray(2 * np.sqrt(majority * cleared(1 - majority)))


@register_formula(
    MetricInfo("hellinger", "Hellinger distance of the classes", "SPEC 2.12", "[0, sqrt 2]"),
    uninformed=0.0,
)
@ParametricFormula
def hellinger(many: Many = "pairs-mean") -> Formula:
    """Return sqrt(sum_u (sqrt p_u - sqrt q_u)^2) (SPEC 2.12).

    Range 0 to sqrt 2. Does not see how frequent the classes are: good for rare ones. Prefers
    features with many values. Cost: one pass for each pair of classes.
    """
    check_choice("many", many, get_args(Many))
    return _HELLINGER[many]


@register_formula(
    MetricInfo("euclid", "Euclidean distance of the classes", "SPEC 2.12", "[0, 1]"), uninformed=0.0
)
def euclid(table: FloatArray, many: Many = "pairs-mean") -> FloatArray:
    """Return sqrt(sum_u (p_u - q_u)^2 / 2) (SPEC 2.12).

    Range 0 to 1. Against features with many values. Cost: one pass for each pair of classes.
    """
    return _apart(table, _shares, _half_distance, many)


def _half_distance(p: FloatArray, q: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(((p - q) ** 2).sum(axis=-1) / 2))


@register_formula(
    MetricInfo("auc", "area between the classes' curves", "SPEC 2.12", "[0, 1]"), uninformed=0.0
)
def auc(table: FloatArray, many: Many = "pairs-mean") -> FloatArray:
    """Return sum_{u<v} |p_u q_v - p_v q_u| = 2 AUC - 1 of the best order of values (SPEC 2.12).

    Range 0 to 1. Prefers features with many values. Cost: a sort for each pair of classes.
    """
    return _apart(table, _shares, _area, many)


def _area(p: FloatArray, q: FloatArray) -> FloatArray:
    # In the order of p / (p + q) all differences p_u q_v - p_v q_u have one sign.
    order = np.argsort(-share(p, p + q), axis=-1, kind="stable")
    p, q = np.take_along_axis(p, order, -1), np.take_along_axis(q, order, -1)
    before_p, before_q = np.cumsum(p, axis=-1) - p, np.cumsum(q, axis=-1) - q
    return np.asarray((before_p * q - p * before_q).sum(axis=-1))


@register_formula(
    MetricInfo("angle", "angle between the classes' counts", "SPEC 2.12", "[0, 1]"), uninformed=0.0
)
def angle(table: FloatArray, many: Many = "pairs-mean") -> FloatArray:
    """Return sqrt(1 - cos) of the counts of two classes (SPEC 2.12).

    Range 0 to 1. Computed as |a - b| / sqrt 2 of the unit vectors a, b: the root of 1 - cos
    would make 1e-8 of rounding. Cost: one pass for each pair of classes.
    """
    return _apart(table, _unit, _half_distance, many)


def _shares(columns: FloatArray) -> FloatArray:
    """Return the share of each value in each class, for columns (..., class, value)."""
    return share(columns, columns.sum(axis=-1, keepdims=True))


def _unit(columns: FloatArray) -> FloatArray:
    return share(columns, np.sqrt((columns**2).sum(axis=-1, keepdims=True)))


Scale = Callable[[FloatArray], FloatArray]
Distance = Callable[[FloatArray, FloatArray], FloatArray]


def _apart(table: FloatArray, scale: Scale, distance: Distance, many: Many) -> FloatArray:
    """Return the mean or largest distance of two scaled classes; 0 where there is one class."""
    check_choice("many", many, get_args(Many))
    which, summary = many.split("-")
    found, n_found = np.zeros(table.shape[:-2]), np.zeros(table.shape[:-2])
    for a, b in _opposites(np.swapaxes(table, -1, -2), scale, which):
        both = (a.sum(axis=-1) > 0) & (b.sum(axis=-1) > 0)
        apart = np.where(both, distance(a, b), 0.0)
        found = found + apart if summary == "mean" else np.maximum(found, apart)
        n_found += both
    return share(found, n_found) if summary == "mean" else found


def _opposites(
    columns: FloatArray, scale: Scale, which: str
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the two sides to compare: pairs of classes, or each class and the rest."""
    classes, own = range(columns.shape[-2]), scale(columns)
    if which == "pairs":
        for i, j in combinations(classes, 2):
            yield own[..., i, :], own[..., j, :]
        return
    rest = scale(np.maximum(columns.sum(axis=-2, keepdims=True) - columns, 0.0))
    for i in classes:
        yield own[..., i, :], rest[..., i, :]


# The distance of hellinger, compiled: of one table (value, class) at a time.


@elementwise
def _root_of_share(part: float, whole: float) -> float:
    return math.sqrt(part / whole) if part >= TIE * whole else 0.0


@elementwise
def _sums_of_classes(table: FloatArray) -> FloatArray:
    sums = np.zeros(table.shape[1])
    for row in range(table.shape[0]):
        for i in range(table.shape[1]):
            sums[i] += table[row, i]
    return sums


@elementwise
def _of_pairs(table: FloatArray) -> tuple[float, float, int]:
    """Return the sum and the largest of the distances of all pairs of classes, and their number."""
    n, added, largest, pairs = _sums_of_classes(table), 0.0, 0.0, 0
    for i in range(len(n)):
        for j in range(i + 1, len(n)):
            if n[i] > 0.0 and n[j] > 0.0:
                squares = 0.0
                for row in range(table.shape[0]):
                    p, q = _root_of_share(table[row, i], n[i]), _root_of_share(table[row, j], n[j])
                    squares += (p - q) ** 2
                added, largest = added + math.sqrt(squares), max(largest, math.sqrt(squares))
                pairs += 1
    return added, largest, pairs


@elementwise
def _of_rests(table: FloatArray) -> tuple[float, float, int]:
    """Return the same for each class and all others together."""
    n, added, largest, pairs = _sums_of_classes(table), 0.0, 0.0, 0
    rests = np.empty(table.shape[0])
    for i in range(len(n)):
        for row in range(table.shape[0]):
            rests[row] = 0.0
            for j in range(len(n)):
                rests[row] += table[row, j] if j != i else 0.0
        rest = rests.sum()
        if n[i] > 0.0 and rest > 0.0:
            squares = 0.0
            for row in range(table.shape[0]):
                p, q = _root_of_share(table[row, i], n[i]), _root_of_share(rests[row], rest)
                squares += (p - q) ** 2
            added, largest = added + math.sqrt(squares), max(largest, math.sqrt(squares))
            pairs += 1
    return added, largest, pairs


def _pairs_mean(table: FloatArray) -> float:
    added, _, pairs = _of_pairs(table)
    return added / max(pairs, 1)


def _pairs_max(table: FloatArray) -> float:
    return _of_pairs(table)[1]


def _rest_mean(table: FloatArray) -> float:
    added, _, pairs = _of_rests(table)
    return added / max(pairs, 1)


def _rest_max(table: FloatArray) -> float:
    return _of_rests(table)[1]


_HELLINGER: dict[Many, Formula] = {
    "pairs-mean": PerTableFormula(_pairs_mean),
    "pairs-max": PerTableFormula(_pairs_max),
    "rest-mean": PerTableFormula(_rest_mean),
    "rest-max": PerTableFormula(_rest_max),
}
