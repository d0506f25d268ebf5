"""Trees grown by a metric of one's own."""

import re

import numpy as np
import pytest
from grown import MISSING, NAN, ZIGZAG, full, my_gini
from strategies import dataset, random_dataset

import treelab as tl
from treelab.errors import DataError, ParameterError


def my_node_gini(node):
    return node.counts.map(my_gini) * node.counts.known


@pytest.mark.parametrize("mine", [tl.from_counts(my_gini), my_node_gini])
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("name", ["voting", "iris", "zoo", "hepatitis"])
def test_your_own_gini_grows_the_tree_of_the_built_in_one(name, missing, mine):
    data = tl.load(name)

    assert full(data, "gini", missing=missing) == full(data, mine, missing=missing)


def test_a_metric_that_cannot_judge_leaves_one_leaf():
    assert full(ZIGZAG, lambda node: np.full(len(node.counts), NAN)).n_nodes == 1


def test_a_candidate_that_cannot_be_judged_is_not_taken():
    def second_only(node):
        return np.where(np.arange(len(node.counts)) == 1, -7.0, NAN)

    tree = full(ZIGZAG, second_only)

    assert (tree.root.threshold, tree.root.score) == (2.5, -7.0)


def test_a_split_of_infinite_score_is_the_best():
    def last(node):
        scores = np.zeros(len(node.counts))
        scores[-1] = np.inf
        return scores

    assert full(ZIGZAG, last).root.threshold == 2.5


@pytest.mark.parametrize(
    ("difference", "feature"), [(0, "x0"), (5e-13, "x0"), (2e-12, "x1"), (-1, "x0")]
)
def test_scores_within_the_tie_rule_are_equal_and_the_first_feature_wins(difference, feature):
    data = dataset([[0, 1, 0, 1], [0, 0, 1, 1]], [0, 1, 0, 1])

    def metric(node):
        return 1.0 + difference * node.counts.feature

    assert full(data, metric).root.feature == feature


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (
            lambda _node: 1.0,
            "a metric must return one score per candidate: expected shape (2,), got ()",
        ),
        (
            lambda _node: np.zeros(3),
            "a metric must return one score per candidate: expected shape (2,), got (3,)",
        ),
        (
            lambda _node: np.zeros((2, 1)),
            "a metric must return one score per candidate: expected shape (2,), got (2, 1)",
        ),
        (
            tl.from_counts(lambda table: table.sum(axis=-1)),
            "a formula must return one score per table: expected shape (2,) for tables of shape "
            "(2, 2, 2), got (2, 2)",
        ),
    ],
)
def test_a_metric_of_the_wrong_shape_is_told_so(metric, message):
    with pytest.raises(DataError, match=f"^{re.escape(message)}$"):
        full(ZIGZAG, metric)


def test_what_is_no_metric_is_refused():
    with pytest.raises(ParameterError, match=r"^expected the name of a metric or a callable"):
        full(ZIGZAG, 3)


def test_the_random_stream_of_a_node_depends_on_seed_and_path_only():
    def drawn(seed, take):
        numbers = {}

        def metric(node):
            numbers[tuple(node.class_counts)] = node.rng("mine").random()
            return take(node)

        full(random_dataset(0, missing=0), metric, seed=seed)
        return numbers

    first = drawn(0, lambda node: node.counts.map(my_gini))
    again = drawn(0, lambda node: node.counts.map(my_gini) if node.rng("x").random() else None)

    assert first == again
    assert len(set(first.values())) == len(first) > 3
    assert first != drawn(1, lambda node: node.counts.map(my_gini))
