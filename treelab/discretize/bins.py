"""Bins whose values are near to what stands for them: exact, or by the book's border moves."""

from typing import ClassVar, Literal

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.discretize.checks import choice, positive
from treelab.discretize.moves import border_moves
from treelab.discretize.profile import Profile, coding_by_mass
from treelab.errors import DataError
from treelab.kernels.binning import BOUNDARIES, MEAN, MEDIAN, MODE, optimal_bins
from treelab.stats.bins import BY, By

NUMBERS: dict[By, int] = {"mean": MEAN, "median": MEDIAN, "mode": MODE, "boundaries": BOUNDARIES}
MOST_POINTS = 50_000
"""More different values would take exact bins minutes."""


@attrs.frozen
class Bins:
    """Bins of least error, the distance of the values from what stands for their bin.

    Parameters
    ----------
    bins
        How many; fewer where there are fewer different values.
    by
        What stands for a bin: 'mean' (squared distances), 'median', 'mode' or the nearer of
        the 'boundaries'.
    method
        'exact': the least error there is, by dynamic programming over the n different values,
        O(bins n^2); 'moves': the book's descent from equally filled bins by moving borders.
    """

    supervised: ClassVar[bool] = False
    bins: int = attrs.field(default=5, validator=positive)
    by: By = attrs.field(default="mean", validator=choice(BY))
    method: Literal["exact", "moves"] = attrs.field(
        default="exact", validator=choice(("exact", "moves"))
    )

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""
        return coding_by_mass(data, self._exact if self.method == "exact" else self._moved)

    def _exact(self, profile: Profile) -> FloatArray:
        if len(profile.points) > MOST_POINTS:
            raise DataError(
                f"exact bins are for at most {MOST_POINTS:,} different values, here are "
                f"{len(profile.points):,}; round them first"
            )
        bins = min(self.bins, len(profile.points))
        points = _tame(profile.points)
        return profile.cuts(optimal_bins(points, profile.mass, bins, NUMBERS[self.by]))

    def _moved(self, profile: Profile) -> FloatArray:
        bins = min(self.bins, len(profile.points))
        last = border_moves(_tame(profile.points), profile.mass, bins, self.by)[-1]
        places = last.whole_groups(profile.mass)
        return profile.cuts(np.unique(places[(places > 0) & (places < len(profile.points))]))


def _tame(points: FloatArray) -> FloatArray:
    """Return the points times a power of two, so that squares are neither 0 nor infinite."""
    _, exponent = np.frexp(np.abs(points).max())
    return np.asarray(np.ldexp(points, -exponent))
