"""`PartitionedStore`: cases in several parts, which need not lie in one place.

Each part counts its own cases, and moves them; all else is decided from sums over the parts. Sums
are exact (see `data.weights.on_grid`), so the number of the parts, their order and that of the
cases in them leave no trace: a tree is the same, bit for bit, as in memory.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.errors import ParameterError
from treelab.kernels.partition import ChildCounts, last_taken, trim
from treelab.stats.blocks import Block
from treelab.stats.buffers import BufferPool
from treelab.stats.cases import CaseFacts, bits_of_classes
from treelab.stats.context import SplitContext, SplitStrategy
from treelab.stats.cuts import CutBlock
from treelab.stats.engine import Engine, InProcess
from treelab.stats.grouped import Histograms, grouping_block, node_steps
from treelab.stats.nodes import Children, Lineage, Missing, NodeBatch
from treelab.stats.part import Part, scatter_part
from treelab.stats.partition import Moves, decide, rules_of, undivided
from treelab.stats.sorted_nodes import SortedNodes
from treelab.stats.splits import Splits
from treelab.stats.tables import BlockTables, tables_of

MOST_CELLS = 2**24
"""Histograms of about so many cells are judged together."""


@attrs.frozen(eq=False)
class Spread:
    """Where the cases of some nodes lie in each part: `places` are handles of an engine.

    `nodes` are the numbers of the nodes in those places, and `facts` what holds in all parts.
    """

    places: tuple[Any, ...]
    nodes: IndexArray
    facts: CaseFacts

    def only(self, nodes: IndexArray | slice) -> "Spread":
        """Return the same for some of the nodes."""
        return attrs.evolve(self, nodes=self.nodes[nodes])


@attrs.frozen(eq=False)
class PendingMoves:
    """The moves of each part, as handles, and how many branches each node has over all parts."""

    of_parts: tuple[Any, ...]
    n_branches: IndexArray


@attrs.frozen(eq=False)
class PartitionedStore:
    """Cases in parts, which are handles of the engine that does their work."""

    context: SplitContext
    parts: tuple[Any, ...]
    engine: Engine = attrs.field(factory=InProcess)

    @classmethod
    def of(
        cls,
        parts: Sequence[Coded],
        splits: SplitStrategy = "auto",
        missing_is_value: bool = False,
        min_branch: float = 0.0,
        seed: int = 0,
    ) -> "PartitionedStore":
        """Return a store of parts that are coded on the same axes; see `SplitContext`."""
        context = SplitContext.of(parts, splits, missing_is_value, min_branch, seed)
        return cls(context, tuple(Part.of(coded, context) for coded in parts))

    def root(self) -> NodeBatch:
        """Return the node of all cases of known class whose weight is not 0."""
        roots = self.engine.each(Part.root, self.parts)
        counts, whole = self.engine.total(_added_roots, Part.class_counts, self.parts, roots)
        bits = bits_of_classes(self.context.n_classes)
        facts = CaseFacts(whole, bits, BufferPool())
        return NodeBatch(self, counts[None, :], Spread(tuple(roots), np.arange(1), facts))

    def view(self, node: NodeBatch) -> "CountedNode":
        """Return a single node as a metric sees it."""
        return CountedNode(node)

    def portions(self, nodes: NodeBatch) -> list[IndexArray]:
        """Return the nodes in portions that are judged one after the other."""
        cells = sum(int(group.offsets[-1]) for group in self.context.groups)
        step = max(1, MOST_CELLS // max(1, cells * self.context.n_classes))
        return [np.arange(k, min(k + step, len(nodes))) for k in range(0, len(nodes), step)]

    def candidates(self, nodes: NodeBatch) -> BlockTables:
        """Return the tables of all candidates of some nodes."""
        lost = np.zeros((len(nodes), len(self.context.axes)))
        return tables_of(nodes.class_counts, tuple(self._blocks(nodes, lost)), lost)

    def _blocks(self, nodes: NodeBatch, lost: FloatArray) -> Iterator[Block]:
        facts, most = nodes.where.facts, int(nodes.sizes.max(initial=0.0))
        for g, group in enumerate(self.context.groups):
            if not len(group.features):
                continue
            if group.kind == "cut":
                counts = self._histograms(nodes.where, g)
                found_in = SortedNodes.of_histograms(counts, group, facts.bits)
                limits, is_value = self.context.cut_limits[g], self.context.missing_is_value
                yield CutBlock.of(found_in, limits, is_value, nodes.class_counts, facts, lost)
                continue
            for step in node_steps(group, len(nodes), self.context.n_classes):
                counts = self._histograms(nodes.where.only(step), g)
                found = Histograms(counts, group, step.start, most, facts.whole)
                yield grouping_block(found, self.context, nodes.ranks, lost[step])

    def _histograms(self, where: Spread, group: int) -> FloatArray:
        common = where.nodes, group
        found = self.engine.total(np.add, Part.histograms, self.parts, where.places, common=common)
        return np.asarray(found)

    def split(self, nodes: NodeBatch, splits: Splits, missing: Missing) -> Children:
        """Count the children of nodes, of which each gets one split."""
        where: Spread = nodes.where
        common = where.nodes, splits, rules_of(self.context, splits)
        moves = self.engine.each(Part.count, self.parts, where.places, common=common)
        found = self.engine.total(added, _found, moves)
        n_branches = last_taken(found)
        pending = PendingMoves(tuple(moves), n_branches)
        return decide(nodes, splits, missing, trim(found, n_branches), pending)

    def keep(self, children: Children, chosen: IndexArray) -> NodeBatch:
        """Return some of the children with their cases."""
        where, pending, share = children.nodes.where, children.moves, children.share
        common = where.nodes, pending.n_branches, share, self.context.unit, chosen
        places = self.engine.each(scatter_part, where.places, pending.of_parts, common=common)
        facts = attrs.evolve(where.facts, whole=where.facts.whole and undivided(share))
        return children.kept(chosen, Spread(tuple(places), np.arange(len(chosen)), facts))


def _added_roots(
    one: tuple[FloatArray, bool], other: tuple[FloatArray, bool]
) -> tuple[FloatArray, bool]:
    return one[0] + other[0], one[1] and other[1]


def _found(moves: Moves) -> ChildCounts:
    return moves.found


def added(one: ChildCounts, other: ChildCounts) -> ChildCounts:
    """Return what two parts of the cases sum up to."""
    return one._replace(
        counts=one.counts + other.counts,
        lost=one.lost + other.lost,
        n_cases=one.n_cases + other.n_cases,
        n_lost=one.n_lost + other.n_lost,
    )


@attrs.frozen(eq=False)
class CountedNode:
    """One node of cases that lie elsewhere: tables, but nothing that needs the cases themselves."""

    batch: NodeBatch

    @property
    def context(self) -> SplitContext:
        return self.batch.context

    @property
    def class_counts(self) -> FloatArray:
        return np.asarray(self.batch.class_counts[0])

    @property
    def lineage(self) -> Lineage:
        return self.batch.lineage

    @property
    def sizes(self) -> FloatArray:
        return self.batch.sizes

    @property
    def n_training(self) -> float:
        return self.batch.n_training

    @property
    def n_values(self) -> IndexArray:
        return self.batch.n_values

    @property
    def counts(self) -> BlockTables:
        return self.batch.counts

    def rng(self, key: str) -> np.random.Generator:
        return stream(self.context.seed, self.batch.lineage.path(0), key)

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        raise ParameterError(
            f"the metric asks a node for {name!r}, which needs the cases themselves in one memory; "
            "these data lie in parts, of which only counts are summed up"
        )
