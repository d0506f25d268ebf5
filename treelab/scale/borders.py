"""Exact borders of bins by counting digits, in fixed memory, however many values there are.

Keys are numbers of 64 bits in the order of the values. A border lies in one *cell*, a range of keys
that begin with the same bits; each pass over the data counts the next digit of the keys in the
cells of all borders, and leaves cells that are narrower by a factor of 256. When few distinct
keys can be left, the last pass collects them.
"""

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.quantiles import midway
from treelab.kernels.digits import KeyCells, Keys, count_digits, mark_inside
from treelab.scale.keys import BITS, bits_of, keys_of, values_of_keys
from treelab.scale.summaries import FIRST, Digits, Points

DIGIT = 8
"""So many bits of a key are counted in a pass: 512 kB for the borders of 255 bins."""

NONE = np.uint64(2**64 - 1)
"""Larger than the key of any number."""


@attrs.frozen(eq=False)
class Cells:
    """Ranges of keys, ascending: from each of `starts` on, 2 ** `width` keys.

    `below` is the weight of all values below a cell, `mass` the one in it.
    """

    starts: Keys
    below: FloatArray
    mass: FloatArray
    width: int

    @property
    def digit(self) -> int:
        """The bits of the next digit."""
        return min(DIGIT, self.width)

    @property
    def _of_keys(self) -> KeyCells:
        return KeyCells(self.starts, self.width, self.digit)

    def counted(self, values: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the weight of the next digits (cell, digit) of some values."""
        found = np.zeros((len(self.starts), 1 << self.digit))
        count_digits(bits_of(values), weights, self._of_keys, found)
        return found

    def collected(self, values: FloatArray, weights: FloatArray) -> "Collected":
        """Return the distinct values in cells, and the first key between each and the next.

        Values that weigh nothing do not count.
        """
        after, inside = np.full(len(self.starts) + 1, NONE), np.zeros(len(values), np.bool_)
        mark_inside(bits_of(values), weights, self._of_keys, inside, after)
        return Collected(Points.of(values[inside], weights[inside]), after)


@attrs.frozen(eq=False)
class Collected:
    """What is in cells, and the first key behind each that is in none."""

    points: Points
    after: Keys

    def __add__(self, other: "Collected") -> "Collected":
        return Collected(self.points + other.points, np.minimum(self.after, other.after))


@attrs.frozen
class Search:
    """Looks for the borders of so many bins of values of so much weight."""

    bins: int
    total: float

    def first_cells(self, digits: Digits) -> Cells:
        """Return the cells of the borders by the leading digits."""
        return self._cells(np.zeros(1, np.uint64), np.zeros(1), digits.mass[None, :], BITS - FIRST)

    def next_cells(self, cells: Cells, counted: FloatArray) -> Cells:
        """Return narrower cells."""
        return self._cells(cells.starts, cells.below, counted, cells.width - cells.digit)

    def _cells(self, starts: Keys, below: FloatArray, counted: FloatArray, width: int) -> Cells:
        before = below[:, None] + np.cumsum(counted, axis=1) - counted
        cell, digit = np.nonzero(counted)
        firsts = starts[cell] + (digit.astype(np.uint64) << np.uint64(width))
        mass, before = counted[cell, digit], before[cell, digit]
        kept = self._last_before_borders(before)
        return Cells(firsts[kept], before[kept], mass[kept], width)

    def _last_before_borders(self, before: FloatArray) -> IndexArray:
        """Return the last place whose first value is below each border; see `quantile_borders`."""
        number = before * self.bins / self.total + 1e-9
        return np.unique(np.searchsorted(number, np.arange(1, self.bins)) - 1)

    def ends(self, cells: Cells, found: Collected) -> FloatArray:
        """Return the upper ends of all bins but the last."""
        keys, mass = keys_of(found.points.values), found.points.mass
        known = np.unique(np.concatenate([keys, found.after[found.after != NONE]]))
        cell = np.searchsorted(cells.starts, keys, side="right") - 1
        inner = np.cumsum(mass) - mass
        first = np.searchsorted(keys, cells.starts)
        before = cells.below[cell] + inner - inner[first][cell]
        below = keys[self._last_before_borders(before)]
        next_one = np.searchsorted(known, below, side="right")
        ends = next_one < len(known)
        return midway(values_of_keys(below[ends]), values_of_keys(known[next_one[ends]]))
