"""`Coded`: every value of every feature as a small integer, ready to be counted.

*axis*      how one feature was coded.
*nominal*   code = number of the label, no order.
*interval*  code = number of the interval of a discretizer, ordered.
*numeric*   code = rank among the distinct values (exact) or, where there are more of them than
            bins, number of the bin; ordered.
"""

from typing import Literal, TypeVar

import attrs
import numpy as np

from treelab._typing import AnyArray, CodeArray, FloatArray, IndexArray, IntArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.quantiles import midway, quantile_borders
from treelab.data.schema import Column

Kind = Literal["nominal", "interval", "numeric"]
Array = TypeVar("Array", bound=AnyArray)

ANY_NUMBER = float(np.finfo(np.float64).max)
"""The threshold that every number passes: it parts known values from missing ones."""


@attrs.frozen(eq=False)
class Axis:
    """How one feature was coded.

    `points` are, for a numeric feature, its distinct values, or the upper ends of all bins but the
    last; `means` are then the means of the bins.
    """

    kind: Kind
    n_codes: int
    points: FloatArray = attrs.field(factory=lambda: np.empty(0))
    means: FloatArray | None = None

    @property
    def binned(self) -> bool:
        return self.means is not None

    @property
    def values(self) -> FloatArray:
        """The number that stands for each code: the value itself, or the mean of the bin."""
        return self.points if self.means is None else self.means

    def threshold(self, low: int, high: int) -> float:
        """Return the number that separates code `low` from the next code that occurs, `high`.

        Without a next one (-1) it is the largest number there is.
        """
        if high < 0:
            return ANY_NUMBER
        if self.binned:
            return float(self.points[low])
        return float(midway(self.points[low], self.points[high]))


@attrs.frozen(eq=False)
class Coded:
    """The codes of all features, one contiguous row per feature, with classes and weights."""

    codes: CodeArray
    axes: tuple[Axis, ...]
    y: IntArray
    weights: FloatArray
    n_classes: int

    @classmethod
    def of(cls, data: Dataset, coding: Coding, bins: int | None = None) -> "Coded":
        """Code a data set: cut features by `coding`, the other numeric ones by rank or bin."""
        usable = np.where(data.y >= 0, data.weights, 0.0)
        coded = [
            _code_column(column, values, usable, coding, bins)
            for column, values in zip(data.schema.features, data.columns, strict=True)
        ]
        axes = tuple(axis for axis, _ in coded)
        dtype = _code_type(max((axis.n_codes for axis in axes), default=0))
        codes = np.empty((len(axes), len(data)), dtype)
        for row, (_, values) in zip(codes, coded, strict=True):
            # -1 (missing) wraps round to the largest code of the type, which is reserved for it.
            row[:] = values.astype(dtype)
        return cls(_fixed(codes), axes, data.y, data.weights, len(data.classes))

    def take(self, rows: IndexArray) -> "Coded":
        """Return some cases, in the given order."""
        return attrs.evolve(
            self, codes=_fixed(self.codes[:, rows]), y=self.y[rows], weights=self.weights[rows]
        )

    def with_classes(self, y: IntArray) -> "Coded":
        """Return the same cases with other classes."""
        return attrs.evolve(self, y=_fixed(y.astype(self.y.dtype)))

    def with_codes(self, feature: int, codes: CodeArray) -> "Coded":
        """Return the same cases with other values of one feature."""
        changed = self.codes.copy()
        changed[feature] = codes
        return attrs.evolve(self, codes=_fixed(changed))


def _fixed(array: Array) -> Array:
    # Kernels are compiled anew for arrays that can be written to.
    array.flags.writeable = False
    return array


def _code_column(
    column: Column, values: AnyArray, weights: FloatArray, coding: Coding, bins: int | None
) -> tuple[Axis, AnyArray]:
    if column.is_nominal:
        return Axis("nominal", column.n_labels), values
    if column.name in coding:
        return Axis("interval", len(coding.cuts[column.name]) + 1), coding.codes(
            column.name, values
        )
    known = ~np.isnan(values)
    points, ranks = np.unique(values[known], return_inverse=True)
    mass = np.asarray(np.bincount(ranks, weights[known], len(points)), dtype=np.float64)
    if bins is not None and np.count_nonzero(mass) > bins:
        return _bin_column(values, points[mass > 0], mass[mass > 0], bins)
    codes = np.full(len(values), -1)
    codes[known] = ranks
    return Axis("numeric", len(points), points), codes


def _bin_column(
    values: FloatArray, points: FloatArray, mass: FloatArray, bins: int
) -> tuple[Axis, AnyArray]:
    below, above = quantile_borders(points, mass, bins)
    ends = midway(below, above)
    codes = np.searchsorted(ends, values, side="left")
    codes[np.isnan(values)] = -1
    bin_of = np.searchsorted(ends, points, side="left")
    means = np.bincount(bin_of, points * mass) / np.bincount(bin_of, mass)
    return Axis("numeric", len(ends) + 1, ends, means), codes


def _code_type(n_codes: int) -> type[np.unsignedinteger]:
    for dtype in (np.uint8, np.uint16):
        if n_codes <= np.iinfo(dtype).max:
            return dtype
    return np.uint32
