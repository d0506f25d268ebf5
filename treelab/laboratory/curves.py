"""A measure over the number of values: which way it goes, and in what shape."""

from collections.abc import Callable
from typing import Literal

import attrs
import numpy as np

from treelab._typing import FloatArray

Tendency = Literal["rises", "falls", "level", "turns", "unknown"]
SIGMAS = 4.0
"""Means that differ by so many standard errors of their difference differ."""


@attrs.frozen(eq=False)
class Curve:
    """Means with their standard errors, by the number of values."""

    values: FloatArray
    means: FloatArray
    errors: FloatArray

    @property
    def tendency(self) -> Tendency:
        """Whether it rises, falls, or does neither beyond what chance explains; or turns.

        Unknown where some mean or its error is.
        """
        if not np.isfinite([self.means, self.errors]).all():
            return "unknown"
        ups, downs = self._steps(1.0), self._steps(-1.0)
        if not ups and not downs:
            return "level"
        if ups and downs:
            return "turns"
        return "rises" if ups else "falls"

    def _steps(self, sign: float) -> bool:
        """Tell whether some later mean lies above (below) an earlier one, for sure."""
        gap = sign * (self.means[None, :] - self.means[:, None])
        # Rounding counts for nothing, also where all trials agree and the error is 0.
        margin = SIGMAS * np.hypot(self.errors[None, :], self.errors[:, None]) + 1e-9
        return bool(np.triu(gap > margin, 1).any())

    @property
    def slope(self) -> float:
        """The slope of the straight line that fits best."""
        return float(np.polyfit(self.values, self.means, 1)[0])

    @property
    def factor(self) -> float:
        """The last mean over the first."""
        return float(self.means[-1] / self.means[0])

    @property
    def steepness(self) -> FloatArray:
        """The slope from each mean to the next."""
        return np.asarray(np.diff(self.means) / np.diff(self.values))

    def fit(self, scale: Callable[[FloatArray], FloatArray] = np.asarray) -> float:
        """Return R^2 of the means with a function of the number of values; of the values, if none.

        >>> v = np.array([2.0, 5.0, 10.0])
        >>> Curve(v, 1 - 1 / v, 0 * v).fit(lambda v: 1 / v)
        1.0
        """
        return fit(scale(self.values), self.means)

    def fit_exponential(self) -> float:
        """Return R^2 of the logarithm of the means with the number of values."""
        return fit(self.values, np.log(self.means)) if (self.means > 0).all() else np.nan


def fit(x: FloatArray, y: FloatArray) -> float:
    """Return R^2 of the straight line through points; NaN for a level one."""
    if np.ptp(y) <= 1e-12 * np.abs(y).max() or len(x) < 3:
        return np.nan
    return round(float(np.corrcoef(x, y)[0, 1] ** 2), 12)
