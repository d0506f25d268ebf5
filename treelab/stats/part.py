"""`Part`: some of the cases, and the work of a `PartitionedStore` that looks at cases."""

import attrs
import numpy as np

from treelab._typing import CodeArray, FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.kernels.counts import class_counts, value_counts
from treelab.kernels.partition import Rules, count_children, trim
from treelab.stats.cases import NodeCases, Places
from treelab.stats.context import FeatureGroup, SplitContext
from treelab.stats.gathering import Draw, NodeRows
from treelab.stats.in_memory import codes_by_case
from treelab.stats.partition import Moves, room_for_branches, scattered
from treelab.stats.splits import Splits

NO_FEATURES = FeatureGroup("cut", np.empty(0, np.int64), np.empty(0, np.int64))
"""Nothing stays sorted in a part: other parts have values in between."""


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

    def class_counts(self, root: Places) -> tuple[FloatArray, bool]:
        """Return the weight of each class, and whether all weights are whole."""
        rows, weights = root.cases.rows.astype(np.int64), root.cases.weights
        weights = weights if len(weights) else np.ones(len(rows))
        counts = class_counts(self.coded.y, rows, weights, self.coded.n_classes)
        return counts, root.cases.whole

    def histograms(self, where: Places, nodes: IndexArray, group: int) -> FloatArray:
        """Return the counts (node, value, class) of a group of features."""
        offsets = self.context.groups[group].offsets
        counts = np.zeros((len(nodes), int(offsets[-1]), self.coded.n_classes))
        span = 0, len(offsets) - 1
        value_counts(self.by_case[group], offsets, where.only(nodes).nodes, span, counts)
        return counts

    def rows(self, where: Places, node: int, draw: Draw) -> NodeRows:
        """Return the cases of a node, or a draw from them."""
        place = slice(int(where.starts[node]), int(where.stops[node]))
        cases, rows = where.cases, where.cases.rows[place].astype(np.int64)
        weights = cases.weights[cases.ids[place]] if len(cases.weights) else np.ones(len(rows))
        return draw(NodeRows.of(self.coded, rows, cases.labels[place], weights))

    def count(self, where: Places, nodes: IndexArray, splits: Splits, rules: Rules) -> Moves:
        """Return the branch of each case, and what the children of some nodes sum up to here."""
        branch = room_for_branches(self.context, splits, where.cases.n_ids)
        codes, n_classes = self.coded.codes, self.coded.n_classes
        found = count_children(codes, where.only(nodes).nodes, rules, n_classes, branch)
        return Moves(branch, found)


def scatter_part(
    where: Places,
    moves: Moves,
    nodes: IndexArray,
    n_branches: IndexArray,
    share: FloatArray,
    unit: float,
    chosen: IndexArray,
) -> Places:
    """Move the cases of a part to some of the children; see `partition.scattered`."""
    moves = moves._replace(found=trim(moves.found, n_branches))
    return scattered(where.only(nodes), moves, share, unit, chosen)
