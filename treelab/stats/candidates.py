"""The ways nodes may be parted, in blocks of candidates of one kind.

A *cut* parts an ordered feature between two codes that occur at the node.
A *grouping* sends every value that occurs at the node to a branch.

The candidates of a block come in *runs*: those of one feature at one node, one after the other.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.errors import DataError
from treelab.kernels.cuts import (
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
from treelab.stats.groupings import Groupings
from treelab.stats.one_table import OneTable
from treelab.stats.room import Room
from treelab.stats.sums import SumFormula

NONE = -1
"""The code above a cut that parts the known values from the missing ones."""

BATCH_CELLS = 2**20
"""Tables of groupings are made for about so many cells at a time, to bound memory."""

CACHED_CELLS = 2**14
"""A formula sees tables of about so many cells at a time."""


@attrs.frozen(eq=False)
class Splits:
    """What is done at some nodes, one split each.

    A cut sends codes up to `low` to branch 0 and the others to branch 1; `high` is the next
    code that occurs, or `NONE`: then all known values go to branch 0 and the missing ones to 1.
    A grouping has an entry in `groups`: codes, and the branch of each; the code behind the
    last of the feature stands for missing.
    """

    feature: IndexArray
    low: IndexArray
    high: IndexArray
    groups: Mapping[int, tuple[IndexArray, IndexArray]] = attrs.field(factory=dict)

    @classmethod
    def joined(cls, parts: list[tuple[IndexArray, "Splits"]], n: int) -> "Splits":
        """Return n splits in one, each part with the places its splits take."""
        feature, low, high = (np.zeros(n, np.int64) for _ in range(3))
        groups: dict[int, tuple[IndexArray, IndexArray]] = {}
        for places, part in parts:
            feature[places], low[places], high[places] = part.feature, part.low, part.high
            groups |= {int(places[p]): group for p, group in part.groups.items()}
        return cls(feature, low, high, groups)

    def only(self, place: int) -> "Splits":
        """Return one of the splits."""
        one = slice(place, place + 1)
        groups = {0: self.groups[place]} if place in self.groups else {}
        return Splits(self.feature[one], self.low[one], self.high[one], groups)


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
        min_branch: float,
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
        # The slack forgives the rounding of fractional weights, nothing else.
        least = max(min_branch - 1e-9, 0.0)

        def find(span: Span) -> None:
            find_cuts(cuts, found_in.stops, by.n_codes, least, missing_branch, span)

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

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        f, low, high = sides_of(self.cuts, self.runs.ends, self.sorted.n_codes, candidates)
        return Splits(self.sorted.features[f], low, high)

    @property
    def _n_branches(self) -> int:
        return 3 if self.missing_branch and self.cuts.missing.any() else 2

    def _n(self, span: Span) -> int:
        return self._first(span[1]) - self._first(span[0])

    def _filler(self, formula: Formula) -> Callable[[Span, Scores], None]:
        """Return the quickest way to score the cuts of some features."""
        if isinstance(formula, SumFormula) and self.whole and formula.compiled:
            units = formula.fixed(int(self.cuts.class_counts.sum()))
            if units is not None:
                return partial(self._fill_by_sums, formula, units)
        if isinstance(formula, OneTable) and formula.compiled:
            return partial(self._fill_one_by_one, formula)
        if isinstance(formula, BySize) and self.whole:
            return self._filler_by_size(formula)
        if isinstance(formula, Composed):
            fillers = [self._filler(part) for part in formula.parts]
            return partial(self._fill_composed, formula, fillers)
        return partial(self._fill_by_tables, formula)

    def _fill_by_sums(
        self, formula: SumFormula, units: tuple[FixedPoint, FixedPoint], span: Span, scores: Scores
    ) -> None:
        sum_scores(
            formula.compiled, self.cuts, span, self.missing_branch, formula.needs_shares, *units,
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


@attrs.frozen(eq=False)
class GroupingBlock:
    """The groupings of nominal features on which equally many values occur at their nodes.

    `number` counts the groupings of the scheme through, run by run; `codes` are the codes of each
    run that occur.
    """

    tables: FloatArray
    feature: IndexArray
    node: IndexArray
    number: IndexArray
    codes: IndexArray
    scheme: Groupings

    @cached_property
    def runs(self) -> Runs:
        lengths = np.bincount(self.number // self.scheme.n, minlength=len(self.feature))
        return Runs(self.feature, self.node, np.cumsum(lengths))

    def map(self, formula: Formula) -> Scores:
        """Return the formula of every candidate's table."""
        return in_batches(formula, self.tables)

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        run, choice = np.divmod(self.number[candidates], self.scheme.n)
        nothing = np.zeros(len(run), np.int64)
        groups = {
            place: (self.codes[r], self.scheme.branches(int(r), int(c)))
            for place, (r, c) in enumerate(zip(run, choice, strict=True))
        }
        return Splits(self.feature[run], nothing, nothing, groups)


Block = CutBlock | GroupingBlock


def grouping_blocks(
    counts: FloatArray,
    features: IndexArray,
    nodes: IndexArray,
    offsets: IndexArray,
    choose: Callable[[FloatArray], Groupings],
    min_branch: float,
) -> Iterator[GroupingBlock]:
    """Yield the groupings of nominal features, from the tall table of `value_counts`.

    Part p of the table, from `offsets[p]` on, is of `features[p]` at `nodes[p]`. `choose` gives
    the scheme of groupings for tables (part, value, class).
    """
    present = counts.sum(axis=1) > 0
    owner = np.repeat(np.arange(len(features)), np.diff(offsets))[present]
    codes = (np.arange(len(counts)) - np.repeat(offsets[:-1], np.diff(offsets)))[present]
    n_values = np.bincount(owner, minlength=len(features))
    for width in np.unique(n_values[n_values >= 2]):
        mine = (n_values == width)[owner]
        tables = counts[present][mine].reshape(-1, width, counts.shape[1])
        scheme = choose(tables)
        parted = scheme.part(tables)
        number = np.flatnonzero(admissible(parted, min_branch))
        here = n_values == width
        codes_of = codes[mine].reshape(-1, width)
        yield GroupingBlock(parted[number], features[here], nodes[here], number, codes_of, scheme)


def admissible(tables: FloatArray, min_branch: float) -> BoolArray:
    """Tell which candidates leave two branches that are not empty and large enough."""
    weights = tables.sum(axis=2)
    # The slack forgives the rounding of fractional weights, nothing else.
    large = (weights > 0) & (weights >= min_branch - 1e-9)
    return np.asarray(large.sum(axis=1) >= 2)


def in_batches(formula: Formula, tables: FloatArray) -> Scores:
    """Return the formula of all tables, of which it sees as many at a time as the cache holds."""
    scores = np.empty(len(tables))
    step = max(1, CACHED_CELLS // max(tables[:1].size, 1))
    for first in range(0, len(tables), step):
        batch = _side_by_side(tables[first : first + step])
        given = _numbers(formula(batch))
        if given.shape != (len(batch),):
            raise DataError(
                f"a formula must return one score per table: expected shape ({len(batch)},) for "
                f"tables of shape {batch.shape}, got {given.shape}"
            )
        scores[first : first + step] = given
    return scores


def _side_by_side(tables: FloatArray) -> FloatArray:
    """Return the same tables, equal cells in a row: numpy is several times as fast on long rows."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(tables, 0, -1)), -1, 0)


def _numbers(given: Any) -> FloatArray:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"a formula must return numbers, got {given!r}") from None
