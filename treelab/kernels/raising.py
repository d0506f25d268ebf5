"""Subtree raising on flat arrays: cases dealt to branches, estimates compared (SPEC 6.2).

Cases lie on a stack: those of a node, above them the parts of its children one after the other.
Children are visited from the last to the first, so whatever lies above the cases of a node that is
being looked at is no longer needed, and its own children may take the place.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.error_limits import Formula
from treelab.kernels.route import SPREAD, FlatTree, next_branch

SLACK = 0.1
"""C4.5 prefers the smaller tree up to so many errors more."""

TIE = 1e-12
"""Numbers that differ by less, relative to the larger, are equal (SPEC 0.2, rule 6)."""

SLOT, NODE, START, STOP_, NEXT = range(5)
AS_TREE, AS_LEAF = range(2)


class Pruned(NamedTuple):
    """A tree in the making.

    A leaf is made by `feature[node] = -1`, a node is replaced by `children[slot] = branch`; these
    and `counts` are the result. `weight` is by node, `start`, `stop` and `known` are by slot: where
    the cases of a child lie, and the weight of those whose value is known.
    """

    tree: FlatTree
    feature: IntArray
    children: IndexArray
    counts: FloatArray
    weight: FloatArray
    start: IndexArray
    stop: IndexArray
    known: FloatArray


class Training(NamedTuple):
    """The cases to prune by, and how to estimate errors: a confidence and its deviate."""

    matrix: FloatArray
    y: IntArray
    confidence: float
    deviate: float


class Stack(NamedTuple):
    """Rows and weights of the cases of several nodes, and the branch that each takes."""

    rows: IndexArray
    weights: FloatArray
    branch: IndexArray


@kernel
def raise_branches(
    formula: Formula, training: Training, pruned: Pruned, rows: IndexArray, weights: FloatArray
) -> int:
    """Prune a tree with subtree raising; return its root.

    Each node has a frame: its slot (-1 for the root), its number, where its cases lie, and the next
    slot of its children to visit.
    """
    n = len(pruned.feature) + 1
    frames, errors, root, depth = np.empty((n, 5), np.int64), np.empty((n, 2)), 0, 0
    todo = np.empty((n, 3), np.int64)
    cases = _room(Stack(rows, weights, rows), 4 * len(rows))
    cases = _enter(formula, training, pruned, cases, frames[0], errors[0], -1, 0, 0, len(rows))
    while depth >= 0:
        frame = frames[depth]
        node, slot = frame[NODE], frame[NEXT]
        if slot >= pruned.tree.first_child[node]:
            frame[NEXT] -= 1
            child, start, stop = pruned.children[slot], pruned.start[slot], pruned.stop[slot]
            if pruned.feature[child] >= 0 or stop > start:  # else a leaf as it was
                depth += 1
                below, expected = frames[depth], errors[depth]
                cases = _enter(
                    formula, training, pruned, cases, below, expected, slot, child, start, stop
                )
            continue
        as_tree, as_leaf = errors[depth, AS_TREE], errors[depth, AS_LEAF]
        if pruned.feature[node] >= 0:
            start, stop = frame[START], frame[STOP_]
            branch = _largest_child(pruned, node)
            as_branch, cases = _as_branch(
                formula, training, pruned, cases, todo, branch, start, stop
            )
            if as_leaf <= min(as_branch, as_tree) + SLACK:
                pruned.feature[node], as_tree = -1, as_leaf
            elif as_branch <= as_tree + SLACK:
                if frame[SLOT] < 0:
                    root = branch
                else:
                    pruned.children[frame[SLOT]] = branch
                expected = errors[depth]
                cases = _enter(
                    formula, training, pruned, cases, frame, expected, frame[SLOT], branch, start,
                    stop,
                )  # fmt: skip
                continue
        depth -= 1
        if depth >= 0:
            errors[depth, AS_TREE] += as_tree
    return int(root)


@kernel
def _enter(
    formula: Formula,
    training: Training,
    pruned: Pruned,
    cases: Stack,
    frame: IndexArray,
    errors: FloatArray,
    slot: int,
    node: int,
    start: int,
    stop: int,
) -> Stack:
    """Count the cases of a node again and deal them out to its children."""
    counts = _class_counts(training, pruned, cases, start, stop)
    pruned.weight[node] = counts.sum()
    if pruned.weight[node] > 0.0:
        pruned.counts[node] = counts
    first, last = pruned.tree.first_child[node], pruned.tree.first_child[node + 1]
    errors[AS_LEAF] = _expected(formula, training, counts, counts)
    errors[AS_TREE] = errors[AS_LEAF]
    frame[SLOT], frame[NODE], frame[START], frame[STOP_] = slot, node, start, stop
    frame[NEXT] = first - 1
    if pruned.feature[node] >= 0:
        frame[NEXT] = last - 1
        stays, cases = _deal(training, pruned, cases, node, start, stop)
        errors[AS_TREE] = _expected(formula, training, stays, counts)
        for child in pruned.children[first:last]:
            pruned.weight[child] = 0.0
    return cases


@kernel
def _class_counts(
    training: Training, pruned: Pruned, cases: Stack, start: int, stop: int
) -> FloatArray:
    counts = np.zeros(pruned.counts.shape[1])
    for i in range(start, stop):
        counts[training.y[cases.rows[i]]] += cases.weights[i]
    return counts


@kernel
def _expected(formula: Formula, training: Training, stays: FloatArray, counts: FloatArray) -> float:
    """Return the errors to expect of the cases that stay at a node of these class counts."""
    largest, label = counts.max() * (1 - TIE), 0
    while counts[label] < largest:
        label += 1
    n = stays.sum()
    wrong = float(n - stays[label])
    return wrong + formula(n, wrong, training.confidence, training.deviate)


@kernel
def _deal(
    training: Training, pruned: Pruned, cases: Stack, node: int, start: int, stop: int
) -> tuple[FloatArray, Stack]:
    """Put the cases of each branch above those of the node; return the class weights that stay.

    Those whose value is missing come behind the others of every branch, in parts, as many as it has
    of the known; where no case is known, none goes on.
    """
    first, last = pruned.tree.first_child[node], pruned.tree.first_child[node + 1]
    stays = np.zeros(pruned.counts.shape[1])
    n_lost = _ask(training, pruned, cases, node, start, stop, stays)
    total, place = pruned.known[first:last].sum(), stop
    for slot in range(first, last):
        n_known, pruned.start[slot] = pruned.stop[slot], place
        pruned.stop[slot] = place
        place += n_known + (n_lost if pruned.known[slot] > 0.0 else 0)
    if total == 0.0:
        return _class_counts(training, pruned, cases, start, stop), cases
    cases = _room(cases, place)
    for i in range(start, stop):
        if cases.branch[i] >= 0:
            _put(cases, i, pruned.stop, first + cases.branch[i], 1.0)
    for i in range(start, stop if n_lost else start):
        if cases.branch[i] == SPREAD:
            for slot in range(first, last):
                if pruned.known[slot] > 0.0:
                    _put(cases, i, pruned.stop, slot, pruned.known[slot] / total)
    return stays, cases


@kernel
def _ask(
    training: Training,
    pruned: Pruned,
    cases: Stack,
    node: int,
    start: int,
    stop: int,
    stays: FloatArray,
) -> int:
    """Find the branch of each case; return how many are missing a value.

    `pruned.stop` receives how many take each branch, `pruned.known` their weight, `stays` the class
    weights of those that have none.
    """
    first, last = pruned.tree.first_child[node], pruned.tree.first_child[node + 1]
    pruned.stop[first:last] = 0
    pruned.known[first:last] = 0.0
    feature, n_lost = pruned.feature[node], 0
    for i in range(start, stop):
        row, weight = cases.rows[i], cases.weights[i]
        branch = next_branch(pruned.tree, node, training.matrix[row, feature])
        cases.branch[i] = branch
        if branch >= 0:
            pruned.stop[first + branch] += 1
            pruned.known[first + branch] += weight
        elif branch == SPREAD:
            n_lost += 1
        else:
            stays[training.y[row]] += weight
    return n_lost


@kernel
def _put(cases: Stack, i: int, stop: IndexArray, slot: int, share: float) -> None:
    cases.rows[stop[slot]] = cases.rows[i]
    cases.weights[stop[slot]] = cases.weights[i] * share
    stop[slot] += 1


@kernel
def _room(cases: Stack, n: int) -> Stack:
    """Return the stack with room for n cases: the same, or one of twice as many."""
    had = len(cases.rows)
    if n <= had:
        return cases
    rows, weights, branch = np.empty(2 * n, np.int64), np.empty(2 * n), np.empty(2 * n, np.int64)
    rows[:had], weights[:had], branch[:had] = cases.rows, cases.weights, cases.branch
    return Stack(rows, weights, branch)


@kernel
def _largest_child(pruned: Pruned, node: int) -> int:
    """Return the child of most cases; the last among equals, as C4.5 compares by >=."""
    below = pruned.children[pruned.tree.first_child[node] : pruned.tree.first_child[node + 1]]
    most = 0.0
    for child in below:
        most = max(most, pruned.weight[child])
    largest = below[0]
    for child in below:
        if pruned.weight[child] >= most * (1 - TIE):
            largest = child
    return int(largest)


@kernel
def _as_branch(
    formula: Formula,
    training: Training,
    pruned: Pruned,
    cases: Stack,
    todo: IndexArray,
    node: int,
    start: int,
    stop: int,
) -> tuple[float, Stack]:
    """Return the errors to expect of a subtree when all these cases are sent down it.

    Case by case would do where all go down one branch; but parts of cases, and the class of those
    that stop at a test, depend on all that reach it.
    """
    errors, top = 0.0, 1
    todo[0, 0], todo[0, 1], todo[0, 2] = node, start, stop
    while top > 0:
        top -= 1
        node, start, stop = todo[top, 0], todo[top, 1], todo[top, 2]
        counts = _class_counts(training, pruned, cases, start, stop)
        stays = counts
        if pruned.feature[node] >= 0:
            stays, cases = _deal(training, pruned, cases, node, start, stop)
            for slot in range(pruned.tree.first_child[node], pruned.tree.first_child[node + 1]):
                if pruned.stop[slot] > pruned.start[slot]:
                    todo[top, 0] = pruned.children[slot]
                    todo[top, 1], todo[top, 2] = pruned.start[slot], pruned.stop[slot]
                    top += 1
        errors += _expected(formula, training, stays, counts)
    return errors, cases
