"""With binary splits on numbers, treelab and scikit-learn grow the same tree, node for node.

Where two splits of a node are worth the same, treelab takes the one of the lowest feature and
scikit-learn the one it happens to look at first, so equality can be asked for in two ways:
walk both trees and allow another split only where it is worth exactly the same; or take data on
which no two splits are worth the same, by giving each case a weight of its own.
"""

import naive_formulas
import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_classification, make_moons
from sklearn.tree import DecisionTreeClassifier
from strategies import dataset

import treelab as tl

CRITERION = {"gain": "entropy", "gini": "gini"}
BUNDLED = ("iris", "wine", "bupa", "ionosphere", "diabetes-pima", "breast-cancer-wisconsin")


def bundled(name):
    """Return the complete cases of the numeric columns, as ranks of which no two are equal.

    Ties are broken at random. scikit-learn reads float32, which holds these numbers exactly.
    """
    data, rng = tl.load(name), np.random.default_rng(0)
    numeric = [column.name for column in data.schema.features if not column.is_nominal]
    X = np.column_stack([data[feature] for feature in numeric])
    complete = ~np.isnan(X).any(axis=1)
    X, y = X[complete], data.y[complete]
    order = [np.lexsort((rng.random(len(y)), column)) for column in X.T]
    return np.column_stack([np.argsort(places) * 0.375 for places in order]), y


def drawn(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(80, 200))
    X, y = [
        lambda: make_blobs(n, int(rng.integers(2, 6)), centers=4, cluster_std=4, random_state=seed),
        lambda: make_moons(n, noise=0.4, random_state=seed),
        lambda: make_classification(n, 6, n_informative=3, n_classes=3, random_state=seed),
        lambda: (rng.normal(size=(n, 3)), rng.integers(0, 3, n)),
    ][seed % 4]()
    return X.astype(np.float32).astype(float), y


DATA = {f"drawn-{seed}": drawn(seed) for seed in range(20)}
DATA |= {name: bundled(name) for name in BUNDLED}


def counts_of(theirs, number):
    """Return the class weights: scikit-learn keeps shares."""
    return theirs.value[number, 0] * theirs.weighted_n_node_samples[number]


def children_of(theirs, number):
    children = theirs.children_left[number], theirs.children_right[number]
    return [int(child) for child in children if child >= 0]


def assert_same_test(node, theirs, number):
    assert theirs.feature[number] == node.tree.feature[node.number]
    # The middle of two float32 numbers: a + (b - a) / 2 here, a / 2 + b / 2 there.
    assert theirs.threshold[number] == pytest.approx(node.threshold, rel=1e-12, abs=1e-12)


# No two splits are worth the same: the trees are identical


def grown_alike(X, y, metric):
    """Return both trees of data without ties.

    Each case has a weight of its own, a sum of powers of 2 so that sums are exact: else
    scikit-learn splits pure nodes, for an impurity of 1e-16. A fifth of each column is shuffled:
    else two features may part a node in the same way, around a class that is far from the
    others. Leaves hold at least a twentieth of the weight: few cases are parted alike by chance.
    """
    rng = np.random.default_rng(0)
    X = X.copy()
    for column in X.T:
        some = np.flatnonzero(rng.random(len(y)) < 0.2)
        column[some] = column[rng.permutation(some)]
    weights = 1 + rng.integers(0, 2**20, len(y)) / 2**20
    least = 0.05
    ours = tl.grow(
        dataset(list(X.T), y, weights=weights),
        metric,
        splits="binary",
        pruner="none",
        min_branch=float(least * weights.sum()),
    )
    theirs = DecisionTreeClassifier(
        criterion=CRITERION[metric], min_weight_fraction_leaf=least, random_state=0
    ).fit(X, y, weights)
    return ours, theirs.tree_


@pytest.mark.parametrize("metric", CRITERION)
@pytest.mark.parametrize("name", DATA)
def test_the_whole_tree_is_identical_where_no_splits_are_worth_the_same(name, metric):
    ours, theirs = grown_alike(*DATA[name], metric)

    assert ours.n_leaves > 5
    assert theirs.node_count == ours.n_nodes
    for node in ours.nodes:  # both number their nodes in preorder
        assert [child.number for child in node.children] == children_of(theirs, node.number)
        # Shares times weights there: the last digits differ.
        np.testing.assert_allclose(counts_of(theirs, node.number), node.counts, rtol=1e-9)
        if not node.is_leaf:
            assert_same_test(node, theirs, node.number)


# Splits may be worth the same: the trees are walked side by side


def worth(metric, X, y, feature, threshold):
    """Return what a cut of some cases is worth, counted by hand."""
    table = [[0.0] * (int(y.max()) + 1) for _ in range(2)]
    for x, c in zip(X[:, feature].tolist(), y.tolist(), strict=True):
        table[int(x > threshold)][c] += 1
    return naive_formulas.FORMULAS[metric](table)


def assert_equal_or_tied(ours, theirs, X, y, metric):
    """Compare all nodes that hold the same cases; return how many part them in the same way."""
    waiting = [(ours.root, 0, np.arange(len(y)))]
    n_equal = 0
    while waiting:
        node, number, rows = waiting.pop()
        np.testing.assert_allclose(counts_of(theirs, number), node.counts, rtol=1e-9)
        assert node.is_leaf == (theirs.feature[number] < 0)
        if node.is_leaf:
            continue
        feature, threshold = ours.feature[node.number], node.threshold
        other = int(theirs.feature[number]), float(theirs.threshold[number])
        is_right = X[rows, feature] > threshold
        if not np.array_equal(is_right, X[rows, other[0]] > other[1]):
            # Rounding: scikit-learn updates its sums from cut to cut.
            assert worth(metric, X[rows], y[rows], feature, threshold) == pytest.approx(
                worth(metric, X[rows], y[rows], *other), abs=1e-9
            )
            continue
        n_equal += 1
        sides = rows[~is_right], rows[is_right]
        waiting += zip(node.children, children_of(theirs, number), sides, strict=True)
    return n_equal


@pytest.mark.parametrize("metric", CRITERION)
@pytest.mark.parametrize("name", DATA)
def test_the_tree_differs_only_where_two_splits_are_worth_the_same(name, metric):
    X, y = DATA[name]
    ours = tl.grow(dataset(list(X.T), y), metric, splits="binary", pruner="none", min_branch=1)
    theirs = DecisionTreeClassifier(criterion=CRITERION[metric], random_state=0).fit(X, y).tree_

    assert assert_equal_or_tied(ours, theirs, X, y, metric) > 0
