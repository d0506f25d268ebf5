"""Tools of all pruners: sums over subtrees, and a smaller tree from a large one."""

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray, IntArray
from treelab.data.dataset import Dataset
from treelab.errors import DataError
from treelab.kernels.route import spread
from treelab.stats.impurity import majority
from treelab.tree.draft import Draft, freeze, thaw
from treelab.tree.model import Tree
from treelab.tree.predict import matrix


def cut(tree: Tree, at: BoolArray) -> Tree:
    """Return the tree in which the marked nodes are leaves."""
    if not at.any():
        return tree
    drafts = thaw(tree)
    for place in np.flatnonzero(at):
        drafts[place].make_leaf()
    return refreeze(tree, drafts[0])


def with_leaves(tree: Tree, as_leaf: FloatArray, stays: FloatArray, slack: float) -> Tree:
    """Return the tree in which subtrees are leaves where that costs at most `slack` more.

    Bottom-up: `as_leaf` is the cost of each node as a leaf, `stays` that of the cases which end at
    it; what a subtree costs is their sum over its nodes, leaves that were made being leaves.
    """
    at, as_tree = np.zeros(tree.n_nodes, bool), stays.copy()
    for node in range(tree.n_nodes - 1, -1, -1):
        if tree.feature[node] >= 0:
            below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
            as_tree[node] += as_tree[below].sum()
            if as_leaf[node] <= as_tree[node] + slack:
                at[node], as_tree[node] = True, as_leaf[node]
    return cut(tree, at)


def refreeze(tree: Tree, root: Draft) -> Tree:
    """Return the flat tree of a draft that was made from `tree`."""
    smaller = freeze(root, tree.schema, tree.coding, tree.missing, tree.learner)
    return attrs.evolve(smaller, grown_from=tree.grown_from)


def parents(tree: Tree) -> IndexArray:
    """Return the parent of each node; -1 for the root."""
    result = np.full(tree.n_nodes, -1)
    result[tree.children] = np.repeat(np.arange(tree.n_nodes), np.diff(tree.first_child))
    return result


def sum_up(tree: Tree, values: FloatArray) -> FloatArray:
    """Return for each node the sum of a quantity over all nodes of its subtree."""
    result = values.copy()
    above = parents(tree)
    for node in range(tree.n_nodes - 1, 0, -1):
        result[above[node]] += result[node]
    return result


def errors(tree: Tree) -> FloatArray:
    """Return the training errors each node would make as a leaf."""
    return np.asarray(tree.counts.sum(axis=1) - tree.counts.max(axis=1))


def ended(tree: Tree) -> FloatArray:
    """Return the class weights of the training cases that end at each node.

    At a leaf these are all its cases; at a test, those that its children do not count: subtree
    raising can send a case to a test that never saw its value.
    """
    rest = tree.counts.copy()
    np.subtract.at(rest, parents(tree)[1:], tree.counts[1:])
    noise = 1e-9 * tree.counts.sum(axis=1, keepdims=True)
    return np.where(rest > noise, rest, 0.0)


def own_errors(tree: Tree) -> FloatArray:
    """Return the training errors of the cases that end at each node."""
    counts, label = ended(tree), majority(tree.counts)
    return np.asarray(counts.sum(axis=1) - counts[np.arange(tree.n_nodes), label])


def is_leaf(tree: Tree) -> BoolArray:
    """Tell which nodes are leaves."""
    return np.asarray(tree.feature < 0)


@attrs.frozen(eq=False)
class Held:
    """What held-out cases say of every node.

    `as_leaf` are the errors a node would make as a leaf, `as_tree` those of its subtree.
    """

    as_leaf: FloatArray
    as_tree: FloatArray


def held_out(tree: Tree, data: Dataset) -> Held:
    """Send held-out cases down a tree and count the errors at every node."""
    y = class_codes(tree, data)
    stays = np.zeros((tree.n_nodes, len(tree.classes) + 1))
    spread(tree.flat, 0, matrix(tree, data), y, *known_cases(data, y), stays)
    label = majority(tree.counts)
    nodes = np.arange(tree.n_nodes)
    reached = sum_up(tree, stays)
    return Held(
        as_leaf=reached.sum(axis=1) - reached[nodes, label],
        as_tree=sum_up(tree, stays.sum(axis=1) - stays[nodes, label]),
    )


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
