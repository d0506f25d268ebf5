"""Cuts: an ordered feature is parted between two codes that occur at the node."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.kernels.cut_scores import cut_tables, size_scores, sum_scores, table_scores
from treelab.kernels.cuts import CutLimits, Cuts, find_cuts, runs_of_cuts, sides_of
from treelab.kernels.fixed_point import FixedPoint
from treelab.protocols import Formula, Runs, Scores
from treelab.stats.candidates.blocks import OfSizes, Summed, in_batches
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.buffers import BufferPool
from treelab.stats.stores.cases import (
    CaseFacts,
    FeatureRange,
    NodeCases,
    SortedColumns,
    parallel_over_features,
)
from treelab.stats.stores.sorted_nodes import SortedNodes


@attrs.frozen(eq=False)
class CutBlock:
    """All cuts of some sorted features that leave two branches large enough.

    Missing values are a third branch if `missing_branch` is set.
    """

    sorted: SortedColumns
    cuts: Cuts
    whole: bool
    n_cases: int
    missing_branch: bool
    buffers: BufferPool

    @classmethod
    def of(
        cls,
        found_in: SortedNodes,
        limits: CutLimits,
        is_value: bool,
        class_counts: FloatArray,
        cases: NodeCases | CaseFacts,
        lost: FloatArray,
    ) -> "CutBlock":
        """Find the cuts of all features at all nodes.

        Missing values are a branch if that `is_value`, else their weight goes to `lost` (node,
        feature).
        """
        by = found_in.sorted
        known, missing = np.zeros((2, len(by.features), *class_counts.shape))
        cuts = Cuts(
            by.keys,
            by.order,
            cases.bits,
            found_in.weights,
            found_in.starts,
            at=cases.buffers.empty(by.keys.shape, np.int32),
            n_cuts=np.empty(found_in.stops.shape, np.int64),
            class_counts=class_counts,
            known=known,
            missing=missing,
        )

        def find(part: FeatureRange) -> None:
            how = limits, is_value, part, by.features, lost
            find_cuts(cuts, found_in.stops, by.n_codes, *how)

        parallel_over_features(find, len(by.features), found_in.n_cases)
        return cls(by, cuts, cases.whole, found_in.n_cases, is_value, cases.buffers)

    @cached_property
    def runs(self) -> Runs:
        return Runs(*runs_of_cuts(self.sorted.features, self.cuts.n_cuts))

    def by_tables(self, formula: Formula) -> Scores:
        """Return the formula of every table."""

        def fill(part: FeatureRange, scores: Scores) -> None:
            in_batches(formula, self._tables(part), scores[0])

        return np.asarray(self._filled(fill)[0])

    def by_sums(self, formula: Summed, fixed: FixedPoint | None) -> Scores:
        """Score by sums over every table, exact ones if `fixed` is given; see `formulas.sums`."""
        compiled, how = formula.compiled, (self.missing_branch, formula.needs_shares)

        def fill(part: FeatureRange, scores: Scores) -> None:
            if fixed is None or not compiled:
                scores[:] = formula.of_tables(self._tables(part))
            else:
                sum_scores(compiled, self.cuts, part, *how, fixed, scores)

        scores = self._filled(fill, 1 + formula.pairs)
        return scores if formula.pairs else scores[0]

    def one_by_one(self, function: Any) -> Scores:
        """Call a compiled function for every table."""

        def fill(part: FeatureRange, scores: Scores) -> None:
            table = np.zeros((self._n_branches, self.n_classes))
            table_scores(function, self.cuts, part, table, scores[0])

        return np.asarray(self._filled(fill)[0])

    def by_sizes(self, of_sizes: OfSizes) -> Scores:
        """Add up what the sizes of branches give.

        Nodes have a class margin each, and a feature its own where its values are missing.
        """
        margins = self.cuts.class_counts
        margin = np.tile(np.arange(len(margins)), (len(self.sorted.features), 1))
        if not self.missing_branch:
            lost = self.cuts.missing.any(axis=2)
            margin[lost] = len(margins) + np.arange(np.count_nonzero(lost))
            margins = np.concatenate([margins, self.cuts.known[lost]])
        firsts, by_size = of_sizes(margins)
        how = self.missing_branch, firsts[margin], by_size

        def fill(part: FeatureRange, scores: Scores) -> None:
            size_scores(self.cuts, part, *how, scores[0])

        return np.asarray(self._filled(fill)[0])

    def _filled(self, fill: Callable[[FeatureRange, Scores], None], n_scores: int = 1) -> Scores:
        """Return what is filled in, (which, cut), for the cuts of some features at a time."""
        n = self.runs.n_candidates
        # As many as there could be, so that the next level finds room enough.
        room = self.buffers.empty((n_scores * self.cuts.at.size,), np.float64)
        scores = room[: n_scores * n].reshape(n_scores, n)

        def fill_part(part: FeatureRange) -> None:
            fill(part, scores[:, self._first(part[0]) : self._first(part[1])])

        parallel_over_features(fill_part, len(self.sorted.features), self.n_cases)
        return scores

    def _first(self, feature: int) -> int:
        """Return the first candidate of a feature, counted among the sorted ones."""
        return int(self.runs.ends[feature * self.cuts.n_cuts.shape[1] - 1]) if feature else 0

    def tables(self) -> FloatArray:
        """Return the tables (cut, branch, class) of all cuts."""
        return self._tables((0, len(self.sorted.features)))

    def _tables(self, part: FeatureRange) -> FloatArray:
        n = self._first(part[1]) - self._first(part[0])
        tables = np.empty((n, self._n_branches, self.n_classes))
        cut_tables(self.cuts, part, tables)
        return tables

    def batches(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield which candidates have the next tables, and these."""
        for f in range(len(self.sorted.features)):
            yield slice(self._first(f), self._first(f + 1)), self._tables((f, f + 1))

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        f, low, high = sides_of(self.cuts, self.runs.ends, self.sorted.n_codes, candidates)
        return Splits(self.sorted.features[f], low, high)

    @cached_property
    def most(self) -> int:
        """The weight of the heaviest node."""
        return int(self.cuts.class_counts.sum(axis=1).max(initial=0.0))

    @property
    def n_classes(self) -> int:
        return int(self.cuts.class_counts.shape[1])

    @property
    def _n_branches(self) -> int:
        return 3 if self.missing_branch and self.cuts.missing.any() else 2
