"""C4.5's error-based pruning with subtree raising (release 8; SPEC 6.2)."""

from typing import TypeAlias

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.data.coded import fixed
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_choice, check_number
from treelab.kernels.counts import class_counts
from treelab.kernels.route import SPREAD, STOP, FlatTree, branches, spread
from treelab.protocols import Regrow
from treelab.stats.impurity import TIE, majority
from treelab.tree.draft import thaw
from treelab.tree.model import Tree
from treelab.tree.predict import matrix
from treelab.tree.prune import estimate
from treelab.tree.prune.cutting import (
    class_codes,
    cut,
    ended,
    errors,
    known_cases,
    own_errors,
    refreeze,
    sum_up,
)

Cases: TypeAlias = tuple[IndexArray, FloatArray]
"""Rows of the data and the weight of each; a row may be there with a part of its weight."""

SLACK = 0.1
"""C4.5 prefers the smaller tree up to so many errors more."""


@attrs.frozen
class Pessimistic:
    """Replaces a subtree by a leaf or by its largest branch where the estimate is no worse.

    Parameters
    ----------
    cf
        Confidence of the upper error limit; smaller prunes more.
    raising
        Whether a node may be replaced by its largest branch. That takes the training cases, by
        which all class weights are counted again; a node that none of the given cases reaches
        becomes a leaf with the weights it had.
    method
        'c45' for the estimate of C4.5 release 8, 'exact' for the binomial limit.
    """

    cf: float = 0.25
    raising: bool = True
    method: str = "c45"

    def __attrs_post_init__(self) -> None:
        check_choice("method", self.method, estimate.METHODS)
        check_number("cf", self.cf, 0)
        if not 0 < self.cf <= 1:
            raise ParameterError(f"cf must be above 0 and at most 1, got {self.cf!r}")
        if not isinstance(self.raising, bool):
            raise ParameterError(f"raising must be True or False, got {self.raising!r}")

    def __call__(
        self, tree: Tree, data: Dataset | None = None, _regrow: Regrow | None = None
    ) -> Tree:
        if self.raising and data is not None:
            return _Raising(self, tree, data).pruned()
        return self._by_leaves(tree)

    def predicted(self, cases: FloatArray, wrong: FloatArray) -> FloatArray:
        """Return the errors to expect of leaves that saw so many cases and errors."""
        return wrong + estimate.METHODS[self.method](cases, wrong, self.cf)

    def _by_leaves(self, tree: Tree) -> Tree:
        as_leaf = self.predicted(tree.counts.sum(axis=1), errors(tree))
        as_tree = self.predicted(ended(tree).sum(axis=1), own_errors(tree))
        at = np.zeros(tree.n_nodes, bool)
        for node in range(tree.n_nodes - 1, -1, -1):
            if tree.feature[node] >= 0:
                below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
                as_tree[node] += as_tree[below].sum()
                if as_leaf[node] <= as_tree[node] + SLACK:
                    at[node], as_tree[node] = True, as_leaf[node]
        return cut(tree, at)


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


class _Raising:
    """One run of the pruning, bottom-up over the training cases, without recursion.

    The arrays are copies of the tree's, in its numbering: a leaf is made by `feature[node] = -1`,
    and a node is replaced by `children[slot] = branch`, the root having slot -1. `seen` are
    the same arrays as kernels are given them.
    """

    def __init__(self, rule: Pessimistic, tree: Tree, data: Dataset) -> None:
        self.rule, self.tree, self.root = rule, tree, 0
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
            frame.waiting = list(enumerate(parts, self.flat.first_child[node]))
            stays = self._count(stopped)
        frame.predicted = self._predicted(stays, counts)
        return frame

    def _count(self, cases: Cases) -> FloatArray:
        return class_counts(self.y, *cases, self.counts.shape[1])

    def _predicted(self, stays: FloatArray, counts: FloatArray) -> float:
        """Return the errors to expect of the cases that stay at a node of these class counts."""
        n = stays.sum()
        return float(self.rule.predicted(n, n - stays[majority(counts)])) if n > 0 else 0.0

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
                return float(self.rule.predicted(n, n - stays.max(axis=1)).sum())
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
        return float(self.rule.predicted(np.array(n), np.array(wrong)).sum())

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
        return refreeze(self.tree, drafts[self.root])


def last_largest(weights: FloatArray) -> int:
    """Return the place of the largest weight; the last among equals, as C4.5 compares by >=."""
    return int(np.flatnonzero(weights >= weights.max() * (1 - TIE))[-1])
