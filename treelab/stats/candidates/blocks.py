"""Blocks: candidates of one kind, whose tables need not be made to be judged.

The candidates of a block come in *runs*: those of one feature at one node, one after the other.
A formula takes the quickest of the roads that a block offers: it is asked for the `scores` of a
block if it has such a method, and else called with tables.
"""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.errors import DataError, shown
from treelab.kernels.fixed_point import FixedPoint
from treelab.protocols import Formula, Runs, Scores
from treelab.stats.candidates.splits import Splits

CACHED_CELLS = 2**14
"""A formula sees tables of about so many cells at a time."""


class Block(Protocol):
    """Candidates of one kind, and the roads on which they can be scored."""

    @property
    def runs(self) -> Runs:
        """The candidates of each feature at each node."""
        ...

    @property
    def whole(self) -> bool:
        """Whether all counts are whole numbers."""
        ...

    @property
    def most(self) -> int:
        """The weight of the heaviest node, or more."""
        ...

    @property
    def n_classes(self) -> int:
        """The number of classes of the whole problem, the width of all tables."""
        ...

    def tables(self) -> FloatArray:
        """Return the tables (candidate, branch, class), filled up with empty branches."""
        ...

    def batches(self) -> Iterator[tuple[Any, FloatArray]]:
        """Yield which candidates have the next tables, and these."""
        ...

    def splits(self, candidates: IndexArray, /) -> Splits:
        """Return what some candidates do."""
        ...

    def by_tables(self, formula: Formula, /) -> Scores:
        """Return the formula of every table."""
        ...

    def by_sums(self, formula: "Summed", fixed: FixedPoint | None, /) -> Scores:
        """Score by sums over every table, exact ones if `fixed` is given; see `formulas.sums`."""
        ...

    def one_by_one(self, function: Any, /) -> Scores:
        """Call a compiled function for every table."""
        ...

    def by_sizes(self, of_sizes: "OfSizes", /) -> Scores:
        """Add up what sizes of branches give, which must be whole; see `margin_formula`."""
        ...


class Summed(Protocol):
    """A formula that knows a table by sums over it; see `formulas.sums`."""

    @property
    def compiled(self) -> Any: ...

    @property
    def needs_shares(self) -> bool: ...

    @property
    def pairs(self) -> bool: ...

    def of_tables(self, tables: FloatArray, /) -> FloatArray: ...

    def of_rows(self, cells: FloatArray, ends: IndexArray, /) -> FloatArray: ...

    def of_whole_rows(
        self, cells: FloatArray, ends: IndexArray, fixed: FixedPoint, /
    ) -> FloatArray: ...


OfSizes = Callable[[FloatArray], tuple[IndexArray, FloatArray]]
"""From class margins to where the numbers of each begin, and these: one for each size from 0 on."""


def scores_of(formula: Formula, block: Block) -> Scores:
    """Return the formula of every candidate's table, in the quickest way it knows."""
    evaluate: Callable[[Block], Scores] | None = getattr(formula, "scores", None)
    return evaluate(block) if evaluate else block.by_tables(formula)


def in_batches(formula: Formula, tables: FloatArray, scores: Scores | None = None) -> Scores:
    """Return the formula of all tables, of which it sees as many at a time as the cache holds."""
    scores = np.empty(len(tables)) if scores is None else scores
    of_tables = quickest(formula)
    step = max(1, CACHED_CELLS // max(tables[:1].size, 1))
    for first in range(0, len(tables), step):
        batch = tables[first : first + step]
        given = real_numbers("a formula", of_tables(batch))
        if given.shape != (len(batch),):
            raise DataError(
                f"a formula must return one score per table: expected shape ({len(batch)},) for "
                f"tables of shape {batch.shape}, got {given.shape}"
            )
        scores[first : first + step] = given
    return scores


def quickest(formula: Formula) -> Formula:
    """Return the formula as it is quickest of tables (table, branch, class)."""
    return getattr(formula, "of_tables", None) or _on_long_rows(formula)


def _on_long_rows(formula: Formula) -> Formula:
    """Show a formula equal cells in a row: numpy is several times as fast on long rows.

    A single table is shown twice: numpy would add its cells up in another order than those of many,
    and the score of a candidate must not depend on which others are judged at the same time.
    """

    def of_tables(tables: FloatArray) -> FloatArray:
        if len(tables) == 1:
            return of_tables(np.repeat(tables, 2, axis=0))[:1]
        return formula(np.moveaxis(np.ascontiguousarray(np.moveaxis(tables, 0, -1)), -1, 0))

    return of_tables


def real_numbers(who: str, given: Any) -> FloatArray:
    """Return what somebody's function gave as an array of numbers."""
    try:
        array = np.asarray(given)
        if array.dtype.kind != "c":
            return array.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        pass
    raise DataError(f"{who} must return numbers, got {shown(given)}")
