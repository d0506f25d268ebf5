"""Subtrees that stay where the split above them changes: the cases are dealt to them again."""

from typing import NamedTuple

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.coded import ANY_NUMBER
from treelab.editing.ground import Ground
from treelab.kernels.route import FlatTree
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.in_memory import InMemoryStore
from treelab.stats.stores.nodes import Children, NodeBatch
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.prune.cutting import rebuilt
from treelab.tree.revisit import moving, split_of


def dealt_again(part: Tree, root: NodeBatch, ground: Ground) -> Tree:
    """Return a part with the class weights of other cases at its root.

    A branch that no case takes is gone; a test with one branch left is replaced by that branch.
    """
    changed = _Changed.of(part)
    waiting = [(-1, 0, root)]
    while waiting:
        slot, number, nodes = waiting.pop()
        children = _children(part, number, nodes, ground.store)
        taken = np.empty(0, np.int64) if children is None else _taken(children)
        if children is not None and len(taken) == 1:
            # Its cases are dealt anew: some may have stayed at the test, by a value without branch.
            below = int(part.children[part.first_child[number] + taken[0]])
            waiting.append((slot, below, nodes))
            continue
        changed.note(slot, number, ground.counts(nodes)[0])
        if children is None or not len(taken):
            changed.feature[number] = -1
            continue
        changed.ask(number, children, taken)
        slots, kept = part.first_child[number] + taken, children.keep(taken)
        for place, slot in enumerate(slots.tolist()):
            waiting.append((slot, int(part.children[slot]), kept.only(np.array([place]))))
    return changed.result(part)


class _Changed(NamedTuple):
    """What becomes of a tree: see `kernels.pruning.renumbered`."""

    root: list[int]
    feature: IntArray
    children: IndexArray
    missing_branch: IntArray
    threshold: FloatArray
    counts: FloatArray

    @classmethod
    def of(cls, part: Tree) -> "_Changed":
        tests = part.feature.copy(), part.children.copy()
        sides = part.missing_branch.copy(), part.threshold.copy()
        return cls([0], *tests, *sides, np.zeros_like(part.counts))

    def note(self, slot: int, number: int, counts: FloatArray) -> None:
        """Put a node in its place, with its class weights."""
        self.counts[number] = counts
        if slot < 0:
            self.root[0] = number
        else:
            self.children[slot] = number

    def ask(self, number: int, children: Children, taken: IndexArray) -> None:
        """Say what a test asks of which only some branches are taken."""
        missing, sizes = int(children.missing_branch[0]), children.counts.sum(axis=1)
        if missing >= 0 and missing not in taken:
            missing = int(sizes.argmax())
        self.missing_branch[number] = missing
        if not np.isnan(self.threshold[number]) and not {0, 1} <= set(taken.tolist()):
            self.threshold[number] = ANY_NUMBER  # what is left is known against missing

    def result(self, part: Tree) -> Tree:
        """Return the tree; a score that was given for other cases is forgotten."""
        flat: FlatTree = part.flat._replace(
            missing_branch=self.missing_branch, threshold=self.threshold
        )
        same = np.isclose(self.counts, part.counts).all(axis=1)
        scores = np.where(same, part.scores, np.nan)
        is_gone = np.asarray(~self.counts.any(axis=1))
        arrays = self.feature, self.children, self.counts, is_gone
        return rebuilt(attrs.evolve(part, scores=scores), flat, *arrays, self.root[0])


def _children(part: Tree, number: int, nodes: NodeBatch, store: InMemoryStore) -> Children | None:
    """Return the children of a node of the part, whose cases are given; None for a leaf."""
    node = Node(part, number)
    if node.is_leaf:
        return None
    splits = _split_of(node, store)
    going = moving(store, nodes, splits)
    return going.split(splits, part.missing) if going.sizes[0] > 0 else None


def _split_of(node: Node, store: InMemoryStore) -> Splits:
    """Return the split of a finished test, which sends missing values where it did.

    Where they may have a branch of their own, a cut would make one; a map of codes does not.
    """
    axis = store.coded.axes[int(node.tree.feature[node.number])]
    splits = split_of(node, axis)
    if splits.is_grouping[0] or node.tree.missing != "branch":
        return splits
    found = Splits.groupings(splits.feature, np.array([axis.n_codes]))
    found.maps[:-1] = np.arange(axis.n_codes) > splits.low[0]
    if node.missing_branch is not None:
        found.maps[-1] = node.missing_branch
    return found


def _taken(children: Children) -> IndexArray:
    return np.flatnonzero(children.counts.sum(axis=1) > 0)
