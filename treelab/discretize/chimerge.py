"""ChiMerge and its plain form: merge neighbouring intervals of similar classes."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import attrs
import numpy as np
from scipy.special import chdtri

from treelab._typing import FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.discretize.checks import Validator, choice, positive, positive_or_none, share
from treelab.discretize.profile import Profile, coding_by_class
from treelab.errors import ParameterError
from treelab.kernels.merging import merge_intervals, pair_chi2

Empty = Literal["0.1", "skip", "floor"]
EMPTY: dict[Empty, tuple[float, float]] = {
    "0.1": (0.1, 0.0),
    "skip": (0.0, 0.0),
    "floor": (0.0, 0.5),
}
"""What is expected of a cell that nothing is expected of, and the least divisor."""


def interval_chi2(a: Sequence[float], b: Sequence[float], empty: Empty = "0.1") -> float:
    """Return chi-square of two neighbouring intervals by the weights of their classes.

    >>> round(interval_chi2([2, 0], [1, 1]), 3)
    1.333
    """
    return float(pair_chi2(np.asarray(a, float), np.asarray(b, float), *EMPTY[empty]))


ALPHA = 0.1


def _by_feature(given: Any) -> Any:
    """Return what was given, text such as 'age=3;income=5' as numbers by feature."""
    if not isinstance(given, str):
        return given
    pairs = [word.rpartition("=") for word in given.split(";") if word.strip()]
    try:
        numbers = {name.strip(): float(number) for name, _, number in pairs}
    except ValueError:
        numbers = {"": 0.0}
    if "" in numbers or len(numbers) < len(pairs) or not pairs:
        raise ParameterError(
            f"expected a number, or one for each feature such as 'age=3;income=5', got {given!r}"
        )
    return {name: int(x) if x.is_integer() else x for name, x in numbers.items()}


def _each(check: Validator) -> Validator:
    """Return a validator of what is given for all features, or for each by name."""

    def check_each(instance: object, field: Any, value: Any) -> None:
        for each in value.values() if isinstance(value, Mapping) else [value]:
            check(instance, field, each)

    return check_each


def _of_feature(given: Any, feature: str, default: Any) -> Any:
    return given.get(feature, default) if isinstance(given, Mapping) else given


@attrs.frozen
class ChiMerge:
    """Merge neighbours until all differ by a chi-square test (kantardzic2011 3.7, SPEC 4.8).

    Every value starts as an interval of its own. O(n log n) for n values.

    Parameters
    ----------
    alpha
        The level of the test, of as many degrees of freedom as there are classes, less one.
    max_intervals
        Raise the threshold, pair by pair, until there are so few; None for no such limit.
        Both may be given for each feature by name, or as text such as 'age=3;income=5';
        features that are not named have the default (the book: "defined separately for each").
    empty
        A class that is in neither interval is expected '0.1' times (the book); 'skip': it
        tells nothing; 'floor': no expectation counts less than 0.5 as a divisor (Kerber).
    """

    supervised: ClassVar[bool] = True
    alpha: float | Mapping[str, float] = attrs.field(
        default=ALPHA, converter=_by_feature, validator=_each(share)
    )
    max_intervals: int | Mapping[str, int | None] | None = attrs.field(
        default=None, converter=_by_feature, validator=_each(positive_or_none)
    )
    empty: Empty = attrs.field(default="0.1", validator=choice(EMPTY))

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""
        for given in (self.alpha, self.max_intervals):
            for name in given if isinstance(given, Mapping) else ():
                data.schema.index(name)
        return coding_by_class(data, self._cuts)

    def limits(self, profile: Profile) -> tuple[float, int]:
        """Return the chi-square below which it merges, and how many intervals it leaves at most."""
        classes = profile.counts.shape[1]
        alpha = _of_feature(self.alpha, profile.feature, ALPHA)
        threshold = float(chdtri(classes - 1, alpha)) if classes > 1 else np.inf
        limit = _of_feature(self.max_intervals, profile.feature, None)
        return threshold, len(profile.points) if limit is None else limit

    def _cuts(self, profile: Profile) -> FloatArray:
        return _merged(profile, *self.limits(profile), self.empty)


@attrs.frozen
class Chi2Merge:
    """Merge the neighbours of least chi-square until there are `bins` intervals.

    The leftmost pair goes first among equals; O(n log n) for n values.
    """

    supervised: ClassVar[bool] = True
    bins: int = attrs.field(default=5, validator=positive)
    empty: Empty = attrs.field(default="0.1", validator=choice(EMPTY))

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""
        return coding_by_class(data, self._cuts)

    def _cuts(self, profile: Profile) -> FloatArray:
        return _merged(profile, -np.inf, self.bins, self.empty)


def _merged(profile: Profile, threshold: float, most: int, empty: Empty) -> FloatArray:
    counts = profile.counts.copy()
    return profile.cuts(merge_intervals(counts, threshold, most, *EMPTY[empty]))
