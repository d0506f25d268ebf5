"""Ranking: the same as scoring tables by hand, on awkward data too."""

from itertools import pairwise

import attrs
import numpy as np
import pytest
from scipy import stats
from strategies import dataset, random_dataset

import treelab as tl
from treelab.data.dataset import Dataset
from treelab.data.schema import Column
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.selection.fuzzy import fuzzy_table
from treelab.selection.kde import kernel_table
from treelab.selection.ranking import Ranking, places

IRIS = tl.load("iris")
IDEAL = ("X1", "X5", "X2", "X6", "X3", "X7", "X4", "X8")


def table_of(codes, data, n_values):
    table = np.zeros((n_values, len(data.classes)))
    np.add.at(table, (codes[codes >= 0], data.y[codes >= 0]), data.weights[codes >= 0])
    return table


def naive_scores(data, metric):
    """Score nominal features table by table, each less by the share of unknown values."""
    found = []
    for codes in data.columns:
        table = table_of(codes, data, int(codes.max()) + 1)
        if (table.sum(axis=1) > 0).sum() < 2:
            found.append(np.nan)
            continue
        found.append(known_score(metric, table, np.bincount(data.y, data.weights)))
    return found


def known_score(metric, table, classes):
    """What is known over no information counts by its share, on top of no information."""
    score, values, n = tl.formula(metric), table.sum(axis=1), table.sum()
    without = [score(np.outer(values, each) / n) for each in (table.sum(axis=0), classes)]
    return without[1] + n / classes.sum() * (score(table) - without[0])


@pytest.mark.parametrize("metric", ["gain", "gini", "gd", "chi2", "imc", "entropy-distance"])
@pytest.mark.parametrize("weights", ["one", "fraction"])
def test_nominal_features_are_scored_as_by_hand(metric, weights):
    data = random_dataset(3, cases=40, numeric=0, nominal=5, weights=weights)
    ranking = tl.rank(data, metric)

    expected = naive_scores(data, metric)
    # Sums are added up in another order: a few last bits.
    found = [ranking[name] for name in data.features]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    assert (np.diff(ranking.scores) <= 1e-12).all()  # equal scores are in the order of features


def test_a_number_is_worth_its_best_cut():
    x = np.array([1.0, 2.0, 3.0, 4.0, np.nan])
    data = dataset([x, np.ones(5)], [0, 0, 1, 1, 1])
    ranking = tl.rank(data, "gain")

    assert ranking["x0"] == pytest.approx(0.8)  # one bit, known for four cases of five
    assert np.isnan(ranking["x1"])
    assert ranking.features == ("x0", "x1")


@pytest.mark.parametrize(
    "metric", ["gain", "gain-ratio-c45", "imc", "ssv", "normalized-gini", "laplace", "relieff"]
)
def test_the_first_feature_is_the_root_of_a_tree_where_values_are_missing(metric):
    stop = {"splits": "multiway", "pruner": "none", "max_depth": 1, "min_branch": 1}
    for seed in range(6):
        data = random_dataset(seed, cases=60, missing=0.3, weights="whole")
        root, ranking = tl.grow(data, metric, **stop).root, tl.rank(data, metric)

        assert ranking.features[0] == root.feature
        # One adds up what the other does, level by level: the last bits may differ.
        assert ranking.scores[0] == pytest.approx(root.score, rel=1e-12)


def test_intervals_are_judged_together():
    coding = tl.discretizer("ssv:4").fit(IRIS)
    ranking = tl.rank(IRIS, "gain-ratio", "ssv:4")
    for name in IRIS.features:
        table = table_of(coding.codes(name, IRIS[name]), IRIS, 4)

        assert ranking[name] == pytest.approx(tl.formula("gain-ratio")(table), rel=1e-12)


def test_places_are_shared_by_equals_and_the_unjudged_come_last():
    scores = np.array([0.5, np.nan, 0.5 + 1e-14, 2.0, np.nan, -np.inf])
    ranking = Ranking.of("m", list("abcdef"), scores)

    assert ranking.features == ("d", "a", "c", "b", "e", "f")
    assert ranking.ranks.tolist() == [1, 2, 2, 4, 4, 4]
    assert ranking.ties == (("a", "c"), ("b", "e", "f"))
    assert places(np.array([1e300, -1e300, 8e-6]))[1].tolist() == [1, 3, 2]


def test_a_constant_feature_is_not_tied_with_a_bad_one():
    data = dataset([[0, 0, 0, 0], [0, 1, 0, 1]], [0, 0, 1, 1])

    assert tl.rank(data, "gain").ranks.tolist() == [1, 2]


# The rates are SPEC 8.3's, of 50 seeds; here 12, to be quick.
SEEDS = range(12)


def ideal_rate(metric, discretizer):
    found = [
        tl.rank(tl.make("four-gaussians", seed=seed), metric, discretizer).features == IDEAL
        for seed in SEEDS
    ]
    return np.mean(found)


@pytest.mark.parametrize("bins", [4, 16, 32])
@pytest.mark.parametrize("metric", ["gain", "gain-ratio", "symmetrical-uncertainty", "gd", "chi2"])
def test_four_gaussians_are_ranked_ideally(metric, bins):
    assert ideal_rate(metric, f"equal-width:{bins}") == 1.0


def test_four_gaussians_by_the_shape_of_the_features_are_not():
    """0.16 to 0.24 of 50 seeds; above 0.6 of 12 would come once in a thousand."""
    assert ideal_rate("concentration", "equal-width:8") < 0.6
    assert ideal_rate("weighted-information:joint=true", "equal-width:8") < 0.6
    assert ideal_rate("concentration", "equal-frequency:8") >= 0.9


def test_several_metrics_side_by_side():
    found = tl.rank(IRIS, ["gain", "relieff", "gini"], "mdlp")

    assert list(found) == ["gain", "relieff", "gini"]
    for i, a in enumerate(found):
        for j, b in enumerate(found):
            x, y = found.ranks[:, i], found.ranks[:, j]
            assert found.kendall[i, j] == pytest.approx(stats.kendalltau(x, y).statistic)
            assert found.spearman[i, j] == pytest.approx(stats.spearmanr(x, y).statistic)
            assert found[a].metric == a
            assert found[b].metric == b
    frame = found.to_frame()
    assert frame["gain rank"].tolist() == found.ranks[:, 0].tolist()
    assert "Kendall / Spearman" in str(found)


def test_functions_of_the_same_name_are_told_apart():
    found = tl.rank(IRIS, ["gain", lambda node: node.counts.known, lambda node: -node.counts.known])

    assert list(found) == ["gain", "<lambda>", "<lambda> (2)"]


def test_correlations_of_equals_are_not_known():
    data = dataset([[0, 1, 0, 1], [0, 1, 0, 1]], [0, 0, 1, 1])
    found = tl.rank(data, ["gain", "gini"])

    assert np.isnan(found.kendall[0, 1])
    assert np.isnan(found.spearman[0, 1])


def test_stability_counts_places_in_samples():
    ranking = tl.rank(IRIS, "gain", "equal-width:5", bootstrap=40, seed=1)

    shares = ranking.stability.shares
    assert shares.sum(axis=0) == pytest.approx(np.ones(4))
    assert shares.sum(axis=1) == pytest.approx(np.ones(4))
    assert ranking.stability.kept[3] > 0.8  # sepal width is far behind
    assert ranking.to_frame()["keeps its place"].tolist() == ranking.stability.kept.tolist()
    assert ranking.stability.deviation[3] < 0.5


def test_samples_do_not_depend_on_the_order_of_cases_nor_on_how_they_are_counted():
    data = random_dataset(5, cases=30, weights="whole", missing=0.1)
    apart = np.repeat(np.arange(30), data.weights.astype(int))
    spread = data.take(apart).reweighted(np.ones(len(apart)))
    for other in (data.take(np.arange(30)[::-1]), spread):
        first, second = (tl.rank(d, "gini", bootstrap=10) for d in (data, other))

        assert first.stability.shares == pytest.approx(second.stability.shares)
        assert first.scores == pytest.approx(second.scores, rel=1e-12, nan_ok=True)


def test_other_seeds_draw_other_samples():
    draws = [tl.rank(IRIS, "gain", bootstrap=9, seed=seed).stability.shares for seed in range(4)]

    assert any(not np.array_equal(draws[0], other) for other in draws[1:])


# One case


@pytest.mark.parametrize("metric", ["gain", "imc", "chi2"])
@pytest.mark.parametrize("case", [0, 7, -1])
def test_a_case_is_ranked_by_its_values_against_the_rest(metric, case):
    data = random_dataset(8, cases=30, numeric=0, nominal=4, weights="whole")
    ranking = tl.rank(data, metric, case=case)
    for name, codes in zip(data.features, data.columns, strict=True):
        if codes[case] < 0:
            assert np.isnan(ranking[name])
            continue
        asked = np.where(codes < 0, -1, codes != codes[case])
        table = table_of(asked, data, 2)
        expected = known_score(metric, table, np.bincount(data.y, data.weights))

        assert ranking[name] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_what_single_values_say():
    data = dataset([[0, 0, 1, 2], [0, 1, 1, 1]], [0, 0, 1, 1])

    of_j, sure = (tl.rank(data, name, case=0) for name in ("j-value", "imc-value"))
    assert of_j["x0"] == pytest.approx(0.5)  # half of the cases, one bit
    assert of_j["x1"] == pytest.approx(0.25)
    assert sure.scores.tolist() == [1.0, 1.0]
    assert tl.rank(data, "imc-value", case=2)["x1"] == pytest.approx(2 / 3)


def test_the_parts_of_the_values_add_up_to_the_j_measure():
    data = random_dataset(2, cases=40, numeric=0, nominal=1, labels=4, missing=0.0)
    first = [int(np.flatnonzero(data["x0"] == v)[0]) for v in np.unique(data["x0"])]
    parts = [tl.rank(data, "j-value", case=row)["x0"] for row in first]

    assert sum(parts) == pytest.approx(tl.rank(data, "j-measure")["x0"], rel=1e-12)


def test_a_case_of_unknown_class_can_be_asked_about():
    data = dataset([[0, 0, 1, 1]], [-1, 0, 1, 1], n_classes=2)

    assert tl.rank(data, "gain", case=0).scores[0] == pytest.approx(np.log2(3) - 2 / 3)


# Kernels


def test_kernel_tables_are_integrals_of_scipy_densities():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    x = rng.normal(size=60) + y
    edges = np.array([-1.0, 0.3, 2.0])
    table = kernel_table(x, y, np.ones(60), 3, edges)
    for c in range(3):
        density = stats.gaussian_kde(x[y == c])
        inner = [density.integrate_box_1d(a, b) for a, b in ((-1.0, 0.3), (0.3, 2.0))]

        # The integral is the same closed form, written in another way.
        assert table[1:3, c] == pytest.approx(20 * np.array(inner), rel=1e-10)
        assert table[:, c].sum() == pytest.approx(20)


def test_kernels_count_weights_as_cases():
    data = random_dataset(4, cases=20, numeric=3, nominal=0, weights="whole", ties=False)
    apart = data.take(np.repeat(np.arange(20), data.weights.astype(int)))
    apart = apart.reweighted(np.ones(len(apart)))
    one, other = (tl.rank(d, "gain", estimator="kernel") for d in (data, apart))

    assert one.features == other.features
    assert one.scores == pytest.approx(other.scores, rel=1e-10)


@pytest.mark.parametrize("weight", [1 / 150, 1e-30, 0.5, 1e18, 1e40])
def test_weights_that_count_no_cases_have_no_scale(weight):
    """Neither for kernels nor for samples: each stands for one case."""
    scaled = IRIS.reweighted(np.full(150, weight))
    one, other = (tl.rank(d, "gain", estimator="kernel", bootstrap=3) for d in (IRIS, scaled))

    assert other.scores == pytest.approx(one.scores, rel=1e-9)
    assert other.stability.shares == pytest.approx(one.stability.shares)


@pytest.mark.parametrize("size", [2.0**-700, 1e155, 1e300])
@pytest.mark.parametrize("discretizer", [None, "equal-width:5"])
def test_kernels_take_numbers_of_any_size(size, discretizer):
    large = Dataset.of(IRIS.schema, [column * size for column in IRIS.columns], IRIS.y)
    one, other = (
        tl.rank(data, "gain", estimator="kernel", discretizer=discretizer) for data in (IRIS, large)
    )

    assert one.features == other.features
    # The sizes are no powers of 2 but one, so that the numbers themselves are rounded.
    assert other.scores == pytest.approx(one.scores, rel=1e-9)


def test_kernels_do_not_mind_the_order_of_the_rows():
    shuffled = IRIS.take(np.random.default_rng(0).permutation(len(IRIS)))
    one, other = (tl.rank(data, "gain", estimator="kernel") for data in (IRIS, shuffled))

    assert one.scores.tolist() == other.scores.tolist()


def test_kernels_smooth_what_bins_count():
    """The gain of N(0,1) against N(2,1), by quadrature, is 0.4859; bins of 80 cases overrate it."""
    rng = np.random.default_rng(1)
    y = np.arange(80) % 2
    data = dataset([rng.normal(size=80) + 2 * y], y)
    kernel = tl.rank(data, "gain", estimator="kernel")["x0"]
    binned = tl.rank(data, "gain", "equal-width:64")["x0"]

    assert abs(kernel - 0.486) < 0.15 < abs(binned - 0.486)


def test_kernels_rank_four_gaussians_ideally():
    data = tl.make("four-gaussians", seed=0)

    assert tl.rank(data, "gain", estimator="kernel").features == IDEAL
    assert tl.rank(data, "gain", "equal-width:8", estimator="kernel").features == IDEAL


def test_kernels_leave_nominal_and_constant_features_alone():
    data = dataset([[0, 1, 0, 1], np.ones(4), np.array([1.0, np.nan, 2.0, 2.0])], [0, 1, 0, 1])
    ranking = tl.rank(data, "gain", estimator="kernel")

    assert ranking["x0"] == pytest.approx(1.0)
    assert np.isnan(ranking["x1"])
    assert np.isfinite(ranking["x2"])


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"metric": "gains"}, UnknownNameError, "did you mean 'gain'"),
        ({"metric": []}, ParameterError, "at least one metric"),
        ({"metric": ["gain", "gain"]}, ParameterError, "none of them twice"),
        ({"metric": [len, len]}, ParameterError, "none of them twice"),
        ({"metric": 3}, ParameterError, "expected the name of a metric"),
        ({"estimator": "kernels"}, ParameterError, "did you mean 'kernel'"),
        ({"estimator": "kernel", "metric": "relieff"}, ParameterError, "judges tables"),
        ({"estimator": "kernel", "case": 1, "discretizer": "ssv"}, ParameterError, "by counts"),
        ({"case": 150}, ParameterError, "a row below 150"),
        ({"case": "x"}, ParameterError, "the number of a row"),
        ({"case": 3}, ParameterError, "'sepal length' is numeric.* give a discretizer"),
        ({"bootstrap": -1}, ParameterError, "bootstrap must be"),
        ({"seed": 0.5}, ParameterError, "seed must be"),
        ({"discretizer": "nothing"}, UnknownNameError, "unknown discretizer"),
    ],
)
def test_mistakes_get_a_sentence(arguments, error, words):
    with pytest.raises(error, match=words):
        tl.rank(IRIS, **arguments)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([1, 2], "expected a Dataset"),
        (Dataset.of(tl.Schema((tl.Column("x"),)), [[1.0]]), "no target"),
        (dataset([[1.0, 2.0]], [-1, -1], 2), "at least one case"),
        (dataset([], [0, 1]), "no features"),
    ],
)
def test_useless_data_get_a_sentence(data, words):
    with pytest.raises(DataError, match=words):
        tl.rank(data)


# Fuzzy intervals


def memberships(value, edges, low, high):
    """How much a value is of each interval, one interval after the other."""
    ends = [min(low, edges[0]), *edges, max(high, edges[-1])]
    middles = [(a + b) / 2 for a, b in pairwise(ends)]
    found = []
    for i, middle in enumerate(middles):
        if value <= middle:
            before = middles[i - 1] if i else -np.inf
            found.append(max(0.0, 1 - (middle - value) / (middle - before)))
        else:
            after = middles[i + 1] if i + 1 < len(middles) else np.inf
            found.append(max(0.0, 1 - (value - middle) / (after - middle)))
    return found


@pytest.mark.parametrize("edges", [[0.3], [-1.0, 0.3, 2.0], [-9.0, 0.0], [0.0, 9.0]])
def test_fuzzy_tables_are_sums_of_memberships(edges):
    rng = np.random.default_rng(1)
    x, y, weights = np.sort(rng.normal(size=40)), np.arange(40) % 3, rng.uniform(0.5, 2, 40)
    table = fuzzy_table(x, y, weights, 3, np.array(edges))
    expected = np.zeros((len(edges) + 1, 3))
    for value, label, weight in zip(x, y, weights, strict=True):
        expected[:, label] += weight * np.array(memberships(value, edges, x[0], x[-1]))

    np.testing.assert_allclose(table, expected, atol=1e-12)
    np.testing.assert_allclose(table.sum(axis=0), np.bincount(y, weights), rtol=1e-12)


def test_without_cuts_all_is_in_one_fuzzy_interval():
    assert fuzzy_table(
        np.arange(3.0), np.array([0, 1, 1]), np.ones(3), 2, np.empty(0)
    ).tolist() == [[1.0, 2.0]]


def test_fuzzy_intervals_are_no_worse_a_ranking_of_the_gaussians():
    data = tl.make("four-gaussians", cases=4000, seed=0)

    assert tl.rank(data, "gain", "equal-width:8", estimator="fuzzy").features == IDEAL


@pytest.mark.parametrize("estimator", ["kernel", "fuzzy"])
def test_smooth_probabilities_are_for_metrics_over_tables(estimator):
    with pytest.raises(ParameterError, match=f"estimator='{estimator}' needs a metric that judges"):
        tl.rank(IRIS, "relieff", estimator=estimator)
    with pytest.raises(ParameterError, match=f"goes by counts, not by estimator='{estimator}'"):
        tl.rank(IRIS, "gain", "ssv:4", case=0, estimator=estimator)


# One class, and weights


def test_a_ranking_for_a_class_is_one_of_two_classes():
    data = random_dataset(5, cases=80, numeric=2, nominal=2, missing=0.2, classes=3)
    label = data.classes[1]
    found = tl.rank(data, ["gain", "relieff"], for_class=label)
    target = Column("class", ("it", "other"))
    schema = attrs.evolve(data.schema, target=target)
    y = np.where(data.y < 0, -1, np.where(data.y == 1, 0, 1))
    two = Dataset.of(schema, data.columns, y, data.weights)

    for metric, ranking in tl.rank(two, ["gain", "relieff"]).items():
        assert found[metric].features == ranking.features
        np.testing.assert_array_equal(found[metric].scores, ranking.scores)


def test_classes_have_their_own_best_features():
    """Setosa differs from the others by its petals alone, versicolor from both sides of it."""
    best = {label: tl.rank(IRIS, "gain", "mdlp", for_class=label) for label in IRIS.classes}

    assert best["Iris-setosa"].scores[0] == pytest.approx(np.log2(3) - 2 / 3)  # all there is
    assert best["Iris-versicolor"].scores[0] < best["Iris-virginica"].scores[0]
    with pytest.raises(UnknownNameError, match="unknown class 'Iris-setsa': did you mean"):
        tl.rank(IRIS, for_class="Iris-setsa")


def test_weights_are_scores_in_units_of_the_best():
    ranking = tl.rank(IRIS, "gain", "mdlp")

    assert ranking.weights == pytest.approx(
        dict(zip(ranking.features, ranking.scores / ranking.scores[0], strict=True))
    )
    worse = Ranking.of("m", ["a", "b", "c"], np.array([-1.0, 2.0, np.nan]))
    assert worse.weights == {"b": 1.0, "a": 0.0, "c": 0.0}
    with pytest.raises(ParameterError, match="no feature scores above 0 by 'm'"):
        _ = Ranking.of("m", ["a"], np.array([-1.0])).weights
