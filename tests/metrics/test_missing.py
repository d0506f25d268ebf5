"""Count scores where values are missing: between what is known and no information (SPEC 12.1)."""

import numpy as np
import pytest
from strategies import dataset, random_dataset

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.errors import ParameterError
from treelab.metrics import CountMetric
from treelab.metrics.normalized import UNINFORMED
from treelab.stats.formulas.impurity import independent
from treelab.stats.stores.in_memory import root_node

METRICS = {name: tl.metric(name) for name in tl.metric_names()}
COUNT_METRICS = {name: m for name, m in METRICS.items() if isinstance(m, CountMetric)}
DECLARED = {name: m for name, m in COUNT_METRICS.items() if m.uninformed is not None}
NORMALIZED = ("normalized-gini", "normalized-entropy")


def node(data, splits="multiway"):
    return root_node(Coded.of(data, Coding()), splits)


def test_what_is_declared_and_what_is_computed():
    assert {"gain", "gini", "chi2", "p-chi2", *NORMALIZED} <= set(DECLARED)
    assert {"imc", "laplace", "ssv", "gd", "concentration"} <= set(COUNT_METRICS) - set(DECLARED)


@pytest.mark.parametrize("name", DECLARED)
def test_what_is_declared_is_what_tables_without_information_give(name):
    rng, metric = np.random.default_rng(5), DECLARED[name]
    for n_values, n_classes in [(2, 2), (2, 5), (4, 3), (6, 2)]:
        values = rng.integers(1, 100, (20, n_values)) * 1e4
        classes = rng.dirichlet(np.ones(n_classes), 20) * values.sum(axis=1, keepdims=True)

        found = metric.ranks(independent(values, classes))
        # The normalized ones reach theirs like values / cases, at most 6 / 6e4; the rest is
        # rounding: the root of 1e-16, a probability's, is the largest.
        atol = 2e-4 if name in NORMALIZED else 2e-5
        np.testing.assert_allclose(found, metric.uninformed, atol=atol)


def noise_with_gaps(shares):
    """Return a feature that tells nothing, complete and with gaps: a share of each class."""
    y = np.repeat([0, 1], [400, 200])
    whole = np.tile([0, 0, 1, 2], 150)
    rows = np.arange(600)
    return whole, np.where(rows // 4 % 10 < 10 * np.take(shares, y), -1, whole), y


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.9, 0.1), (0.0, 0.8)])
@pytest.mark.parametrize("name", COUNT_METRICS)
def test_a_feature_that_tells_nothing_scores_the_same_whatever_is_missing(name, shares):
    whole, thinned, y = noise_with_gaps(shares)
    scores = COUNT_METRICS[name](node(dataset([whole, thinned], y)))

    # The normalized ones are worth (N - 1) / (N - F) of chance, for the known cases too.
    of_chance = {"rel": 0, "abs": 3 / (np.sum(thinned >= 0) - 3) if name in NORMALIZED else 1e-9}
    assert scores[1] == pytest.approx(scores[0], **of_chance)


@pytest.mark.parametrize("name", ["imc", "entropy-distance", "ssv", "gain", "mdl"])
def test_a_score_lies_between_what_is_known_and_no_information(name):
    rows = np.arange(120)
    y, gap = rows % 2, rows // 2 % 4 == 0
    right = np.where(rows // 2 % 3 > 0, y, 1 - y)
    here = node(dataset([np.where(gap, -1, right)], y))
    table = np.array([[30.0, 15.0], [15.0, 30.0]])
    formula = tl.formula(name)
    known, same_margins = formula(table), formula(np.full((2, 2), 22.5))

    expected = formula(np.full((2, 2), 30.0)) + 0.75 * (known - same_margins)
    assert METRICS[name](here) == pytest.approx(expected, rel=1e-12)


def test_ranks_that_agree_agree_where_values_are_missing():
    """The class margin of the node is the same for all its candidates, that of the known not."""
    for seed in range(20):
        here = node(random_dataset(seed, cases=60, missing=0.4, weights="whole"), "subset")
        for one, other in (("gain", "weighted-information"), ("accuracy", "imc")):
            difference = METRICS[other](here) - METRICS[one](here)
            # H(C), or the share of the largest class, whatever the candidate; rounding of sums.
            np.testing.assert_allclose(difference, difference[0], atol=1e-12)


@pytest.mark.parametrize("splits", ["multiway", "subset"])
@pytest.mark.parametrize("name", ["gain", "gini", "chi2", "j-measure", "hellinger"])
def test_nothing_need_be_declared(name, splits):
    metric = METRICS[name]
    for seed, weights in enumerate(["one", "whole", "fraction", "some-zero"]):
        data = random_dataset(seed, cases=50, missing=0.3, weights=weights)
        here = node(data, splits)
        mine = tl.from_counts(metric.raw)
        said = tl.from_counts(metric.raw, uninformed=0.0)

        # Another order of sums; the root of a rounding error in hellinger.
        np.testing.assert_allclose(mine(here), metric(here), rtol=1e-9, atol=1e-7)
        np.testing.assert_allclose(said(here), metric(here), rtol=1e-9, atol=1e-12)


def test_a_function_of_one_table_is_asked_about_no_information_too():
    def pairs(table):
        total = 0.0
        for row in table:
            for count in row:
                total += count * count
        return total

    here = node(random_dataset(3, cases=60, missing=0.3), "subset")
    over_many = tl.from_counts(lambda tables: (tables**2).sum(axis=(-2, -1)))
    np.testing.assert_allclose(tl.from_counts(pairs)(here), over_many(here), rtol=1e-12)


def test_what_cannot_be_judged_without_information_is_worth_0():
    def picky(tables):
        gain = COUNT_METRICS["gain"].raw(tables)
        return np.where(gain > 1e-9, gain, np.nan)

    here = node(random_dataset(1, cases=60, missing=0.3))
    found = tl.from_counts(picky)(here)
    np.testing.assert_allclose(found, METRICS["gain"](here), rtol=1e-9)


def test_complete_data_are_not_asked_about_no_information():
    def formula(tables):
        seen.append(len(tables))
        return COUNT_METRICS["gain"].raw(tables)

    seen = []
    metric = tl.from_counts(formula)
    for missing, asked in ((0.0, 1), (0.3, 3)):
        data = random_dataset(2, cases=40, numeric=0, nominal=1, labels=2, missing=missing)
        seen.clear()
        metric(node(data))
        assert len(seen) == asked


@pytest.mark.parametrize("given", ["0", np.nan, np.inf, True])
def test_no_information_is_worth_a_number(given):
    with pytest.raises(ParameterError, match=r"^uninformed must be a number"):
        tl.from_counts(np.sum, uninformed=given)


@pytest.mark.parametrize("summary", UNINFORMED)
def test_normalized_scores_shrink_towards_chance(summary):
    y = np.tile([0, 1], 60)
    feature = np.where(np.arange(120) % 5 == 0, 1 - y, y)
    half = dataset([np.append(feature, np.full(120, -1))], np.append(y, y))
    metric = tl.Normalized("gain", "permutation", summary, rounds=5)
    known = metric.raw(node(half))
    known = 1 - known if summary == "p-value" else known

    towards = {"ratio": 1.0, "difference": 0.0, "z": 0.0, "p-value": 0.5}[summary]
    assert metric(node(half)) == pytest.approx((known + towards) / 2)


@pytest.mark.parametrize("classes", [0.5, 0.2])
@pytest.mark.slow
def test_missing_values_do_not_make_noise_win(classes):
    """A bit right in 65 % of 400 cases, 10 % of its values missing, beside a noise bit."""
    draws, lost = 100, {name: np.zeros(2) for name in COUNT_METRICS}
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        y = (rng.random(400) < classes).astype(int)
        good = np.where(rng.random(400) < 0.65, y, 1 - y)
        noise, gaps = rng.integers(0, 2, 400), rng.random(400) < 0.1
        nodes = [node(dataset([noise, g], y)) for g in (good, np.where(gaps, -1, good))]
        for name, metric in COUNT_METRICS.items():
            scores = np.array([metric(here) for here in nodes])
            lost[name] += scores[:, 1] <= scores[:, 0] + 1e-12
    for name, (before, after) in lost.items():
        # What fewer cases cost by chance: measured at most 7; shrinking towards 0 cost 8 to 100.
        assert after <= before + 12, name
