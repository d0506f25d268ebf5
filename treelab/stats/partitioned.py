"""`PartitionedStore`: cases in several parts, which need not lie in one place.

Each part counts its own cases, and moves them; all else is decided from sums over the parts. Sums
are exact (see `context.on_grid`), so the number of the parts, their order and that of the cases in
them leave no trace: a tree is the same, bit for bit, as in memory.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import CodeArray, FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.errors import ParameterError
from treelab.kernels.counts import class_counts, value_counts
from treelab.kernels.partition import ChildCounts, Rules, count_children, last_taken, trim
from treelab.stats.blocks import Block
from treelab.stats.cases import NodeCases, Places
from treelab.stats.context import FeatureGroup, SplitContext, SplitStrategy
from treelab.stats.cuts import CutBlock
from treelab.stats.grouped import Histograms, grouping_block, node_steps
from treelab.stats.in_memory import codes_by_case
from treelab.stats.nodes import Children, Missing, NodeBatch
from treelab.stats.partition import Moves, decide, room_for_branches, rules_of, scattered
from treelab.stats.sorted_nodes import SortedNodes
from treelab.stats.splits import Splits
from treelab.stats.tables import BlockTables, tables_of

MOST_CELLS = 2**24
"""Histograms of about so many cells are judged together."""

NO_FEATURES = FeatureGroup("cut", np.empty(0, np.int64), np.empty(0, np.int64))
"""Nothing stays sorted in a part: other parts have values in between."""


@attrs.frozen(eq=False)
class Part:
    """Some of the cases, coded on the axes of all; what it does depends on nothing else."""

    coded: Coded
    context: SplitContext

    def root(self) -> Places:
        """Return where the cases to learn from lie."""
        rows = self.coded.to_learn_from
        weights = self.coded.weights[rows]
        cases = NodeCases.of(self.coded, rows, weights, self.context, NO_FEATURES)
        return Places(cases, np.array([0]), np.array([len(rows)]))

    def class_counts(self, root: Places) -> FloatArray:
        """Return the weight of each class."""
        rows, weights = root.cases.rows.astype(np.int64), root.cases.weights
        weights = weights if len(weights) else np.ones(len(rows))
        return class_counts(self.coded.y, rows, weights, self.coded.n_classes)

    def histograms(self, where: Places, group: int) -> FloatArray:
        """Return the counts (node, value, class) of a group of features."""
        by_case, offsets = self._by_case[group], self.context.groups[group].offsets
        counts = np.zeros((len(where.starts), int(offsets[-1]), self.coded.n_classes))
        value_counts(by_case, offsets, where.nodes, (0, len(offsets) - 1), counts)
        return counts

    @cached_property
    def _by_case(self) -> tuple[CodeArray, ...]:
        return tuple(codes_by_case(self.coded, group) for group in self.context.groups)

    def count(self, where: Places, splits: Splits, rules: Rules) -> Moves:
        """Return the branch of each case, and what the children of all nodes sum up to here."""
        branch = room_for_branches(self.context, splits, where.cases.n_ids)
        codes, n_classes = self.coded.codes, self.coded.n_classes
        return Moves(branch, count_children(codes, where.nodes, rules, n_classes, branch))


@attrs.frozen(eq=False)
class Spread:
    """Where the cases of some nodes lie in each part."""

    places: tuple[Places, ...]

    def only(self, nodes: IndexArray | slice) -> "Spread":
        """Return the same for some of the nodes."""
        return Spread(tuple(places.only(nodes) for places in self.places))


@attrs.frozen(eq=False)
class PartitionedStore:
    """Cases in parts."""

    context: SplitContext
    parts: tuple[Part, ...]

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
        return cls(context, tuple(Part(coded, context) for coded in parts))

    def root(self) -> NodeBatch:
        """Return the node of all cases of known class whose weight is not 0."""
        roots = [part.root() for part in self.parts]
        pairs = zip(self.parts, roots, strict=True)
        counts = sum(part.class_counts(root) for part, root in pairs)
        whole = all(root.cases.whole for root in roots)
        places = (attrs.evolve(r, cases=attrs.evolve(r.cases, whole=whole)) for r in roots)
        return NodeBatch(self, np.asarray(counts)[None, :], Spread(tuple(places)))

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
        cases, most = nodes.where.places[0].cases, int(nodes.sizes.max(initial=0.0))
        for g, group in enumerate(self.context.groups):
            if not len(group.features):
                continue
            if group.kind == "cut":
                counts = self._histograms(nodes.where, g)
                found_in = SortedNodes.of_histograms(counts, group, cases.bits)
                limits, is_value = self.context.cut_limits[g], self.context.missing_is_value
                facts = limits, is_value, nodes.class_counts, cases, lost
                yield CutBlock.of(found_in, *facts)
                continue
            for step in node_steps(group, len(nodes), self.context.n_classes):
                counts = self._histograms(nodes.where.only(step), g)
                found = Histograms(counts, group, step.start, most, cases.whole)
                yield grouping_block(found, self.context, nodes.ranks, lost[step])

    def _histograms(self, where: Spread, group: int) -> FloatArray:
        counted = (p.histograms(w, group) for p, w in zip(self.parts, where.places, strict=True))
        return reduce(np.add, counted)

    def split(self, nodes: NodeBatch, splits: Splits, missing: Missing) -> Children:
        """Count the children of nodes, of which each gets one split."""
        rules = rules_of(self.context, splits)
        pairs = zip(self.parts, nodes.where.places, strict=True)
        moves = [part.count(where, splits, rules) for part, where in pairs]
        found = reduce(added, (move.found for move in moves))
        n_branches = last_taken(found)
        moves = [move._replace(found=trim(move.found, n_branches)) for move in moves]
        return decide(nodes, splits, missing, trim(found, n_branches), moves)

    def keep(self, children: Children, chosen: IndexArray) -> NodeBatch:
        """Return some of the children with their cases."""
        pairs = zip(children.nodes.where.places, children.moves, strict=True)
        places = (scattered(where, moves, children, chosen) for where, moves in pairs)
        return children.kept(chosen, Spread(tuple(places)))


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
