"""Sets of features as one: the tuple of a case's values is its cell (duch2004 section 3, SPEC 3.4).

Only cells in which there are cases are numbered, so memory goes by the number of cases, not by the
number of cells there could be. A missing value is a value of its own here.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treelab._typing import AnyArray, FloatArray, IntArray
from treelab.data.coded import Coded

Subset = tuple[int, ...]
"""Numbers of features, in the order in which they were chosen."""

ROOM = 4
"""Up to so many possible cells a case are numbered by counting, more of them by sorting."""

KEPT = 16
"""So many numberings are kept: searches ask for sets that differ in their last feature."""


class Numbering(NamedTuple):
    """The number of the cell of each case, from 0 to n - 1."""

    of_case: IntArray
    n: int

    def crossed(self, codes: AnyArray, n_codes: int) -> "Numbering":
        """Part every cell by the codes of one more feature."""
        key = self.of_case.astype(np.int64) * n_codes + codes
        if self.n * n_codes > ROOM * len(key):
            keys, number = np.unique(key, return_inverse=True)
            return Numbering(number.astype(np.int32), len(keys))
        occupied = np.bincount(key, minlength=self.n * n_codes) > 0
        place = np.cumsum(occupied, dtype=np.int32) - 1
        return Numbering(place[key], int(place[-1]) + 1)


class Cells:
    """The tables of sets of coded features."""

    def __init__(self, coded: Coded) -> None:
        self.coded = coded
        self._numbering = lru_cache(KEPT)(self._number)

    @property
    def n_features(self) -> int:
        return len(self.coded.axes)

    def numbering(self, subset: Subset) -> Numbering:
        """Return the cell of each case by the values of some features."""
        if not subset:
            return self._numbering(())
        return self._crossed(self._numbering(subset[:-1]), subset[-1])

    def table(self, subset: Subset) -> FloatArray:
        """Return the weights (cell, class) of a set of features."""
        number, n = self.numbering(subset)
        n_classes = self.coded.n_classes
        key = number.astype(np.int64) * n_classes + self.coded.y
        counts = np.bincount(key, self.coded.weights, n * n_classes)
        return np.asarray(counts.reshape(n, n_classes), np.float64)

    def _number(self, subset: Subset) -> Numbering:
        if not subset:
            return Numbering(np.zeros(len(self.coded.y), np.int32), 1)
        return self._crossed(self._numbering(subset[:-1]), subset[-1])

    def _crossed(self, cells: Numbering, feature: int) -> Numbering:
        n_codes = self.coded.axes[feature].n_codes
        # The largest code of the type is reserved for missing: it comes behind the others.
        codes = np.minimum(self.coded.codes[feature], n_codes)
        return cells.crossed(codes, n_codes + 1)
