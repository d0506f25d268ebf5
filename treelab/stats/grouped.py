"""Groupings: every value of a nominal feature that occurs at the node is sent to a branch."""

from collections.abc import Iterator
from functools import cached_property

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray, IntArray
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
from treelab.kernels.value_order import order_ranks
from treelab.protocols import Formula, Runs, Scores
from treelab.stats.candidates import Splits, in_batches
from treelab.stats.sums import SumFormula

BATCH_CELLS = 2**20
"""Tables of groupings are made for about so many cells at a time, to bound memory."""


@attrs.frozen(eq=False)
class Tallies:
    """The counts (node, value, class) of nominal features at nodes from `first_node` on.

    The values of `features[f]` and one for missing are those from `offsets[f]` on. `n_codes` are
    those of all features there are. No node weighs more than `most`; `whole` tells whether all
    counts are whole numbers.
    """

    counts: FloatArray
    features: IndexArray
    offsets: IndexArray
    first_node: int
    n_codes: IndexArray
    most: float
    whole: bool


@attrs.frozen(eq=False)
class MultiwayBlock:
    """A branch for each value: one candidate for each feature at each node.

    The tables have as many rows as values occur, and lie one under the other; see
    `kernels.multiway`.
    """

    cells: FloatArray
    codes: IntArray
    ends: IndexArray
    runs: Runs
    found_in: Tallies

    @classmethod
    def of(
        cls, found_in: Tallies, min_branch: float, missing_branch: bool, lost: FloatArray
    ) -> "MultiwayBlock":
        """Find the candidates; see `find_multiway` for `lost`. The counts are used up."""
        counts, least = found_in.counts, max(min_branch - ROUNDING, 0.0)
        codes, ends, feature, node = find_multiway(
            counts,
            found_in.first_node,
            found_in.features,
            found_in.offsets,
            least,
            missing_branch,
            lost,
        )
        runs = Runs(feature, node, np.arange(1, len(ends) + 1))
        return cls(counts.reshape(-1, counts.shape[2]), codes, ends, runs, found_in)

    def map(self, formula: Formula) -> Scores:
        """Return the formula of every candidate's table."""
        if isinstance(formula, SumFormula):
            return _by_sums(formula, self.cells, self.ends, self.found_in)
        scores = np.empty(len(self.ends))
        for mine, tables in self.batches():
            scores[mine] = in_batches(formula, tables)
        return scores

    def tables(self) -> FloatArray:
        """Return the tables (candidate, branch, class), filled up with empty branches."""
        widest = int(np.diff(self.ends, prepend=0).max(initial=0))
        tables = np.zeros((len(self.ends), widest, self.cells.shape[1]))
        for mine, part in self.batches():
            tables[mine, : part.shape[1]] = part
        return tables

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        feature = self.runs.feature[candidates]
        nothing, n_codes = np.zeros(len(feature), np.int64), self.found_in.n_codes[feature]
        maps = value_maps(self.codes, self.ends, candidates, n_codes)
        return Splits(feature, nothing, nothing, *maps)

    def batches(self) -> Iterator[tuple[IndexArray, FloatArray]]:
        """Yield the candidates of equally many values, with their tables."""
        widths = np.diff(self.ends, prepend=0)
        for width in np.unique(widths):
            mine = np.flatnonzero(widths == width)
            yield mine, self.cells[(self.ends[mine] - width)[:, None] + np.arange(width)]


@attrs.frozen(eq=False)
class GroupingBlock:
    """The groupings of nominal features in two branches; see `kernels.groupings`.

    `ranks` say which values stay together, `found` which groupings of them are candidates.
    """

    found: Groupings
    ranks: Ranks
    found_in: Tallies

    @classmethod
    def of(cls, found_in: Tallies, ranks: Ranks, min_branch: float) -> "GroupingBlock":
        """Make the tables of all candidates."""
        n_runs, most, widest = count_groupings(ranks)
        n_classes = found_in.counts.shape[2]
        found = Groupings(
            np.empty((most + 1, 2, n_classes)),  # with room for one that turns out too small
            np.empty(most + 1, np.int64),
            feature=np.empty(n_runs, np.int64),
            node=np.empty(n_runs, np.int64),
            ends=np.empty(n_runs, np.int64),
            searched=np.empty(n_runs),
        )
        joined = np.empty((widest + 2, n_classes))
        n = fill_groupings(found_in.counts, found_in.offsets, ranks, min_branch, joined, found)
        found = found._replace(tables=found.tables[:n], candidate=found.candidate[:n])
        return cls(found, ranks, found_in)

    @cached_property
    def runs(self) -> Runs:
        found, found_in = self.found, self.found_in
        where = found_in.features[found.feature], found_in.first_node + found.node
        return Runs(*where, found.ends, found.searched if self.ranks.subset else None)

    def map(self, formula: Formula) -> Scores:
        """Return the formula of every candidate's table."""
        tables = self.found.tables
        if isinstance(formula, SumFormula):
            ends = np.arange(2, 2 * len(tables) + 1, 2)
            return _by_sums(formula, tables.reshape(-1, tables.shape[2]), ends, self.found_in)
        return in_batches(formula, tables)

    def tables(self) -> FloatArray:
        """Return the tables (candidate, branch, class)."""
        return self.found.tables

    def batches(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield all candidates, with their tables."""
        yield slice(len(self.found.tables)), self.found.tables

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        run = np.searchsorted(self.found.ends, candidates, side="right")
        feature = self.runs.feature[run]
        splits = Splits.groupings(feature, self.found_in.n_codes[feature])
        where = self.found_in.offsets, candidates, run, splits.first_map, splits.maps
        grouping_maps(self.ranks, self.found, *where)
        return splits


def ranks_of(found_in: Tallies, subset: bool, missing_is_value: bool) -> Ranks:
    """Rank the values of all features at all nodes; see `kernels.groupings`."""
    counts, offsets = found_in.counts, found_in.offsets
    shape = len(counts), len(found_in.features)
    ranks = Ranks(np.empty(counts.shape[:2], np.int32), np.empty(shape, np.int64), subset)
    rank_values(counts, offsets, missing_is_value, ranks)
    widest = int(ranks.width.max(initial=0))
    if subset and widest > EXHAUSTIVE_VALUES:
        order_ranks(counts, offsets, ranks, np.empty((widest + 1, counts.shape[2])))
    return ranks


def _by_sums(formula: SumFormula, cells: FloatArray, ends: IndexArray, found_in: Tallies) -> Scores:
    """Return the formula of tables one under the other; see `kernels.table_sums`."""
    fixed = formula.fixed(int(found_in.most)) if found_in.whole else None
    if fixed is None:
        return formula.of_rows(cells, ends)
    return formula.of_whole_rows(cells, ends, fixed)


def admissible(tables: FloatArray, min_branch: float) -> BoolArray:
    """Tell which candidates leave two branches that are not empty and large enough."""
    weights = tables.sum(axis=2)
    large = (weights > 0) & (weights >= min_branch - ROUNDING)
    return np.asarray(large.sum(axis=1) >= 2)
