"""Tools of all pruners: sums over subtrees, and a smaller tree from a large one."""

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray, IntArray
from treelab.data.dataset import Dataset
from treelab.errors import DataError
from treelab.kernels.pruning import new_leaves, renumbered, summed_up
from treelab.kernels.route import FlatTree
from treelab.stats.formulas.impurity import majority
from treelab.tree.model import Tree


def cut(tree: Tree, at: BoolArray) -> Tree:
    """Return the tree in which the marked nodes are leaves."""
    if not at.any():
        return tree
    feature = np.where(at, np.int32(-1), tree.feature)
    is_gone = np.zeros(tree.n_nodes, bool)
    return rebuilt(tree, tree.flat, feature, tree.children.copy(), tree.counts, is_gone)


def rebuilt(
    tree: Tree,
    flat: FlatTree,
    feature: IntArray,
    children: IndexArray,
    counts: FloatArray,
    is_gone: BoolArray,
    root: int = 0,
) -> Tree:
    """Return what is left of a tree, whose arrays `flat` are; see `kernels.pruning.renumbered`."""
    nodes, first_child, below, first_code, branch_of, missing_branch, n = renumbered(
        flat, feature, children, root, is_gone
    )
    nodes = nodes[:n]
    is_test = feature[nodes] >= 0
    of_tests = nodes[is_test]  # leaves may be new ones, which the tree has no scores of
    threshold, score = np.full((2, len(nodes)), np.nan)
    threshold[is_test], score[is_test] = flat.threshold[of_tests], tree.scores[of_tests]
    return attrs.evolve(
        tree,
        feature=feature[nodes],
        threshold=threshold,
        first_child=first_child[: n + 1].copy(),
        children=below[: first_child[n]].copy(),
        first_code=first_code[: n + 1].copy(),
        branch_of=branch_of[: first_code[n]].copy(),
        missing_branch=missing_branch[:n].copy(),
        counts=counts[nodes],
        scores=score,
        relabelled=None if tree.relabelled is None else _kept_labels(tree.relabelled, nodes),
    )


def _kept_labels(labels: IntArray, nodes: IndexArray) -> IntArray:
    """Return the labels that leaves were given, of those that are left; new leaves have none."""
    return np.append(labels, np.int32(-1))[np.minimum(nodes, len(labels))]


def with_leaves(
    tree: Tree,
    as_leaf: FloatArray,
    stays: FloatArray,
    slack: float,
    share: FloatArray | None = None,
) -> Tree:
    """Return the tree in which subtrees are leaves where that costs at most `slack` more.

    Bottom-up: `as_leaf` is the cost of each node as a leaf, `stays` that of the cases which end at
    it; what a subtree costs is their sum over its nodes, leaves that were made being leaves. A
    child's cost counts `share` times, once without it.
    """
    share = np.ones(tree.n_nodes) if share is None else share
    return cut(tree, new_leaves(tree.flat, as_leaf, stays, share, slack))


def sum_up(tree: Tree, values: FloatArray) -> FloatArray:
    """Return for each node the sum of a quantity over all nodes of its subtree."""
    columns = values.reshape(tree.n_nodes, -1)
    return summed_up(tree.parents, columns).reshape(values.shape)


def errors(tree: Tree) -> FloatArray:
    """Return the training errors each node would make as a leaf."""
    return np.asarray(tree.counts.sum(axis=1) - tree.counts.max(axis=1))


def ended(tree: Tree) -> FloatArray:
    """Return the class weights of the training cases that end at each node.

    At a leaf these are all its cases; at a test, those that its children do not count: subtree
    raising can send a case to a test that never saw its value.
    """
    rest = _not_below(tree)
    noise = 1e-9 * tree.counts.sum(axis=1, keepdims=True)
    return np.where(rest > noise, rest, 0.0)


def of_one_sample(tree: Tree) -> bool:
    """Tell whether the weights below each node are a part of its own.

    They are not where a tree was pruned by other cases than it was grown from: a leaf that none of
    them reached has kept the weights it had.
    """
    # Weights that were altered by costs are rounded at each node for itself.
    return bool((_not_below(tree) >= -1e-8 * tree.counts[0].sum()).all())


def _not_below(tree: Tree) -> FloatArray:
    """Return the weights of each node that its children do not count."""
    rest = tree.counts.copy()
    np.subtract.at(rest, tree.parents[1:], tree.counts[1:])
    return rest


def own_errors(tree: Tree) -> FloatArray:
    """Return the training errors of the cases that end at each node."""
    counts, label = ended(tree), majority(tree.counts)
    return np.asarray(counts.sum(axis=1) - counts[np.arange(tree.n_nodes), label])


def is_leaf(tree: Tree) -> BoolArray:
    """Tell which nodes are leaves."""
    return np.asarray(tree.feature < 0)


def known_cases(data: Dataset, y: IntArray) -> tuple[IndexArray, FloatArray]:
    """Return the rows of a known class with their weights, leaving out weight 0."""
    rows = np.flatnonzero((y >= 0) & (data.weights > 0))
    if not len(rows):
        raise DataError("pruning needs at least one case with a known class and weight above 0")
    return rows, data.weights[rows]


def class_codes(tree: Tree, data: Dataset) -> IntArray:
    """Return the classes of data in the tree's codes; a class unknown to the tree comes last."""
    place = {label: code for code, label in enumerate(tree.classes)}
    codes = [place.get(label, len(place)) for label in data.classes]
    return np.array([*codes, -1], dtype=np.int32)[data.y]
