"""`Coded`: every value of every feature as a small integer, ready to be counted.

*axis*      how one feature was coded.
*nominal*   code = number of the label, no order.
*interval*  code = number of the interval of a discretizer, ordered.
*numeric*   code = rank among the distinct values (exact) or, where there are more of them than
            bins, number of the bin; ordered.
"""

from collections.abc import Sequence
from typing import Literal, TypeVar

import attrs
import numpy as np

from treelab._threads import in_parallel
from treelab._typing import AnyArray, CodeArray, FloatArray, IndexArray, IntArray
from treelab.data.coding import Coding
from treelab.data.cut_rule import CutRule
from treelab.data.dataset import Dataset
from treelab.data.quantiles import midway, quantile_borders
from treelab.data.schema import Column
from treelab.data.weights import summable
from treelab.errors import ParameterError, shown
from treelab.kernels.digitize import bin_numbers, rank_numbers

Kind = Literal["nominal", "interval", "numeric"]
Array = TypeVar("Array", bound=AnyArray)

MANY = 2**13
"""So many cases are worth a thread a column."""

ANY_CUT = CutRule()
"""Every cut between two values of a node, halfway."""

ANY_NUMBER = float(np.finfo(np.float64).max)
"""The threshold that every number passes: it parts known values from missing ones."""


FEW_POINTS = 2**16
"""A bin of a feature of more distinct values is stood for by its middle, not by its mean, and the
outer ones reach out as far as their neighbours': then ends are all that need be known."""


@attrs.frozen(eq=False)
class Axis:
    """How one feature was coded.

    `points` are, for a numeric feature, its distinct values, or the upper ends of all bins but the
    last; `means` are then what stands for the bins, their means or middles.
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

    def thresholds(self, low: IndexArray, high: IndexArray, cuts: CutRule = ANY_CUT) -> FloatArray:
        """Return the numbers that separate codes `low` from the next ones that occur, `high`.

        Without a next one (-1) it is the largest number there is.
        """
        found, ends = np.full(len(low), ANY_NUMBER), high >= 0
        below, above = self.points[low[ends]], high[ends]
        if not self.binned:
            below = cuts.thresholds(below, self.points[above], self.points)
        found[ends] = below
        return found

    def follows(self, cuts: CutRule) -> IndexArray:
        """Return the first code above each that a cut may part from it."""
        is_exact = self.kind == "numeric" and not self.binned
        return cuts.follows(self.points) if is_exact else np.arange(1, self.n_codes + 1)


@attrs.frozen(eq=False)
class Coded:
    """The codes of all features, one contiguous row per feature, with classes and weights.

    `cuts` is the rule by which numeric features may be cut.
    """

    codes: CodeArray
    axes: tuple[Axis, ...]
    y: IntArray
    weights: FloatArray
    n_classes: int
    cuts: CutRule = ANY_CUT

    @classmethod
    def of(
        cls, data: Dataset, coding: Coding, bins: int | None = None, cuts: CutRule = ANY_CUT
    ) -> "Coded":
        """Code a data set: cut features by `coding`, the other numeric ones by rank or bin."""
        if not isinstance(coding, Coding):
            problem = f"the fit of a discretizer must return a Coding, got {shown(coding)}"
            raise ParameterError(problem)
        usable = summable(np.where(data.y >= 0, data.weights, 0.0))

        def code(column: tuple[Column, AnyArray]) -> tuple[Axis, CodeArray]:
            axis, values = _code_column(*column, usable, coding, bins)
            # -1 (missing) wraps round to the largest code of the type, which is reserved for it.
            return axis, values.astype(code_type(axis.n_codes))

        columns = [*zip(data.schema.features, data.columns, strict=True)]
        coded = in_parallel(code, columns) if len(data) >= MANY else [*map(code, columns)]
        axes = tuple(axis for axis, _ in coded)
        dtype = code_type(max((axis.n_codes for axis in axes), default=0))
        codes = np.empty((len(axes), len(data)), dtype)
        for row, (_, values) in zip(codes, coded, strict=True):
            row[:] = values
            if values.dtype != dtype:
                row[values == np.iinfo(values.dtype).max] = np.iinfo(dtype).max
        return cls(fixed(codes), axes, data.y, data.weights, len(data.classes), cuts)

    @property
    def to_learn_from(self) -> IndexArray:
        """The cases of known class whose weight is not 0."""
        return np.flatnonzero((self.weights > 0) & (self.y >= 0))

    def take(self, rows: IndexArray) -> "Coded":
        """Return some cases, in the given order."""
        return attrs.evolve(
            self, codes=fixed(self.codes[:, rows]), y=self.y[rows], weights=self.weights[rows]
        )

    def with_codes(self, feature: int, codes: CodeArray) -> "Coded":
        """Return the same cases with other values of one feature."""
        changed = self.codes.copy()
        changed[feature] = codes
        return attrs.evolve(self, codes=fixed(changed))


def fixed(array: Array) -> Array:
    """Make an array read-only, as kernels are given it: for others they are compiled anew."""
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
    if bins is not None:
        points, mass = _masses(values, weights)
        if len(points) > bins:
            axis = binned_axis(points, mass, bins)
            return axis, codes_on(axis, values)
    points, ranks = _ranks(values)
    return Axis("numeric", len(points), points), ranks


def binned_axis(points: FloatArray, mass: FloatArray, bins: int) -> Axis:
    """Return the axis of bins of about the same weight; there are more points than bins."""
    ends = midway(*quantile_borders(points, mass, bins))
    if len(points) > FEW_POINTS:
        return axis_of_ends(ends)
    first = np.searchsorted(points, ends, side="right")
    return Axis("numeric", len(ends) + 1, ends, _means(points, mass, [0, *first]))


def axis_of_ends(ends: FloatArray) -> Axis:
    """Return the axis of bins of very many values, known by their ends: see `FEW_POINTS`.

    >>> axis_of_ends(np.array([1.0, 2.0, 4.0])).values
    array([0.5, 1.5, 3. , 5. ])
    """
    gaps = np.diff(ends) if len(ends) > 1 else np.ones(1)
    with np.errstate(over="ignore"):
        outer = ends[:1] - gaps[0] / 2, midway(ends[:-1], ends[1:]), ends[-1:] + gaps[-1] / 2
    middles = np.concatenate(outer) if len(ends) else np.zeros(1)
    return Axis("numeric", len(ends) + 1, ends, np.clip(middles, -ANY_NUMBER, ANY_NUMBER))


def codes_on(axis: Axis, values: AnyArray) -> AnyArray:
    """Return the codes of values on a nominal or numeric axis; -1 where they are missing."""
    return values if axis.kind == "nominal" else bin_numbers(values, axis.points)


def _means(points: FloatArray, mass: FloatArray, firsts: Sequence[int]) -> FloatArray:
    """Return the weighted mean of each bin, whose first points are given."""
    # A power of two changes no digit, and keeps sums of the largest numbers finite.
    scale = 2.0**-500 if max(-points[0], points[-1]) > 2.0**500 else 1.0
    sums = np.add.reduceat(points * scale * mass, firsts)
    return np.asarray(sums / np.add.reduceat(mass, firsts) / scale)


def _ranks(values: FloatArray) -> tuple[FloatArray, AnyArray]:
    """Return the distinct values, ascending, and the rank of each value; -1 for NaN."""
    points, ranks = np.empty(len(values)), np.empty(len(values), np.int32)
    n_points = rank_numbers(values, np.argsort(values), points, ranks)
    return points[:n_points].copy(), ranks


def _masses(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the distinct values that weigh something, ascending, and their weights."""
    if np.all(weights == 1.0):  # numbers alone are sorted much faster
        values = np.sort(values)
        values = values[: np.searchsorted(values, np.nan)]  # NaN comes last
        first = _firsts(values)
        mass = np.empty(len(first))
        np.subtract(np.append(first[1:], len(values)), first, out=mass)
    else:
        counts = ~np.isnan(values) & (weights > 0)
        order = np.flatnonzero(counts)[np.argsort(values[counts])]
        values = values[order]
        first = _firsts(values)
        mass = np.add.reduceat(weights[order], first) if len(first) else np.empty(0)
    return values[first], mass


def _firsts(ordered: FloatArray) -> IndexArray:
    """Return where each distinct value of ordered ones begins."""
    return np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])


def code_type(n_codes: int) -> type[np.unsignedinteger]:
    """Return the smallest type that holds so many codes and one for missing."""
    if n_codes < 2**8:
        return np.uint8
    return np.uint16 if n_codes < 2**16 else np.uint32
