"""C4.5's error-based pruning with subtree raising (release 8; SPEC 6.2)."""

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_choice
from treelab.kernels.counts import class_counts
from treelab.kernels.route import SPREAD, STOP, FlatTree, branches, spread
from treelab.protocols import Regrow
from treelab.tree.draft import thaw
from treelab.tree.model import Tree
from treelab.tree.predict import matrix
from treelab.tree.prune import estimate
from treelab.tree.prune.cutting import class_codes, cut, errors, is_leaf, refreeze, sum_up

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
        Whether a node may be replaced by its largest branch. That takes the training cases.
    method
        'c45' for the estimate of C4.5 release 8, 'exact' for the binomial limit.
    """

    cf: float = 0.25
    raising: bool = True
    method: str = "c45"

    def __attrs_post_init__(self) -> None:
        check_choice("method", self.method, estimate.METHODS)
        if not 0 < self.cf <= 1:
            raise ParameterError(f"cf must be above 0 and at most 1, got {self.cf!r}")

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
        as_tree = np.where(is_leaf(tree), as_leaf, 0.0)
        at = np.zeros(tree.n_nodes, bool)
        for node in range(tree.n_nodes - 1, -1, -1):
            if tree.feature[node] >= 0:
                below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
                as_tree[node] = as_tree[below].sum()
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
    rows: IndexArray
    weights: FloatArray
    counts: FloatArray
    predicted: float = 0.0
    waiting: list[tuple[int, IndexArray, FloatArray]] = attrs.field(factory=list)


class _Raising:
    """One run of the pruning, bottom-up over the training cases, without recursion.

    The arrays are copies of the tree's, in its numbering: a leaf is made by `feature[node] = -1`,
    and a node is replaced by `children[slot] = branch`, the root having slot -1.
    """

    def __init__(self, rule: Pessimistic, tree: Tree, data: Dataset) -> None:
        self.rule, self.tree, self.root = rule, tree, 0
        self.matrix, self.y = matrix(tree, data), class_codes(tree, data)
        self.weights = np.where((self.y >= 0) & (self.y < len(tree.classes)), data.weights, 0.0)
        self.counts = tree.counts.copy()
        self.flat: FlatTree = tree.flat._replace(
            feature=tree.feature.copy(),
            children=tree.children.copy(),
            weight=tree.flat.weight.copy(),
        )
        self.size = sum_up(tree, np.ones(tree.n_nodes)).astype(int)

    def pruned(self) -> Tree:
        rows = np.flatnonzero(self.weights > 0)
        stack = [self._enter(-1, 0, rows, self.weights[rows])]
        while stack:
            frame = stack[-1]
            if frame.waiting:
                slot, rows, weights = frame.waiting.pop()
                stack.append(self._enter(slot, int(self.flat.children[slot]), rows, weights))
                continue
            stack.pop()
            raised = self._decide(frame)
            if raised is not None:
                stack.append(raised)
            elif stack:
                stack[-1].predicted += frame.predicted
        return self._rebuilt()

    def _enter(self, slot: int, node: int, rows: IndexArray, weights: FloatArray) -> _Frame:
        """Count the cases of a node again and deal them out to its children."""
        counts = class_counts(self.y, rows, weights, self.counts.shape[1])
        if counts.any():
            self.counts[node] = counts
        self.flat.weight[node] = counts.sum()
        frame = _Frame(slot, node, rows, weights, counts)
        if self.flat.feature[node] < 0:
            frame.predicted = self._as_leaf(counts, counts.argmax())
        else:
            self._deal(frame)
        return frame

    def _deal(self, frame: _Frame) -> None:
        tree, node, rows, weights = self.flat, frame.node, frame.rows, frame.weights
        branch = branches(tree, node, self.matrix[rows, tree.feature[node]])
        slots = range(tree.first_child[node], tree.first_child[node + 1])
        known = np.bincount(branch[branch >= 0], weights[branch >= 0], minlength=len(slots))
        lost = branch == SPREAD
        for b, slot in enumerate(slots):
            here = branch == b
            part = rows[here], weights[here]
            if lost.any() and known[b] > 0:
                shared = weights[lost] * (known[b] / known.sum())
                part = np.concatenate([part[0], rows[lost]]), np.concatenate([part[1], shared])
            frame.waiting.append((slot, *part))
        stopped = branch == STOP
        ended = class_counts(self.y, rows[stopped], weights[stopped], len(frame.counts))
        frame.predicted = self._as_leaf(ended, frame.counts.argmax())

    def _as_leaf(self, counts: FloatArray, label: np.intp) -> float:
        return float(self.rule.predicted(counts.sum(), counts.sum() - counts[label]))

    def _decide(self, frame: _Frame) -> _Frame | None:
        """Keep the node, make it a leaf, or return the frame of the branch that replaces it."""
        node, as_tree = frame.node, frame.predicted
        if self.flat.feature[node] < 0:
            return None
        as_leaf = self._as_leaf(frame.counts, frame.counts.argmax())
        below = self.flat.children[self.flat.first_child[node] : self.flat.first_child[node + 1]]
        # The last one among equals, as C4.5's comparison is >=.
        largest = int(below[len(below) - 1 - self.flat.weight[below][::-1].argmax()])
        as_branch = self._as_branch(largest, frame.rows, frame.weights)
        if as_leaf <= min(as_branch, as_tree) + SLACK:
            self.flat.feature[node], frame.predicted = -1, as_leaf
        elif as_branch <= as_tree + SLACK:
            self._replace(frame.slot, largest)
            return self._enter(frame.slot, largest, frame.rows, frame.weights)
        return None

    def _as_branch(self, node: int, rows: IndexArray, weights: FloatArray) -> float:
        """Return the errors to expect of a subtree when all these cases are sent down it."""
        ended = np.zeros((self.size[node], self.counts.shape[1]))
        spread(self.flat, node, self.matrix, self.y, rows, weights, ended)
        mine = slice(node, node + self.size[node])
        # A leaf takes the label of its cases; cases that stop above one take that of the node.
        stops = self.flat.feature[mine] >= 0
        label = np.where(stops, self.counts[mine].argmax(axis=1), ended.argmax(axis=1))
        n = ended.sum(axis=1)
        return float(self.rule.predicted(n, n - ended[np.arange(len(n)), label]).sum())

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
