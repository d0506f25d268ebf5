"""Growing: when it stops, what does not matter, nothing to learn, deep trees."""

import re
import sys
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from grown import MISSING, NAN, ZIGZAG, full
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, datasets, random_dataset, steady
from thinned import thinned

import treelab as tl
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, ParameterError
from treelab.protocols import FeatureScores
from treelab.tree.model import ARRAYS

METRICS = ("gain", "gini", "gain-ratio", "gain-ratio-c45", "chi2")


def assert_same_tests(expected, actual):
    """Assert that two trees are equal; weights may be added up in another order."""
    for name in ARRAYS[:-2]:
        np.testing.assert_array_equal(getattr(expected, name), getattr(actual, name), name)
    np.testing.assert_allclose(actual.counts, expected.counts, rtol=1e-9, atol=1e-12)


def rows_joined(first, second):
    """Return the cases of two data sets of one schema, one after the other."""
    columns = [np.concatenate(pair) for pair in zip(first.columns, second.columns, strict=True)]
    y, weights = np.append(first.y, second.y), np.append(first.weights, second.weights)
    return tl.Dataset.of(first.schema, columns, y, weights)


@pytest.mark.parametrize(("min_cases", "leaves"), [(2, 3), (3, 2), (4, 1)])
def test_a_node_of_fewer_than_min_cases_is_a_leaf(min_cases, leaves):
    assert full(ZIGZAG, min_cases=min_cases).n_leaves == leaves


@pytest.mark.parametrize(("min_cases", "leaves"), [(4, 3), (4.5, 2), (6, 2), (6.5, 1)])
def test_min_cases_counts_weights(min_cases, leaves):
    assert full(ZIGZAG.reweighted([2, 2, 2]), min_cases=min_cases).n_leaves == leaves


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_no_leaf_lies_deeper_than_max_depth(depth):
    data = random_dataset(3, cases=60)
    everything = full(data)
    tree = full(data, max_depth=depth)

    assert tree.depth == depth < everything.depth
    assert tree.n_nodes == (everything.depths <= depth).sum()


def test_a_pure_node_is_a_leaf():
    tree = full(random_dataset(1, cases=50))

    for node in tree.nodes:
        assert node.is_leaf or np.count_nonzero(node.counts) > 1


@pytest.mark.parametrize("min_branch", [0, 1, 2, 3.5, 8])
def test_a_split_leaves_two_branches_of_min_branch(min_branch):
    data = random_dataset(5, cases=60, weights="fraction", labels=5)
    tree = full(data, "gain-ratio", splits="multiway", min_branch=min_branch)

    assert tree.n_leaves > 1
    for node in tree.nodes:
        if not node.is_leaf:
            large = [child.weight >= min_branch - 1e-9 for child in node.children]
            assert sum(large) >= 2


def test_min_branch_excludes_a_better_split():
    data = dataset([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], [0, 1, 1, 1, 1, 1])

    assert full(data, min_branch=1).root.threshold == 1.5
    assert full(data, min_branch=2).root.threshold == 2.5
    assert full(data, min_branch=3).root.threshold == 3.5
    assert full(data, min_branch=4).n_leaves == 1


def test_one_large_branch_is_not_enough():
    """Of the branches of weight 1, 1 and 4 only one is large."""
    data = dataset([[0, 1, 2, 2, 2, 2]], [0, 1, 0, 1, 0, 1])

    assert full(data, splits="multiway", min_branch=1).n_leaves > 1
    assert full(data, splits="multiway", min_branch=2).n_leaves == 1


@pytest.mark.parametrize("metric", METRICS)
def test_a_metric_judges_admissible_candidates_only(metric):
    """The best cut leaves one case alone; the best of the others must stand for the feature."""
    data = dataset([np.arange(12.0)], [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
    smallest = []

    def spy(node):
        smallest.append(np.asarray(node.counts).sum(axis=2).min())
        return tl.metric(metric)(node)

    free = full(data, metric, max_depth=1)
    bound = full(data, spy, max_depth=1, min_branch=2)

    assert min(child.weight for child in free.root.children) == 1
    assert smallest == [2]
    assert min(child.weight for child in bound.root.children) >= 2


def impure(node):
    """Return the Gini impurity of a node times its weight."""
    return node.weight * (1 - sum((count / node.weight) ** 2 for count in node.counts.tolist()))


def best_first(tree, max_leaves):
    """Return which nodes of a full tree are split when the most profitable come first."""
    leaves, open_nodes, split = 1, [tree.root], set()
    while open_nodes:
        # The first among equals is the one that was met first.
        profits = [
            impure(node) - sum(impure(child) for child in node.children) for node in open_nodes
        ]
        node = open_nodes.pop(profits.index(max(profits)))
        if leaves + len(node.children) - 1 <= max_leaves:
            leaves += len(node.children) - 1
            split.add(node.number)
            open_nodes += [child for child in node.children if not child.is_leaf]
    return split


def paths(tree, inner=None):
    """Return the path of every node that is split (of `inner`: only through those)."""
    found, waiting = set(), [(tree.root, ())]
    while waiting:
        node, path = waiting.pop()
        if not node.is_leaf and (inner is None or node.number in inner):
            found.add(path)
            waiting += [(child, (*path, b)) for b, child in enumerate(node.children)]
    return found


@pytest.mark.parametrize("metric", ["gain", "weighted-information", "relieff", "log-p-chi2"])
@pytest.mark.parametrize("splits", ["binary", "multiway"])
@pytest.mark.parametrize("max_leaves", [1, 2, 3, 5, 8, 13, 1000])
def test_with_max_leaves_the_most_profitable_node_is_split_first(max_leaves, splits, metric):
    data = random_dataset(11, cases=80, weights="fraction", missing=0)
    everything = full(data, metric, splits=splits)
    tree = full(data, metric, splits=splits, max_leaves=max_leaves)

    assert tree.n_leaves <= max_leaves
    assert paths(tree) == paths(everything, best_first(everything, max_leaves))


def whole_features(node, shift):
    """A metric of whole features: the gain of the best cut, its zero moved."""
    gains, places = tl.metric("gain")(node), range(len(node.coded.axes))
    best = [gains[node.counts.feature == place].max(initial=0) for place in places]
    return FeatureScores(np.array(best) + shift)


@pytest.mark.parametrize("shift", thinned([-50.0, -1.0, 3.0], 2))
@pytest.mark.parametrize("search", ["greedy", "beam"])
def test_where_the_zero_of_a_metric_lies_does_not_matter_to_best_first(search, shift):
    """A large node would come first, or last, by score times size."""
    data = random_dataset(3, cases=120, missing=0.1, weights="whole", numeric=3)
    metrics = [lambda node, by: tl.metric("gini")(node) + by, whole_features]
    for metric, leaves in product(metrics, (3, 9)):
        trees = [
            full(data, lambda node, m=metric, by=by: m(node, by), max_leaves=leaves, search=search)
            for by in (0.0, shift)
        ]
        assert_same_tests(*trees)


def test_best_first_prefers_a_good_split_below_to_a_poor_one_beside():
    """Breadth first would split the left child, which gains nothing much."""
    x = [*range(12), *range(20, 28)]
    y = [0] * 10 + [1, 0] + [1] * 4 + [2] * 4
    tree = full(dataset([np.array(x, dtype=float)], y), max_leaves=3)

    assert [tree.root.threshold, tree.root.children[1].threshold] == [15.5, 23.5]
    assert tree.root.children[0].is_leaf


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"min_cases": 0}, "min_cases must be a number of at least 1, got 0"),
        ({"min_cases": NAN}, "min_cases must be a number of at least 1, got nan"),
        ({"min_branch": -1}, "min_branch must be a number of at least 0, got -1"),
        ({"max_depth": -1}, "max_depth must be a whole number of at least 0, got -1"),
        ({"max_depth": "2"}, "max_depth must be a whole number of at least 0, got '2'"),
        ({"max_leaves": 0}, "max_leaves must be a whole number of at least 1, got 0"),
        ({"bins": 1}, "bins must be a whole number of at least 2, got 1"),
        ({"bins": 2.5}, "bins must be a whole number of at least 2, got 2.5"),
        (
            {"missing": "brunch"},
            "missing must be one of 'fractional', 'branch', 'majority', got 'brunch'; "
            "did you mean 'branch'?",
        ),
        (
            {"splits": "ternary"},
            "splits must be one of 'auto', 'multiway', 'binary', 'subset', got 'ternary'; "
            "did you mean 'binary'?",
        ),
    ],
)
def test_a_wrong_setting_is_told_in_one_sentence(setting, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        full(ZIGZAG, **setting)


ROADS = [{}, {"splits": "multiway", "discretizer": "equal-width:3"}, {"bins": 4}]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("metric", METRICS)
def test_a_weight_of_two_is_a_case_twice(metric, missing, road):
    for seed in range(2):
        data = random_dataset(seed, cases=30, weights="whole", missing=0.25)
        once = data.take(np.repeat(np.arange(30), data.weights.astype(int)))
        once = once.reweighted(np.ones(len(once)))

        assert_same_tests(
            full(data, metric, missing=missing, **road), full(once, metric, missing=missing, **road)
        )


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("metric", METRICS)
def test_the_order_of_the_cases_does_not_matter(metric, missing, road):
    data = random_dataset(7, cases=40, weights="fraction", missing=0.25)
    tree = full(data, metric, missing=missing, **road)
    for seed in range(3):
        rows = np.random.default_rng(seed).permutation(len(data))

        assert_same_tests(tree, full(data.take(rows), metric, missing=missing, **road))


@pytest.mark.parametrize("road", [*ROADS, {"discretizer": "equal-frequency:3"}])
@pytest.mark.parametrize("missing", MISSING)
def test_cases_without_weight_or_class_are_ignored(missing, road):
    data = random_dataset(2, cases=30)
    # Other cases, far away from the first, half of them heavy but of no known class.
    far = random_dataset(3, cases=30)
    columns = [x * 50 - 1000 if x.dtype.kind == "f" else x for x in far.columns]
    weights = np.where(np.arange(30) % 2, 0, 100)
    y = np.where(weights > 0, -1, far.y)
    more = rows_joined(tl.Dataset.of(far.schema, columns, y, weights), data)

    assert full(data, missing=missing, **road) == full(more, missing=missing, **road)


def test_the_same_data_give_the_same_tree_twice():
    data = random_dataset(4, cases=50, weights="fraction")

    assert full(data) == full(data)


def test_a_constant_feature_is_never_tested():
    data = random_dataset(4, cases=50)
    columns = [np.full(50, 3.25), *data.columns, np.zeros(50, int)]
    tree = full(dataset(columns, data.y, labels={3: 4, 4: 4, 5: 2}))

    assert tree.n_leaves > 5
    assert not {0, 5} & set(tree.feature.tolist())


def test_a_feature_that_is_always_missing_is_never_tested():
    data = random_dataset(4, cases=50)
    columns = [np.full(50, NAN), *data.columns, np.full(50, -1)]
    for missing in MISSING:
        tree = full(dataset(columns, data.y, labels={3: 4, 4: 4, 5: 2}), missing=missing)

        assert tree.n_leaves > 5
        assert not {0, 5} & set(tree.feature.tolist())


@steady(60)
@given(datasets(), st.sampled_from(MISSING), st.sampled_from(["auto", "multiway"]))
def test_the_cases_of_the_branches_add_up_to_those_of_the_node(data, missing, splits):
    tree = full(data, missing=missing, splits=splits)

    for node in tree.nodes:
        if not node.is_leaf:
            total = sum(child.counts for child in node.children)
            # Fractions are dealt out and added up again: the last digits differ.
            np.testing.assert_allclose(total, node.counts, rtol=1e-9, atol=1e-12)


def test_one_class_gives_one_leaf():
    tree = full(dataset([[1.0, 2.0, 3.0]], [1, 1, 1], n_classes=3))

    assert tree.n_nodes == 1
    assert tree.predict_proba(ZIGZAG).tolist() == [[0, 1, 0]] * 3


def test_constant_features_give_one_leaf():
    tree = full(dataset([[1.0, 1.0, 1.0], [2, 2, 2]], [0, 1, 1]))

    assert tree.n_nodes == 1
    assert tree.counts.tolist() == [[1, 2]]


def test_no_features_give_one_leaf():
    data = dataset([], [0, 1, 1])

    assert full(data).n_nodes == 1
    assert full(data).predict(data).tolist() == ["c1"] * 3


def test_one_case_gives_one_leaf():
    assert full(ZIGZAG.take([1])).predict(ZIGZAG).tolist() == ["c1"] * 3


@pytest.mark.parametrize("road", [{}, {"bins": 3}, {"discretizer": "equal-frequency"}])
@pytest.mark.parametrize(
    "data",
    [
        ZIGZAG.take([]),
        ZIGZAG.reweighted([0, 0, 0]),
        dataset([[1.0, 2.0]], [-1, -1], n_classes=2),
        dataset([[1.0, 2.0]], [-1, 1], n_classes=2, weights=[1, 0]),
    ],
)
def test_without_a_usable_case_there_is_no_tree(data, road):
    message = "a tree needs at least one case with a known class and weight above 0"
    with pytest.raises(DataError, match=f"^{message}$"):
        full(data, **road)


def test_data_without_a_target_cannot_be_learned():
    data = tl.Dataset.of(Schema((Column("x"),)), [[1.0, 2.0]])
    with pytest.raises(DataError, match=r"^the data have no target: name the column"):
        full(data)


def test_something_else_than_data_is_refused():
    with pytest.raises(DataError, match=r"^expected a Dataset, got list; make one with"):
        full([[1, 2], [3, 4]])


@pytest.fixture(scope="module")
def chain():
    """Return data and a tree deeper than Python's stack: each test peels off the least number."""
    n = sys.getrecursionlimit() + 100
    data = dataset([np.arange(n, dtype=float)], np.arange(n) % 2)

    def lowest_first(node):
        return -np.arange(len(node.counts), dtype=float)

    return data, full(data, lowest_first)


def test_a_tree_may_be_deeper_than_the_stack(chain):
    data, tree = chain

    assert tree.depth == len(data) - 1 > sys.getrecursionlimit()
    assert tree.predict(data).tolist() == data.labels.tolist()


def test_a_deep_tree_prints(chain):
    data, tree = chain
    lines = str(tree).splitlines()

    assert len(lines) == 2 * (len(data) - 1) + 1
    assert lines[-1].endswith(f"x0 > {len(data) - 1.5:g}: c{(len(data) - 1) % 2} (1 case)")


@pytest.mark.parametrize(
    "pruner", ["pessimistic", "pep", "reduced-error", "cost-complexity", "minimum-error", "none"]
)
def test_a_deep_tree_can_be_pruned(chain, pruner):
    data, tree = chain
    pruned = tl.prune(tree, pruner, data)

    assert pruned.n_leaves <= tree.n_leaves
    assert tree.depth == len(data) - 1


def test_a_deep_tree_can_be_saved(chain, tmp_path):
    _, tree = chain
    tree.save(tmp_path / "deep.json")

    assert tl.Tree.load(tmp_path / "deep.json") == tree


def test_numbers_of_numpy_are_numbers():
    data = tl.load("iris")
    settings = {"max_depth": np.int64(2), "min_branch": np.float32(3), "max_leaves": np.int32(9)}

    assert tl.grow(data, **settings) == tl.grow(data, max_depth=2, min_branch=3, max_leaves=9)


def test_a_target_of_nearly_as_many_classes_as_cases_is_refused():
    labels = tuple(f"P{value}" for value in range(30))
    schema = Schema((Column("x"),), Column("person", labels))
    data = tl.Dataset.of(schema, [np.arange(30.0)], np.arange(30))
    with pytest.raises(DataError, match="30 classes among 30 cases: it looks like an identifier"):
        tl.grow(data)


def test_numbers_are_matched_with_labels_by_value():
    """A column of labels such as 01 may come back as numbers."""
    zips = Schema((Column("zip", ("01", "02")),), Column("y", ("a", "b")))
    data = tl.Dataset.of(zips, [np.array([0, 0, 1, 1])], np.array([0, 0, 1, 1]))
    tree = tl.grow(data, probabilities="shares")
    numbers = tl.Dataset.of(Schema((Column("zip"),)), [np.array([1.0, 2.0, 3.0, np.nan])])

    assert tree.predict_proba(numbers).tolist() == [[1, 0], [0, 1], [0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("frame_of", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_of_numbers_is_matched_with_labels_as_data_are(frame_of):
    frame = pd.DataFrame({"x": ["01", "02", "2"], "y": ["a", "b", "c"]})
    tree = full(tl.Dataset.from_frame(frame, "y"))
    numbers = frame_of({"x": [1, 2, 3, None]})

    expected = tree.predict_proba(tl.Dataset.from_frame(numbers))
    assert tree.predict_proba(numbers).tolist() == expected.tolist()
    assert tree.predict(numbers)[:2].tolist() == ["a", "c"]  # '2' is nearer to 2 than '02' is


def test_numbers_that_no_float_tells_apart_are_matched_by_all_their_digits():
    frame = pd.DataFrame({"x": [2**53, 2**53 + 1] * 9, "y": ["a", "b"] * 9})
    tree = tl.grow(tl.Dataset.from_frame(frame, "y", nominal=["x"]))

    assert tree.predict(frame).tolist() == frame["y"].tolist()


def test_a_tree_without_features_predicts_every_case_of_a_frame():
    frame = pd.DataFrame({"y": ["a", "b", "b"]})
    tree = tl.grow(tl.Dataset.from_frame(frame, "y"))

    assert tree.predict(frame).tolist() == ["b"] * 3
    assert tree.predict_proba(frame).shape == (3, 2)


def test_columns_named_by_numbers_are_found_for_predictions():
    frame = pd.DataFrame({0: [0, 1] * 9, 1: ["a", "b"] * 9, 2: pd.Timestamp("2024-02-29")})
    tree = tl.grow(tl.Dataset.from_frame(frame[[0, 1]], 1))

    assert tree.predict(frame).tolist() == frame[1].tolist()


def test_the_feature_that_was_read_as_the_target_is_told():
    tree = tl.grow(tl.load("iris"))
    data = tl.load("iris")
    schema = Schema(data.schema.features[:3], Column("petal width", ("1",)))
    unlabelled = tl.Dataset.of(schema, data.columns[:3], np.zeros(len(data), int))
    with pytest.raises(DataError, match="it was read as the target; read data without one with"):
        tree.predict(unlabelled)
