"""What partitions say about the numbers of a column; sums of summaries do not depend on the order.

*Points*  the distinct values with their weights, as long as there are few of them.
*Digits*  the weight of each leading digit of the key, where there are more.
"""

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import FEW_POINTS
from treelab.kernels.digits import count_leading
from treelab.scale.keys import bits_of

CAP = FEW_POINTS
"""Up to so many distinct values of a column are kept."""

FIRST = 16
"""So many bits the leading digit has."""


@attrs.frozen(eq=False)
class Points:
    """Distinct values, ascending, and the weight of each: 0 where no case is learnt from."""

    values: FloatArray
    mass: FloatArray

    @classmethod
    def of(cls, values: FloatArray, weights: FloatArray) -> "Points":
        """Return the points of some known values."""
        if np.all(weights == 1.0):  # numbers alone are sorted much faster
            distinct, n_cases = np.unique(values, return_counts=True)
            return cls(distinct, n_cases.astype(np.float64))
        distinct, place = np.unique(values, return_inverse=True)
        mass = np.bincount(place, weights, minlength=len(distinct))
        return cls(distinct, np.asarray(mass, np.float64))

    def __add__(self, other: "Points") -> "Points":
        both = np.concatenate([self.values, other.values])
        return Points.of(both, np.concatenate([self.mass, other.mass]))

    @property
    def weighed(self) -> "Points":
        """The values that weigh something."""
        weighs = self.mass > 0
        return Points(self.values[weighs], self.mass[weighs])


@attrs.frozen(eq=False)
class Digits:
    """The weight of each leading digit."""

    mass: FloatArray

    @classmethod
    def of(cls, points: Points) -> "Digits":
        """Return the digits of points, or of values that are neither distinct nor all known."""
        mass = np.zeros(1 << FIRST)
        count_leading(bits_of(points.values), points.mass, mass)
        return cls(mass)

    def __add__(self, other: "Digits") -> "Digits":
        return Digits(self.mass + other.mass)


Summary = Points | Digits


def summary_of(values: FloatArray, weights: FloatArray, cap: int) -> Summary:
    """Return the summary of a column, whose weights have exact sums."""
    known = ~np.isnan(values)
    # Where the first of them are too many, the others need not be sorted.
    weighed = (known & (weights > 0))[: 2 * cap]
    if len(np.unique(values[: 2 * cap][weighed])) > cap:
        return Digits.of(Points(values, weights))
    return _within(Points.of(values[known], weights[known]), cap)


def added(one: Summary, other: Summary, cap: int) -> Summary:
    """Return the summary of what two summaries are of."""
    if isinstance(one, Points) and isinstance(other, Points):
        return _within(one + other, cap)
    return _digits(one) + _digits(other)


def _within(points: Points, cap: int) -> Summary:
    return points if np.count_nonzero(points.mass) <= cap else Digits.of(points)


def _digits(summary: Summary) -> Digits:
    return summary if isinstance(summary, Digits) else Digits.of(summary)
