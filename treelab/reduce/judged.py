"""What a feature reduction says, and the numbers it reads."""

from collections.abc import Mapping, Sequence
from math import inf

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.errors import DataError, ParameterError, check_number
from treelab.stats.ties import settled
from treelab.stats.units import unit_of


@attrs.frozen
class Reduction:
    """The score of each feature that was judged, larger being better, and the features kept.

    Features that cannot be judged, such as nominal ones by their means, are kept.
    """

    scores: Mapping[str, float]
    kept: tuple[str, ...]

    @property
    def ranking(self) -> tuple[str, ...]:
        """The judged features, the best first; in the order of the data among equals."""
        return tuple(sorted(self.scores, key=lambda name: -settled(self.scores[name])))

    @property
    def dropped(self) -> tuple[str, ...]:
        """The features not kept."""
        return tuple(name for name in self.scores if name not in self.kept)

    def apply(self, data: Dataset) -> Dataset:
        """Return the same cases with the features that are kept, of which there must be one."""
        if not self.kept and self.scores:
            best = self.ranking[0]
            raise ParameterError(
                f"no feature is kept: the best, {best!r}, scores {self.scores[best]:.6g}; "
                "give a lower threshold, or k"
            )
        return data.select(self.kept)


def by_threshold(data: Dataset, scores: Mapping[str, float], threshold: float) -> Reduction:
    """Keep the features whose score exceeds a threshold, and those without one."""
    check_number("threshold", threshold, -inf)
    return Reduction(scores, keeping(data, [n for n in scores if not scores[n] > threshold]))


def keeping(data: Dataset, dropped: Sequence[str]) -> tuple[str, ...]:
    """Return the features of the data but some."""
    return tuple(name for name in data.features if name not in dropped)


def numeric_names(data: Dataset) -> list[str]:
    """Return the names of the numeric features."""
    check_dataset(data)
    return [column.name for column in data.schema.features if not column.is_nominal]


def matrix(data: Dataset, features: Sequence[str]) -> FloatArray:
    """Return numeric features as a matrix (case, feature); no value may be missing."""
    check_dataset(data)
    for name in features:
        if data.schema.features[data.schema.index(name)].is_nominal:
            raise DataError(f"column {name!r} is nominal; numeric columns are needed")
        missing = int(np.isnan(data[name]).sum())
        if missing:
            raise DataError(
                f"column {name!r} has {missing} missing values; fill them in first, by "
                "treelab.reduce.filled, fill='mean' or --fill mean"
            )
    return np.column_stack([np.empty((len(data), 0)), *(data[name] for name in features)])


def in_ranges(values: FloatArray) -> FloatArray:
    """Return each column in a unit near its range, without rounding."""
    values = values / unit_of(values)
    return np.asarray(values / unit_of(np.ptp(values, axis=0)[None]))


def with_class(data: Dataset) -> Dataset:
    """Return the cases that have a class and a weight."""
    check_dataset(data)
    cases = data.usable()
    if not len(cases):
        raise DataError("no case has a known class and a weight above 0")
    return cases


def one_against_rest(data: Dataset) -> list[BoolArray]:
    """Return membership of each class that occurs; of two classes the second says it all."""
    present = np.unique(data.y)
    return [data.y == code for code in (present[1:] if len(present) == 2 else present)]
