"""Feature reduction: against slow twins, numpy, scipy and scikit-learn; weights; odd data."""

import re
from itertools import combinations
from math import exp, log, log2, sqrt

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression
from strategies import dataset, datasets, random_dataset, steady

import treelab as tl
from treelab import reduce
from treelab.data.dataset import Dataset
from treelab.errors import DataError, ParameterError
from treelab.kernels.similarity import similarity_entropies

NAN = np.nan
WINE = tl.load("wine")
REDUCTIONS = {
    "means": lambda data: reduce.means_and_variances(data).scores,
    "correlation": reduce.correlations,
    "relief": lambda data: reduce.relief(data).scores,
    "dm": lambda data: {"all": reduce.dm_distance(data)},
    "elimination": lambda data: reduce.backward_elimination(data, 0.4).scores,
    "entropy": lambda data: {"all": reduce.similarity_entropy(data)},
    "pca": lambda data: dict(enumerate(reduce.principal_components(data).eigenvalues)),
}
reductions = pytest.mark.parametrize("judge", REDUCTIONS.values(), ids=REDUCTIONS)


# From outside


def test_the_test_of_means_is_welchs_t():
    a, b = WINE["alcohol"][WINE.y == 0], WINE["alcohol"][WINE.y == 1]
    expected = stats.ttest_ind(a, b, equal_var=False).statistic

    assert reduce.mean_variance_test(a, b) == pytest.approx(abs(expected), rel=1e-9)


def test_several_classes_are_compared_one_against_the_rest():
    found = reduce.means_and_variances(WINE).scores["alcohol"]
    values = WINE["alcohol"]
    ts = [
        stats.ttest_ind(values[WINE.y == c], values[WINE.y != c], equal_var=False).statistic
        for c in range(3)
    ]

    assert found == pytest.approx(max(np.abs(ts)), rel=1e-9)


def test_correlation_is_numpys():
    pair = WINE["alcohol"], WINE["proline"]

    assert reduce.pearson(*pair) == pytest.approx(np.corrcoef(*pair)[0, 1], rel=1e-9)
    found = reduce.correlations(WINE, target="proline")
    assert "proline" not in found
    assert found["alcohol"] == pytest.approx(np.corrcoef(*pair)[0, 1], rel=1e-9)


def test_r_squared_is_that_of_a_linear_model():
    features = list(WINE.features[:5])
    X, y = np.column_stack([WINE[f] for f in features]), WINE["proline"]
    expected = LinearRegression().fit(X, y).score(X, y)

    assert reduce.multiple_r_squared(WINE, features, "proline") == pytest.approx(expected, rel=1e-9)


def test_components_are_scikit_learns():
    X = np.column_stack(WINE.columns)
    ours = reduce.principal_components(WINE, 1.0, standardize=False)
    theirs = PCA().fit(X)

    assert ours.eigenvalues == pytest.approx(theirs.explained_variance_, rel=1e-6)
    for mine, other in zip(ours.components, theirs.components_, strict=True):
        assert abs(mine @ other) == pytest.approx(1.0, abs=1e-9)
    scores = ours.scores(X)
    assert np.var(scores, axis=0, ddof=1) == pytest.approx(ours.eigenvalues, rel=1e-6)


# The entropy of similarities, pair by pair


def naive_entropy(data):
    """Return the entropy of numeric data, from the formulas."""
    rows = np.column_stack(data.columns).tolist()
    ranges = [max(c) - min(c) for c in zip(*rows, strict=True)]
    distances = []
    for a, b in combinations(rows, 2):
        parts = [((x - y) / r) ** 2 for x, y, r in zip(a, b, ranges, strict=True) if r]
        distances.append(sqrt(sum(parts)))
    mean = sum(distances) / len(distances) if distances else 0
    similar = [exp(-log(2) / mean * d) if mean else 1.0 for d in distances]
    return -sum(s * log2(s) + (1 - s) * log2(1 - s) for s in similar if 0 < s < 1)


@pytest.mark.parametrize("seed", range(5))
def test_entropy_ranking_removes_what_is_missed_least(seed):
    data = random_dataset(seed, cases=12, numeric=4, nominal=0, missing=0.0, ties=False)
    found = reduce.entropy_ranking(data)
    left = list(data.features)
    for name, change in zip(found.removed, found.changes, strict=True):
        whole = naive_entropy(data.select(left))
        changes = {
            other: abs(whole - naive_entropy(data.select([f for f in left if f != other])))
            for other in left
            if len(left) > 1
        }
        if changes:
            assert change == pytest.approx(min(changes.values()), rel=1e-9)
            assert changes[name] == pytest.approx(min(changes.values()), rel=1e-9)
        left.remove(name)
    assert found.ranking == found.removed[::-1]


def naive_agreement_entropy(rows):
    """Return the entropy of nominal cases, pair by pair."""
    found = 0.0
    for a, b in combinations(rows, 2):
        s = sum(x == y for x, y in zip(a, b, strict=True)) / len(a)
        found -= s * log2(s) + (1 - s) * log2(1 - s) if 0 < s < 1 else 0.0
    return found


@pytest.mark.parametrize("weights", ["one", "whole"])
def test_the_entropy_of_labels_pair_by_pair(weights):
    data = random_dataset(3, cases=14, numeric=0, nominal=4, weights=weights)
    rows = np.column_stack(data.columns)
    repeated = np.repeat(rows, data.weights.astype(int), axis=0).tolist()

    assert reduce.similarity_entropy(data) == pytest.approx(
        naive_agreement_entropy(repeated), rel=1e-9
    )


def test_a_ranking_gives_data():
    ranking = reduce.entropy_ranking(tl.load("iris"))

    assert set(ranking.apply(tl.load("iris"), 2).features) == set(ranking.ranking[:2])


@steady(40)
@given(datasets(max_cases=8))
def test_entropy_ranking_ranks_any_data(data):
    found = reduce.entropy_ranking(data)

    assert sorted(found.removed) == sorted(data.features)
    assert all(change >= 0 for change in found.changes)


# Elimination


def test_a_repeated_feature_is_dropped_and_a_needed_one_kept():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=300)
    signal = rng.normal(size=300)
    y = (signal > 0).astype(int)
    data = dataset([signal + noise, noise, rng.normal(size=300)], y)
    found = reduce.backward_elimination(data, 0.2, loss=0.02)

    # x1 alone says nothing of the class, but tells the noise of x0 from its signal.
    assert found.scores["x1"] < 0.1
    assert found.kept == ("x0", "x1")


def test_elimination_never_drops_everything():
    found = reduce.backward_elimination(WINE, 1.0, loss=1.0)

    assert len(found.kept) == 1


# Weights, order, odd data


@reductions
def test_a_weight_of_two_is_a_case_twice(judge):
    rng = np.random.default_rng(1)
    data = tl.load("iris").take(rng.permutation(150)[:60])
    weights = rng.integers(1, 4, 60)
    once = judge(data.reweighted(weights))
    twice = judge(data.take(np.repeat(np.arange(60), weights)))

    assert list(once.values()) == pytest.approx(list(twice.values()), rel=1e-9)


@reductions
def test_the_order_of_rows_does_not_matter(judge):
    data = tl.load("iris")
    order = np.random.default_rng(2).permutation(150)

    assert list(judge(data).values()) == pytest.approx(list(judge(data.take(order)).values()))


@reductions
def test_constant_features_are_worth_nothing(judge):
    data = dataset([np.arange(6.0), np.ones(6)], [0, 0, 0, 1, 1, 1])
    found = judge(data)

    assert np.all(np.isfinite(list(found.values())))
    if "x1" in found:
        assert found["x1"] == 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1.7e308, 1e-300])
@pytest.mark.parametrize(
    "judge",
    [
        lambda data: [*reduce.means_and_variances(data).scores.values()],
        lambda data: [*reduce.correlations(data).values()],
        lambda data: [*reduce.correlations(data, "x0").values()],
        lambda data: reduce.multiple_r_squared(data, ["x0", "x1"]),
        lambda data: reduce.multiple_r_squared(data, ["x1"], "x0"),
        lambda data: reduce.dm_distance(data, ["x0", "x1"]),
        lambda data: reduce.entropy_ranking(data).changes,
        lambda data: reduce.principal_components(data).eigenvalues,
    ],
)
def test_numbers_of_any_size_are_judged_alike(judge, size):
    rng, y = np.random.default_rng(0), np.arange(40) % 2
    shares = np.clip(rng.normal(size=(2, 40)) / 3 + 0.2 * y, -1, 1)
    third = rng.normal(size=40)
    plain, sized = (dataset([*(shares * unit), third], y) for unit in (1.0, size))

    # The sizes are no powers of 2, so that the numbers themselves are rounded.
    assert judge(sized) == pytest.approx(judge(plain), rel=1e-9)


@pytest.mark.parametrize("unit", [1e-250, 1e-7, 1e7, 1e250])
def test_distances_between_classes_have_no_unit(unit):
    iris = tl.load("iris")
    *others, last = iris.columns
    changed = tl.Dataset.of(iris.schema, [*others, last * unit], iris.y)

    assert reduce.dm_distance(changed) == pytest.approx(reduce.dm_distance(iris), rel=1e-9)
    assert reduce.best_by_dm(changed, 2) == reduce.best_by_dm(iris, 2)


def test_variances_that_are_no_numbers_are_told():
    data = dataset([np.array([-1.7e308, 1e308, 1.0])], [0, 1, 0])
    with pytest.raises(DataError, match=r"^the numbers are too large: their variances are no num"):
        reduce.principal_components(data, standardize=False)


def test_nominal_features_are_kept_where_they_cannot_be_judged():
    data = random_dataset(0, missing=0.0)

    assert {"x2", "x3"} <= set(reduce.means_and_variances(data, 1e9).kept)
    assert reduce.means_and_variances(data, 1e9).apply(data).features == ("x2", "x3")
    assert reduce.principal_components(data).apply(data).features[-2:] == ("x2", "x3")


def test_cases_without_weight_do_not_count_among_components():
    data = dataset([[1.0, 2.0, 4.0, 9.0], [5.0, 5.0, 5.0, 7.0]], [0] * 4, weights=[1, 1, 1, 0])
    found = reduce.principal_components(data, 1.0).eigenvalues

    assert found == pytest.approx(reduce.principal_components(data.take(range(3))).eigenvalues)


def test_missing_numbers_are_left_out_of_means_and_correlations():
    data = dataset([[1.0, 2.0, 5.0, 6.0, NAN]], [0, 0, 1, 1, 1])

    for judge in (REDUCTIONS["means"], REDUCTIONS["correlation"]):
        assert judge(data) == pytest.approx(judge(data.take(range(4))))


ONE = dataset([np.arange(4.0)], [0] * 4)
HOLED = dataset([[1.0, NAN, 2.0]], [0, 1, 1])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        *(
            (lambda call=call: call(3), DataError, "expected a Dataset, got int; make one with")
            for call in (
                reduce.means_and_variances,
                reduce.correlations,
                reduce.backward_elimination,
                reduce.dm_distance,
                reduce.relief,
                reduce.entropy_ranking,
                reduce.similarity_entropy,
                reduce.principal_components,
                lambda data: reduce.best_by_dm(data, 1),
                lambda data: reduce.multiple_r_squared(data, ["x0"], "x0"),
            )
        ),
        (
            lambda: reduce.pearson([1, 2, 3], [1, 2]),
            DataError,
            "a correlation needs rows of the same length, got shapes (3,), (2,) and (3,)",
        ),
        (lambda: reduce.pearson(["a"], ["b"]), DataError, "x must be numbers, got ['a']"),
        (lambda: reduce.dm_distance(ONE), DataError, "a distance between classes needs at least"),
        (lambda: reduce.dm_distance(HOLED), DataError, "column 'x0' has 1 missing values; fill"),
        (lambda: reduce.principal_components(HOLED), DataError, "column 'x0' has 1 missing values"),
        (
            lambda: reduce.principal_components(dataset([[1.0, 1.0]], [0, 1])),
            DataError,
            "all cases are alike",
        ),
        (lambda: reduce.principal_components(WINE, 0), ParameterError, "retain must lie above 0"),
        (lambda: reduce.best_by_dm(WINE, 99), ParameterError, "k must be at most the number of"),
        (lambda: reduce.relief(WINE, alpha=0), ParameterError, "alpha must lie between 0 and 1"),
        (lambda: reduce.relief(WINE.take([])), DataError, "no case has a known class and a weight"),
        (
            lambda: reduce.correlations(random_dataset(0), "x3"),
            DataError,
            "column 'x3' is nominal; a numeric target",
        ),
        (
            lambda: reduce.entropy_ranking(random_dataset(0), kind="numeric"),
            DataError,
            "kind 'numeric' is for numeric features",
        ),
        (lambda: reduce.entropy_ranking(WINE, kind="x"), ParameterError, "kind must be one of"),
    ],
)
def test_what_cannot_be_done_is_told(call, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        call()


def test_one_class_tells_nothing():
    assert reduce.means_and_variances(ONE).scores == {"x0": 0.0}
    assert reduce.correlations(ONE) == {"x0": 0.0}
    assert reduce.relief(ONE).kept == ()


def test_entropies_are_looked_up_to_eleven_digits():
    """From 0 to beyond the table, against the formula."""
    far = np.concatenate([[0.0, 1e-12], np.geomspace(1e-3, 40, 2001), [0.25, 32.0, 700.0]])
    cases, weights = np.array([[0.0], [1.0]]), np.ones(2)
    for each in far:
        (_, found) = similarity_entropies(cases, weights, 1, np.full(2, each))
        s = exp(-each)
        expected = -s * log2(s) - (1 - s) * log2(1 - s) if 0 < s < 1 else 0.0
        assert found == pytest.approx(expected, abs=2e-11)


@pytest.mark.parametrize(
    "method", ["means", "correlation", "elimination", "relief", "entropy", "dm"]
)
def test_the_order_of_the_rows_changes_no_digit(method):
    data = tl.load("iris")
    data = Dataset.of(data.schema, data.columns, data.y, 0.1 + np.arange(len(data)) % 7)
    shuffled = data.take(np.random.default_rng(0).permutation(len(data)))

    assert reduce.features(data, method, k=2) == reduce.features(shuffled, method, k=2)


def test_the_order_of_the_rows_and_the_scale_of_odd_weights_change_no_component():
    data = tl.load("iris")
    order = np.random.default_rng(0).permutation(len(data))
    found = reduce.principal_components(data)
    shuffled = reduce.principal_components(data.take(order))
    light = Dataset.of(data.schema, data.columns, data.y, np.full(len(data), 2.0**-70))

    assert shuffled.eigenvalues.tolist() == found.eigenvalues.tolist()
    assert reduce.principal_components(light).eigenvalues == pytest.approx(found.eigenvalues)


# Missing numbers filled in


def test_means_and_medians_are_those_of_the_known_numbers_by_weight():
    data = dataset([[1.0, NAN, 2.0, 9.0, NAN], [0, 1, -1, 0, 1]], [0, 1, 1, 0, 1])
    heavy = Dataset.of(data.schema, data.columns, data.y, np.array([1.0, 1.0, 1.0, 2.0, 5.0]))

    assert reduce.filled(data)["x0"].tolist() == [1.0, 4.0, 2.0, 9.0, 4.0]
    assert reduce.filled(data, "median")["x0"][1] == 2.0
    assert reduce.filled(heavy)["x0"][1] == pytest.approx((1 + 2 + 18) / 4)
    assert reduce.filled(heavy, "median")["x0"][1] == pytest.approx(5.5)  # of 1, 2, 9, 9
    assert np.array_equal(reduce.filled(data)["x1"], data["x1"])  # labels stay as they are


def nearest_by_hand(data, feature, case):
    """The mean of the known numbers of those cases that are nearest, one by one."""
    best, found = None, []
    for other in range(len(data)):
        if np.isnan(data.columns[feature][other]) or not data.weights[other]:
            continue
        apart = 0.0
        for f, column in enumerate(data.schema.features):
            if f == feature:
                continue
            a, b = data.columns[f][case], data.columns[f][other]
            if column.is_nominal:
                apart += 1.0 if a < 0 or b < 0 else float(a != b)
            elif np.isnan(a) or np.isnan(b):
                apart += 1.0
            else:
                known = data.columns[f][~np.isnan(data.columns[f])]
                apart += abs(a - b) / (known.max() - known.min() or 1.0)
        if best is None or apart < best - 1e-9:
            best, found = apart, []
        if apart <= best + 1e-9:
            found.append((data.columns[feature][other], data.weights[other]))
    return sum(value * weight for value, weight in found) / sum(weight for _, weight in found)


@pytest.mark.parametrize("seed", range(3))
def test_the_nearest_case_is_the_one_found_by_hand(seed):
    data = random_dataset(seed, cases=40, missing=0.3, weights="whole")
    found = reduce.filled(data, "nearest")
    for f in (0, 1):
        for case in np.flatnonzero(np.isnan(data.columns[f])):
            by_hand = nearest_by_hand(data, f, case)
            assert found.columns[f][case] == pytest.approx(by_hand, abs=1e-9)


@pytest.mark.parametrize("how", ["mean", "median", "nearest"])
def test_the_order_of_the_rows_changes_nothing_that_is_filled_in(how):
    data = random_dataset(5, cases=40, missing=0.3, weights="whole")
    order = np.random.default_rng(1).permutation(40)
    one, other = reduce.filled(data, how).take(order), reduce.filled(data.take(order), how)

    for a, b in zip(one.columns, other.columns, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("method", ["elimination", "dm"])
def test_methods_that_need_all_numbers_can_have_them_filled_in(method):
    data = random_dataset(2, cases=60, numeric=4, missing=0.2, ties=False)
    with pytest.raises(DataError, match="missing values; fill them in first, by treelab"):
        reduce.features(data, method, threshold=1.0 if method == "elimination" else None, k=2)

    found = reduce.features(data, method, k=2, fill="median")
    assert found == reduce.features(reduce.filled(data, "median"), method, k=2)


def test_what_cannot_be_filled_in_is_told():
    with pytest.raises(ParameterError, match="fill must be one of 'mean', 'median', 'nearest'"):
        reduce.filled(HOLED, "mode")
    with pytest.raises(DataError, match="column 'x0' has no number to fill holes by"):
        reduce.filled(dataset([[NAN, NAN], [1.0, 2.0]], [0, 1]))
    assert str(reduce.filling(HOLED, "nearest")) == "1 missing number of 'x0', by the nearest case"


# Nothing that is worth keeping, and nothing that tells


def test_relief_keeps_what_scores_above_0():
    """Chebyshev's threshold, the default before, kept no feature of 11 of 13 data sets."""
    for name in ("iris", "wine", "monks-1", "hepatitis"):
        data = tl.load(name)
        found = reduce.relief(data)
        assert found.kept == tuple(n for n in data.features if found.scores[n] > 0)
        assert found.kept
    cases = tl.load("iris")
    assert reduce.relief(cases, alpha=0.05) == reduce.relief(cases, 1 / sqrt(0.05 * len(cases)))
    with pytest.raises(ParameterError, match="threshold and alpha both say"):
        reduce.relief(WINE, 0.1, alpha=0.05)


def test_data_without_a_feature_are_refused():
    found = reduce.relief(WINE, 0.9)
    best = found.ranking[0]

    assert found.kept == ()
    with pytest.raises(ParameterError, match=f"no feature is kept: the best, '{best}', scores 0"):
        found.apply(WINE)


@pytest.mark.parametrize("kind", ["auto", "nominal"])
def test_a_constant_feature_is_the_least_important_one(kind):
    one = random_dataset(3, cases=40, numeric=2, nominal=3, labels=3, missing=0.1)
    columns = [*one.columns, np.zeros(40, int), np.full(40, 7.0)]
    more = dataset(columns, one.y, n_classes=3)
    found = reduce.entropy_ranking(more, kind=kind)

    assert found.removed[:2] == ("x5", "x6")
    assert found.changes[:2] == (0.0, 0.0)
    rest = reduce.entropy_ranking(dataset(one.columns, one.y, n_classes=3), kind=kind)
    assert found.removed[2:] == rest.removed
    assert found.changes[2:] == rest.changes


# Entropy with a constant alpha, and a stop


def entropy_by_hand(matrix, alpha):
    """The entropy of the similarities of all pairs, bits."""
    spans = np.ptp(matrix, axis=0)
    total = 0.0
    for a, b in combinations(matrix / spans, 2):
        s = exp(-alpha * sqrt(((a - b) ** 2).sum()))
        total -= s * log2(s) + ((1 - s) * log2(1 - s) if s < 1 else 0.0)
    return total


def test_alpha_may_be_a_constant():
    data = tl.load("iris").take(range(0, 150, 5))
    found = reduce.entropy_ranking(data, alpha=0.5)
    matrix = np.column_stack(data.columns)
    whole = entropy_by_hand(matrix, 0.5)
    changes = [abs(whole - entropy_by_hand(np.delete(matrix, f, axis=1), 0.5)) for f in range(4)]

    assert found.removed[0] == data.features[int(np.argmin(changes))]
    assert found.changes[0] == pytest.approx(min(changes), rel=1e-8)  # looked up to 11 digits
    assert found.changes != reduce.entropy_ranking(data).changes


def test_the_removal_stops_at_a_change_of_the_threshold():
    data = tl.load("iris")
    every = reduce.entropy_ranking(data)
    found = reduce.entropy_ranking(data, threshold=every.changes[2])

    assert (found.removed, found.changes) == (every.removed[:2], every.changes[:2])
    assert set(found.left) == set(every.removed[2:])
    assert found.ranking == found.left + every.removed[1::-1]
    judged = reduce.features(data, "entropy", every.changes[2])
    assert judged.kept == found.left
    assert reduce.features(data, "entropy").kept == data.features


# Fewer values


def test_values_are_smoothed_by_what_stands_for_their_bin():
    data = random_dataset(1, cases=60, missing=0.2, ties=False)
    for by in ("mean", "median", "mode", "boundaries"):
        found = reduce.values(data, by, discretizer="equal-width:4")
        expected = tl.smooth(data, tl.discretizer("equal-width:4").fit(data), by)
        for a, b in zip(found.columns, expected.columns, strict=True):
            np.testing.assert_array_equal(a, b)


def test_values_are_rounded_until_few_are_left():
    numbers = [1453.0, 1457.0, -1455.0, NAN, 12.0, 14.0]
    data = dataset([numbers, [0, 1, 0, 1, 0, 1]], [0, 1, 0, 1, 0, 1])
    found = reduce.values(data, "rounding", most=4)

    np.testing.assert_array_equal(found["x0"], [1450.0, 1460.0, -1450.0, NAN, 10.0, 10.0])
    assert len(np.unique(reduce.values(data, "rounding", most=3)["x0"][[0, 1, 2, 4, 5]])) == 3
    np.testing.assert_array_equal(reduce.values(data, "rounding")["x0"], numbers)
    np.testing.assert_array_equal(found["x1"], data["x1"])


def test_bins_have_names_from_the_lowest_on():
    data = dataset([[5.0, 1.0, 9.0, NAN], [0, 1, 0, 1]], [0, 1, 0, 1])
    found = reduce.values(data, "labels", labels=["low", "medium", "high"])

    assert found.schema.features[0].labels == ("low", "medium", "high")
    assert found["x0"].tolist() == [1, 0, 2, -1]
    assert np.array_equal(found["x1"], data["x1"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"method": "mode "}, "method must be one of"),
        ({"method": "labels"}, "method 'labels' needs labels, one for each bin, and no other does"),
        ({"labels": ["a"]}, "method 'labels' needs labels"),
        ({"method": "rounding", "discretizer": "ssv:4"}, "rounding makes no bins"),
        ({"method": "rounding", "most": 0}, "most must be a whole number of at least 1"),
        (
            {"method": "labels", "labels": ["a", "b"], "discretizer": "equal-width:3"},
            "feature 'alcohol' has 3 bins, but there are 2 labels",
        ),
    ],
)
def test_values_that_cannot_be_made_are_told(words, message):
    with pytest.raises(ParameterError, match=message):
        reduce.values(WINE, **words)
