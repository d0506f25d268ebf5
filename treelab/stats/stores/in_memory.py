"""`InMemoryStore`: cases in this process, columns of many values sorted once."""

from collections.abc import Iterator
from functools import cached_property

import attrs
import numpy as np

from treelab._typing import CodeArray, FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.kernels.counts import class_counts, value_counts
from treelab.kernels.partition import divide
from treelab.stats.candidates.blocks import Block
from treelab.stats.candidates.cuts import CutBlock
from treelab.stats.candidates.grouped import Histograms, grouping_block, node_steps
from treelab.stats.candidates.splits import Splits
from treelab.stats.candidates.tables import BlockTables, tables_of
from treelab.stats.stores.cases import FeatureRange, NodeCases, Places, parallel_over_features
from treelab.stats.stores.context import FeatureGroup, SplitContext, SplitStrategy
from treelab.stats.stores.node import InMemoryNode
from treelab.stats.stores.nodes import Children, Delegated, Finish, Lineage, Missing, NodeBatch
from treelab.stats.stores.partition import Moves, decide, room_for_branches, rules_of, scattered
from treelab.stats.stores.sorted_nodes import SortedNodes

MOST_PLACES = 2**21
"""About so many values are judged together."""


@attrs.frozen(eq=False)
class InMemoryStore:
    """The cases of coded data.

    Features of many codes are sorted once, and dealt to the children in order; the others are
    counted anew at every node.
    """

    context: SplitContext
    coded: Coded

    @classmethod
    def of(
        cls,
        coded: Coded,
        splits: SplitStrategy = "auto",
        missing_is_value: bool = False,
        min_branch: float = 0.0,
        seed: int = 0,
    ) -> "InMemoryStore":
        """Return a store of coded data; see `SplitContext` for the others."""
        how = splits, missing_is_value, min_branch, seed
        return cls(SplitContext.of([coded], *how), coded)

    def root(self) -> NodeBatch:
        """Return the node of all cases of known class whose weight is not 0."""
        rows = self.coded.to_learn_from
        return self.node_of(rows, self.coded.weights[rows])

    def node_of(
        self, rows: IndexArray, weights: FloatArray, lineage: Lineage | None = None
    ) -> NodeBatch:
        """Return the node of some rows of the data, with weights of their own."""
        context = self.context
        cases = NodeCases.of(self.coded, rows, weights, context, context.presorted)
        weights = cases.weights if len(cases.weights) else weights
        counts = class_counts(self.coded.y, rows, weights, self.coded.n_classes)[None, :]
        places = Places(cases, np.array([0]), np.array([len(rows)]))
        return NodeBatch(self, counts, places, lineage or Lineage())

    def view(self, node: NodeBatch) -> InMemoryNode:
        """Return a single node as a metric sees it."""
        return InMemoryNode(self, node)

    def portions(self, nodes: NodeBatch) -> list[IndexArray]:
        """Return the nodes in portions that are judged one after the other."""
        where, n_features = nodes.where, len(self.context.histogrammed.features)
        if len(where.cases.rows) * n_features <= MOST_PLACES:
            return [np.arange(len(nodes))]
        places = np.cumsum(where.stops - where.starts) * n_features
        portion = (places - 1) // MOST_PLACES
        return np.split(np.arange(len(nodes)), np.flatnonzero(np.diff(portion)) + 1)

    def candidates(self, nodes: NodeBatch) -> BlockTables:
        """Return the tables of all candidates of some nodes."""
        lost = np.zeros((len(nodes), len(self.context.axes)))
        blocks: list[Block] = [*self._cut_blocks(nodes, lost)]
        blocks += self._grouping_blocks(nodes, lost)
        return tables_of(nodes.class_counts, tuple(blocks), lost)

    def _cut_blocks(self, nodes: NodeBatch, lost: FloatArray) -> Iterator[CutBlock]:
        context, where = self.context, nodes.where
        limits = context.cut_limits
        facts = context.missing_is_value, nodes.class_counts, where.cases, lost
        if len(context.presorted.features):
            yield CutBlock.of(SortedNodes.presorted(where), limits[0], *facts)
        if len(context.histogrammed.features):
            found_in = SortedNodes.histogrammed(self.coded, context.histogrammed, where)
            yield CutBlock.of(found_in, limits[1], *facts)

    def _grouping_blocks(self, nodes: NodeBatch, lost: FloatArray) -> Iterator[Block]:
        if not self.context.grouped:
            return
        most, whole = int(nodes.sizes.max(initial=0.0)), nodes.where.cases.whole
        for group, by_case in zip(self.context.grouped, self._by_case, strict=True):
            for step in node_steps(group, len(nodes), self.coded.n_classes):
                counts = self._counted(nodes.where.only(step), group, by_case)
                found = Histograms(counts, group, step.start, most, whole)
                yield grouping_block(found, self.context, nodes.ranks, lost[step])

    def _counted(self, where: Places, group: FeatureGroup, by_case: CodeArray) -> FloatArray:
        """Return the histograms (node, value, class) of a group of features."""
        counts = np.zeros((len(where.starts), int(group.offsets[-1]), self.coded.n_classes))

        def count(part: FeatureRange) -> None:
            value_counts(by_case, group.offsets, where.nodes, part, counts)

        # Four values are counted in the time that one takes to be sorted or scored.
        parallel_over_features(count, len(group.features), len(where.cases.rows) // 4)
        return counts

    @cached_property
    def _by_case(self) -> tuple[CodeArray, ...]:
        return tuple(codes_by_case(self.coded, group) for group in self.context.grouped)

    def split(self, nodes: NodeBatch, splits: Splits, missing: Missing) -> Children:
        """Count the children of nodes, of which each gets one split."""
        where, context = nodes.where, self.context
        branch = room_for_branches(context, splits, where.cases.n_ids)
        rules = rules_of(context, splits)
        found = divide(self.coded.codes, where.nodes, rules, context.n_classes, branch)
        return decide(nodes, splits, missing, found, Moves(branch, found))

    def keep(self, children: Children, chosen: IndexArray) -> NodeBatch:
        """Return some of the children with their cases."""
        where, moves, unit = children.nodes.where, children.moves, self.context.unit
        return children.kept(chosen, scattered(where, moves, children.share, unit, chosen))

    def delegate(
        self, _children: Children, _chosen: IndexArray, _finish: Finish
    ) -> list[Delegated]:
        """Leave everything to the caller: the cases are here."""
        return []


def root_node(
    coded: Coded,
    splits: SplitStrategy = "auto",
    missing_is_value: bool = False,
    min_branch: float = 0.0,
    seed: int = 0,
) -> InMemoryNode:
    """Return the view of all cases of coded data that can be learnt from."""
    store = InMemoryStore.of(coded, splits, missing_is_value, min_branch, seed)
    return store.view(store.root())


def root_of(
    data: Dataset,
    splits: SplitStrategy = "auto",
    missing_is_value: bool = False,
    seed: int = 0,
) -> InMemoryNode:
    """Return all cases as a metric sees them at the root of a tree; numbers are cut anywhere."""
    return root_node(Coded.of(data, Coding()), splits, missing_is_value, seed=seed)


def codes_by_case(coded: Coded, group: FeatureGroup) -> CodeArray:
    """Return the codes (case, feature), that of missing being the one behind the last."""
    codes = coded.codes[group.features].T
    return np.ascontiguousarray(np.minimum(codes, group.n_codes.astype(codes.dtype)))
