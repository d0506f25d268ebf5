"""Rounding to powers of ten until few values remain."""

from typing import ClassVar

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.discretize.checks import at_least, positive
from treelab.discretize.profile import Profile, coding_by_mass


def round_to_power(values: FloatArray, power: int) -> FloatArray:
    """Round numbers to multiples of 10^power, halves up (kantardzic2011 3.6, SPEC 4.7).

    >>> round_to_power(np.array([1453.0, -1457.0, -1455.0]), 1).tolist()
    [1450.0, -1460.0, -1450.0]
    """
    values = np.asarray(values, dtype=np.float64)
    if power > 308:  # beyond the largest number
        return np.zeros_like(values)
    with np.errstate(over="ignore", invalid="ignore"):
        if power >= 0:
            return np.asarray(_half_up(values / 10.0**power) * 10.0**power)
        # 10^-power is a whole number, and exact where 10^power is not; what is too large for that
        # has no digits so far behind the point.
        rounded = _half_up(values * 10.0**-power) / 10.0**-power
        return np.where(np.isfinite(rounded), rounded, values)


def _half_up(values: FloatArray) -> FloatArray:
    floor = np.floor(values)
    return np.asarray(floor + (values - floor >= 0.5))


@attrs.frozen
class Rounding:
    """Round to 10^first, 10^(first + 1), ... until at most `values` different ones remain.

    A feature that has no more than that stays apart as it is. An interval holds the values that
    round to the same number (kantardzic2011 3.6).
    """

    supervised: ClassVar[bool] = False
    values: int = attrs.field(default=10, validator=positive)
    first: int = attrs.field(default=1, validator=at_least(-300, whole=True))

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""
        return coding_by_mass(data, self._cuts)

    def _cuts(self, profile: Profile) -> FloatArray:
        rounded, power = profile.points, self.first
        while len(np.unique(rounded)) > self.values:
            rounded = round_to_power(profile.points, power)
            power += 1
        places = np.flatnonzero(rounded[1:] > rounded[:-1]) + 1
        if rounded is profile.points:
            return profile.cuts(places)
        # The border of rounding, kept between the values it separates whatever its own rounding.
        least = np.nextafter(profile.points[places - 1], np.inf)
        border = rounded[places] - 10.0 ** min(power - 1, 308) / 2
        return np.asarray(np.clip(border, least, profile.points[places]))
