"""Cut points that do not look at the class: equal width and equal frequency."""

from collections.abc import Iterator
from typing import ClassVar

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.checks import check_dataset
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.quantiles import quantile_cuts
from treelab.data.ranges import in_units
from treelab.discretize.checks import at_least, positive

MOST_BINS = 100_000
"""Intervals of equal width take memory whether a value falls into them or not."""


@attrs.frozen
class EqualWidth:
    """Intervals of equal width between the least and the largest value.

    A value x falls into interval floor((x - lo) / (hi - lo) * bins), the largest value into the
    last one (duch2004; vilalta2001 uses 10).
    """

    supervised: ClassVar[bool] = False
    bins: int = attrs.field(default=10, validator=at_least(1, MOST_BINS, whole=True))

    def fit(self, data: Dataset) -> Coding:
        cuts = {name: self._cuts(values) for name, values, _ in numeric_columns(data)}
        return Coding(cuts).on(data.schema)

    def _cuts(self, values: FloatArray) -> FloatArray:
        """Return the borders, moved by a rounding error where the formula asks for it.

        The plain border `low + width * j` may fall on the wrong side of a value that lies on it:
        each border is kept between the values the formula puts below and above it.
        """
        points = np.unique(values)
        if len(points) < 2 or self.bins < 2:
            return np.empty(0)
        code = self._codes(points)
        j = np.arange(1, code[-1] + 1)
        above = np.searchsorted(code, j)
        share = j / self.bins
        border = points[0] * (1 - share) + points[-1] * share
        least = np.nextafter(points[above - 1], np.inf)
        return np.unique(np.clip(border, least, points[above]))

    def _codes(self, points: FloatArray) -> IndexArray:
        with np.errstate(over="ignore"):
            width = points[-1] - points[0]
        if np.isinf(width):
            return self._codes(points / 2)
        place = np.floor(in_units(points - points[0], width) * self.bins)
        return np.asarray(np.minimum(place, self.bins - 1), np.int64)


@attrs.frozen
class EqualFrequency:
    """Intervals of about equally many cases; equal values stay together (duch2004)."""

    supervised: ClassVar[bool] = False
    bins: int = attrs.field(default=10, validator=positive)

    def fit(self, data: Dataset) -> Coding:
        cuts = {n: quantile_cuts(values, w, self.bins) for n, values, w in numeric_columns(data)}
        return Coding(cuts).on(data.schema)


def numeric_columns(data: Dataset) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """Yield name, known values and weights of each numeric feature; weight 0 is left out."""
    check_dataset(data)
    for column, values in zip(data.schema.features, data.columns, strict=True):
        if not column.is_nominal:
            known = ~np.isnan(values) & (data.weights > 0)
            yield column.name, values[known], data.weights[known]
