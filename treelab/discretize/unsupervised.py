"""Cut points that do not look at the class: equal width and equal frequency."""

from collections.abc import Iterator

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.quantiles import quantile_cuts
from treelab.errors import ParameterError


def _at_least_one(_instance: object, _field: object, bins: int) -> None:
    if not isinstance(bins, int | np.integer) or bins < 1:
        raise ParameterError(f"bins must be a whole number of at least 1, got {bins!r}")


@attrs.frozen
class EqualWidth:
    """Intervals of equal width between the least and the largest value.

    A value x falls into interval floor((x - lo) / (hi - lo) * bins), the largest value into the
    last one (duch2004; vilalta2001 uses 10).
    """

    bins: int = attrs.field(default=10, validator=_at_least_one)

    def fit(self, data: Dataset) -> Coding:
        return Coding({name: self._cuts(values) for name, values, _ in numeric_columns(data)})

    def _cuts(self, values: FloatArray) -> FloatArray:
        if not len(values) or values.min() == values.max():
            return np.empty(0)
        low, high = values.min(), values.max()
        cuts = [self._first_in(interval, low, high) for interval in range(1, self.bins)]
        return np.unique(cuts)

    def _first_in(self, interval: int, low: float, high: float) -> float:
        """Return the least number the formula puts into an interval, to the last bit.

        The obvious `low + width * interval` may be off by rounding, which would send a value
        on a border to the wrong side.
        """
        cut = low + (high - low) * (interval / self.bins)
        while (cut - low) / (high - low) * self.bins < interval:
            cut = np.nextafter(cut, np.inf)
        while (np.nextafter(cut, -np.inf) - low) / (high - low) * self.bins >= interval:
            cut = np.nextafter(cut, -np.inf)
        return float(cut)


@attrs.frozen
class EqualFrequency:
    """Intervals of about equally many cases; equal values stay together (duch2004)."""

    bins: int = attrs.field(default=10, validator=_at_least_one)

    def fit(self, data: Dataset) -> Coding:
        return Coding(
            {n: quantile_cuts(values, w, self.bins) for n, values, w in numeric_columns(data)}
        )


def numeric_columns(data: Dataset) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """Yield name, known values and weights of each numeric feature; weight 0 is left out."""
    for column, values in zip(data.schema.features, data.columns, strict=True):
        if not column.is_nominal:
            known = ~np.isnan(values) & (data.weights > 0)
            yield column.name, values[known], data.weights[known]
