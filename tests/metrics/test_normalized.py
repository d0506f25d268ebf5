"""`Normalized`: any metric against chance, as a formula, by permutations and inside the tree."""

import itertools
import json
import pickle
import re
from pathlib import Path

import naive_pairs
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from strategies import dataset, random_dataset, steady

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.errors import ParameterError, TreelabError
from treelab.metrics.comparison import Comparison
from treelab.metrics.discrimination import ContextualMerit, ContextualMerit1
from treelab.protocols import FeatureScores
from treelab.stats.formulas.expectation import expected_gini_gain
from treelab.stats.formulas.permutation import best_by_chance
from treelab.stats.stores.in_memory import root_node

VECTORS = json.loads((Path(__file__).parents[1] / "reference" / "chance_vectors.json").read_text())
CONTEXTUAL = ["normalized-contextual-merit", "normalized-contextual-merit-1"]
NAMES = ["normalized-gini", "normalized-entropy", *CONTEXTUAL]


def vectors(measure):
    found = [vector for vector in VECTORS if vector["measure"] == measure]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


def node(data, **how):
    return root_node(Coded.of(data, Coding()), **how)


def of_table(table):
    """Return a node with a single multiway candidate, whose table is the given one."""
    table = np.asarray(table, int)
    value, label = (np.repeat(where, table.reshape(-1)) for where in np.indices(table.shape)
                    .reshape(2, -1))  # fmt: skip
    return node(dataset([value], label, table.shape[1], labels={0: len(table)}), splits="multiway")


def of_cases(given):
    """Return the node of the cases of a vector."""
    cases = np.array(given["Z"])
    columns = [column if numeric else column.astype(int)
               for column, numeric in zip(cases.T, given["numeric"], strict=True)]  # fmt: skip
    return node(dataset(columns, given["y"]))


def merit(vector, kind=ContextualMerit1):
    how = vector["params"]
    k = {"all": "all", "k1": 1, "k2": 2}[how["k"]]
    return kind(k, how["threshold_fraction"], how.get("rows", "all"), "first")


# Exact values


@vectors("normalized_gain_merit")
def test_the_gain_over_the_gain_by_chance(vector):
    found = tl.Normalized("gain")
    here = of_table(np.array(vector["input"]["table"]).T)

    assert found(here) == pytest.approx([vector["expected"]], abs=1e-9)
    assert found.raw(here) == pytest.approx([vector["expected"]], abs=1e-9)


@vectors("expected_merit_RM1")
def test_the_expected_merit(vector):
    expected = merit(vector).expected(of_cases(vector["input"]), "exact")

    assert expected == pytest.approx(vector["expected"], abs=1e-9)


@vectors("normalized_contextual_merit")
def test_the_merit_over_the_expected_merit(vector):
    found = tl.Normalized(merit(vector))(of_cases(vector["input"])).values

    assert found[vector["input"]["feature"]] == pytest.approx(vector["expected"], abs=1e-9)


TINY = next(vector["input"] for vector in VECTORS if vector["id"] == "rm1.tiny.all.t0.50")


@pytest.mark.parametrize("k", [None, 2, 5])
def test_equation_35_is_the_mean_over_all_permutations_of_the_feature(k):
    """Identity 17 of SPEC section 7; ties are shared, so that they do not look at the feature."""
    expected = ContextualMerit1(k).expected(of_cases(TINY), "exact")
    for f in range(3):
        column = [case[f] for case in TINY["Z"]]
        merits = [
            naive_pairs.contextual_merit(
                [[*case[:f], value, *case[f + 1 :]]
                 for case, value in zip(TINY["Z"], deal, strict=True)],
                TINY["y"], TINY["numeric"], k=k, leave_out=True,
            )[f]
            for deal in itertools.permutations(column)
        ]  # fmt: skip

        assert len(merits) == 720
        assert np.mean(merits) == pytest.approx(expected[f], rel=1e-12)


def test_equation_35_does_not_mind_scale_and_missing_values():
    data = random_dataset(1, cases=40, missing=0.2)
    columns = [np.asarray(c) * 3 + 5 if not f.is_nominal else c
               for c, f in zip(data.columns, data.schema.features, strict=True)]  # fmt: skip
    labels = {f: c.n_labels for f, c in enumerate(data.schema.features) if c.is_nominal}
    other = dataset(columns, data.y, len(data.classes), data.weights, labels)
    found = ContextualMerit1().expected(node(data), "exact")

    assert found == pytest.approx(ContextualMerit1().expected(node(other), "exact"), rel=1e-9)


# Identity 16 of SPEC section 7, on cases drawn at random


@steady(200)
@given(st.integers(3, 9), st.integers(0, 10**6))
def test_with_all_counter_examples_both_merits_agree_on_nominal_features(n, seed):
    rng = np.random.default_rng(seed)
    cases, y = rng.integers(0, 3, (3, n)), rng.integers(0, 2, n)
    assume(len(set(y)) == 2)
    here = node(dataset([*cases], y))
    merits = [kind("all")(here).values for kind in (ContextualMerit, ContextualMerit1)]
    apart = (cases[:, :, None] != cases[:, None, :]).sum(axis=0)
    used = (y[:, None] != y[None, :]) & (apart > 0)

    assert merits[0] == pytest.approx(merits[1], rel=1e-12)
    assert merits[0].sum() == pytest.approx((1 / apart[used]).sum(), rel=1e-12)
    halves = [ContextualMerit("all", rows="smaller")(here).values * 2, merits[0]]
    assert halves[0] == pytest.approx(halves[1], rel=1e-12)


# Where chance has no choice


@pytest.mark.parametrize("summary", ["ratio", "difference", "z"])
@pytest.mark.parametrize("metric", ["gain", "gini", "chi2", "entropy-distance", "mantaras"])
@pytest.mark.parametrize(
    "table", [np.eye(2)[[0, 1, 0, 1, 1]], [[3, 0], [4, 0]]], ids=["identifier", "pure"]
)
def test_where_chance_has_no_choice_nothing_is_better_than_chance(metric, summary, table):
    found = tl.Normalized(metric, summary=summary)(of_table(table))

    assert found == pytest.approx(1.0 if summary == "ratio" else 0.0, abs=1e-12)


def test_a_constant_feature_or_a_single_class_is_as_good_as_chance():
    columns = [np.zeros(8, int), np.arange(8) % 3, np.arange(8.0)]
    y = np.array([0, 1, 1, 0, 1, 0, 0, 1])
    for name in CONTEXTUAL:
        assert tl.metric(name)(node(dataset(columns, y))).values[0] == 1.0
        assert tl.metric(name)(node(dataset(columns, y * 0))).values.tolist() == [1.0] * 3


# Directions


def test_the_entropy_left_ranks_alike_under_all_its_names():
    here = node(random_dataset(6, cases=80, classes=3, missing=0.0))
    left = tl.metric("normalized-entropy")(here)
    negative = tl.Normalized("weighted-information")

    assert negative(here) == pytest.approx(2 + left, rel=1e-9)
    assert negative.raw(here) == pytest.approx(-left, rel=1e-9)


def test_a_quantity_that_is_better_when_lower_is_normalized_as_the_paper_gives_it():
    here = node(random_dataset(6, cases=80, classes=3, missing=0.0))
    distance = tl.metric("entropy-distance")
    expected = here.counts.map(distance.expectation)
    ratio = here.counts.map(distance.raw) / expected

    assert tl.Normalized("entropy-distance").raw(here) == pytest.approx(ratio)
    assert tl.Normalized("entropy-distance")(here) == pytest.approx(2 - ratio)
    difference = tl.Normalized("entropy-distance", summary="difference")
    assert difference.raw(here) == pytest.approx((ratio - 1) * expected)
    assert difference(here) == pytest.approx((1 - ratio) * expected)


@pytest.mark.parametrize("of", ["candidate", "feature"])
@pytest.mark.parametrize("summary", ["ratio", "difference", "z", "p-value"])
def test_what_is_negated_is_normalized_alike(summary, of):
    """A metric and its opposite, lower being better, are the same metric."""
    here = node(random_dataset(9, cases=50, classes=2))
    up, down = tl.metric("imc"), tl.metrics.CountMetric(lambda t: -tl.metric("imc").raw(t),
                                                        lower_is_better=True)  # fmt: skip

    found = [tl.Normalized(metric, "permutation", summary, of=of)(here) for metric in (up, down)]
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9)


def test_a_feature_known_for_some_cases_scores_less():
    value = np.array([0, 0, 0, 1, 1, 1])
    whole = dataset([value], value)
    half = dataset([np.append(value, [-1] * 6)], np.append(value, value), labels={0: 2})

    for metric in (tl.Normalized("gain"), tl.Normalized("gain", "permutation")):
        known = metric.raw(node(half))
        assert metric(node(half)) == pytest.approx(1 + (known - 1) / 2)  # 1 is chance
        assert metric(node(whole)) == pytest.approx(metric.raw(node(whole)))


# Permutations


@pytest.mark.parametrize("name", ["gain", "gini", "chi2", "gain-ratio", "entropy-distance"])
def test_permutations_agree_with_the_formula(name):
    here, rounds = node(random_dataset(11, cases=60, classes=3, labels=4, missing=0.0)), 400
    metric = tl.metric(name)
    draws, exact = metric.null_samples(here, rounds), metric.expected(here, "exact")
    error = draws.std(axis=0, ddof=1) / np.sqrt(rounds)

    # 4.5 errors: 1 in 100 000 is beyond.
    assert np.all(np.abs(draws.mean(axis=0) - exact) <= 4.5 * error + 1e-12)


def test_shuffles_agree_with_equation_35():
    here, rounds = node(random_dataset(12, cases=30, missing=0.1)), 300
    draws, exact = (
        ContextualMerit1().null_samples(here, rounds),
        ContextualMerit1().expected(here, "exact"),
    )
    error = draws.std(axis=0, ddof=1) / np.sqrt(rounds)

    assert np.all(np.abs(draws.mean(axis=0) - exact) <= 4.5 * error)


def test_shuffled_features_of_cm0_are_those_of_the_naive_twin():
    """RM0 takes the distances and neighbours of the shuffled cases, not those of the node."""
    here = of_cases(TINY)
    draws = ContextualMerit().null_samples(here, 4)
    units, rng = here.units, here.rng("shuffled features")
    for (_, f), found in np.ndenumerate(draws):
        order = rng.permutation(6)
        cases = np.array([TINY["Z"][i] for i in sorted(range(6), key=rank)])
        cases[:, f] = cases[order, f]
        labels = units.labels.tolist()
        expected = naive_pairs.contextual_merit(cases.tolist(), labels, TINY["numeric"])[f]
        assert found == pytest.approx(expected)


def rank(i):
    """Return what orders the units of the tiny data: the last feature, then those before it."""
    return TINY["Z"][i][::-1]


def test_summaries_are_those_of_the_draws():
    here = node(random_dataset(13, cases=40, missing=0.0))
    metric = tl.metric("mantaras")
    draws, found = metric.null_samples(here, 25), metric.quantity(here)

    def summary(name):
        return tl.Normalized(metric, summary=name, rounds=25, of="candidate").raw(here)

    p = (1 + (draws >= found - 1e-12).sum(axis=0)) / 26
    assert summary("ratio") == pytest.approx(found / draws.mean(axis=0))
    assert summary("difference") == pytest.approx(found - draws.mean(axis=0))
    assert summary("z") == pytest.approx((found - draws.mean(axis=0)) / draws.std(axis=0, ddof=1))
    assert summary("p-value") == pytest.approx(p)
    confidence = tl.Normalized(metric, summary="p-value", rounds=25, of="candidate")(here)
    assert confidence == pytest.approx(1 - p)


def of_features(here, scores):
    """Return the place and the score of the one candidate of each feature that has a score."""
    places = {}
    for i in np.flatnonzero(~np.isnan(scores)):
        assert places.setdefault(here.counts.feature[i], i) == i, "one candidate a feature"
    return places


@pytest.mark.parametrize("name", ["mantaras", "entropy-distance"])
@pytest.mark.parametrize("summary", ["ratio", "difference", "z", "p-value"])
def test_the_best_of_a_feature_stands_beside_the_best_by_chance(name, summary):
    """SPEC 12.2, with M the best of a feature and M_r the best when the classes are permuted."""
    here = node(random_dataset(13, cases=40, missing=0.0))
    judge = tl.Normalized(name, summary=summary, rounds=25, of="feature")
    raw, runs = judge.raw(here), here.counts.runs
    sign = -1.0 if name == "entropy-distance" else 1.0
    upward = lambda view: sign * tl.metric(name).quantity(view)  # noqa: E731
    draws, found = best_by_chance(upward, here, 25), upward(here)
    best = of_features(here, raw)

    assert sorted(best) == sorted(set(here.counts.feature))
    for f, i in best.items():
        run = runs.feature.tolist().index(f)
        mine, mean = found[here.counts.feature == f].max(), draws[:, run].mean()
        deviation = draws[:, run].std(ddof=1)
        expected = {
            "ratio": mine / mean,
            "difference": sign * (mine - mean),
            "z": sign * (mine - mean) / deviation,
            "p-value": (1 + (draws[:, run] >= mine - 1e-12).sum()) / 26,
        }
        assert found[i] == mine
        assert raw[i] == pytest.approx(expected[summary])
    assert np.array_equal(np.isnan(judge(here)), np.isnan(raw))


@pytest.mark.parametrize("rounds", [1, 2, 9, 25])
def test_the_score_of_a_p_value_counts_equal_draws_half_and_grades_by_less_than_one(rounds):
    here = node(random_dataset(21, cases=40, classes=2))
    judge = tl.Normalized("accuracy", summary="p-value", rounds=rounds)
    compared, scores = judge.compared(here), judge(here)
    for f, i in of_features(here, scores).items():
        run = here.counts.runs.feature.tolist().index(f)
        draws, found = compared.draws[:, run], compared.found[run]
        better = (draws > found + 1e-12).sum()
        equal = (draws >= found - 1e-12).sum() - better
        beyond = (1 - scores[i]) * (rounds + 1) - better - equal / 2

        assert 0 < beyond < 1


def test_a_single_draw_that_is_as_good_is_chance():
    draws = np.array([[1.0, 2.0, 2.0], [0.0, 0.0, 2.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]])
    none, one, two = Comparison(np.full(3, 2.0), draws.mean(axis=0), draws).grade()

    assert 0.5 < none < 1
    assert 0 < two < one < 0.5


@pytest.mark.parametrize("freedom", [8, 32])
def test_the_deviate_of_leaning_draws_is_that_of_their_probability(freedom):
    draws = stats.chi2.ppf((np.arange(10_000) + 0.5) / 10_000, freedom)[:, None]
    found = stats.chi2.ppf([[0.01], [0.5], [0.99]], freedom)
    deviates = [Comparison(each, draws.mean(axis=0), draws).deviate().item() for each in found]

    # The approximation is off by 0.04 in the thin tail of eight degrees, z itself by 0.7.
    assert deviates == pytest.approx(list(stats.norm.ppf([0.01, 0.5, 0.99])), abs=0.05)


def test_trees_are_grown_by_permutations_where_there_is_a_formula_as_well():
    data = random_dataset(5, cases=60, missing=0)
    judge = tl.Normalized("gain", "permutation", rounds=5)
    tree = tl.grow(data, judge, pruner=None)

    assert tree.n_leaves > 2
    assert tree.scores[0] == np.nanmax(judge(node(data, seed=0)))


def test_features_that_no_permutation_reaches_are_told_apart():
    """Both are beyond all chance: the one that says more of the class is taken, not the first."""
    rng = np.random.default_rng(4)
    y = np.arange(200) % 2
    weak, strong = (np.where(rng.random(200) < share, 1 - y, y) for share in (0.2, 0.05))
    here = node(dataset([weak, strong], y))
    judge = tl.Normalized("gain", summary="p-value")

    assert judge.raw(here).tolist() == [0.01, 0.01]
    assert judge(here)[1] > judge(here)[0]
    assert tl.grow(dataset([weak, strong], y), judge).root.feature == "x1"


def test_what_few_cases_know_wins_over_chance_but_not_over_what_all_know():
    """Beyond all chance, a difference counts by the share of cases it is known for."""
    rng = np.random.default_rng(4)
    y = np.arange(200) % 2
    seldom, often = y.copy(), np.where(rng.random(200) < 0.1, 1 - y, y)
    seldom[30:] = -1
    data = dataset([rng.integers(0, 2, 200), seldom, often], y, labels={1: 2})
    judge = tl.Normalized("gain", summary="p-value")
    scores = judge(node(data))

    assert judge.raw(node(data))[1:].tolist() == [0.01, 0.01]
    assert scores[0] < scores[1] < scores[2]


def test_the_cut_of_the_best_feature_is_its_best_cut():
    """As the metric itself would have it, whatever `cut_metric` says."""
    data = random_dataset(22, cases=80, nominal=0, classes=2, missing=0.1, ties=False)
    one = data.select([data.features[0]])
    cuts = [tl.grow(one, metric, max_depth=1, pruner="none", cut_metric="accuracy").root.threshold
            for metric in ("gini", tl.Normalized("gini", summary="p-value"))]  # fmt: skip

    assert cuts[0] == cuts[1]


def test_neither_z_nor_p_value_is_lowered_where_values_are_missing():
    """Chance has the same values missing: what is left of them is weighed already."""
    data = random_dataset(23, cases=60, classes=2, missing=0.3)
    here = node(data)
    for summary in ("z", "p-value"):
        judge = tl.Normalized("gain", summary=summary)
        raw, scores = judge.raw(here), judge(here)
        if summary == "z":
            np.testing.assert_array_equal(raw, scores)
        else:
            assert np.nanmin(scores - (1 - raw)) >= 0


def test_what_z_and_p_value_are_of_by_default():
    of = {s: tl.Normalized("gain", summary=s).of for s in ("ratio", "difference", "z", "p-value")}
    rounds = {s: tl.Normalized("gain", summary=s).rounds for s in of}

    assert of == {"ratio": "candidate", "difference": "candidate", "z": "feature",
                  "p-value": "feature"}  # fmt: skip
    assert rounds == {"ratio": 10, "difference": 10, "z": 10, "p-value": 99}


@pytest.mark.parametrize(
    "name",
    ["relief", "relieff", "relieff-exp-rank", "algorithm-1", "pi", "mdl", "mdl-prime", "dkm",
     "normalized:gain,summary=z"],
)  # fmt: skip
def test_no_ratio_is_made_of_a_metric_of_either_sign(name):
    message = "is of either sign by chance, so that a ratio to chance means nothing: take summary"
    with pytest.raises(ParameterError, match=message):
        tl.Normalized(name)
    for summary in ("difference", "z", "p-value"):
        tl.Normalized(name, summary=summary)


def test_a_metric_of_ones_own_may_say_that_it_is_signed():
    def mine(node):
        return node.counts.map(tl.metric("gini").raw) - 0.1

    assert tl.Normalized(mine).summary == "ratio"
    mine.signed = True
    with pytest.raises(ParameterError, match="either sign"):
        tl.Normalized(mine)


@pytest.mark.parametrize(
    "metric",
    [tl.Normalized("mantaras"), tl.Normalized("relieff", summary="z"), tl.Normalized("gain"),
     tl.Normalized("accuracy", summary="p-value"), tl.Normalized("gini", of="feature"),
     tl.Normalized("gain-ratio-c45", summary="p-value", rounds=5), *NAMES],
    ids=str,
)  # fmt: skip
def test_neither_row_order_nor_doubling_by_weight_matters(metric):
    data = random_dataset(14, cases=24, weights="whole", missing=0.1)
    order = np.random.default_rng(2).permutation(24)
    twice = np.repeat(np.arange(24), data.weights.astype(int))
    labels = {f: c.n_labels for f, c in enumerate(data.schema.features) if c.is_nominal}
    doubled = dataset([np.asarray(c)[twice] for c in data.columns], data.y[twice],
                      len(data.classes), labels=labels)  # fmt: skip
    found = [tl.metric(metric)(node(given)) for given in (data, data.take(order), doubled)]
    found = [getattr(scores, "values", scores) for scores in found]

    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-9)


def test_what_a_metric_cannot_judge_by_chance_is_worth_nothing_there():
    here = node(random_dataset(15, cases=40))
    found = tl.Normalized("gain-ratio-c45", rounds=5)(here)
    judged = ~np.isnan(tl.metric("gain-ratio-c45")(here))

    assert np.array_equal(~np.isnan(found), judged)
    assert np.all(np.isfinite(found[judged]))


# Metrics of one's own


def test_a_formula_of_ones_own_may_declare_what_chance_gives():
    here = node(random_dataset(16, cases=50))
    plain = tl.from_counts(tl.metric("gini").formula)
    mine = tl.from_counts(tl.metric("gini").formula, expectation=expected_gini_gain)

    assert tl.Normalized(mine)(here) == pytest.approx(tl.Normalized("gini")(here))
    assert tl.Normalized(mine, "permutation")(here) == pytest.approx(tl.Normalized(plain)(here))
    with pytest.raises(ParameterError, match="has no approximate expectation: take 'permutation'"):
        tl.Normalized(mine, "approximate")(here)


def test_any_callable_can_be_normalized():
    def first_feature(node):
        return FeatureScores(np.array([node.counts.map(tl.metric("gini").raw)[0], 0.0]))

    here = node(dataset([np.array([0, 0, 1, 1] * 3), np.arange(12) % 3], [0, 0, 1, 1] * 3))
    found = tl.Normalized(first_feature)(here)

    assert isinstance(found, FeatureScores)
    assert found.values[0] > 2
    assert found.values[1] == 1.0


@pytest.mark.parametrize("summary", ["difference", "z", "p-value"])
def test_a_function_knows_no_direction_but_up(summary):
    def gain(view):
        return tl.metric("gain")(view)

    here = node(dataset([np.array([0, 0, 1, 1] * 3), np.arange(12) % 3], [0, 0, 1, 1] * 3))
    best, worst = tl.Normalized(gain, summary=summary, rounds=30)(here)[:2]

    assert best > max(worst, 0.0)


# In the tree


@pytest.mark.parametrize("metric", [*NAMES, tl.Normalized("gain"), tl.Normalized("imc", rounds=3),
                                    tl.Normalized("gini", summary="p-value", rounds=5),
                                    tl.Normalized("relieff", summary="z", rounds=3)],
                         ids=str)  # fmt: skip
@pytest.mark.parametrize("missing", ["fractional", "branch"])
def test_normalized_metrics_grow_trees_on_awkward_data(metric, missing):
    data = random_dataset(17, cases=60, classes=3, missing=0.15, weights="fraction")
    tree = tl.grow(data, metric, pruner="pessimistic", missing=missing)
    share = data.weights[tree.predict(data) == data.labels].sum() / data.weights.sum()

    assert tree == tl.grow(data, metric, pruner="pessimistic", missing=missing)
    assert share > 0.6


@pytest.mark.parametrize("metric", [tl.Normalized("gain"), *CONTEXTUAL], ids=str)
def test_a_normalized_metric_can_be_normalized(metric):
    """What it is measured against is drawn node by node: it has no formula for many at once."""
    twice = tl.Normalized(metric, rounds=2)

    assert not twice.by_level
    assert tl.grow(tl.load("lenses"), twice, pruner="none").n_nodes > 1


@pytest.mark.parametrize(
    "metric",
    [tl.Normalized("gain"), tl.Normalized("ssv:true", "permutation", "z", 5),
     tl.Normalized("gini", summary="p-value"), tl.Normalized("gain", of="feature"),
     tl.metric("normalized:relieff:k=5,ties=first,summary=z,rounds=4"),
     tl.Normalized(ContextualMerit1(3)), tl.metric("normalized-entropy", expectation="eq26")],
    ids=repr,
)  # fmt: skip
def test_a_normalized_metric_can_be_pasted_and_pickled(metric):
    names = vars(tl.metrics.discrimination) | {"Normalized": tl.Normalized, "metric": tl.metric}

    assert eval(repr(metric), names) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert hash(metric) == hash(pickle.loads(pickle.dumps(metric)))


def favourites(metric, seeds=60, cases=60):
    """Return how often a feature of many values beats a binary one, neither telling the class."""
    wins = 0
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        columns = [rng.integers(0, 2, cases), np.append(np.arange(12), rng.integers(0, 12, cases))
                   [:cases]]  # fmt: skip
        scores = tl.metric(metric)(node(dataset(columns, rng.integers(0, 2, cases)),
                                        splits="multiway"))  # fmt: skip
        wins += int(np.argmax(scores) == 1)
    return wins / seeds


def test_by_chance_the_gain_prefers_many_values_and_normalized_metrics_do_not():
    assert favourites("gain") > 0.9

    # An even chance wins 21 to 39 of 60 with a probability of 99 %.
    for metric in ("normalized-gini", "normalized-entropy", tl.Normalized("gain", summary="z"),
                   tl.Normalized("gain", summary="difference")):  # fmt: skip
        assert 0.3 < favourites(metric) < 0.7, metric


# Wrong calls


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tl.Normalized("gan"), "unknown metric 'gan': did you mean 'gain'?"),
        (lambda: tl.Normalized(3), "expected the name of a metric or a callable, got 3"),
        (lambda: tl.Normalized("gain", "exactly"), "expectation must be one of 'auto', 'exact'"),
        (lambda: tl.Normalized("gain", summary="p"), "summary must be one of 'ratio'"),
        (lambda: tl.Normalized("gain", rounds=0), "rounds must be a whole number of at least 1"),
        (lambda: tl.Normalized("gain", rounds=2.5), "rounds must be a whole number of at least 1"),
        (lambda: tl.Normalized("gain", rounds=10_001), "rounds must be a whole number of "
         "at most 10000, got 10001"),
        (lambda: tl.Normalized("gain", summary="z", rounds=1), "rounds must be a whole number of "
         "at least 2, got 1"),
        (lambda: tl.Normalized("gain", "exact", "z"), "summary 'z' needs permutations: expectation "
         "must be 'auto' or 'permutation', got 'exact'"),
        (lambda: tl.Normalized("gain", "exact", of="feature"), "of 'feature' needs permutations: "
         "expectation must be 'auto' or 'permutation', got 'exact'"),
        (lambda: tl.Normalized("gain", of="features"), "of must be one of 'candidate', 'feature', "
         "got 'features'; did you mean 'feature'?"),
        (lambda: tl.metric("normalized:relieff:k=5,sumary=z"), "unknown parameter "
         "'sumary' of metric 'relieff'"),
        (lambda: tl.metric("normalized:gain,sumary=z"), "unknown parameter 'sumary' of metric "
         "'normalized': did you mean 'summary'?"),
        (lambda: tl.Normalized("mantaras", "exact")(of_table([[1, 2], [3, 4]])),
         "metric('mantaras') has no exact expectation: take 'permutation'"),
        (lambda: tl.metric("normalized-contextual-merit", rounds=0), "rounds must be a whole"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_told_in_one_sentence(make, message):
    with pytest.raises(TreelabError, match=re.escape(message)):
        make()
