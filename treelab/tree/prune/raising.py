"""Subtree raising: a node may be replaced by its largest branch (C4.5 release 8; SPEC 6.2)."""

from collections.abc import Callable
from typing import TypeAlias

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.data.coded import fixed
from treelab.data.dataset import Dataset
from treelab.kernels.counts import class_counts
from treelab.kernels.route import SPREAD, STOP, FlatTree, branches, spread
from treelab.stats.impurity import TIE, majority
from treelab.tree.draft import thaw
from treelab.tree.model import Tree
from treelab.tree.predict import matrix
from treelab.tree.prune.cutting import class_codes, known_cases, refreeze, sum_up
from treelab.tree.prune.unseen import with_empty_leaves, without_empty_leaves

Cases: TypeAlias = tuple[IndexArray, FloatArray]
"""Rows of the data and the weight of each; a row may be there with a part of its weight."""

Predicted: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
"""The errors to expect of leaves that saw so many cases and errors."""

SLACK = 0.1
"""C4.5 prefers the smaller tree up to so many errors more."""


@attrs.define(eq=False)
class _Frame:
    """A node with its cases, while its children are being pruned.

    `predicted` sums up the errors to expect of what is below; `waiting` are the children still
    to be visited: their slots in the array of children, and their cases.
    """

    slot: int
    node: int
    cases: Cases
    counts: FloatArray
    predicted: float = 0.0
    waiting: list[tuple[int, Cases]] = attrs.field(factory=list)


class Raising:
    """One run of the pruning, bottom-up over the training cases, without recursion.

    The arrays are copies of the tree's, in its numbering: a leaf is made by `feature[node] = -1`,
    and a node is replaced by `children[slot] = branch`, the root having slot -1. `seen` are
    the same arrays as kernels are given them. The tree is one with an empty leaf for the values
    that a test never saw: when a branch is raised, cases that come from beside it end there.
    """

    def __init__(self, predicted: Predicted, tree: Tree, data: Dataset) -> None:
        tree = with_empty_leaves(tree)
        self.predicted, self.tree, self.root = predicted, tree, 0
        codes = class_codes(tree, data)
        self.y = fixed(np.where(codes < len(tree.classes), codes, -1))
        self.matrix, self.cases = matrix(tree, data), known_cases(data, self.y)
        self.whole: BoolArray = np.asarray(np.isfinite(self.matrix).all(axis=1))
        if tree.missing != "fractional":
            self.whole[:] = True
        self.size = sum_up(tree, np.ones(tree.n_nodes)).astype(int)
        self.counts = tree.counts.copy()
        self.flat: FlatTree = tree.flat._replace(
            feature=tree.feature.copy(),
            children=tree.children.copy(),
            weight=tree.flat.weight.copy(),
        )
        self.seen = self.flat._replace(
            feature=fixed(self.flat.feature.view()), children=fixed(self.flat.children.view())
        )

    def pruned(self) -> Tree:
        stack = [self._enter(-1, 0, self.cases)]
        while stack:
            frame = stack[-1]
            if frame.waiting:
                slot, cases = frame.waiting.pop()
                stack.append(self._enter(slot, int(self.flat.children[slot]), cases))
                continue
            stack.pop()
            raised = self._decide(frame)
            if raised is not None:
                stack.append(raised)
            elif stack:
                stack[-1].predicted += frame.predicted
        return self._rebuilt()

    def _enter(self, slot: int, node: int, cases: Cases) -> _Frame:
        """Count the cases of a node again and deal them out to its children."""
        counts = self._count(cases)
        if counts.any():
            self.counts[node] = counts
        self.flat.weight[node] = counts.sum()
        frame = _Frame(slot, node, cases, counts)
        stays = counts
        if self.flat.feature[node] >= 0:
            parts, stopped = self._deal(node, cases)
            frame.waiting = self._to_visit(node, parts)
            stays = self._count(stopped)
        frame.predicted = self._predicted(stays, counts)
        return frame

    def _to_visit(self, node: int, parts: list[Cases]) -> list[tuple[int, Cases]]:
        """Return the slots of a node's children, but for leaves without cases, and their cases."""
        first, last = self.flat.first_child[node : node + 2]
        below = self.flat.children[first:last]
        self.flat.weight[below] = 0.0
        is_test = self.flat.feature[below] >= 0
        slots = zip(range(first, last), parts, is_test, strict=True)
        return [(slot, part) for slot, part, test in slots if test or len(part[0])]

    def _count(self, cases: Cases) -> FloatArray:
        return class_counts(self.y, *cases, self.counts.shape[1])

    def _predicted(self, stays: FloatArray, counts: FloatArray) -> float:
        """Return the errors to expect of the cases that stay at a node of these class counts."""
        n = stays.sum()
        return float(self.predicted(n, n - stays[majority(counts)])) if n > 0 else 0.0

    def _deal(self, node: int, cases: Cases) -> tuple[list[Cases], Cases]:
        """Return the cases of each branch, and those that stop at the node."""
        rows, weights = cases
        tree = self.seen
        branch = branches(tree, node, self.matrix[rows, tree.feature[node]])
        n_branches = tree.first_child[node + 1] - tree.first_child[node]
        known = np.bincount(branch[branch >= 0], weights[branch >= 0], minlength=n_branches)
        lost = branch == SPREAD
        if not known.any():  # no case shows where the lost ones belong
            return [(rows[:0], weights[:0])] * n_branches, cases
        parts = [(rows[branch == b], weights[branch == b]) for b in range(n_branches)]
        if lost.any():
            shares = known / known.sum()
            parts = [
                (np.append(part[0], rows[lost]), np.append(part[1], weights[lost] * share))
                if share > 0
                else part
                for part, share in zip(parts, shares, strict=True)
            ]
        return parts, (rows[branch == STOP], weights[branch == STOP])

    def _decide(self, frame: _Frame) -> _Frame | None:
        """Keep the node, make it a leaf, or return the frame of the branch that replaces it."""
        node, as_tree = frame.node, frame.predicted
        if self.flat.feature[node] < 0:
            return None
        as_leaf = self._predicted(frame.counts, frame.counts)
        below = self.flat.children[self.flat.first_child[node] : self.flat.first_child[node + 1]]
        largest = int(below[last_largest(self.flat.weight[below])])
        as_branch = self._as_branch(largest, frame.cases)
        if as_leaf <= min(as_branch, as_tree) + SLACK:
            self.flat.feature[node], frame.predicted = -1, as_leaf
        elif as_branch <= as_tree + SLACK:
            self._replace(frame.slot, largest)
            return self._enter(frame.slot, largest, frame.cases)
        return None

    def _as_branch(self, node: int, cases: Cases) -> float:
        """Return the errors to expect of a subtree when all these cases are sent down it."""
        if self.whole[cases[0]].all():
            stays = np.zeros((self.size[node], self.counts.shape[1]))
            spread(self.seen, node, self.matrix, self.y, *cases, stays)
            is_test = self.flat.feature[node : node + self.size[node]] >= 0
            if not stays[is_test].any():
                n = stays.sum(axis=1)
                return float(self.predicted(n, n - stays.max(axis=1)).sum())
        return self._as_branch_anew(node, cases)

    def _as_branch_anew(self, node: int, cases: Cases) -> float:
        """Do it for cases that are parted or stop at a test.

        The parts, and the class of those that stop, depend on all cases that reach the test.
        """
        n, wrong = [], []
        waiting = [(node, cases)]
        while waiting:
            node, cases = waiting.pop()
            stays = counts = self._count(cases)
            if self.flat.feature[node] >= 0:
                parts, stopped = self._deal(node, cases)
                below = self.flat.children[self.flat.first_child[node] :]
                waiting += [(int(c), p) for c, p in zip(below, parts, strict=False) if len(p[0])]
                stays = self._count(stopped)
            n.append(stays.sum())
            wrong.append(n[-1] - stays[majority(counts)])
        return float(self.predicted(np.array(n), np.array(wrong)).sum())

    def _replace(self, slot: int, node: int) -> None:
        if slot < 0:
            self.root = node
        else:
            self.flat.children[slot] = node

    def _rebuilt(self) -> Tree:
        drafts = thaw(self.tree)
        for node, draft in enumerate(drafts):
            draft.counts = self.counts[node]
            first, last = self.flat.first_child[node : node + 2]
            draft.children = [drafts[child] for child in self.flat.children[first:last]]
            if self.flat.feature[node] < 0:
                draft.make_leaf()
        for draft in drafts:
            without_empty_leaves(draft)
        return refreeze(self.tree, drafts[self.root])


def last_largest(weights: FloatArray) -> int:
    """Return the place of the largest weight; the last among equals, as C4.5 compares by >=."""
    return int(np.flatnonzero(weights >= weights.max() * (1 - TIE))[-1])
