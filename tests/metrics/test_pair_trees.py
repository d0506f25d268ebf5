"""Pair metrics of one's own, and trees grown by pairs."""

import numpy as np
import pytest
from pair_metrics import ALL, dataset, node, parity, random_cases, scores

import treelab as tl
from treelab.errors import DataError, ParameterError
from treelab.metrics.discrimination import (
    Algorithm1,
    ContextualMerit,
    ContextualMerit1,
    Relief,
    ReliefF,
    ReliefFExpRank,
)
from treelab.metrics.pi import Pi
from treelab.protocols import FeatureScores
from treelab.stats.pairs.schemes import AllPairs, Contextual, Nearest


class EqualWeights:
    """All pairs alike, in numpy: what AllPairs(alpha=0) is."""

    ramp, bins = 1.0, 0

    def tables(self, pairs):
        tables = pairs.empty_tables()
        for i in range(len(pairs.y)):
            for f in range(len(pairs.kind)):
                apart = np.abs(pairs.cases[:, f] - pairs.cases[i, f])
                apart = apart > 0 if pairs.kind[f] == 0 else apart
                for other in range(2):
                    d = apart[(pairs.y != pairs.y[i]) == other]
                    tables[f, pairs.value[i, f], pairs.y[i], :, other] += (1 - d).sum(), d.sum()
        return tables


def contrast(tables):
    differs = tables[..., 1, :].sum(axis=(1, 2))
    return differs[:, 1] - differs[:, 0]


def test_a_scheme_of_ones_own():
    data = random_cases(4, missing=0.0)
    mine, built_in = (
        tl.from_pairs(EqualWeights(), contrast),
        tl.from_pairs(AllPairs(alpha=0.0), contrast),
    )

    assert scores(mine, *data) == pytest.approx(scores(built_in, *data))
    assert tl.grow(dataset(*data), mine) == tl.grow(dataset(*data), built_in)


def test_relieff_is_a_scheme_and_a_formula():
    data = random_cases(5)
    mine = tl.from_pairs(tl.metrics.Nearest(4, missing="expected"), contrast)

    assert scores(mine, *data).tolist() == scores(ReliefF(4), *data).tolist()


class Unhashable(EqualWeights):
    __hash__ = None


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        ("nearest", "a pair scheme needs ramp, bins, tables, got 'nearest'"),
        (Unhashable(), "a pair scheme must be hashable"),
    ],
)
def test_what_is_no_scheme_is_told(scheme, message):
    with pytest.raises(ParameterError, match=message):
        tl.from_pairs(scheme, contrast)


@pytest.mark.parametrize("name", ["relief", "relieff", "contextual-merit", "contextual-merit-1"])
def test_pairs_find_the_parity_that_counts_miss(name):
    data = parity()

    assert tl.cross_validate(data, tl.Learner(metric=name).fit, 5).accuracy == 1.0
    assert tl.cross_validate(data, tl.Learner(metric="gain").fit, 5).accuracy < 0.8


def test_every_pair_metric_grows_a_tree_on_mixed_data_with_missing_values():
    data = tl.load("heart").take(np.arange(70))
    for info in map(tl.metrics.metric_info, tl.metric_names()):
        if info.needs == "pairs":
            tree = tl.grow(data, info.name)
            assert (tree.predict(data) == data.labels).mean() > 0.75, info.name


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_a_column_without_known_values_does_no_harm(metric):
    cases, y, numeric = random_cases(7)
    empty = [[None, *case] for case in cases]
    found = scores(metric, empty, y, [True, *numeric])

    assert found[1:] == pytest.approx(scores(metric, cases, y, numeric))
    assert tl.grow(dataset(empty, y, [True, *numeric]), metric).root.feature != "f0"


def test_the_cut_metric_finds_the_cut():
    x = np.arange(12.0)
    data = dataset([[v] for v in x], [0] * 3 + [1] * 9, [True])

    def by_feature(_node):
        return FeatureScores(np.ones(1))

    def last_cut(node):
        return np.arange(len(node.counts), dtype=float)

    settings = {"pruner": "none", "min_branch": 1, "max_depth": 1}
    assert tl.grow(data, by_feature, **settings).root.threshold == 2.5
    assert tl.grow(data, by_feature, cut_metric=last_cut, **settings).root.threshold == 10.5


def test_the_cut_metric_must_judge_cuts():
    with pytest.raises(ParameterError, match=r"^cut_metric must judge the cuts .* as a whole$"):
        tl.grow(tl.load("iris"), "relieff", cut_metric="relief")


def test_scores_of_features_must_be_as_many_as_features():
    data = tl.load("iris")
    with pytest.raises(DataError, match=r"expected shape \(4,\), got \(2,\)"):
        tl.grow(data, lambda _: FeatureScores(np.ones(2)))


def test_pair_tables_sum_to_all_pairs():
    """Identity 18 of SPEC section 7: with alpha = 0 the four columns sum to N^2."""
    cases, y, numeric = random_cases(6)
    tables = node(dataset(cases, y, numeric)).pairs(AllPairs(alpha=0.0))

    assert tables.sum(axis=(1, 2, 3, 4)) == pytest.approx(len(y) ** 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ReliefF(0), "k must be a whole number of at least 1"),
        (lambda: ReliefF(ties="none"), "ties must be one of 'shared', 'first', got 'none'"),
        (lambda: Relief(ties="none"), "ties must be one of 'shared', 'first', got 'none'"),
        (lambda: ContextualMerit(k="all", ties="none"), "ties must be one of 'shared', 'first'"),
        (lambda: ContextualMerit(ramp=0), "ramp must be a number of at least 1e-09, got 0"),
        (lambda: ContextualMerit1(k=-2), "k must be a whole number of at least 1"),
        (lambda: Algorithm1(radius=-1), "radius must be a number of at least 0, got -1"),
        (lambda: Pi(alpha=-1), "alpha must be a number of at least 0, got -1"),
        (lambda: Pi(bins=-1), "bins must be a whole number of at least 0, got -1"),
        (lambda: Pi(1), "theta must be four numbers, got 1"),
        (lambda: Pi((1, 1, 1, np.nan)), "theta must be four numbers"),
        (lambda: Pi(aggregate="sum"), "aggregate must be a function, got 'sum'"),
        (lambda: Nearest(k=0, rank_spread=2.0), "k must be a whole number of at least 1, got 0"),
        (lambda: Contextual(rows="some"), "rows must be one of 'all', 'smaller'"),
        (lambda: ReliefFExpRank("all"), "k must be a whole number of at least 1, got 'all'"),
        (lambda: tl.metric(tl.formula("ssv"), lexicographic=True), "parameters go with the name"),
        (lambda: ContextualMerit(rows="some"), "rows must be one of 'all', 'smaller'"),
        (lambda: Algorithm1("cm"), "update must be one of 'relief', 'merit'"),
        (lambda: Pi(max_cases=0), "max_cases must be a whole number of at least 1, got 0"),
        (lambda: AllPairs(missing="skip"), "missing must be one of 'value', 'expected'"),
        (lambda: Pi((1, 2)), "theta must be four numbers"),
        (lambda: Pi(decay="linear"), "decay must be one of 'exponential', 'power', 'radius'"),
    ],
)
def test_a_wrong_parameter_is_told(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
