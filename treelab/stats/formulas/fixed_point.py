"""Functions of counts in fixed point: sums of whole numbers are exact, whatever their order.

Units are as small as sums over a node's cases allow. A node looks its counts up in the table of its
own number of cases, rounded up to `SMALL` or a power of 2 times it: which units it has depends on
the node alone, neither on its neighbours nor on data that were seen before.
"""

from collections.abc import Callable, Iterable, Iterator
from math import frexp, inf
from typing import TypeAlias

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.kernels.fixed_point import FixedPoint

Cell: TypeAlias = Callable[[FloatArray], FloatArray]
"""h: from counts to numbers, elementwise; h(0) = 0."""

SMALL = 2**15
"""Nodes of up to so many cases share a table of h; for larger ones it doubles in length."""

COARSE = 2.0**-33
"""Units must not be larger, unless they are exact: sums over a table would tell ties apart."""


@attrs.frozen(eq=False)
class Tables:
    """Tables of h for nodes of up to `reach` cases; for more, up to `tried`, there are none."""

    reach: float
    tried: float
    fixed: FixedPoint

    @classmethod
    def of(cls, cell: Cell, n: int) -> "Tables":
        """Make the tables for nodes of up to n cases, as far as units are not too coarse."""
        made = [*_in_all_units(cell, n)]
        reach = len(made[-1].units) - 1 if made else -1
        # Units only get coarser: where one table cannot be made, no longer one can.
        return cls(reach, reach if n <= reach else inf, stacked(made))


class FixedCell:
    """h in whole units, made when it is first needed.

    What is made is never changed: threads that look it up meanwhile keep what they have, and see
    the longer tables at once or not at all.
    """

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._tables = Tables(-1, -1, stacked([]))

    def up_to(self, n: int) -> FixedPoint | None:
        """Return h for nodes of up to n cases; None where units are too coarse."""
        tables = self._tables  # read once: other threads put longer tables here
        if n > tables.tried:
            tables = self._tables = Tables.of(self._cell, n)
        return tables.fixed if n <= tables.reach else None


def _in_all_units(cell: Cell, n: int) -> Iterator[FixedPoint]:
    most = SMALL
    while (table := in_units(cell, most)) is not None:
        yield table
        if most >= n:
            return
        most *= 2


def in_units(cell: Cell, n: int) -> FixedPoint | None:
    """Return h of 0 to n as multiples of a power of 2, as small as sums over n cases allow.

    None where that is too coarse.

    >>> squares = in_units(np.square, 3)
    >>> squares.units * squares.unit
    array([0., 1., 4., 9.])
    """
    counts = np.arange(n + 1.0)
    with np.errstate(over="ignore"):
        values = np.asarray(cell(counts), np.float64)
    largest = 2.0 * n * np.abs(values[1:] / counts[1:]).max(initial=0.0)
    if not np.isfinite(largest):
        return None
    unit = 2.0 ** (frexp(max(largest, 1.0))[1] - 62)
    units = np.round(values / unit)
    if unit > COARSE and not np.array_equal(units * unit, values):
        return None
    return FixedPoint(units.astype(np.int64), np.array([0, n + 1]), np.array([unit]))


def stacked(tables: Iterable[FixedPoint]) -> FixedPoint:
    """Return tables for more and more cases as one; a node looks up the first that will do."""
    nothing = FixedPoint(np.empty(0, np.int64), np.zeros(1, np.int64), np.empty(0))
    units, ends, unit = zip(nothing, *tables, strict=True)
    lengths = [end[-1] for end in ends]
    return FixedPoint(np.concatenate(units), np.cumsum(lengths), np.concatenate(unit))
