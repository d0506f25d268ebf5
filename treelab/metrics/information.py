"""Metrics from information theory, in bits (kononenko1995 section 2.1, duch2004 section 2).

H_C, H_A and H_CA are the entropies of class, value and both; Gain = H_C + H_A - H_CA.
"""

from collections.abc import Callable
from typing import Any, TypedDict

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.kernels._jit import elementwise
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.protocols import Formula
from treelab.stats.formulas.expectation import (
    SMALL_VALUE,
    expected_entropy_of_values,
    expected_gain,
    expected_gain_26,
)
from treelab.stats.formulas.impurity import (
    entropy,
    n_log_n,
    of_classes,
    of_values,
    ratio,
    share,
    total,
)
from treelab.stats.formulas.sums import Sum, sums_of

# The formulas below are given the sums of n log n over cells, values and classes: `formulas.sums`.
# They are compiled, and what they call must be, too.


@elementwise
def bits_gained(cells: Sum, branches: Sum, classes: Sum, whole: Sum, n: Sum) -> Sum:
    """Return H_C + H_A - H_CA."""
    return (whole - classes - branches + cells) / n


FromGain = Callable[..., FloatArray]
"""From the gain and the tables to a metric, the margins of the tables being all it looks at."""


@attrs.frozen
class OfGain:
    """A metric that is linear in the gain, at another gain; a class, so that it can be pickled."""

    metric: FromGain
    gain: Formula

    def __call__(self, table: FloatArray, **parameters: Any) -> FloatArray:
        return self.metric(self.gain(table), table, **parameters)


class Chance(TypedDict):
    """What `register_formula` is told about chance."""

    expectation: Formula
    approximation: Formula


def linear_in_gain(metric: FromGain) -> Chance:
    """Return what chance gives a metric that is linear in the gain where margins are fixed."""
    return {
        "expectation": OfGain(metric, expected_gain),
        "approximation": OfGain(metric, expected_gain_26),
    }


@register_formula(
    MetricInfo("gain", "bits the test tells about the class", "kononenko1995 eq. 1", "[0, log2 C]"),
    expectation=expected_gain,
    approximation=expected_gain_26,
    uninformed=0.0,
)
@sums_of(n_log_n)
def gain(cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, n: Sum) -> Sum:
    """Information gain: H_C + H_A - H_CA (kononenko1995 eq. 1).

    Range 0 to min(H_C, H_A). Prefers features with many values. Cost: one pass over the table.
    """
    return bits_gained(cells, branches, classes, whole, n)


def _per_bit_of_values(bits: FloatArray, table: FloatArray) -> FloatArray:
    return ratio(bits, entropy(of_values(table)))


@register_formula(
    MetricInfo("gain-ratio", "gain per bit the test costs", "kononenko1995 eq. 2", "[0, 1]"),
    **linear_in_gain(_per_bit_of_values),
    uninformed=0.0,
)
@sums_of(n_log_n)
def gain_ratio(cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, n: Sum) -> Sum:
    """Gain ratio: Gain / H_A; 0 where H_A is 0 (kononenko1995 eq. 2).

    Range 0 to 1. Prefers very uneven splits, whose H_A is small. Cost: as the gain.
    """
    return ratio(bits_gained(cells, branches, classes, whole, n), (whole - branches) / n)


@register_formula(
    MetricInfo(
        "mantaras", "1 - normalized distance of partitions", "kononenko1995 eq. 3", "[0, 1]"
    ),
    uninformed=0.0,
)
@sums_of(n_log_n)
def mantaras(cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, n: Sum) -> Sum:
    """1 - D = Gain / H_CA, D being Mantaras' normalized distance; 0 where H_CA is 0 (eq. 3).

    Range 0 to 1. Slightly prefers few values among informative features. Cost: as the gain.
    """
    return ratio(bits_gained(cells, branches, classes, whole, n), (whole - cells) / n)


@register_formula(
    MetricInfo(
        "j-measure", "information content of the rules", "kononenko1995 eq. 4", "[0, log2 C]"
    ),
    expectation=expected_gain,
    approximation=expected_gain_26,
    uninformed=0.0,
)
def j_measure(table: FloatArray) -> FloatArray:
    """J = sum_j p_j sum_i p_{i|j} log2(p_{i|j} / p_i) (kononenko1995 eq. 4).

    Equals the gain, with its range and bias; the parts of single values judge rules.
    """
    return np.asarray(j_of_values(table).sum(axis=-1))


def j_of_values(table: FloatArray) -> FloatArray:
    """Return the part of each value in the J-measure: (..., value), each at least 0."""
    given = share(table, of_values(table)[..., None])
    prior = share(of_classes(table), total(table)[..., None])[..., None, :]
    surprise = np.log2(share(given, prior), out=np.zeros_like(given), where=given > 0)
    p_value = share(of_values(table), total(table)[..., None])
    return np.asarray(p_value * (given * surprise).sum(axis=-1))


def _per_bit_of_classes(bits: FloatArray, table: FloatArray) -> FloatArray:
    return ratio(bits, entropy(of_classes(table)))


@register_formula(
    MetricInfo("normalized-gain", "share of the class entropy explained", "duch2004 IGn", "[0, 1]"),
    **linear_in_gain(_per_bit_of_classes),
    uninformed=0.0,
)
@sums_of(n_log_n)
def normalized_gain(
    cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, n: Sum
) -> Sum:
    """IGn = Gain / H_C, the asymmetric dependency; 0 where H_C is 0 (duch2004 section 2).

    Range 0 to 1. Ranks the candidates of a node as the gain does, with its bias and cost.
    """
    return ratio(bits_gained(cells, branches, classes, whole, n), (whole - classes) / n)


def _per_bit_of_both(bits: FloatArray, table: FloatArray) -> FloatArray:
    return ratio(2 * bits, entropy(of_classes(table)) + entropy(of_values(table)))


@register_formula(
    MetricInfo("symmetrical-uncertainty", "gain shared by class and test", "duch2004 U", "[0, 1]"),
    **linear_in_gain(_per_bit_of_both),
    uninformed=0.0,
)
@sums_of(n_log_n)
def symmetrical_uncertainty(
    cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, n: Sum
) -> Sum:
    """U = 2 Gain / (H_C + H_A); 0 where both are 0 (duch2004 section 2).

    Range 0 to 1, symmetric; ranks as 1 - D does, with its bias. Cost: as the gain.
    """
    both = (2 * whole - classes - branches) / n
    return ratio(2 * bits_gained(cells, branches, classes, whole, n), both)


def _distance_of(bits: FloatArray, table: FloatArray) -> FloatArray:
    return np.asarray(_joint_of(bits, table) - bits)


@register_formula(
    MetricInfo(
        "entropy-distance",
        "bits class and test do not share, negated",
        "duch2004 D_I",
        "[-log2 CV, 0]",
        lower_is_better=True,
    ),
    **linear_in_gain(_distance_of),
)
@sums_of(n_log_n)
def entropy_distance(
    cells: Sum, branches: Sum, _shares: Sum, classes: Sum, _whole: Sum, n: Sum
) -> Sum:
    """D_I = H(C|A) + H(A|C) = 2 H_CA - H_C - H_A (duch2004 section 2); lower is better.

    Range 0 to log2 CV. Against features with many values. Cost: as the gain.
    """
    return (branches + classes - 2 * cells) / n


def _joint_of(bits: FloatArray, table: FloatArray) -> FloatArray:
    return np.asarray(entropy(of_classes(table)) + entropy(of_values(table)) - bits)


@register_formula(
    MetricInfo(
        "joint-information",
        "bits to tell class and test, negated",
        "duch2004 eq. 2",
        "[-log2 CV, 0]",
        lower_is_better=True,
    ),
    **linear_in_gain(_joint_of),
)
@sums_of(n_log_n)
def joint_information(
    cells: Sum, _branches: Sum, _shares: Sum, _classes: Sum, whole: Sum, n: Sum
) -> Sum:
    """I(C, X) = H_CA (duch2004 eq. 2, first line); lower is better.

    Range 0 to log2 CV. Follows the shape of the feature more than the class: compare features of
    equally filled values only. Cost: one pass over the table.
    """
    return (whole - cells) / n


def _weighted(left: FloatArray, table: FloatArray, joint: bool) -> FloatArray:
    """Return WI of the part (..., value) of each value in the class entropy left."""
    if not joint:
        return np.asarray(-np.maximum(left.sum(axis=-1), 0.0))
    p = share(of_values(table), total(table)[..., None])
    return np.asarray((p * (n_log_n(p) - left)).sum(axis=-1))


def expected_weighted_information(table: FloatArray, joint: bool = False) -> FloatArray:
    """Return what chance gives `weighted_information`, exactly."""
    return _weighted(expected_entropy_of_values(table), table, joint)


def approximate_weighted_information(table: FloatArray, joint: bool = False) -> FloatArray:
    """Return the same by hong1996 eq. 26."""
    return _weighted(expected_entropy_of_values(table, SMALL_VALUE), table, joint)


@register_formula(
    MetricInfo(
        "weighted-information",
        "class entropy left after the test, negated",
        "duch2004 eq. 3",
        "[-log2 C, 0]",
    ),
    expectation=expected_weighted_information,
    approximation=approximate_weighted_information,
)
def weighted_information(table: FloatArray, joint: bool = False) -> FloatArray:
    """WI = -H(C|X), the conditional reading of duch2004 eq. 3; ranks as the gain does.

    With `joint` the literal reading, -sum_x p(x) I(C, X=x), I being the part of the value in
    the joint information (SPEC 3.1). Range -log2 C to 0. Cost: one pass over the table.
    """
    if not joint:
        return gain(table) - entropy(of_classes(table))
    p = share(table, total(table)[..., None, None])
    of_value = share(of_values(table), total(table)[..., None])
    return np.asarray((of_value * n_log_n(p).sum(axis=-1)).sum(axis=-1))


@register_formula(
    MetricInfo(
        "gd",
        "squared distance per bit of the test, negated",
        "duch2004 reference 11, SPEC 3.2",
        "(-inf, 0]; NaN for a single value",
        lower_is_better=True,
    )
)
@sums_of(n_log_n)
def gd(cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, n: Sum) -> Sum:
    """GD of a single feature: D_I^2 / H(X) (SPEC 3.2); lower is better.

    From 0 on; NaN where H(X) is 0, for a test that tells nothing has no GD. Cost: as the gain.
    """
    distance, cost = (branches + classes - 2 * cells) / n, (whole - branches) / n
    return np.where(cost > 1e-12, ratio(distance**2, cost), np.nan)[()]
