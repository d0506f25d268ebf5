"""Subtree raising on flat arrays: cases dealt to branches, estimates compared (SPEC 6.2).

Cases lie on a stack: those of a node, above them the parts of its children one after the other.
Children are visited from the last to the first, so whatever lies above the cases of a node that is
being looked at is no longer needed, and its own children may take the place.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import AnyArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.error_limits import Formula
from treelab.kernels.route import SPREAD, STOP, FlatTree, next_branch
from treelab.kernels.ties import TIE

SLACK = 0.1
"""C4.5 prefers the smaller tree up to so many errors more."""


SLOT, NODE, FROM, TO, NEXT, STATE = range(6)
AS_TREE, AS_LEAF, AS_BRANCH = range(3)
NEW, OPEN, JUDGED = range(3)


class Pruned(NamedTuple):
    """A tree in the making, and the cases that it is pruned by.

    A leaf is made by `feature[node] = -1`, a node is replaced by `children[slot] = branch`; these
    and `counts` are the result. `weight` is by node, `begin`, `end` and `known` are by slot: where
    the cases of a child lie, and the weight of those whose value is known.

    The value of feature f of a case is in the column `column[f]` of its row of `matrix`; where
    there are `values`, it is the place in the row of that column. The last of `column` is -1, for
    leaves. Weights, and parts of them, are
    multiples of `unit`.
    """

    tree: FlatTree
    feature: IntArray
    children: IndexArray
    counts: FloatArray
    weight: FloatArray
    begin: IndexArray
    end: IndexArray
    known: FloatArray
    matrix: AnyArray
    values: FloatArray
    column: IndexArray
    y: IntArray
    unit: float


@kernel
def raise_branches(
    formula: Formula,
    confidence: float,
    deviate: float,
    pruned: Pruned,
    held: IndexArray,
    share: FloatArray,
    n_cases: int,
) -> int:
    """Prune a tree with subtree raising, without recursion; return its root.

    Each node in hand has a frame: its slot (-1 for the root), its number, where its cases lie, the
    next slot of its children to visit, and its state. When all children of a test are pruned
    (OPEN), its cases are sent down its largest branch to see what would become of them (JUDGED), by
    frames from the depth `tried` on, which change nothing.

    `held` and `share` are the stack: the row of each case, the branch it takes, and its weight; the
    cases of the root are the first `n_cases`.
    """
    # One loop with a single place where a node is entered, whatever for, and helpers that are given
    # few arrays: the compiler copies and checks, and takes longer than pruning ever does.
    feature, n = pruned.feature, 2 * len(pruned.feature) + 2
    frames, errors = np.zeros((n, 6), np.int64), np.zeros((n, 3))
    begin, end, known = pruned.begin, pruned.end, pruned.known
    counts = np.zeros((2, pruned.counts.shape[1]))
    _new_frame(frames, 0, -1, 0, 0, n_cases)
    depth, tried = 0, n
    while depth >= 0:
        node, state = frames[depth, NODE], frames[depth, STATE]
        first, last = _slots(pruned.tree.first_child, feature, node)
        if state == NEW:
            start, stop = frames[depth, FROM], frames[depth, TO]
            column = pruned.column[feature[node]]  # of a leaf the last one, which is none
            _ask(pruned.tree, node, pruned.matrix, column, pruned.values, held, start, stop)
            n_lost, total = _tally(held, share, start, stop, first, last, end, known)
            needed = 2 * stop - start + n_lost * (last - first)
            if needed > len(share):
                held, share = _larger(held, share, stop, 2 * needed)
            of_missing = n_lost, total, pruned.unit
            _deal(held, share, start, stop, first, last, of_missing, begin, end, known)
            _count(pruned.y, held, share, start, stop, total > 0.0, counts)
            label = _majority(counts)
            for kind in (AS_TREE, AS_LEAF):
                errors[depth, kind] = _expected(formula, confidence, deviate, counts, kind, label)
            if depth < tried:
                _note(pruned.counts, pruned.weight, pruned.children, counts, node, first, last)
            frames[depth, STATE], frames[depth, NEXT] = OPEN, last - 1
        elif frames[depth, NEXT] >= first:
            slot = frames[depth, NEXT]
            frames[depth, NEXT] -= 1
            child, start, stop = pruned.children[slot], pruned.begin[slot], pruned.end[slot]
            if feature[child] >= 0 or stop > start:  # else an empty leaf, which stays as it is
                depth += 1
                _new_frame(frames, depth, slot, child, start, stop)
        elif state == OPEN and depth < tried and last > first:
            branch = _largest(pruned.children, pruned.weight, first, last)
            frames[depth, STATE] = JUDGED
            _new_frame(frames, depth + 1, -1, branch, frames[depth, FROM], frames[depth, TO])
            depth += 1
            tried = depth
        elif state == OPEN or _is_kept(feature, pruned.children, frames, errors, depth):
            tried, depth = _leave(errors, depth, tried, n)
    return int(frames[0, NODE])


@kernel
def _slots(first_child: IndexArray, feature: IntArray, node: int) -> tuple[int, int]:
    """Return the first slot of the children of a node and the one behind the last."""
    first = first_child[node]
    return first, first_child[node + 1] if feature[node] >= 0 else first


@kernel
def _larger(
    held: IndexArray, share: FloatArray, n: int, size: int
) -> tuple[IndexArray, FloatArray]:
    """Return a stack of another size with the first n cases of one."""
    larger, shares = np.empty((2, size), np.int64), np.empty(size)
    for i in range(n):
        larger[0, i], larger[1, i], shares[i] = held[0, i], held[1, i], share[i]
    return larger, shares


@kernel
def _new_frame(frames: IndexArray, depth: int, slot: int, node: int, start: int, stop: int) -> None:
    frames[depth, SLOT], frames[depth, NODE], frames[depth, STATE] = slot, node, NEW
    frames[depth, FROM], frames[depth, TO] = start, stop


@kernel
def _leave(errors: FloatArray, depth: int, tried: int, n: int) -> tuple[int, int]:
    """Add the errors of a node to those of the one above; return `tried` and the depth of it."""
    if depth == tried:
        errors[depth - 1, AS_BRANCH] = errors[depth, AS_TREE]
        return n, depth - 1
    if depth > 0:
        errors[depth - 1, AS_TREE] += errors[depth, AS_TREE]
    return tried, depth - 1


@kernel
def _is_kept(
    feature: IntArray, children: IndexArray, frames: IndexArray, errors: FloatArray, depth: int
) -> bool:
    """Keep a test, make it a leaf, or replace it by its largest branch, to be pruned next."""
    slot, as_leaf = frames[depth, SLOT], errors[depth, AS_LEAF]
    as_tree, as_branch = errors[depth, AS_TREE], errors[depth, AS_BRANCH]
    if as_leaf <= min(as_branch, as_tree) + SLACK:
        feature[frames[depth, NODE]], errors[depth, AS_TREE] = -1, as_leaf
        return True
    if as_branch > as_tree + SLACK:
        return True
    branch = frames[depth + 1, NODE]  # its frame was the last one
    if slot >= 0:
        children[slot] = branch
    _new_frame(frames, depth, slot, branch, frames[depth, FROM], frames[depth, TO])
    return False


@kernel
def _largest(children: IndexArray, weight: FloatArray, first: int, last: int) -> int:
    """Return the child of most cases; the last among equals, as C4.5 compares by >=."""
    most, largest = 0.0, children[first]
    for slot in range(first, last):
        most = max(most, weight[children[slot]])
    for slot in range(first, last):
        if weight[children[slot]] >= most * (1 - TIE):
            largest = children[slot]
    return int(largest)


@kernel
def _majority(counts: FloatArray) -> int:
    """Return the class of most weight; the first among those that are equal but for rounding."""
    most, label = 0.0, 0
    for c in range(counts.shape[1]):
        most = max(most, counts[AS_LEAF, c])
    while counts[AS_LEAF, label] < most * (1 - TIE):
        label += 1
    return label


@kernel
def _expected(
    formula: Formula, confidence: float, deviate: float, counts: FloatArray, kind: int, label: int
) -> float:
    """Return the errors to expect of cases of some classes that are taken for one."""
    n = 0.0
    for c in range(counts.shape[1]):
        n += counts[kind, c]
    wrong = float(n - counts[kind, label])
    return wrong + formula(n, wrong, confidence, deviate)


@kernel
def _ask(
    tree: FlatTree,
    node: int,
    matrix: AnyArray,
    column: int,
    values: FloatArray,
    held: IndexArray,
    start: int,
    stop: int,
) -> None:
    """Find the branch of each case by a column; without one, at a leaf, all stop."""
    # The branches are kept on the stack beside the rows: `_tally`, `_deal` and `_count` all need
    # them.
    for i in range(start, stop):
        held[1, i] = STOP
        if column >= 0:
            value = float(matrix[held[0, i], column])
            if len(values):
                value = values[column, np.int64(value)]
            held[1, i] = next_branch(tree, node, value)


@kernel
def _count(
    y: IntArray,
    held: IndexArray,
    share: FloatArray,
    start: int,
    stop: int,
    goes_on: bool,
    counts: FloatArray,
) -> None:
    """Sum up the class weights of all cases, and of those that stay: all, unless some go on."""
    # Cases of missing value go on in parts as large as those of the known ones; where none is
    # known they stay.
    for c in range(counts.shape[1]):
        counts[AS_LEAF, c], counts[AS_TREE, c] = 0.0, 0.0
    for i in range(start, stop):
        label = y[held[0, i]]
        counts[AS_LEAF, label] += share[i]
        if not goes_on or held[1, i] == STOP:
            counts[AS_TREE, label] += share[i]


@kernel
def _note(
    counts: FloatArray,
    weight: FloatArray,
    children: IndexArray,
    here: FloatArray,
    node: int,
    first: int,
    last: int,
) -> None:
    """Set the class weights of a node; one that no case reaches has those it had."""
    # Children without cases are not visited if they are leaves: they must not keep the weight they
    # had before, because `_largest` goes by it.
    weight[node] = 0.0
    for c in range(here.shape[1]):
        weight[node] += here[AS_LEAF, c]
    for c in range(here.shape[1] if weight[node] > 0.0 else 0):
        counts[node, c] = here[AS_LEAF, c]
    for slot in range(first, last):
        weight[children[slot]] = 0.0


@kernel
def _tally(
    held: IndexArray,
    share: FloatArray,
    start: int,
    stop: int,
    first: int,
    last: int,
    size: IndexArray,
    known: FloatArray,
) -> tuple[int, float]:
    """Fill in how many cases take each branch, and their weight.

    Returns how many are missing a value, and the weight of those that are not.
    """
    # Counted before a case is moved, so that the caller can make the stack large enough, and
    # `_deal` knows where the cases of each branch begin.
    n_lost, total = 0, 0.0
    for slot in range(first, last):
        size[slot], known[slot] = 0, 0.0
    for i in range(start, stop):
        branch = held[1, i]
        n_lost += branch == SPREAD
        if branch >= 0:
            size[first + branch] += 1
            known[first + branch] += share[i]
    for slot in range(first, last):
        total += known[slot]
    return n_lost, total


@kernel
def _deal(
    held: IndexArray,
    share: FloatArray,
    start: int,
    stop: int,
    first: int,
    last: int,
    of_missing: tuple[int, float, float],
    begin: IndexArray,
    end: IndexArray,
    known: FloatArray,
) -> None:
    """Put the cases of each branch above those of the node.

    Those whose value is missing come behind the others of every branch, in parts, as many as it has
    of the known, in multiples of a unit: `of_missing` is their number, the weight of the known, and
    that unit. `end` tells first how many there are.
    """
    # The cases are copied and stay where they are: they are dealt again when the largest branch is
    # tried in place of the node.
    n_lost, total, unit = of_missing
    place = stop
    for slot in range(first, last):
        n_known, begin[slot], end[slot] = end[slot], place, place
        place += n_known + (n_lost if known[slot] > 0.0 else 0)
    for i in range(start, stop):
        if held[1, i] >= 0:
            slot = first + held[1, i]
            held[0, end[slot]], share[end[slot]] = held[0, i], share[i]
            end[slot] += 1
    for i in range(start, stop if n_lost > 0 else start):
        for slot in range(first, last if held[1, i] == SPREAD else first):
            if known[slot] > 0.0:
                part = known[slot] / total
                held[0, end[slot]] = held[0, i]
                share[end[slot]] = np.rint(share[i] * part / unit) * unit
                end[slot] += 1
