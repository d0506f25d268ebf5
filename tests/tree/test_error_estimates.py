"""The errors that pruners expect, by tables and other programs."""

import naive_errors as naive
import numpy as np
import pytest
from pruned import vectors

from treelab.tree.prune import (
    Pessimistic,
)
from treelab.tree.prune.estimate import METHODS, c45_deviate, extra_errors, normal_deviate

# errors, cases, the rate of C4.5 release 8, the exact binomial limit; confidence 0.25
RATES = [
    (0, 1, 0.750000000000, 0.750000000000),
    (0, 2, 0.500000000000, 0.500000000000),
    (0, 6, 0.206299474016, 0.206299474016),
    (0, 9, 0.142756017147, 0.142756017147),
    (0, 100, 0.013767295507, 0.013767295507),
    (1, 2, 0.898120565887, 0.866025403784),
    (1, 6, 0.387747572533, 0.389479485201),
    (1, 16, 0.156680872399, 0.159610713722),
    (2, 16, 0.228994667265, 0.230589189058),
    (5, 6, 0.967097339001, 0.953184292997),
    (5, 10, 0.654159643965, 0.649319185844),
    (10, 100, 0.128147053185, 0.128210591290),
    (50, 100, 0.539516691955, 0.538568809371),
    (6, 6, 1, 1),
]


@pytest.mark.parametrize(("errors", "cases", "c45", "exact"), RATES)
def test_error_rates_are_those_of_the_table(errors, cases, c45, exact):
    rates = [Pessimistic(method=m).predicted(cases, errors) / cases for m in ("c45", "exact")]

    assert [c45, exact] == pytest.approx(rates, abs=1e-11)


@vectors("c45_upper_error_rate")
def test_c45_rates_are_those_on_record(vector):
    cases, errors = vector["input"]["N"], vector["input"]["errors"]
    rate = Pessimistic(cf=vector["params"]["CF"]).predicted(cases, errors) / cases

    assert vector["expected"] == pytest.approx(rate, rel=1e-9)


@vectors("binomial_upper_limit")
def test_binomial_limits_are_those_on_record(vector):
    cases, errors = vector["input"]["N"], vector["input"]["errors"]
    rule = Pessimistic(cf=vector["params"]["CF"], method="exact")

    assert vector["expected"] == pytest.approx(rule.predicted(cases, errors) / cases, rel=1e-9)


@vectors("c45_add_errs")
def test_extra_errors_of_fractional_cases_are_those_on_record(vector):
    cases, errors = vector["input"]["N"], vector["input"]["errors"]
    extra = extra_errors("c45", cases, errors, vector["params"]["CF"])

    assert vector["expected"] == pytest.approx(float(extra), rel=1e-9)


@vectors("c45_z")
def test_deviates_are_those_on_record(vector):
    assert vector["expected"] == pytest.approx(c45_deviate(vector["input"]["CF"]), rel=1e-9)


@vectors("c45_prune_decision")
def test_decisions_to_prune_are_those_on_record(vector):
    rule = Pessimistic(cf=vector["params"]["CF"])
    as_tree = sum(rule.predicted(n, e) for e, n in vector["input"]["leaves"])
    errors, cases = vector["input"]["as_leaf"]
    as_leaf = rule.predicted(cases, errors)
    found = {"subtree_errors": as_tree, "leaf_errors": as_leaf, "prune": as_leaf <= as_tree + 0.1}

    assert vector["expected"] == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize("cf", [0.001, 0.03, 0.25, 0.4, 0.9, 1])
def test_c45_extra_errors_agree_with_the_naive_ones(cf):
    rng = np.random.default_rng(0)
    n = np.concatenate([[0, 0.3, 1, 1, 1, 2, 5, 6, 6], rng.exponential(20, 200)])
    e = np.concatenate([[0, 0.1, 0, 1e-7, 1, 0.9999, 0.99989, 5.5, 6], rng.random(200) * n[9:]])
    expected = [naive.add_errs(*pair, cf) for pair in zip(n, e, strict=True)]

    assert expected == pytest.approx(extra_errors("c45", n, e, cf).tolist(), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("cf", [0.001, 0.03, 0.25, 0.5])
def test_j48_extra_errors_agree_with_the_naive_ones(cf):
    rng = np.random.default_rng(0)
    n = np.concatenate([[0, 0.3, 1, 1, 1, 2, 5, 6, 6], rng.exponential(20, 200)])
    e = np.concatenate([[0, 0.1, 0, 1e-7, 1, 0.9999, 0.99989, 5.5, 6], rng.random(200) * n[9:]])
    expected = [naive.j48_add_errs(*pair, cf) for pair in zip(n, e, strict=True)]

    # The same formula in another order.
    assert expected == pytest.approx(extra_errors("j48", n, e, cf).tolist(), rel=1e-9, abs=1e-9)


J48_RATES = [
    (0, 1, 0.75), (0, 6, 0.206299474016), (1, 2, 0.895746521619), (1, 6, 0.383917759661),
    (1, 16, 0.154732164490), (2, 16, 0.226870447278), (5, 6, 0.966333216783),
    (5, 10, 0.651624376714), (10, 100, 0.127496114512), (50, 100, 0.538623717147), (6, 6, 1),
]  # fmt: skip


@pytest.mark.parametrize(("errors", "cases", "expected"), J48_RATES)
def test_j48_rates_are_those_of_the_specification(errors, cases, expected):
    """SPEC 6.1, the last column of the table."""
    rate = Pessimistic(method="j48").predicted(cases, errors) / cases

    assert expected == pytest.approx(float(rate), abs=1e-12)


def test_a_confidence_above_one_half_has_no_deviate():
    assert normal_deviate(0.75) == 0.0


@pytest.mark.parametrize("cf", [0.01, 0.25, 0.8])
def test_exact_extra_errors_agree_with_bisection_of_the_binomial(cf):
    n, e = np.array([(n, e) for n in (1, 2, 7, 30) for e in range(n + 1)]).T
    expected = [naive.exact_errors(*pair, cf) for pair in zip(n.tolist(), e.tolist(), strict=True)]

    assert expected == pytest.approx((e + extra_errors("exact", n, e, cf)).tolist(), rel=1e-9)


def test_no_cases_have_no_errors():
    assert [float(extra_errors(method, 0, 0, 0.25)) for method in METHODS] == [0, 0, 0]
