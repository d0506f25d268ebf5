"""Selection: criteria against independent formulas, searches against each other."""

import json
from itertools import combinations
from pathlib import Path

import attrs
import numpy as np
import pytest
from growth import python_steps
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from strategies import dataset, random_dataset

import treelab as tl
from treelab.data.coded import Axis, Coded
from treelab.data.dataset import Dataset
from treelab.data.folds import stratified_folds
from treelab.data.order import content_order
from treelab.data.schema import Column
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.metrics.registry import metric_info
from treelab.selection.criteria import Problem, criterion
from treelab.selection.joint_codes import Cells
from treelab.selection.search import SEARCHES, Goal, Judge, Step, first_best
from treelab.selection.wrapper import as_matrix

VECTORS = json.loads(
    (Path(__file__).parents[1] / "reference" / "selection_vectors.json").read_text()
)
IRIS = tl.load("iris")


def of_vector(vector):
    return dataset(np.array(vector["input"]["X"]).T, np.array(vector["input"]["y"]))


def worth(data, spec, discretizer=None):
    return criterion(spec).on(Problem(data, discretizer))


def vectors(measure):
    found = [vector for vector in VECTORS if vector["measure"] == measure]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


@vectors("battiti_mifs")
def test_battiti(vector):
    beta, m = vector["params"]["beta"], vector["params"]["m"]
    found = tl.select(of_vector(vector), f"mifs:beta={beta}", k=m)

    expected = vector["expected"]
    assert [int(name[1:]) for name in found.features] == expected["order"]
    added = np.diff([stage.score for stage in found.path], prepend=0.0)
    assert added == pytest.approx(expected["scores"], abs=1e-12)


@vectors("gd")
def test_gd_of_sets(vector):
    data = of_vector(vector)
    everything = tuple(range(len(data.features)))

    assert -worth(data, "gd")(everything) == pytest.approx(vector["expected"], abs=1e-9)


def test_gd_of_one_feature_is_the_metric():
    data = random_dataset(1, cases=50, numeric=0, nominal=3, missing=0.0)
    ranking = tl.rank(data, "gd")
    for f, name in enumerate(data.features):
        assert worth(data, "gd")((f,)) == pytest.approx(ranking[name], rel=1e-9)


def bits(data, i, j=None):
    """Return the information two columns share, by scikit-learn; the class is column None."""
    other = data.y if j is None else data.columns[j]
    return mutual_info_score(data.columns[i], other) / np.log(2)


DATA = random_dataset(11, cases=120, numeric=0, nominal=4, labels=3, missing=0.0)


@pytest.mark.parametrize("subset", [(0,), (1, 3), (2, 0, 3), (0, 1, 2, 3)])
def test_criteria_as_their_papers_write_them(subset):
    relevance = [bits(DATA, i) for i in subset]
    shared = np.array([[bits(DATA, i, j) for j in subset] for i in subset])
    h = np.diag(shared)
    h_class = mutual_info_score(DATA.y, DATA.y) / np.log(2)
    with_class = np.array([2 * r / (h_class + h[p]) for p, r in enumerate(relevance)])
    alike = 2 * shared / np.add.outer(h, h)
    k = len(subset)
    upper = np.triu_indices(k, 1)

    # Logarithms of other shapes of the same sums.
    close = {"rel": 1e-9, "abs": 1e-12}
    expected = sum(relevance) - 0.7 * shared[upper].sum()
    assert worth(DATA, "mifs:beta=0.7")(subset) == pytest.approx(expected, **close)
    assert worth(DATA, "mrmr")(subset) == pytest.approx(np.mean(relevance) - shared.mean(), **close)
    among = alike[upper].mean() if k > 1 else 0.0
    merit = k * with_class.mean() / np.sqrt(k + k * (k - 1) * among)
    assert worth(DATA, "cfs")(subset) == pytest.approx(merit, **close)


def test_greedy_mrmr_adds_what_is_relevant_and_new():
    chosen = []
    while len(chosen) < 4:
        rest = [f for f in range(4) if f not in chosen]
        value = [
            bits(DATA, f) - (np.mean([bits(DATA, f, s) for s in chosen]) if chosen else 0)
            for f in rest
        ]
        chosen.append(rest[int(np.argmax(value))])
    found = tl.select(DATA, "mrmr", k=4)

    assert found.features == tuple(f"x{f}" for f in chosen)


# Searches


def table_worth(subset):
    """Random scores of all sets of five features, the same in every run."""
    return float(np.random.default_rng(sum(2**f for f in subset)).random())


def judged(search, k=None, worth=table_worth, n=5, **goal):
    judge = Judge(worth, n, lambda _: None)
    return SEARCHES[search](judge, Goal(k, **goal)), judge.n_judged


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("search", SEARCHES)
def test_searches_find_k_features_and_none_beats_exhaustive(search, k):
    best = max(table_worth(subset) for subset in combinations(range(5), k))
    path, n_judged = judged(search, k)

    assert len(path[-1].subset) == k
    assert path[-1].score <= best
    assert n_judged <= 32
    if search == "exhaustive":
        assert path[-1].score == best


def test_a_wide_beam_is_exhaustive():
    for k in range(1, 6):
        assert judged("beam", k, width=99)[0][-1].score == judged("exhaustive", k)[0][-1].score


@pytest.mark.parametrize("search", SEARCHES)
def test_all_searches_agree_where_features_add_up(search):
    """Without interplay the best k features together are the best set of k."""
    value = [0.3, 0.9, -0.2, 0.5, 0.0]

    def total(subset):
        return sum(value[f] for f in subset)

    assert set(judged(search, 2, total)[0][-1].subset) == {1, 3}
    found = set(judged(search, None, total)[0][-1].subset)
    # Taking out a feature that changes nothing is no loss; putting it in is no gain.
    assert found == {0, 1, 3}


def test_floating_takes_back_what_greedy_cannot():
    scores = {(0,): 0.5, (1,): 0.4, (2,): 0.4, (0, 1): 0.6, (0, 2): 0.6, (1, 2): 0.9}
    scores |= {(0, 1, 2): 0.91, (1, 2, 3): 1.0}

    def score(subset):
        return scores.get(tuple(sorted(subset)), 0.0)

    assert set(judged("greedy", 3, score, 4)[0][-1].subset) == {0, 1, 2}
    assert set(judged("floating", 3, score, 4)[0][-1].subset) == {1, 2, 3}
    assert set(judged("floating", None, score, 4)[0][-1].subset) == {1, 2, 3}


def test_greedy_is_blind_to_an_exclusive_or_and_a_beam_is_not():
    """No bit of the three tells anything alone, and a copy of the class with noise tells a bit."""
    bits = np.array(list(np.ndindex(2, 2, 2))).T.repeat(20, axis=1)
    y = bits[0] ^ bits[1]
    noisy = np.where(np.arange(160) % 8 == 0, 1 - y, y)
    data = dataset([*bits, noisy], y)
    two = {search: set(tl.select(data, "gain", search, 2).features) for search in SEARCHES}

    assert "x3" in two["greedy"]
    assert two["exhaustive"] == two["beam"] == two["backward"] == {"x0", "x1"}


def test_equals_go_to_the_lowest_numbers():
    data = dataset([[0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1]], [0, 0, 1, 1])
    for search in SEARCHES:
        assert tl.select(data, "gain", search).features == ("x1",)

    rounded = [Step((0,), 0.1 + 0.2), Step((1,), 0.3), Step((2,), 0.3 + 1e-15)]
    assert first_best(rounded).subset == (0,)


@pytest.mark.parametrize("search", ["greedy", "floating", "beam", "best-first", "exhaustive"])
def test_a_threshold_ends_the_search(search):
    found = tl.select(IRIS, "gain", search, threshold=1.5)

    assert found.score >= 1.5
    assert found.n_judged < 16


def test_backward_keeps_to_the_threshold():
    found = tl.select(IRIS, "gain", "backward", threshold=1.5)

    assert found.score >= 1.5
    smaller = [tl.select(IRIS.select(s), "gain", "backward", 1).score for s in [found.features]]
    assert smaller[0] < 1.5


def test_exhaustive_search_refuses_too_many_sets():
    data = dataset([np.array([0, 1])] * 17, [0, 1])

    with pytest.raises(ParameterError, match=r"131,071 sets of 17 features, more than 100,000"):
        tl.select(data, "gain", "exhaustive")
    assert tl.select(data, "gain", "exhaustive", 2).n_judged == 136


def test_every_set_is_judged_once_and_watched():
    seen = []
    found = tl.select(IRIS, "gini", "beam", k=3, watch=seen.append)

    assert seen == list(range(1, found.n_judged + 1))


@pytest.mark.parametrize("metric", ["gain", "gini", "cfs", "normalized-gini", GaussianNB()])
def test_rows_may_come_in_any_order(metric):
    data = random_dataset(9, cases=60, missing=0.1, weights="whole")
    other = data.take(np.random.default_rng(0).permutation(60))

    assert tl.select(data, metric).features == tl.select(other, metric).features


# SPEC 8.3: of ten seeds


def in_order(metric, bins):
    seeds = range(10)
    found = [
        tl.select(
            tl.make("four-gaussians", seed=seed), metric, k=4, discretizer=f"equal-width:{bins}"
        ).features
        for seed in seeds
    ]
    return np.mean([features == ("X1", "X2", "X3", "X4") for features in found])


def test_four_gaussians_are_selected_as_often_as_the_specification_says():
    """Printed: MIFS 0, 0.9 and 1.0; gain 0 at 16 bins; the gain ratio never."""
    assert in_order("mifs", 4) <= 0.1
    assert in_order("mifs", 8) >= 0.7
    assert in_order("mifs", 32) >= 0.8
    assert in_order("gain", 16) <= 0.2
    assert in_order("gain", 8) >= 0.2
    assert in_order("gain-ratio", 16) == 0


# Learners


def test_a_classifier_is_cross_validated_as_scikit_learn_does():
    model = KNeighborsClassifier(3)
    found = tl.select(IRIS, model, k=2, folds=4, seed=7)

    data = IRIS.take(content_order(IRIS))
    fold = stratified_folds(data.y, 4, 7)
    X = np.column_stack([data[name] for name in data.features if name in found.features])
    hits = cross_val_score(model, X, data.y, cv=PredefinedSplit(fold))
    sizes = np.bincount(fold)
    assert found.score == pytest.approx(np.average(hits, weights=sizes))


def test_classifiers_get_labels_as_columns_and_no_holes():
    data = random_dataset(12, cases=60, missing=0.2)

    assert 0.2 < tl.select(data, KNeighborsClassifier(), k=2).score <= 1.0


def test_two_labels_are_one_column_three_are_three():
    data = dataset([[0, 1, -1, 1], [0, 1, 2, -1]], [0, 0, 1, 1])
    matrix = as_matrix(data)

    np.testing.assert_array_equal(matrix[:, 0], [0.0, 1.0, np.nan, 1.0])
    assert matrix[:, 1:].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]


def test_a_binary_feature_counts_as_much_as_a_number():
    """As two columns, each the other's mirror, it would outweigh a number of the same spread."""
    as_label = random_dataset(3, cases=60, numeric=1, nominal=1, labels=2, missing=0.0)
    bit = np.asarray(as_label.columns[1], float)
    schema = attrs.evolve(as_label.schema, features=(as_label.schema.features[0], Column("x1")))
    as_number = Dataset.of(schema, [as_label.columns[0], bit], as_label.y)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    one, other = (tl.select(d, model, "exhaustive", k=2, seed=1) for d in (as_label, as_number))

    assert one.score == other.score


def test_scales_are_factors_of_standardized_columns():
    data = IRIS.take(content_order(IRIS))
    scales = tl.rank(IRIS, "gain", "mdlp").weights
    found = tl.select(IRIS, tl.Wrapper(KNeighborsClassifier(3), 4, 7, scales), "exhaustive", k=4)
    fold, X = stratified_folds(data.y, 4, 7), np.column_stack(data.columns)
    right = 0
    for f in range(4):
        train, test = fold != f, fold == f
        scaler = StandardScaler().fit(X[train])
        Z = scaler.transform(X) * [scales[name] for name in data.features]
        model = KNeighborsClassifier(3).fit(Z[train], data.y[train])
        right += (model.predict(Z[test]) == data.y[test]).sum()

    assert found.score == pytest.approx(right / len(data))


def test_scales_that_cannot_be_used_are_refused():
    with pytest.raises(ParameterError, match="scales are for scikit-learn classifiers"):
        tl.Wrapper(tl.Learner(), scales={"a": 1.0})
    some = tl.Wrapper(KNeighborsClassifier(), scales={"petal width": 1.0})
    with pytest.raises(UnknownNameError, match="unknown feature among the scales 'sepal length'"):
        tl.select(IRIS, some, k=2)


# The gain ratio of the feature that is added


def test_the_added_gain_ratio_is_what_a_feature_adds_per_bit():
    data = random_dataset(8, cases=80, numeric=0, nominal=4, labels=3, missing=0.2)
    found = tl.select(data, "added-gain-ratio", k=4)

    def bits(*columns):
        shares = {}
        for key, weight in zip(zip(*columns, strict=True), data.weights, strict=True):
            shares[key] = shares.get(key, 0.0) + weight / data.weights.sum()
        return -sum(p * np.log2(p) for p in shares.values())

    def told(names):
        columns = [data[name] for name in names]
        return bits(*columns) + bits(data.y) - bits(*columns, data.y) if names else 0.0

    chosen = []
    while len(chosen) < 4:
        rest = [name for name in data.features if name not in chosen]
        worth = [(told([*chosen, n]) - told(chosen)) / bits(data[n]) for n in rest]
        chosen.append(rest[int(np.argmax(np.round(worth, 12)))])
    assert list(found.features) == chosen
    expected = told(chosen) / sum(bits(data[name]) for name in chosen)
    assert found.score == pytest.approx(expected)


def test_the_added_gain_ratio_does_not_take_copies():
    """Of 12 data sets with 4,000 points a class 11 are selected ideally, by IGR of sets none."""
    data = [tl.make("four-gaussians", cases=16_000, seed=seed) for seed in (100, 101, 102)]
    for metric, right in (("added-gain-ratio", 3), ("gain-ratio", 0)):
        found = [tl.select(d, metric, k=4, discretizer="equal-width:8").features for d in data]
        assert found.count(("X1", "X2", "X3", "X4")) == right


def test_a_pruned_tree_uses_fewer_features():
    data = random_dataset(4, cases=120, numeric=3, nominal=2, missing=0.1)
    whole, pruned = (tl.select(data, "gain", "tree", pruner=p) for p in ("none", "pessimistic"))

    assert set(pruned.features) < set(whole.features)
    with pytest.raises(ParameterError, match="search='greedy' grows no tree"):
        tl.select(data, "gain", pruner="pessimistic")


def test_a_treelab_tree_is_a_learner_too():
    found = tl.select(tl.make("monks", seed=0), tl.Learner(metric="gain"), "greedy", folds=3)

    assert 0.5 < found.score <= 1.0
    assert "greedy search judged" in str(found)


def test_wrappers_count_a_heavy_case_as_many():
    x = np.array([0.0, 0.1, 0.2, 1.0, 1.1, 0.15])
    y = np.array([0, 0, 0, 1, 1, 1])
    data = dataset([x, x[::-1]], y, weights=[1, 1, 1, 1, 1, 50])

    assert tl.select(data, DecisionTreeClassifier(), k=1, folds=2).score < 0.5


@pytest.mark.parametrize(
    "model", [SVC(), make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), SVC()))]
)
def test_classifiers_learn_by_weight_in_a_pipeline_too(model):
    """Ten of class 0 weigh more than thirty of class 1, which the feature does not tell apart."""
    x, y = np.tile([0.0, 1.0], 20), np.repeat([0, 1], [10, 30])
    data = dataset([x], y, weights=np.where(y == 0, 100.0, 1.0))

    assert tl.select(data, model, k=1, folds=2).score == pytest.approx(1000 / 1030)


def test_a_classifier_that_cannot_weigh_is_given_no_cases_of_different_weight():
    data = random_dataset(9, cases=60, weights="whole")
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    equal = data.reweighted(np.full(60, 7.0))

    with pytest.raises(DataError, match=r"^KNeighborsClassifier cannot learn from cases of differ"):
        tl.select(data, model, k=1)
    assert str(tl.select(equal, model, k=1)) == str(
        tl.select(data.reweighted(np.ones(60)), model, k=1)
    )


def test_a_classifier_that_cannot_learn_says_so():
    data = dataset([np.arange(6.0)], np.zeros(6, int), n_classes=2)

    with pytest.raises(DataError, match=r"^SVC cannot learn from the data: "):
        tl.select(data, SVC(), folds=2)


# Size


def test_cells_of_a_million_cases_are_not_counted_one_by_one():
    def cells(n):
        rng = np.random.default_rng(0)
        codes = rng.integers(0, 12, (6, n)).astype(np.uint8)
        y = rng.integers(0, 3, n).astype(np.int32)
        return Cells(Coded(codes, (Axis("nominal", 12),) * 6, y, np.ones(n), 3))

    every = (0, 1, 2, 3, 4, 5)
    table = cells(1_000_000).table(every)

    assert table.sum() == 1_000_000
    assert len(table) <= 1_000_000
    assert python_steps(lambda: cells(10_000).table(every)) == pytest.approx(
        python_steps(lambda: cells(100).table(every)), rel=0.5
    )


def test_every_count_metric_selects_among_21_features():
    data = tl.load("ann-thyroid").take(np.arange(0, 3772, 4))
    names = [name for name in tl.metric_names() if metric_info(name).needs == "counts"]
    coding = tl.discretizer("ssv:8").fit(data)
    for name in names:
        found = tl.select(data, name, k=21, discretizer=tl.discretizer("cuts", cuts=coding.cuts))

        assert found.n_judged == 232
        assert len(set(found.features)) == 21


# Trees


def test_the_order_of_use_is_best_first():
    found = tl.select(IRIS, "ssv", "tree")
    tree = tl.grow(IRIS, "ssv", pruner=None)

    assert found.features[0] == IRIS.features[tree.feature[0]]
    assert set(found.features) == {IRIS.features[f] for f in tree.feature if f >= 0}
    assert tl.select(IRIS, "ssv", "tree", 2).features == found.features[:2]


def test_a_tree_of_one_leaf_selects_nothing():
    data = dataset([[0, 1, 0]], [0, 0, 0])

    assert tl.select(data, "gain", "tree").features == ()
    assert np.isnan(tl.select(data, "gain", "tree").score)


# Results and mistakes


def test_a_selection_can_be_applied_and_tabled():
    found = tl.select(IRIS, "gain", k=2)

    assert found.apply(IRIS).features == found.features
    frame = found.to_frame()
    assert frame["size"].tolist() == [1, 2]
    assert frame["score"].tolist() == [stage.score for stage in found.path]


def test_a_metric_of_ones_own_judges_sets():
    own = tl.from_counts(lambda t: (t.max(axis=-1).sum(axis=-1)) / t.sum(axis=(-2, -1)))

    assert tl.select(IRIS, own, k=2).features == tl.select(IRIS, "imc", k=2).features


def test_one_class_and_constant_features_can_be_searched():
    one = dataset([[0, 1, 0], [1, 1, 1]], [0, 0, 0])
    for search in SEARCHES:
        assert len(tl.select(one, "gain", search).features) >= 1
        assert len(tl.select(one, "gd", search, 1).features) == 1


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"metric": "gains"}, UnknownNameError, "did you mean 'gain'"),
        ({"metric": "mifs:gamma=1"}, UnknownNameError, "gamma"),
        ({"metric": "mifs:beta=-1"}, ParameterError, "beta must be"),
        ({"metric": "relieff"}, ParameterError, "by pairs of cases"),
        ({"metric": 3}, ParameterError, "expected the name of a metric"),
        ({"search": "foward"}, ParameterError, "search must be one of"),
        ({"k": 0}, ParameterError, "k must be"),
        ({"k": 5}, ParameterError, "k must be at most 4"),
        ({"threshold": "a"}, ParameterError, "threshold must be"),
        ({"width": 0}, ParameterError, "width must be"),
        ({"watch": 5}, ParameterError, "^watch must be a function, got 5$"),
        ({"search": "tree", "threshold": 1.0}, ParameterError, "no threshold"),
        ({"discretizer": tl.discretizer("cuts", cuts={})}, ParameterError, "is numeric"),
    ],
)
def test_mistakes_get_a_sentence(arguments, error, words):
    with pytest.raises(error, match=words):
        tl.select(IRIS, **arguments)


@pytest.mark.parametrize("model", ["knn", 5, KNeighborsClassifier])
def test_a_wrapper_needs_what_can_fit(model):
    with pytest.raises(ParameterError, match=r"^model must be a classifier, .* can fit, got "):
        tl.Wrapper(model)
