"""`Part`: some of the cases, and the work of a `PartitionedStore` that looks at cases."""

from typing import NamedTuple

import attrs
import numpy as np

from treelab._typing import CodeArray, FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.kernels.counts import class_counts, value_counts
from treelab.kernels.nodes import Nodes
from treelab.kernels.partition import ChildCounts, Rules, count_children, trim
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.cases import NodeCases, Places
from treelab.stats.stores.context import FeatureGroup, SplitContext
from treelab.stats.stores.finishing import Rows
from treelab.stats.stores.gathering import Draw, NodeRows
from treelab.stats.stores.in_memory import codes_by_case
from treelab.stats.stores.partition import Moves, room_for_branches, scattered

NO_FEATURES = FeatureGroup("cut", np.empty(0, np.int64), np.empty(0, np.int64))
"""Nothing stays sorted in a part: other parts have values in between."""


class RootFacts(NamedTuple):
    """The weight of each class, whether all weights are whole, how many cases, the least weight."""

    counts: FloatArray
    whole: bool
    n_cases: int
    least: float

    def merged(self, other: "RootFacts") -> "RootFacts":
        """Return what is known of the cases of two parts."""
        return RootFacts(
            self.counts + other.counts,
            self.whole and other.whole,
            self.n_cases + other.n_cases,
            min(self.least, other.least),
        )


class Move(NamedTuple):
    """Which cases go where: the splits of some nodes, and the children that get their cases."""

    nodes: IndexArray
    splits: Splits
    rules: Rules
    n_branches: IndexArray
    share: FloatArray
    chosen: IndexArray


@attrs.frozen(eq=False)
class Part:
    """Some of the cases, coded on the axes of all; what it does depends on nothing else.

    `by_case` are the codes of each group of features, case after case.
    """

    coded: Coded
    context: SplitContext
    by_case: tuple[CodeArray, ...]

    @classmethod
    def of(cls, coded: Coded, context: SplitContext) -> "Part":
        """Return the part of some coded cases."""
        return cls(coded, context, tuple(codes_by_case(coded, group) for group in context.groups))

    def root(self) -> Places:
        """Return where the cases to learn from lie."""
        rows = self.coded.to_learn_from
        weights = self.coded.weights[rows]
        cases = NodeCases.of(self.coded, rows, weights, self.context, NO_FEATURES)
        return Places(cases, np.array([0]), np.array([len(rows)]))

    def class_counts(self, root: Places) -> RootFacts:
        """Return what is known of the cases to learn from."""
        rows, weights = root.cases.rows.astype(np.int64), root.cases.weights
        weights = weights if len(weights) else np.ones(len(rows))
        counts = class_counts(self.coded.y, rows, weights, self.coded.n_classes)
        return RootFacts(counts, root.cases.whole, len(rows), float(weights.min(initial=np.inf)))

    def histograms(self, where: Places, nodes: IndexArray) -> tuple[FloatArray, ...]:
        """Return the counts (node, value, class) of each group of features."""
        here = where.only(nodes).nodes
        return tuple(
            self._counted(here, codes, group.offsets)
            for codes, group in zip(self.by_case, self.context.groups, strict=True)
        )

    def _counted(self, nodes: Nodes, by_case: CodeArray, offsets: IndexArray) -> FloatArray:
        counts = np.zeros((len(nodes.starts), int(offsets[-1]), self.coded.n_classes))
        value_counts(by_case, offsets, nodes, (0, len(offsets) - 1), counts)
        return counts

    def drawn(self, where: Places, node: int, draw: Draw) -> NodeRows:
        """Return the cases of a node, or a draw from them."""
        place = slice(int(where.starts[node]), int(where.stops[node]))
        cases, rows = where.cases, where.cases.rows[place].astype(np.int64)
        weights = cases.weights[cases.ids[place]] if len(cases.weights) else np.ones(len(rows))
        return draw(NodeRows.of(self.coded, rows, cases.labels[place], weights))

    def child_counts(
        self, where: Places, nodes: IndexArray, splits: Splits, rules: Rules
    ) -> ChildCounts:
        """Return what the children of some nodes sum up to here."""
        return self._moves(where.only(nodes), splits, rules).found

    def _moves(self, where: Places, splits: Splits, rules: Rules) -> Moves:
        branch = room_for_branches(self.context, splits, where.cases.n_ids)
        codes, n_classes = self.coded.codes, self.coded.n_classes
        return Moves(branch, count_children(codes, where.nodes, rules, n_classes, branch))

    def moved(self, where: Places, move: Move) -> Places:
        """Move the cases of some nodes to some of the children; see `partition.scattered`."""
        places = where.only(move.nodes)
        moves = self._moves(places, move.splits, move.rules)
        moves = moves._replace(found=trim(moves.found, move.n_branches))
        return scattered(places, moves, move.share, self.context.unit, move.chosen)

    def rows(self, where: Places, nodes: IndexArray) -> Rows:
        """Return the coded cases of some nodes."""
        cases, spans = where.cases, [*zip(where.starts[nodes], where.stops[nodes], strict=True)]
        places = np.concatenate([np.arange(0), *(np.arange(*span) for span in spans)])
        weights = cases.weights[cases.ids[places]] if len(cases.weights) else np.empty(0)
        lengths = where.stops[nodes] - where.starts[nodes]
        codes = np.take(self.coded.codes, cases.rows[places], axis=1)
        return Rows(codes, cases.labels[places], weights, lengths)
