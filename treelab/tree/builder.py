"""`Builder`: grows a tree by splitting nodes, as somebody else chooses.

Neither the builder nor who chooses knows what kind of metric it is talking to.
"""

from collections.abc import Callable
from heapq import heappush
from typing import NamedTuple, TypeAlias

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.protocols import Scores
from treelab.stats.candidates.choice import Chosen
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.nodes import Children, Delegated, Missing, NodeBatch
from treelab.stats.ties import pop_first
from treelab.tree.recorder import Tests, TreeRecorder
from treelab.tree.stop import Stop

Choose: TypeAlias = Callable[[NodeBatch, int], Chosen]
"""From nodes and their depth to the splits of those that are to be split."""


class _Open(NamedTuple):
    """Leaves to be split together; those of highest priority, then the oldest, come first."""

    priority: float
    age: int
    nodes: NodeBatch
    numbers: IndexArray
    splits: Splits
    scores: Scores
    depth: int


class Builder:
    """Splits nodes, and their children, and so on.

    Parameters
    ----------
    choose
        Chooses the splits of nodes of some depth.
    missing, stop
        What is done with missing values, and when to stop.
    """

    def __init__(self, choose: Choose, missing: Missing, stop: Stop) -> None:
        self.choose, self.missing, self.stop = choose, missing, stop

    def build(self, root: NodeBatch) -> TreeRecorder:
        """Return the tree under a root."""
        self._start(root.class_counts)
        splittable = self.stop.splittable(root.class_counts, 0)
        self._open(root.only(splittable), splittable, 0)
        del root  # its arrays make room for those of its children
        return self._rest()

    def below(
        self, counts: FloatArray, nodes: NodeBatch, numbers: IndexArray, depth: int
    ) -> TreeRecorder:
        """Return the trees under roots of these class weights, of which some can be split."""
        self._start(counts)
        self._open(nodes, numbers, depth)
        del nodes
        return self._rest()

    def _start(self, counts: FloatArray) -> None:
        self.frontier: list[_Open] = []
        self.delegated: list[tuple[IndexArray, Delegated]] = []
        self.recorder, self.n_leaves = TreeRecorder(counts), len(counts)

    def _rest(self) -> TreeRecorder:
        while self.frontier:
            self._open(*self._split(pop_first(self.frontier)))
        for numbers, elsewhere in self.delegated:
            self.recorder.graft(numbers, elsewhere.result())
        return self.recorder

    def _open(self, nodes: NodeBatch, numbers: IndexArray, depth: int) -> None:
        """Choose the splits of some leaves, and remember those that can be split."""
        if not len(nodes):
            return
        chosen = self.choose(nodes, depth)
        if not len(chosen.nodes):
            return
        self.recorder.by_counts &= chosen.by_counts
        nodes, numbers = nodes.only(chosen.nodes).without_tables, numbers[chosen.nodes]
        splits, scores = chosen.splits, chosen.scores
        if self.stop.max_leaves is None:
            heappush(self.frontier, _Open(0.0, numbers[0], nodes, numbers, splits, scores, depth))
            return
        for k, decrease in enumerate(nodes.split(splits, self.missing).decrease):
            one = np.array([k])
            part = nodes.only(one), numbers[one], splits.take(one), scores[one]
            heappush(self.frontier, _Open(-decrease, numbers[k], *part, depth))

    def _split(self, leaves: _Open) -> tuple[NodeBatch, IndexArray, int]:
        """Split some leaves; return those children that are no leaves for sure."""
        children = leaves.nodes.split(leaves.splits, self.missing)
        more, depth = len(children) - len(leaves.numbers), leaves.depth + 1
        if self.stop.max_leaves is not None and self.n_leaves + more > self.stop.max_leaves:
            nobody = np.empty(0, np.int64)
            return leaves.nodes.only(nobody), nobody, depth
        self.n_leaves += more
        self.recorder.tests.append(
            Tests(leaves.numbers, leaves.splits, children.missing_branch, leaves.scores)
        )
        numbers = self.recorder.add(
            leaves.numbers[children.parent], children.branch, children.counts
        )
        splittable = self.stop.splittable(children.counts, depth)
        if self.stop.max_leaves is None:  # else which leaf is next depends on all of them
            splittable = self._left(children, splittable, numbers, depth)
        return children.keep(splittable), numbers[splittable], depth

    def _left(
        self, children: Children, splittable: IndexArray, numbers: IndexArray, depth: int
    ) -> IndexArray:
        """Delegate what the store would rather have finished elsewhere; return the others."""
        subtrees = Subtrees(self.choose, self.missing, self.stop, depth)
        for elsewhere in children.delegate(splittable, subtrees):
            self.delegated.append((numbers[elsewhere.nodes], elsewhere))
            splittable = np.setdiff1d(splittable, elsewhere.nodes, assume_unique=True)
        return splittable


@attrs.frozen
class Subtrees:
    """Grows the trees under nodes of some depth."""

    choose: Choose
    missing: Missing
    stop: Stop
    depth: int

    def __call__(self, nodes: NodeBatch) -> TreeRecorder:
        builder = Builder(self.choose, self.missing, self.stop)
        return builder.below(nodes.class_counts, nodes, np.arange(len(nodes)), self.depth)
