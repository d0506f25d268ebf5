"""Groupings: every value of a nominal feature that occurs at the node is sent to a branch."""

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray, IntArray
from treelab.kernels.fixed_point import FixedPoint
from treelab.kernels.groupings import (
    EXHAUSTIVE_VALUES,
    ROUNDING,
    Groupings,
    Ranks,
    count_groupings,
    fill_groupings,
    grouping_maps,
    rank_values,
)
from treelab.kernels.multiway import find_multiway, value_maps
from treelab.kernels.rows import class_margins, row_scores, row_size_scores
from treelab.kernels.value_order import order_ranks
from treelab.protocols import Formula, Runs, Scores
from treelab.stats.candidates.blocks import Block, OfSizes, Summed, in_batches
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.context import FeatureGroup, SplitContext, SplitKind

BATCH_CELLS = 2**20
"""Tables of groupings are made for about so many cells at a time, to bound memory."""


@attrs.frozen(eq=False)
class Histograms:
    """The counts (node, value, class) of a group of features at nodes from `first_node` on.

    The values of a feature, and one for missing, are those from its offset on. No node weighs more
    than `most`; `whole` tells whether all counts are whole numbers.
    """

    counts: FloatArray
    group: FeatureGroup
    first_node: int
    most: int
    whole: bool


@attrs.frozen(eq=False)
class RowBlock:
    """Candidates whose tables lie one under the other, a row for each branch.

    The rows of candidate i end before `ends[i]`.
    """

    cells: FloatArray
    ends: IndexArray
    runs: Runs
    found_in: Histograms

    @property
    def whole(self) -> bool:
        return self.found_in.whole

    @property
    def most(self) -> int:
        return self.found_in.most

    @property
    def n_classes(self) -> int:
        return int(self.cells.shape[1])

    def by_tables(self, formula: Formula) -> Scores:
        """Return the formula of every table."""
        scores = np.empty(len(self.ends))
        for mine, tables in self.batches():
            scores[mine] = in_batches(formula, tables)
        return scores

    def by_sums(self, formula: Summed, fixed: FixedPoint | None) -> Scores:
        """Score by sums over every table; see `kernels.table_sums`."""
        if fixed is None:
            return formula.of_rows(self.cells, self.ends)
        return formula.of_whole_rows(self.cells, self.ends, fixed)

    def one_by_one(self, function: Any) -> Scores:
        """Call a compiled function for every table."""
        scores = np.empty(len(self.ends))
        row_scores(function, self.cells, self.ends, scores)
        return scores

    def by_sizes(self, of_sizes: OfSizes) -> Scores:
        """Add up what the sizes of branches give; the candidates of a run share a class margin."""
        firsts_of_runs = (self.runs.ends - self.runs.lengths)[self.runs.lengths > 0]
        of_runs = class_margins(self.cells, self.ends, firsts_of_runs)
        margins, margin = np.unique(of_runs, axis=0, return_inverse=True)
        firsts, by_size = of_sizes(margins)
        scores = np.empty(len(self.ends))
        lengths = self.runs.lengths[self.runs.lengths > 0]
        first = np.repeat(firsts[margin.reshape(-1)], lengths)
        row_size_scores(self.cells, self.ends, first, by_size, scores)
        return scores

    def tables(self) -> FloatArray:
        """Return the tables (candidate, branch, class), filled up with empty branches."""
        widest = int(np.diff(self.ends, prepend=0).max(initial=0))
        tables = np.zeros((len(self.ends), widest, self.cells.shape[1]))
        for mine, part in self.batches():
            tables[mine, : part.shape[1]] = part
        return tables

    def batches(self) -> Iterator[tuple[IndexArray | slice, FloatArray]]:
        """Yield the candidates of equally many branches, with their tables."""
        widths = np.diff(self.ends, prepend=0)
        for width in np.unique(widths):
            mine = np.flatnonzero(widths == width)
            yield mine, self.cells[(self.ends[mine] - width)[:, None] + np.arange(width)]


@attrs.frozen(eq=False)
class MultiwayBlock(RowBlock):
    """A branch for each value: one candidate for each feature at each node; see `kernels.multiway`.

    `codes` are those of the rows' values.
    """

    codes: IntArray

    @classmethod
    def of(
        cls, found_in: Histograms, min_branch: float, missing_branch: bool, lost: FloatArray
    ) -> "MultiwayBlock":
        """Find the candidates; see `find_multiway` for `lost`. The counts are used up."""
        counts, group, least = found_in.counts, found_in.group, max(min_branch - ROUNDING, 0.0)
        codes, ends, feature, node = find_multiway(
            counts, found_in.first_node, group.features, group.offsets, least, missing_branch, lost
        )
        runs = Runs(feature, node, np.arange(1, len(ends) + 1))
        return cls(counts.reshape(-1, counts.shape[2]), ends, runs, found_in, codes)

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        feature, n_codes = self.runs.feature[candidates], self.found_in.group.n_codes
        nothing = np.zeros(len(feature), np.int64)
        place = np.searchsorted(self.found_in.group.features, feature)
        maps = value_maps(self.codes, self.ends, candidates, n_codes[place])
        return Splits(feature, nothing, nothing, *maps)


@attrs.frozen(eq=False)
class GroupingBlock(RowBlock):
    """The groupings of nominal features in two branches; see `kernels.groupings`.

    `ranks` say which values stay together, `found` which groupings of them are candidates.
    """

    found: Groupings
    ranks: Ranks

    @classmethod
    def of(cls, found_in: Histograms, ranks: Ranks, min_branch: float) -> "GroupingBlock":
        """Make the tables of all candidates."""
        n_runs, most, widest = count_groupings(ranks)
        group, n_classes = found_in.group, found_in.counts.shape[2]
        found = Groupings(
            np.empty((most + 1, 2, n_classes)),  # with room for one that turns out too small
            np.empty(most + 1, np.int64),
            feature=np.empty(n_runs, np.int64),
            node=np.empty(n_runs, np.int64),
            ends=np.empty(n_runs, np.int64),
            searched=np.empty(n_runs),
        )
        joined = np.empty((widest + 2, n_classes))
        n = fill_groupings(found_in.counts, group.offsets, ranks, min_branch, joined, found)
        where = group.features[found.feature], found_in.first_node + found.node
        runs = Runs(*where, found.ends, found.searched if ranks.subset else None)
        cells = found.tables[:n].reshape(-1, n_classes)
        return cls(cells, np.arange(2, 2 * n + 1, 2), runs, found_in, found, ranks)

    def tables(self) -> FloatArray:
        """Return the tables (candidate, branch, class)."""
        return self.found.tables[: len(self.ends)]

    def batches(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield all candidates, with their tables."""
        yield slice(len(self.ends)), self.tables()

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        group, nothing = self.found_in.group, np.zeros(len(candidates), np.int64)
        of_groups = self.ranks, self.found, group.offsets, candidates
        place, first_map, maps = grouping_maps(*of_groups)
        return Splits(group.features[place], nothing, nothing, first_map, maps)


def node_steps(group: FeatureGroup, n_nodes: int, n_classes: int) -> list[slice]:
    """Return the nodes in steps whose histograms of a group are made at a time."""
    step = max(1, BATCH_CELLS // (int(group.offsets[-1]) * n_classes))
    return [slice(first, min(first + step, n_nodes)) for first in range(0, n_nodes, step)]


def grouping_block(
    found_in: Histograms,
    context: SplitContext,
    ranks: dict[tuple[SplitKind, int], Ranks],
    lost: FloatArray,
) -> Block:
    """Find the groupings of a group of features.

    `ranks` are those found before, if any. Unless missing values are a branch, their weight goes to
    `lost` (node, feature).
    """
    group, is_value = found_in.group, context.missing_is_value
    if group.kind == "multiway":
        return MultiwayBlock.of(found_in, context.min_branch, is_value, lost)
    if not is_value:
        lost[:, group.features] = found_in.counts[:, group.offsets[1:] - 1].sum(axis=2)
    key = group.kind, found_in.first_node
    if key not in ranks:
        ranks[key] = ranks_of(found_in, is_value)
    return GroupingBlock.of(found_in, ranks[key], context.min_branch)


def ranks_of(found_in: Histograms, missing_is_value: bool) -> Ranks:
    """Rank the values of all features at all nodes; see `kernels.groupings`."""
    counts, offsets, subset = (
        found_in.counts,
        found_in.group.offsets,
        found_in.group.kind == "subset",
    )
    shape = len(counts), len(found_in.group.features)
    ranks = Ranks(np.empty(counts.shape[:2], np.int32), np.empty(shape, np.int64), subset)
    rank_values(counts, offsets, missing_is_value, ranks)
    widest = int(ranks.width.max(initial=0))
    if subset and widest > EXHAUSTIVE_VALUES:
        order_ranks(counts, offsets, ranks, np.empty((widest + 1, counts.shape[2])))
    return ranks


def admissible(tables: FloatArray, min_branch: float) -> BoolArray:
    """Tell which candidates leave two branches that are not empty and large enough."""
    weights = tables.sum(axis=2)
    large = (weights > 0) & (weights >= min_branch - ROUNDING)
    return np.asarray(large.sum(axis=1) >= 2)
