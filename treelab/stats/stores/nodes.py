"""The seam between growing a tree and the place where its cases lie.

A `CaseStore` holds the cases. It gives out nodes in batches: their class weights and where they
come from, which is little, and a handle by which the store finds their cases. It knows candidates
and branches, but neither metrics nor trees; who grows a tree does not know where the cases lie.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import attrs
import numpy as np

from treelab._random import digest
from treelab._typing import FloatArray, IndexArray
from treelab.kernels.groupings import Ranks
from treelab.stats.candidates.splits import Splits
from treelab.stats.candidates.tables import BlockTables
from treelab.stats.formulas.impurity import gini_decrease
from treelab.stats.stores.context import SplitContext, SplitKind

Missing = Literal["fractional", "branch", "majority"]
"""What a split does with cases whose value is missing."""


class CaseStore(Protocol):
    """Where cases lie, and how their nodes are counted and split."""

    @property
    def context(self) -> SplitContext:
        """What is common to all nodes."""
        ...

    def root(self) -> "NodeBatch":
        """Return the node of all cases to learn from."""
        ...

    def candidates(self, nodes: "NodeBatch", /) -> BlockTables:
        """Return the tables of all candidates of some nodes."""
        ...

    def view(self, node: "NodeBatch", /) -> Any:
        """Return a single node as a metric sees it: a `NodeView` as far as the store can."""
        ...

    def portions(self, nodes: "NodeBatch", /) -> list[IndexArray]:
        """Return the nodes in portions that are judged one after the other, to bound memory."""
        ...

    def split(self, nodes: "NodeBatch", splits: Splits, missing: Missing, /) -> "Children":
        """Count the children of nodes, of which each gets one split; no case moves yet."""
        ...

    def keep(self, children: "Children", chosen: IndexArray, /) -> "NodeBatch":
        """Return some of the children, given in order, with their cases."""
        ...

    def delegate(
        self, children: "Children", chosen: IndexArray, finish: "Finish", /
    ) -> "list[Delegated]":
        """Have some of the chosen children finished, each by itself, where that is cheaper."""
        ...


Finish: TypeAlias = Callable[["NodeBatch"], Any]
"""What is to be made of nodes, in whatever store; it may be sent elsewhere."""


class Delegated(NamedTuple):
    """Some of the children that were chosen, and a function that waits for what came of them."""

    nodes: IndexArray
    result: Callable[[], Any]


class Where(Protocol):
    """How a store finds the cases of some nodes; nobody else looks into it."""

    def only(self, nodes: IndexArray, /) -> "Where":
        """Return the same for some of the nodes."""
        ...


@attrs.frozen(eq=False)
class Lineage:
    """Where some nodes come from.

    They are the children `nodes` of the nodes `above`: child i is branch `branch[i]` of node
    `parent[i]`.
    """

    above: "Lineage | None" = None
    parent: IndexArray = attrs.field(factory=lambda: np.zeros(1, np.int64))
    branch: IndexArray = attrs.field(factory=lambda: np.zeros(1, np.int64))
    nodes: IndexArray = attrs.field(factory=lambda: np.zeros(1, np.int64))

    def only(self, nodes: IndexArray) -> "Lineage":
        """Return where some of the nodes come from."""
        return Lineage(self.above, self.parent, self.branch, self.nodes[nodes])

    @property
    def depth(self) -> int:
        """The number of tests above the nodes."""
        return 0 if self.above is None else self.above.depth + 1

    def path(self, node: int) -> bytes:
        """Return what stands for the branches that lead to a node."""
        if self.above is None:
            return b""
        child = self.nodes[node]
        return digest(self.above.path(int(self.parent[child])), int(self.branch[child]))


@attrs.frozen(eq=False)
class NodeBatch:
    """Some nodes side by side, to be judged at once.

    `ranks` are those of nominal values, by how they are grouped and the first node of a batch:
    nodes that share them have the same candidates.
    """

    store: CaseStore
    class_counts: FloatArray
    where: Any
    lineage: Lineage = attrs.field(factory=Lineage)
    ranks: dict[tuple[SplitKind, int], Ranks] = attrs.field(factory=dict)

    def __len__(self) -> int:
        return len(self.class_counts)

    @property
    def context(self) -> SplitContext:
        return self.store.context

    @cached_property
    def sizes(self) -> FloatArray:
        """The weight of each node."""
        return np.asarray(self.class_counts.sum(axis=1))

    @property
    def n_training(self) -> float:
        return self.context.n_training

    @property
    def n_values(self) -> IndexArray:
        return self.context.n_values

    @cached_property
    def counts(self) -> BlockTables:
        return self.store.candidates(self)

    def node(self, k: int) -> Any:
        """Return the view of one node."""
        return self.store.view(self.only(np.array([k])))

    def only(self, nodes: IndexArray) -> "NodeBatch":
        """Return some of the nodes."""
        if len(nodes) == len(self):
            return self
        facts = self.class_counts[nodes], self.where.only(nodes), self.lineage.only(nodes)
        return NodeBatch(self.store, *facts)

    @property
    def without_tables(self) -> "NodeBatch":
        """The same nodes made anew: what was counted is not needed again."""
        return NodeBatch(self.store, self.class_counts, self.where, self.lineage)

    def portions(self) -> list[IndexArray]:
        """Return the nodes in portions that are judged one after the other."""
        return self.store.portions(self)

    def split(self, splits: Splits, missing: Missing) -> "Children":
        """Split every node."""
        return self.store.split(self, splits, missing)


@attrs.frozen(eq=False)
class Children:
    """What comes of the splits of some nodes.

    Child i is branch `branch[i]` of node `parent[i]`; siblings stand together, in order. `counts`
    (child, class) are with the cases of missing value, of which each child takes its `share` where
    there are any (`share` is empty where not). `missing_branch` is where missing values go, -1 for
    nowhere in particular. `moves` is what the store needs to move the cases.
    """

    nodes: NodeBatch
    parent: IndexArray
    branch: IndexArray
    counts: FloatArray
    share: FloatArray
    missing_branch: IndexArray
    moves: Any

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def decrease(self) -> FloatArray:
        """By how much each split lowers the Gini impurity of its node times the weight."""
        return gini_decrease(self.nodes.class_counts, self.counts, self.parent)

    def keep(self, chosen: IndexArray) -> NodeBatch:
        """Return some of the children, given in order, with their cases."""
        return self.nodes.store.keep(self, chosen)

    def delegate(self, chosen: IndexArray, finish: Finish) -> list[Delegated]:
        """Have some of the chosen children finished elsewhere."""
        return self.nodes.store.delegate(self, chosen, finish)

    def kept(self, chosen: IndexArray, where: Where) -> NodeBatch:
        """Return the batch of some of the children, whose cases are there."""
        lineage = Lineage(self.nodes.lineage, self.parent, self.branch, chosen)
        return NodeBatch(self.nodes.store, self.counts[chosen], where, lineage)
