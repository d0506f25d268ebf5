"""Send the training cases of some nodes to their branches."""

from functools import cached_property

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray, SmallArray
from treelab.data.coded import ANY_NUMBER, Axis
from treelab.kernels.arrange import branches_of, count_branches, deal, deal_sorted
from treelab.stats.candidates import NONE, Splits
from treelab.stats.cases import Cases, Sorted, Span, share_out
from treelab.stats.impurity import TIE
from treelab.stats.view import Level, Lineage
from treelab.tree.model import Missing, Node


@attrs.frozen(eq=False)
class Division:
    """The nodes of a level with their splits carried out.

    The children of node k are `first_child[k]` to `first_child[k + 1]`. `branch` is that of each
    case, -1 where a missing value has none: such cases go to all children of their node, each
    taking its `share`. `counts` (child, class) are with them.
    """

    level: Level
    branch: SmallArray
    first_child: IndexArray
    counts: FloatArray
    n_cases: IndexArray
    n_lost: IndexArray
    has_lost: bool
    share: FloatArray
    missing_branch: IndexArray

    @classmethod
    def of(cls, level: Level, splits: Splits, missing: Missing) -> "Division":
        """Carry out one split at every node of a level."""
        branch, n_branches = _branches(level, splits)
        first_child = np.zeros(len(level) + 1, np.int64)
        n_branches.cumsum(out=first_child[1:])
        counts = np.zeros((first_child[-1], level.space.coded.n_classes))
        lost = np.zeros((len(level), counts.shape[1]))
        n_cases, n_lost = np.zeros(len(counts), np.int64), np.zeros(len(level), np.int64)
        cases = level.cases
        count_branches(
            branch, cases.labels, cases.ids, cases.weights, level.starts, level.stops, first_child,
            counts, lost, n_cases, n_lost,
        )  # fmt: skip
        sizes = counts.sum(axis=1)
        goes = _missing_branch(level, splits, missing, sizes, first_child)
        share = np.zeros(len(counts))
        has_lost = bool(n_lost.any())
        if has_lost:
            share = _shares(sizes, first_child, goes)
            counts += share[:, None] * np.repeat(lost, n_branches, axis=0)
        return cls(level, branch, first_child, counts, n_cases, n_lost, has_lost, share, goes)

    @cached_property
    def parent(self) -> IndexArray:
        """The node each child belongs to."""
        return np.repeat(np.arange(len(self.level)), self.first_child[1:] - self.first_child[:-1])

    @cached_property
    def number(self) -> IndexArray:
        """Which branch of its node each child is."""
        return np.arange(len(self.counts)) - self.first_child[self.parent]

    def children(self, chosen: BoolArray) -> Level:
        """Return the level of some of the children."""
        lengths = self.n_cases
        if self.has_lost:
            lengths = lengths + np.where(self.share > 0.0, self.n_lost[self.parent], 0)
        stops = np.where(chosen, lengths, 0).cumsum()
        to = np.where(chosen, stops - lengths, -1)
        return Level(
            self.level.space,
            self._dealt(to, int(stops[-1]) if len(stops) else 0),
            to[chosen],
            stops[chosen],
            self.counts[chosen],
            Lineage(self.level.lineage, self.parent[chosen], self.number[chosen]),
        )

    def _dealt(self, to: IndexArray, n: int) -> Cases:
        cases, level = self.level.cases, self.level
        lost = self.has_lost
        rows, labels, ids = (np.empty(n, np.int32) for _ in range(3))
        weights = np.empty(n) if lost else np.empty(0)
        place_of = np.empty(len(self.branch) if lost else 0, np.int32)
        where = level.starts, level.stops, self.first_child, to, to + self.n_cases, self.share
        deal(
            self.branch, cases.rows, cases.labels, cases.ids, cases.weights, *where, rows, labels,
            ids, weights, place_of,
        )  # fmt: skip
        kept = cases.kept
        keys = np.empty((len(kept.features), n), kept.keys.dtype)
        order = np.empty(keys.shape, np.int32)

        def carry_over(span: Span) -> None:
            deal_sorted(kept.keys, kept.order, self.branch, place_of, *where, span, keys, order)

        share_out(carry_over, len(kept.features), int((level.stops - level.starts).sum()))
        by = Sorted(kept.features, kept.n_codes, keys, order)
        if not lost:
            return Cases(rows, labels, ids, cases.weights, cases.whole, cases.bits, by, cases.n_ids)
        whole = cases.whole and bool(np.isin(self.share, (0.0, 1.0)).all())
        return Cases(rows, labels, ids, weights, whole, cases.bits, by, n)


def _branches(level: Level, splits: Splits) -> tuple[SmallArray, IndexArray]:
    """Return the branch of every case, and the number of branches of every node."""
    space, cases = level.space, level.cases
    n_codes = space.n_codes[splits.feature]
    side = _side_of_missing(splits) if space.missing_is_value else np.full(len(level), -1)
    most = max(3, int(n_codes[splits.is_grouping].max(initial=0)) + 1)
    branch: SmallArray = (
        np.empty(cases.n_ids, np.int8) if most < 128 else np.empty(cases.n_ids, np.int32)
    )
    n_branches = branches_of(
        space.coded.codes, cases.rows, cases.ids, level.starts, level.stops, splits.feature,
        n_codes, splits.low, side, splits.maps, splits.first_map, branch,
    )  # fmt: skip
    return branch, n_branches


def _side_of_missing(splits: Splits) -> IndexArray:
    """Return the branch of missing values of each cut where they have one of their own."""
    return np.where(splits.high == NONE, 1, 2)


def _missing_branch(
    level: Level, splits: Splits, missing: Missing, sizes: FloatArray, first_child: IndexArray
) -> IndexArray:
    """Return where missing values go at each node; -1 for nowhere in particular."""
    nowhere = np.full(len(level), -1)
    if missing == "fractional":
        return nowhere
    if missing == "majority":
        return _first_largest(sizes, first_child)
    side = _side_of_missing(splits)
    goes = np.where(np.diff(first_child) > side, side, -1)
    here = splits.is_grouping
    goes[here] = splits.maps[splits.first_map[here] + level.space.n_codes[splits.feature[here]]]
    return goes


def _first_largest(sizes: FloatArray, first_child: IndexArray) -> IndexArray:
    """Return the first branch of each node that is the largest, but for rounding."""
    largest = np.maximum.reduceat(sizes, first_child[:-1])
    owner = np.repeat(np.arange(len(largest)), np.diff(first_child))
    tied = np.flatnonzero(sizes >= largest[owner] * (1 - TIE))
    return tied[np.unique(owner[tied], return_index=True)[1]] - first_child[:-1]


def _shares(sizes: FloatArray, first_child: IndexArray, goes: IndexArray) -> FloatArray:
    """Return the share of each child in the cases of missing value (C4.5), or all for one."""
    owner = np.repeat(np.arange(len(goes)), np.diff(first_child))
    in_proportion = sizes / np.add.reduceat(sizes, first_child[:-1])[owner]
    is_the_one = np.arange(len(sizes)) - first_child[owner] == goes[owner]
    return np.where(goes[owner] < 0, in_proportion, is_the_one)


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
