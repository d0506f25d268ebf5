"""Formulas made of sums over cells: most classical measures are.

With a function h of a count, such as n log n or n squared, such a formula knows a table through
a few sums of h only. It can be evaluated for a million cuts without writing their tables down:
h is looked up, and the formula runs compiled.

*cells*     sum of h(n_ij) over values j and classes i
*branches*  sum of h(n_.j)
*shares*    sum over values j of (sum of h(n_ij) over i) / n_.j
*classes*   sum of h(n_i.)
*whole*     h(n)
*n*         the number of cases
"""

from collections.abc import Callable
from functools import cache, cached_property
from inspect import signature
from types import FunctionType
from typing import Any, TypeAlias, cast

import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.kernels._jit import over_many, pointer
from treelab.kernels.fixed_point import FixedPoint
from treelab.kernels.table_sums import (
    counts_to_sum,
    row_sum_scores,
    sums_of_counts,
    whole_row_scores,
    whole_sums,
)
from treelab.stats.candidates.blocks import Block
from treelab.stats.formulas.fixed_point import Cell, FixedCell
from treelab.stats.formulas.impurity import of_classes, of_values, share, total
from treelab.stats.formulas.named import NamedFormula

Sum: TypeAlias = FloatArray
"""One of the sums above, of one table or of many."""

Combine: TypeAlias = Callable[[Sum, Sum, Sum, Sum, Sum, Sum], FloatArray | tuple[Sum, Sum]]
"""From cells, branches, shares, classes, whole and n, in this order, to scores."""

SIGNATURE = "void(float64[:, ::1], float64[:, :])"
CELL_SIGNATURE = "void(float64[::1], float64[::1])"

formula: Any = None
"""What the loops below call; `over_many` gives each its own."""


def _loop(sums: Any, scores: Any) -> None:
    for i in range(scores.shape[1]):
        scores[0, i] = formula(
            sums[0, i], sums[1, i], sums[2, i], sums[3, i], sums[4, i], sums[5, i]
        )


def _loop_of_two(sums: Any, scores: Any) -> None:
    for i in range(scores.shape[1]):
        scores[0, i], scores[1, i] = formula(
            sums[0, i], sums[1, i], sums[2, i], sums[3, i], sums[4, i], sums[5, i]
        )


def _loop_of_cells(counts: Any, values: Any) -> None:
    for i in range(len(counts)):
        values[i] = formula(counts[i])


@cache
def compiled_cell(cell: Cell) -> Any:
    """Return a function h of counts as kernels call it, or None where it cannot be compiled."""
    if not isinstance(cell, FunctionType):
        return None
    return pointer(over_many(cast(FunctionType, _loop_of_cells), cell), CELL_SIGNATURE)


class SumFormula(NamedFormula):
    """A formula over tables that needs a few sums only; made by `sums_of`.

    With `pairs` it gives two scores a table, which come as (which, ...).
    """

    def __init__(self, cell: Cell, combine: Combine, pairs: bool = False) -> None:
        super().__init__(combine)
        self.cell, self.combine, self.pairs = cell, combine, pairs
        self._fixed = FixedCell(cell)

    def __call__(self, tables: FloatArray) -> FloatArray:
        cells = self.cell(tables).sum(axis=-1)
        sizes, n = of_values(tables), total(tables)
        return np.asarray(
            self.combine(
                np.asarray(cells.sum(axis=-1)),
                np.asarray(self.cell(sizes).sum(axis=-1)),
                np.asarray(share(cells, sizes).sum(axis=-1)),
                np.asarray(self.cell(of_classes(tables)).sum(axis=-1)),
                self.cell(n),
                n,
            )
        )

    def scores(self, block: Block) -> FloatArray:
        """Return the formula of a block's candidates: by exact sums where counts are whole."""
        return block.by_sums(self, self.fixed(block.most) if block.whole else None)

    def of_tables(self, tables: FloatArray) -> FloatArray:
        """Return the formula of tables (table, branch, class)."""
        n, width, n_classes = tables.shape
        cells = np.ascontiguousarray(tables, np.float64).reshape(-1, n_classes)
        return self.of_rows(cells, np.arange(width, n * width + 1, width))

    def of_rows(self, cells: FloatArray, ends: IndexArray) -> FloatArray:
        """Return the formula of tables one under the other; see `kernels.table_sums`."""
        if self.compiled and compiled_cell(self.cell):
            scores = self._room(len(ends))
            row_sum_scores(compiled_cell(self.cell), self.compiled, cells, ends, scores)
            return scores if self.pairs else scores[0]
        counts = counts_to_sum(cells, ends)
        h = np.asarray(self.cell(counts), np.float64)
        return np.asarray(self.combine(*sums_of_counts(counts, h, ends, cells.shape[1])))

    def of_whole_rows(self, cells: FloatArray, ends: IndexArray, fixed: FixedPoint) -> FloatArray:
        """Return the same of tables of whole numbers, by sums that are exact."""
        if not self.compiled:
            return np.asarray(self.combine(*whole_sums(cells, ends, self.needs_shares, fixed)))
        scores = self._room(len(ends))
        whole_row_scores(self.compiled, cells, ends, self.needs_shares, fixed, scores)
        return scores if self.pairs else scores[0]

    def _room(self, n: int) -> FloatArray:
        return np.empty((1 + self.pairs, n))

    @cached_property
    def compiled(self) -> Any:
        """The combination as kernels call it, or None where it cannot be compiled."""
        combine = getattr(self.combine, "py_func", self.combine)  # numba may have compiled it
        if not isinstance(combine, FunctionType):
            return None
        loop = cast(FunctionType, _loop_of_two if self.pairs else _loop)
        return pointer(over_many(loop, combine), SIGNATURE)

    def fixed(self, n: int) -> FixedPoint | None:
        """Return h in whole units for nodes of up to n cases; None where units are too coarse.

        Sums of whole numbers are exact: they can be kept up to date cut by cut, and the order of
        the cases leaves no trace in them.
        """
        return self._fixed.up_to(n)

    @cached_property
    def needs_shares(self) -> bool:
        """Whether the formula uses the shares, which take divisions: not if named `_shares`."""
        return not list(signature(self.combine).parameters)[2].startswith("_")


def sums_of(cell: Cell, *, pairs: bool = False) -> Callable[[Combine], SumFormula]:
    """Make a formula over tables of a function of their sums; see this module's text.

    The function is called with cells, branches, shares, classes, whole and n, in this order; it
    should be plain arithmetic, so that numba can compile it. A third parameter named `_shares`
    saves their divisions.

    Parameters
    ----------
    cell
        h: from counts to numbers, elementwise, with h(0) = 0.
    pairs
        Whether the function returns two scores, which one pass over the cases then gives both.

    Examples
    --------
    >>> import numpy as np
    >>> @sums_of(np.square)
    ... def gini(cells, branches, shares, classes, whole, n):
    ...     return shares / n - classes / whole
    >>> round(float(gini(np.array([[3.0, 0.0], [1.0, 4.0]]))), 6)
    0.3
    """

    def make(combine: Combine) -> SumFormula:
        return SumFormula(cell, combine, pairs)

    return make
