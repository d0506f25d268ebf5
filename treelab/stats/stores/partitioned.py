"""`PartitionedStore`: cases in several parts, which need not lie in one place.

Each part counts its own cases, and moves them; all else is decided from sums over the parts. Sums
are exact (see `data.weights.on_grid`), so the number of the parts, their order and that of the
cases in them leave no trace: a tree is the same, bit for bit, as in memory.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import Coded, code_type
from treelab.errors import ParameterError
from treelab.kernels.partition import ChildCounts, Rules, last_taken, trim
from treelab.protocols import PairScheme
from treelab.stats.candidates.blocks import Block
from treelab.stats.candidates.cuts import CutBlock
from treelab.stats.candidates.grouped import Histograms, grouping_block, node_steps
from treelab.stats.candidates.splits import Splits
from treelab.stats.candidates.tables import BlockTables, tables_of
from treelab.stats.pairs.pairing import PairCases
from treelab.stats.stores.at_hand import HistogramsAtHand, children_in
from treelab.stats.stores.buffers import BufferPool
from treelab.stats.stores.cases import CaseFacts, bits_of_classes
from treelab.stats.stores.context import SplitContext, SplitStrategy
from treelab.stats.stores.engine import Engine, InProcess
from treelab.stats.stores.finishing import SmallNodes, finished, groups_to_finish
from treelab.stats.stores.gathering import NO_SAMPLE, Draw, NodeRows, most_cases
from treelab.stats.stores.nodes import Children, Delegated, Finish, Missing, NodeBatch
from treelab.stats.stores.one_node import OneNode
from treelab.stats.stores.part import Move, Part, RootFacts
from treelab.stats.stores.partition import decide, rules_of, undivided
from treelab.stats.stores.sorted_nodes import SortedNodes

MOST_CELLS = 2**24
"""Histograms of about so many cells are judged together."""


@attrs.frozen(eq=False)
class Spread:
    """Where the cases of some nodes lie in each part: `places` are handles of an engine.

    Parameters
    ----------
    nodes
        The numbers of the nodes in those places.
    facts
        What holds in all parts.
    n_cases
        About how many cases each node has.
    least
        No case weighs less; 0 where some may weigh nothing.
    """

    places: tuple[Any, ...]
    nodes: IndexArray
    facts: CaseFacts
    n_cases: FloatArray
    least: float

    def only(self, nodes: IndexArray | slice) -> "Spread":
        """Return the same for some of the nodes."""
        return attrs.evolve(self, nodes=self.nodes[nodes], n_cases=self.n_cases[nodes])


@attrs.frozen(eq=False)
class PendingMoves:
    """The splits of some nodes, not carried out yet, and what the children sum up to."""

    splits: Splits
    rules: Rules
    found: ChildCounts


@attrs.frozen(eq=False)
class PartitionedStore:
    """Cases in parts, which are handles of the engine that does their work."""

    context: SplitContext
    parts: tuple[Any, ...]
    engine: Engine = attrs.field(factory=InProcess)
    at_hand: HistogramsAtHand = attrs.field(factory=lambda: HistogramsAtHand(MOST_CELLS))

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
        roots = tuple(self.engine.each(Part.root, self.parts))
        found = self.engine.total(RootFacts.merged, Part.class_counts, self.parts, roots)
        facts = CaseFacts(found.whole, bits_of_classes(self.context.n_classes), BufferPool())
        n_cases = np.array([found.n_cases], np.float64)
        where = Spread(roots, np.arange(1), facts, n_cases, found.least)
        return NodeBatch(self, found.counts[None, :], where)

    def view(self, node: NodeBatch) -> "CountedNode":
        """Return a single node as a metric sees it."""
        return CountedNode(node)

    def portions(self, nodes: NodeBatch) -> list[IndexArray]:
        """Return the nodes in portions that are judged one after the other."""
        step = max(1, MOST_CELLS // max(1, self._n_cells))
        return [np.arange(k, min(k + step, len(nodes))) for k in range(0, len(nodes), step)]

    @property
    def _n_cells(self) -> int:
        """The cells of all histograms of a node."""
        return sum(int(group.offsets[-1]) for group in self.context.groups) * self.context.n_classes

    def candidates(self, nodes: NodeBatch) -> BlockTables:
        """Return the tables of all candidates of some nodes."""
        lost = np.zeros((len(nodes), len(self.context.axes)))
        return tables_of(nodes.class_counts, tuple(self._blocks(nodes, lost)), lost)

    def _blocks(self, nodes: NodeBatch, lost: FloatArray) -> Iterator[Block]:
        facts, most = nodes.where.facts, int(nodes.sizes.max(initial=0.0))
        context, histograms = self.context, self._histograms(nodes.where)
        for g, (group, counts) in enumerate(zip(context.groups, histograms, strict=True)):
            if not len(group.features):
                continue
            if group.kind == "cut":
                found_in = SortedNodes.of_histograms(counts, group, facts.bits)
                limits, is_value = context.cut_limits[g], context.missing_is_value
                yield CutBlock.of(found_in, limits, is_value, nodes.class_counts, facts, lost)
                continue
            for step in node_steps(group, len(nodes), context.n_classes):
                # A copy, because candidates are written in the place of the counts.
                found = Histograms(counts[step].copy(), group, step.start, most, facts.whole)
                yield grouping_block(found, context, nodes.ranks, lost[step])

    def _histograms(self, where: Spread) -> tuple[FloatArray, ...]:
        """Return the counts (node, value, class) of each group of features, of all parts."""
        common = (where.nodes,)
        found: tuple[FloatArray, ...] = self.engine.total(
            _added_each, Part.histograms, self.parts, where.places, common=common
        )
        self.at_hand.note(where.places, where.nodes, found)
        return found

    def drawn(self, node: NodeBatch, draw: Draw) -> NodeRows:
        """Return the cases of a single node, or a draw from them."""
        where, common = node.where, (int(node.where.nodes[0]), draw)
        found = self.engine.total(draw.merged, Part.drawn, self.parts, where.places, common=common)
        assert isinstance(found, NodeRows)
        return found

    def split(self, nodes: NodeBatch, splits: Splits, missing: Missing) -> Children:
        """Count the children of nodes, of which each gets one split."""
        rules = rules_of(self.context, splits)
        found = self._child_counts(nodes.where, splits, rules)
        found = trim(found, last_taken(found))
        return decide(nodes, splits, missing, found, PendingMoves(splits, rules, found))

    def _child_counts(self, where: Spread, splits: Splits, rules: Rules) -> ChildCounts:
        histograms = self.at_hand.of(where.places, where.nodes) if where.least > 0 else None
        if histograms is not None:
            return children_in(self.context, histograms, splits, rules)
        common = where.nodes, splits, rules
        found: ChildCounts = self.engine.total(
            added, Part.child_counts, self.parts, where.places, common=common
        )
        return found

    def keep(self, children: Children, chosen: IndexArray) -> NodeBatch:
        """Return some of the children with their cases."""
        return children.kept(chosen, self._moved(children, chosen))

    def _moved(self, children: Children, chosen: IndexArray) -> Spread:
        where, pending, share = children.nodes.where, children.moves, children.share
        n_branches = np.diff(pending.found.first_child)
        move = Move(where.nodes, pending.splits, pending.rules, n_branches, share, chosen)
        places = self.engine.each(Part.moved, self.parts, where.places, common=(move,))
        facts = attrs.evolve(where.facts, whole=where.facts.whole and undivided(share))
        least = where.least
        if not undivided(share):
            least = max(0.0, least * share[share > 0].min() - self.context.unit)
        n_cases = _about_cases(children)[chosen]
        return Spread(tuple(places), np.arange(len(chosen)), facts, n_cases, least)

    def delegate(self, children: Children, chosen: IndexArray, finish: Finish) -> list[Delegated]:
        """Have small nodes finished in memory, wherever the engine does it, many together."""
        n_parts = len(self.parts)
        n_bytes = _about_cases(children)[chosen] * self._bytes_of_case
        groups = groups_to_finish(n_bytes, 8.0 * self._n_cells * n_parts, n_parts)
        if not groups:
            return []
        where = self._moved(children, chosen[np.concatenate(groups)])
        ends = np.cumsum([len(group) for group in groups])
        numbers = np.split(np.arange(ends[-1]), ends[:-1])
        return [
            Delegated(chosen[group], self._finished(children, chosen[group], where.only(n), finish))
            for group, n in zip(groups, numbers, strict=True)
        ]

    def _finished(
        self, children: Children, group: IndexArray, where: Spread, finish: Finish
    ) -> Callable[[], Any]:
        batch = children.kept(group, where)
        small = SmallNodes(self.context, batch.class_counts, batch.lineage, where.facts.whole)
        rows = self.engine.each(Part.rows, self.parts, where.places, common=(where.nodes,))
        handle = self.engine.join(finished, rows, common=(small, finish))
        return lambda: self.engine.fetch([handle])[0]

    @property
    def _bytes_of_case(self) -> int:
        size = np.dtype(code_type(int(self.context.n_codes.max(initial=0)))).itemsize
        return len(self.context.axes) * size + 12


def _about_cases(children: Children) -> FloatArray:
    """Return about how many cases each child has: a missing value is one more in each branch."""
    nodes, found = children.nodes, children.moves.found
    weights = found.counts.sum(axis=1)
    if len(children.share):
        weights += np.where(children.share > 0, found.lost.sum(axis=1)[children.parent], 0.0)
    return np.asarray((nodes.where.n_cases / nodes.sizes)[children.parent] * weights)


def _added_each(
    one: tuple[FloatArray, ...], other: tuple[FloatArray, ...]
) -> tuple[FloatArray, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def added(one: ChildCounts, other: ChildCounts) -> ChildCounts:
    """Return what two parts of the cases sum up to."""
    return one._replace(
        counts=one.counts + other.counts,
        lost=one.lost + other.lost,
        n_cases=one.n_cases + other.n_cases,
        n_lost=one.n_lost + other.n_lost,
    )


@attrs.frozen(eq=False)
class CountedNode(OneNode):
    """One node of cases that lie elsewhere: tables, and pairs of cases that are gathered."""

    batch: NodeBatch
    _gathered: dict[PairScheme, PairCases] = attrs.field(factory=dict, init=False)

    def pairs(self, scheme: PairScheme) -> FloatArray:
        return scheme.tables(self._pair_cases(scheme))

    def _pair_cases(self, scheme: PairScheme) -> PairCases:
        if scheme not in self._gathered:
            if (most := most_cases(scheme)) is None:
                raise NO_SAMPLE
            draw = Draw.of(float(self.sizes[0]), most, self.rng)
            rows = cast(PartitionedStore, self.batch.store).drawn(self.batch, draw)
            self._gathered[scheme] = rows.pair_cases(self.context, scheme, self.rng)
        return self._gathered[scheme]

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        raise ParameterError(
            f"the metric asks a node for {name!r}, which needs the cases themselves in one memory; "
            "these data lie in parts, of which only counts are summed up"
        )
