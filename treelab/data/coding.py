"""`Coding`: cut points that turn numeric features into ordered intervals."""

from collections.abc import Mapping
from itertools import pairwise

import attrs
import numpy as np

from treelab._markup import notebook_html
from treelab._text import aligned, count
from treelab._typing import AnyArray, FloatArray, IndexArray, IntArray
from treelab.data.dataset import Dataset
from treelab.data.intervals import Intervals, intervals_of
from treelab.data.scales import Scale
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, ParameterError, shown
from treelab.kernels.digitize import bin_numbers


def _frozen_cuts(cuts: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    if not isinstance(cuts, Mapping):
        raise ParameterError(
            f"cut points go with the names of features, as in {{'width': [0.8]}}, got {shown(cuts)}"
        )
    frozen = {}
    for feature, points in cuts.items():
        array = _numbers(feature, points) + 0.0  # not -0.0, which is written otherwise
        if not np.all(np.isfinite(array)) or np.any(array[1:] <= array[:-1]):
            raise ParameterError(f"the cut points of {feature!r} must be finite and ascending")
        array.flags.writeable = False
        frozen[str(feature)] = array
    return frozen


def _numbers(feature: str, points: object) -> FloatArray:
    try:
        array = np.array(points, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(())
    if array.ndim != 1:
        raise ParameterError(
            f"the cut points of {feature!r} must be a list of numbers, got {shown(points)}"
        )
    return array


def found_among(values: AnyArray, ends: FloatArray) -> IntArray:
    """Return how many of the ascending ends lie below each number; -1 for NaN.

    Kernels are compiled for read-only columns, as data sets have them.
    """
    plain = np.ascontiguousarray(values, np.float64).view()
    plain.flags.writeable = False
    return bin_numbers(plain, ends)


def _on_scale(points: FloatArray, scale: Scale) -> FloatArray:
    return np.unique([scale.up(point) for point in points.tolist()])


def _labels_on(scale: Scale, points: list[float]) -> tuple[str, ...]:
    inner = [scale.span(low, high) for low, high in pairwise(points)]
    return (f"< {scale.write(points[0])}", *inner, f">= {scale.write(points[-1])}")


@attrs.frozen(eq=False)
class Coding:
    """Cut points per feature; a value x falls into the interval [lower cut, upper cut).

    Features without an entry stay as they are. A coding is made from training data and then
    applied to any data: it travels with the tree that was grown on it. `scales` say how the cut
    points of dates, times and ordered labels are written; `on` finds them.

    Examples
    --------
    >>> coding = Coding({"width": [0.8, 1.75]})
    >>> coding.labels("width")
    ('< 0.8', '0.8..1.75', '>= 1.75')
    >>> coding.codes("width", np.array([0.2, 0.8, 3.0, np.nan])).tolist()
    [0, 1, 2, -1]
    >>> print(coding)
    width  < 0.8 | 0.8..1.75 | >= 1.75
    """

    cuts: Mapping[str, FloatArray] = attrs.field(factory=dict, converter=_frozen_cuts)
    scales: Mapping[str, Scale] = attrs.field(factory=dict, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Coding):
            return NotImplemented
        return self.cuts.keys() == other.cuts.keys() and all(
            np.array_equal(points, other.cuts[feature]) for feature, points in self.cuts.items()
        )

    def __hash__(self) -> int:
        return hash(tuple(self.cuts))

    def __contains__(self, feature: str) -> bool:
        return feature in self.cuts

    def on(self, schema: Schema) -> "Coding":
        """Return the same intervals of columns whose scales are known.

        A cut point moves up to the next number on its scale, which parts the same values, and two
        that meet there are one: no date lies between half past two days and the next day.
        """
        scales = {c.name: c.scale for c in schema.features if c.scale and c.name in self}
        moved = {name: _on_scale(self.cuts[name], scale) for name, scale in scales.items()}
        return Coding({**self.cuts, **moved}, scales)

    def codes(self, feature: str, values: FloatArray) -> IndexArray:
        """Return the number of the interval of each value; -1 for a missing value."""
        with np.errstate(over="ignore", under="ignore"):  # below the least number is -infinity
            # What is at least a number is above the number just below it.
            below = np.nextafter(self.cuts[feature], -np.inf)
        return found_among(values, below).astype(np.int64)

    def labels(self, feature: str) -> tuple[str, ...]:
        """Return the intervals in words."""
        if not len(self.cuts[feature]):
            return ("any",)
        if feature in self.scales:
            return _labels_on(self.scales[feature], self.cuts[feature].tolist())
        points = [f"{point:.12g}" for point in self.cuts[feature]]
        if len(set(points)) < len(points):
            points = [f"{point:.17g}" for point in self.cuts[feature]]
        inner = [f"{low}..{high}" for low, high in pairwise(points)]
        return (f"< {points[0]}", *inner, f">= {points[-1]}")

    def __str__(self) -> str:
        if not self.cuts:
            return "no feature is cut"
        return aligned([[name, " | ".join(self.labels(name))] for name in self.cuts])

    def __repr__(self) -> str:
        cut = (f"{name!r} ({count(len(at), 'cut')})" for name, at in self.cuts.items())
        return f"<Coding of {', '.join(cut) or 'no feature'}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        if not self.cuts:
            return notebook_html(str(self))
        rows = [[name, " | ".join(self.labels(name))] for name in self.cuts]
        return notebook_html("", (["feature", "intervals"], rows, [False, False]))

    def describe(self, data: Dataset) -> Intervals:
        """Count the cases, and their class shares, in every interval of every cut feature.

        Missing values come last; the result is a sequence and prints as a table.
        """
        self.check_numeric(data)
        own = self.on(data.schema)
        return Intervals(
            tuple(
                row
                for name in own.cuts
                for row in intervals_of(name, own.labels(name), own.codes(name, data[name]), data)
            )
        )

    def column(self, column: Column) -> Column:
        """Return what a column becomes."""
        return Column(column.name, self.labels(column.name)) if column.name in self else column

    def apply(self, data: Dataset) -> Dataset:
        """Return the data with every cut feature as a nominal feature of intervals."""
        self.check_numeric(data)
        own = self.on(data.schema)
        schema = Schema(tuple(map(own.column, data.schema.features)), data.schema.target)
        columns = [
            own.codes(name, values) if name in own else values
            for name, values in zip(data.features, data.columns, strict=True)
        ]
        return Dataset.of(schema, columns, data.y, data.weights, data.name, len(data))

    def check_numeric(self, data: Dataset) -> None:
        """Raise unless every cut feature is there and numeric."""
        for name in self.cuts:
            if data.schema.features[data.schema.index(name)].is_nominal:
                raise DataError(f"column {name!r} is nominal; only numeric columns can be cut")
