"""ChiMerge and its plain form: merge neighbouring intervals of similar classes."""

from typing import ClassVar, Literal

import attrs
import numpy as np
from scipy.stats import chi2

from treelab._typing import FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.discretize.checks import choice, positive, positive_or_none, share
from treelab.discretize.profile import Profile, coding_by_class
from treelab.kernels.merging import merge_intervals

Empty = Literal["0.1", "skip", "floor"]
EMPTY: dict[Empty, tuple[float, float]] = {
    "0.1": (0.1, 0.0),
    "skip": (0.0, 0.0),
    "floor": (0.0, 0.5),
}
"""What is expected of a cell that nothing is expected of, and the least divisor."""


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
    empty
        A class that is in neither interval is expected '0.1' times (the book); 'skip': it
        tells nothing; 'floor': no expectation counts less than 0.5 as a divisor (Kerber).
    """

    supervised: ClassVar[bool] = True
    alpha: float = attrs.field(default=0.1, validator=share)
    max_intervals: int | None = attrs.field(default=None, validator=positive_or_none)
    empty: Empty = attrs.field(default="0.1", validator=choice(EMPTY))

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""
        return coding_by_class(data, self._cuts)

    def _cuts(self, profile: Profile) -> FloatArray:
        classes = profile.counts.shape[1]
        threshold = float(chi2.isf(self.alpha, classes - 1)) if classes > 1 else np.inf
        most = len(profile.points) if self.max_intervals is None else self.max_intervals
        return _merged(profile, threshold, most, self.empty)


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
