"""`Profile`: what a discretizer needs to know of a numeric feature.

*point*  a value that occurs, each listed once, ascending.
*place*  where a cut may lie: place i is between point i - 1 and point i.
"""

from collections.abc import Callable

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.data.checks import check_dataset
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.quantiles import cut_between
from treelab.errors import DataError


@attrs.frozen(eq=False)
class Profile:
    """The points of a feature and the weight of each class at each of them: (point, class)."""

    points: FloatArray
    counts: FloatArray
    feature: str = ""

    @classmethod
    def of(
        cls,
        values: FloatArray,
        weights: FloatArray,
        y: IndexArray,
        n_classes: int,
        feature: str = "",
    ) -> "Profile":
        """Sort and count known values; only the classes that occur are kept."""
        order = _summing_order(values, y, weights)
        points, place = np.unique(values[order], return_inverse=True)
        cell = place * n_classes + y[order]
        size = len(points) * n_classes
        counts = np.asarray(np.bincount(cell, weights[order], size), np.float64)
        table = _exact(counts).reshape(len(points), n_classes)
        return cls(points, np.ascontiguousarray(table[:, table.any(axis=0)]), feature)

    @property
    def mass(self) -> FloatArray:
        """The weight at each point."""
        return np.asarray(self.counts.sum(axis=1))

    def cuts(self, places: IndexArray) -> FloatArray:
        """Return the numbers that separate the points at some places."""
        return cut_between(self.points[places - 1], self.points[places])


def coding_by_mass(data: Dataset, cuts: Callable[[Profile], FloatArray]) -> Coding:
    """Cut every numeric feature by its values alone."""
    check_dataset(data)
    everyone = data.weights > 0
    return _coding(data, everyone, np.zeros(len(data), np.int64), 1, cuts)


def coding_by_class(data: Dataset, cuts: Callable[[Profile], FloatArray]) -> Coding:
    """Cut every numeric feature by its values and the classes of the cases."""
    return _coding(data, labelled(data), data.y.astype(np.int64), len(data.classes), cuts)


def profile_by_mass(data: Dataset, feature: str) -> Profile:
    """Return what discretizers that look at values alone see of a feature."""
    check_dataset(data)
    return _profile(data, feature, data.weights > 0, np.zeros(len(data), np.int64), 1)


def profile_by_class(data: Dataset, feature: str) -> Profile:
    """Return what discretizers that look at the classes see of a feature."""
    return _profile(data, feature, labelled(data), data.y.astype(np.int64), len(data.classes))


def labelled(data: Dataset) -> IndexArray:
    """Return the cases that have a class and a weight."""
    check_dataset(data)
    if not data.classes:
        lack = "known class" if data.target else "target"
        raise DataError(f"this discretizer looks at the classes, but the data have no {lack}")
    return np.flatnonzero((data.weights > 0) & (data.y >= 0))


def _coding(
    data: Dataset,
    rows: AnyArray,
    y: IndexArray,
    n_classes: int,
    cuts: Callable[[Profile], FloatArray],
) -> Coding:
    found = {}
    for column in data.schema.features:
        if not column.is_nominal:
            profile = _profile(data, column.name, rows, y, n_classes)
            found[column.name] = cuts(profile) if len(profile.points) > 1 else np.empty(0)
    return Coding(found).on(data.schema)


def _profile(data: Dataset, feature: str, rows: AnyArray, y: IndexArray, n_classes: int) -> Profile:
    mine, weights, classes = data[feature][rows], data.weights[rows], y[rows]
    known = ~np.isnan(mine)
    return Profile.of(mine[known], weights[known], classes[known], n_classes, feature)


def _summing_order(values: FloatArray, y: IndexArray, weights: FloatArray) -> IndexArray | slice:
    """Return an order in which fractions sum up alike, whatever the order of the cases."""
    if np.array_equal(weights, np.floor(weights)):
        return slice(None)
    return np.lexsort((weights, y, values))


def _exact(counts: FloatArray) -> FloatArray:
    """Return counts, changed in their last bits, so that any sums of them are exact.

    They become multiples of one power of two, of which the total has less than 2^52. Whole
    counts stay as they are, and a count never becomes 0.
    """
    unit = 2.0 ** (np.ceil(np.log2(max(counts.sum(), np.finfo(float).tiny))) - 51)
    return np.where(counts > 0, np.maximum(np.round(counts / unit), 1.0) * unit, 0.0)
