"""The ways nodes may be parted, in blocks of candidates of one kind.

A *cut* parts an ordered feature between two codes that occur at the node.
A *grouping* sends every value that occurs at the node to a branch.

The candidates of a block come in *runs*: those of one feature at one node, one after the other.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray, IntArray
from treelab.errors import DataError, shown
from treelab.kernels.cuts import (
    CutLimits,
    Cuts,
    FixedPoint,
    cut_tables,
    find_cuts,
    sides_of,
    size_scores,
    sum_scores,
    table_scores,
)
from treelab.protocols import Formula, Runs, Scores
from treelab.stats.by_size import BySize
from treelab.stats.cases import Cases, Keys, Sorted, Span, share_out
from treelab.stats.composed import Composed
from treelab.stats.one_table import OneTable
from treelab.stats.room import Room
from treelab.stats.sums import SumFormula

NONE = -1
"""The code above a cut that parts the known values from the missing ones."""

CACHED_CELLS = 2**14
"""A formula sees tables of about so many cells at a time."""


@attrs.frozen(eq=False)
class Splits:
    """What is done at some nodes, one split each.

    A cut sends codes up to `low` to branch 0 and the others to branch 1; `high` is the next
    code that occurs, or `NONE`: then all known values go to branch 0 and the missing ones to 1.
    A grouping has a map, which begins at `first_map` of `maps`: the branch of every code, -1 for
    none; the code behind the last of the feature stands for missing. A cut has none: -1.
    """

    feature: IndexArray
    low: IndexArray
    high: IndexArray
    first_map: IndexArray = attrs.field()
    maps: IntArray = attrs.field(factory=lambda: np.empty(0, np.int32))

    @first_map.default
    def _no_map(self) -> IndexArray:
        return np.full(len(self.feature), -1)

    @classmethod
    def groupings(cls, feature: IndexArray, n_codes: IndexArray) -> "Splits":
        """Return groupings whose maps send no code to any branch yet."""
        ends, nothing = (n_codes + 1).cumsum(), np.zeros(len(feature), np.int64)
        maps = np.full(ends[-1] if len(ends) else 0, -1, np.int32)
        return cls(feature, nothing, nothing, ends - n_codes - 1, maps)

    @classmethod
    def joined(cls, parts: list["Splits"]) -> "Splits":
        """Return all splits of several parts, one after the other."""
        if len(parts) == 1:
            return parts[0]
        nothing = np.empty(0, np.int64)
        feature, low, high, first_map = (
            np.concatenate([nothing, *(getattr(part, name) for part in parts)])
            for name in ("feature", "low", "high", "first_map")
        )
        maps = np.concatenate([np.empty(0, np.int32), *(part.maps for part in parts)])
        before = np.cumsum([0, *(len(part.maps) for part in parts)])[:-1]
        shift = np.repeat(before, [len(part.feature) for part in parts])
        return cls(feature, low, high, np.where(first_map >= 0, first_map + shift, -1), maps)

    @property
    def is_grouping(self) -> BoolArray:
        return np.asarray(self.first_map >= 0)

    def take(self, places: IndexArray) -> "Splits":
        """Return some of the splits."""
        feature, low, high = self.feature[places], self.low[places], self.high[places]
        return Splits(feature, low, high, self.first_map[places], self.maps)


@attrs.frozen(eq=False)
class CutBlock:
    """All cuts of some sorted features that leave two branches large enough.

    Missing values are a third branch if `missing_branch` is set.
    """

    sorted: Sorted
    cuts: Cuts
    whole: bool
    n_cases: int
    missing_branch: bool
    room: Room

    @classmethod
    def of(
        cls,
        found_in: Keys,
        cases: Cases,
        class_counts: FloatArray,
        limits: CutLimits,
        missing_branch: bool,
    ) -> "CutBlock":
        """Find the cuts of all features at all nodes."""
        by = found_in.sorted
        cuts = Cuts(
            by.keys,
            by.order,
            cases.bits,
            found_in.weights,
            found_in.starts,
            at=cases.room.empty(by.keys.shape, np.int32),
            n_cuts=np.empty(found_in.stops.shape, np.int64),
            class_counts=class_counts,
            known=np.zeros((len(by.features), *class_counts.shape)),
            missing=np.zeros((len(by.features), *class_counts.shape)),
        )

        def find(span: Span) -> None:
            find_cuts(cuts, found_in.stops, by.n_codes, limits, missing_branch, span)

        share_out(find, len(by.features), found_in.n_cases)
        return cls(by, cuts, cases.whole, found_in.n_cases, missing_branch, cases.room)

    @cached_property
    def runs(self) -> Runs:
        feature, node = np.empty((2, *self.cuts.n_cuts.shape), np.int64)
        feature[:], node[:] = self.sorted.features[:, None], np.arange(node.shape[1])
        return Runs(feature.ravel(), node.ravel(), self.cuts.n_cuts.cumsum())

    def map(self, formula: Formula) -> Scores:
        """Return the formula of every candidate's table."""
        # As many as there could be, so that the next level finds room enough.
        scores = self.room.empty((self.cuts.at.size,), np.float64)[: self.runs.n_candidates]
        fill = self._filler(formula)

        def fill_part(span: Span) -> None:
            fill(span, scores[self._first(span[0]) : self._first(span[1])])

        share_out(fill_part, len(self.sorted.features), self.n_cases)
        return scores

    def _first(self, feature: int) -> int:
        """Return the first candidate of a feature, counted among the sorted ones."""
        return int(self.runs.ends[feature * self.cuts.n_cuts.shape[1] - 1]) if feature else 0

    def tables(self, span: Span | None = None) -> FloatArray:
        """Return the tables (cut, branch, class) of the cuts of all or some features."""
        span = span or (0, len(self.sorted.features))
        tables = np.empty((self._n(span), self._n_branches, self.cuts.class_counts.shape[1]))
        cut_tables(self.cuts, span, tables)
        return tables

    def batches(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield which candidates have the next tables, and these."""
        for f in range(len(self.sorted.features)):
            yield slice(self._first(f), self._first(f + 1)), self.tables((f, f + 1))

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        f, low, high = sides_of(self.cuts, self.runs.ends, self.sorted.n_codes, candidates)
        return Splits(self.sorted.features[f], low, high)

    @cached_property
    def _most(self) -> int:
        """The weight of the heaviest node."""
        return int(self.cuts.class_counts.sum(axis=1).max(initial=0.0))

    @property
    def _n_branches(self) -> int:
        return 3 if self.missing_branch and self.cuts.missing.any() else 2

    def _n(self, span: Span) -> int:
        return self._first(span[1]) - self._first(span[0])

    def _filler(self, formula: Formula) -> Callable[[Span, Scores], None]:
        """Return the quickest way to score the cuts of some features."""
        if isinstance(formula, SumFormula) and self.whole and formula.compiled:
            fixed = formula.fixed(self._most)
            if fixed is not None:
                return partial(self._fill_by_sums, formula, fixed)
        if isinstance(formula, OneTable) and formula.compiled:
            return partial(self._fill_one_by_one, formula)
        if isinstance(formula, BySize) and self.whole:
            return self._filler_by_size(formula)
        if isinstance(formula, Composed):
            fillers = [self._filler(part) for part in formula.parts]
            return partial(self._fill_composed, formula, fillers)
        return partial(self._fill_by_tables, formula)

    def _fill_by_sums(
        self, formula: SumFormula, fixed: FixedPoint, span: Span, scores: Scores
    ) -> None:
        sum_scores(
            formula.compiled, self.cuts, span, self.missing_branch, formula.needs_shares, fixed,
            scores,
        )  # fmt: skip

    def _fill_one_by_one(self, formula: OneTable, span: Span, scores: Scores) -> None:
        table = np.zeros((self._n_branches, self.cuts.class_counts.shape[1]))
        table_scores(formula.compiled, self.cuts, span, table, scores)

    def _filler_by_size(self, formula: BySize) -> Callable[[Span, Scores], None]:
        """Nodes have a class margin each, and a feature its own where its values are missing."""
        margins = self.cuts.class_counts
        margin = np.tile(np.arange(len(margins)), (len(self.sorted.features), 1))
        if not self.missing_branch:
            lost = self.cuts.missing.any(axis=2)
            margin[lost] = len(margins) + np.arange(np.count_nonzero(lost))
            margins = np.concatenate([margins, self.cuts.known[lost]])
        sizes = formula.of_sizes(margins)
        return partial(self._fill_by_size, sizes.firsts[margin], sizes.values)

    def _fill_by_size(
        self, firsts: IndexArray, by_size: FloatArray, span: Span, scores: Scores
    ) -> None:
        size_scores(self.cuts, span, self.missing_branch, firsts, by_size, scores)

    def _fill_composed(
        self,
        formula: Composed,
        fillers: list[Callable[[Span, Scores], None]],
        span: Span,
        scores: Scores,
    ) -> None:
        parts = np.empty((len(fillers), len(scores)))
        for fill, part in zip(fillers, parts, strict=True):
            fill(span, part)
        scores[:] = formula.combine(*parts)

    def _fill_by_tables(self, formula: Formula, span: Span, scores: Scores) -> None:
        scores[:] = in_batches(formula, self.tables(span))


def in_batches(formula: Formula, tables: FloatArray) -> Scores:
    """Return the formula of all tables, of which it sees as many at a time as the cache holds."""
    scores = np.empty(len(tables))
    step = max(1, CACHED_CELLS // max(tables[:1].size, 1))
    for first in range(0, len(tables), step):
        batch = tables[first : first + step]
        given = real_numbers("a formula", _of_tables(formula, batch))
        if given.shape != (len(batch),):
            raise DataError(
                f"a formula must return one score per table: expected shape ({len(batch)},) for "
                f"tables of shape {batch.shape}, got {given.shape}"
            )
        scores[first : first + step] = given
    return scores


def _of_tables(formula: Formula, tables: FloatArray) -> FloatArray:
    if isinstance(formula, SumFormula):
        n, width, n_classes = tables.shape
        cells = np.ascontiguousarray(tables, np.float64).reshape(-1, n_classes)
        return formula.of_rows(cells, np.arange(width, n * width + 1, width))
    return formula(_side_by_side(tables))


def _side_by_side(tables: FloatArray) -> FloatArray:
    """Return the same tables, equal cells in a row: numpy is several times as fast on long rows."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(tables, 0, -1)), -1, 0)


def real_numbers(who: str, given: Any) -> FloatArray:
    """Return what somebody's function gave as an array of numbers."""
    try:
        array = np.asarray(given)
        if array.dtype.kind != "c":
            return array.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        pass
    raise DataError(f"{who} must return numbers, got {shown(given)}")
