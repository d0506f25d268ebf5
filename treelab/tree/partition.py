"""Send the training cases of some nodes to their branches."""

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, SmallArray
from treelab.data.coded import ANY_NUMBER, Axis
from treelab.kernels.dividing import Divided, Rules, deal, deal_sorted, divide
from treelab.stats.candidates import NONE, Splits
from treelab.stats.cases import Cases, Sorted, Span, share_out
from treelab.stats.impurity import TIE, gini_decrease
from treelab.stats.view import FEW_BRANCHES, Level, Lineage
from treelab.tree.model import Missing, Node


@attrs.frozen(eq=False)
class Division:
    """The nodes of a level with their splits carried out.

    `branch` is that of each case, -1 where a missing value has none: such cases go to all children
    of their node, each taking its `share`. `counts` (child, class) are with them. `made` has the
    numbers of the children, see `kernels.dividing.Divided`.
    """

    level: Level
    branch: SmallArray
    made: Divided
    counts: FloatArray
    has_lost: bool
    share: FloatArray
    missing_branch: IndexArray

    @classmethod
    def of(cls, level: Level, splits: Splits, missing: Missing) -> "Division":
        """Carry out one split at every node of a level."""
        space = level.space
        nowhere = np.full(len(level), -1)
        side = _side_of_missing(splits) if space.missing_is_value else nowhere
        branch = _room_for_branches(level, splits)
        n_codes = space.n_codes[splits.feature]
        rules = Rules(splits.feature, n_codes, splits.low, side, splits.maps, splits.first_map)
        made = divide(
            space.coded.codes, level.cases.at(level.starts, level.stops), rules,
            space.coded.n_classes, branch,
        )  # fmt: skip
        counts, goes = made.counts, nowhere
        if missing != "fractional":
            goes = _missing_branch(level, splits, missing, made)
        share, has_lost = np.empty(0), bool(np.count_nonzero(made.n_lost))
        if has_lost:
            share = _shares(made, goes)
            counts = counts + share[:, None] * made.lost[made.parent]
        return cls(level, branch, made, counts, has_lost, share, goes)

    @property
    def decrease(self) -> FloatArray:
        """By how much each split lowers the Gini impurity of its node times the weight."""
        return gini_decrease(self.level.class_counts, self.counts, self.made.parent)

    def children(self, chosen: IndexArray) -> Level:
        """Return the level of some of the children, which are given in order."""
        made, lengths = self.made, self.made.n_cases
        if self.has_lost:
            lengths = lengths + np.where(self.share > 0.0, made.n_lost[made.parent], 0)
        to, lengths = np.full(len(lengths), -1), lengths[chosen]
        stops = lengths.cumsum()
        starts = to[chosen] = stops - lengths
        return Level(
            self.level.space,
            self._dealt(to, int(stops[-1]) if len(stops) else 0),
            starts,
            stops,
            self.counts[chosen],
            Lineage(self.level.lineage, made.parent, made.number, chosen),
        )

    def _dealt(self, to: IndexArray, n: int) -> Cases:
        cases, level = self.level.cases, self.level
        lost = self.has_lost
        rows, labels, ids = (np.empty(n, np.int32) for _ in range(3))
        weights = np.empty(n) if lost else np.empty(0)
        place_of = np.empty(len(self.branch) if lost else 0, np.int32)
        made, nodes = self.made, cases.at(level.starts, level.stops)
        where = nodes, made.first_child, to, to + made.n_cases, self.share
        deal(self.branch, *where, rows, labels, ids, weights, place_of)
        kept = cases.kept
        keys = cases.room.empty((len(kept.features), n), kept.keys.dtype)
        order = cases.room.empty(keys.shape, np.int32)

        def carry_over(span: Span) -> None:
            deal_sorted(kept.keys, kept.order, self.branch, place_of, *where, span, keys, order)

        if len(kept.features):
            share_out(carry_over, len(kept.features), int((level.stops - level.starts).sum()))
        by = Sorted(kept.features, kept.n_codes, keys, order)
        if not lost:
            same = cases.weights, cases.whole, cases.bits
            return Cases(rows, labels, ids, *same, by, cases.n_ids, cases.room)
        whole = cases.whole and bool(np.isin(self.share, (0.0, 1.0)).all())
        return Cases(rows, labels, ids, weights, whole, cases.bits, by, n, cases.room)


def _room_for_branches(level: Level, splits: Splits) -> SmallArray:
    """Return room for the branch of each case, a byte each unless there are too many branches."""
    n = level.cases.n_ids
    if level.space.few_branches or splits.maps.max(initial=0) < FEW_BRANCHES:
        return np.empty(n, np.int8)
    return np.empty(n, np.int32)


def _side_of_missing(splits: Splits) -> IndexArray:
    """Return the branch of missing values of each cut where they have one of their own."""
    return np.where(splits.high == NONE, 1, 2)


def _missing_branch(level: Level, splits: Splits, missing: Missing, made: Divided) -> IndexArray:
    """Return where missing values go at each node; -1 for nowhere in particular."""
    if missing == "majority":
        return _first_largest(made)
    side = _side_of_missing(splits)
    goes = np.where(np.diff(made.first_child) > side, side, -1)
    here = splits.is_grouping
    goes[here] = splits.maps[splits.first_map[here] + level.space.n_codes[splits.feature[here]]]
    return goes


def _first_largest(made: Divided) -> IndexArray:
    """Return the first branch of each node that is the largest, but for rounding."""
    sizes, firsts = made.counts.sum(axis=1), made.first_child[:-1]
    largest = np.maximum.reduceat(sizes, firsts)
    tied = np.flatnonzero(sizes >= largest[made.parent] * (1 - TIE))
    return np.asarray(tied[np.unique(made.parent[tied], return_index=True)[1]] - firsts)


def _shares(made: Divided, goes: IndexArray) -> FloatArray:
    """Return the share of each child in the cases of missing value (C4.5), or all for one."""
    sizes, goes = made.counts.sum(axis=1), goes[made.parent]
    in_proportion = sizes / np.add.reduceat(sizes, made.first_child[:-1])[made.parent]
    return np.asarray(np.where(goes < 0, in_proportion, made.number == goes))


def split_of(node: Node, axis: Axis) -> Splits:
    """Return the split that a finished test carries out."""
    feature = node.tree.feature[node.number : node.number + 1].astype(np.int64)
    if node.threshold is not None:
        low = np.searchsorted(axis.points, [node.threshold], side="right") - 1
        high = np.where(node.threshold == ANY_NUMBER, NONE, low + 1)
        return Splits(feature, low, high)
    splits = Splits.groupings(feature, np.array([axis.n_codes]))
    splits.maps[: len(node.branch_of)] = node.branch_of
    if node.tree.missing == "branch" and node.missing_branch is not None:
        splits.maps[-1] = node.missing_branch
    return splits
