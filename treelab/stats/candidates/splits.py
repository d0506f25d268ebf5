"""`Splits`: what is done at some nodes, one split each."""

from collections.abc import Sequence
from itertools import accumulate

import attrs
import numpy as np

from treelab._typing import BoolArray, IndexArray, IntArray

NONE = -1
"""The code above a cut that parts the known values from the missing ones."""


@attrs.frozen(eq=False)
class Splits:
    """What is done at some nodes, one split each.

    A cut sends codes up to `low` to branch 0 and the others to branch 1; `high` is the next
    code that occurs, or `NONE`: then all known values go to branch 0 and the missing ones to 1.
    A grouping has a map, which begins at `first_map` of `maps`: the branch of every code, -1 for
    none; the code behind the last of the feature stands for missing. A cut has none: -1.
    """

    feature: IndexArray
    low: IndexArray
    high: IndexArray
    first_map: IndexArray = attrs.field()
    maps: IntArray = attrs.field(factory=lambda: np.empty(0, np.int32))

    @first_map.default
    def _no_map(self) -> IndexArray:
        return np.full(len(self.feature), -1)

    @classmethod
    def groupings(cls, feature: IndexArray, n_codes: IndexArray) -> "Splits":
        """Return groupings whose maps send no code to any branch yet."""
        ends, nothing = (n_codes + 1).cumsum(), np.zeros(len(feature), np.int64)
        maps = np.full(ends[-1] if len(ends) else 0, -1, np.int32)
        return cls(feature, nothing, nothing, ends - n_codes - 1, maps)

    @classmethod
    def joined(cls, parts: list["Splits"]) -> "Splits":
        """Return all splits of several parts, one after the other."""
        if len(parts) == 1:
            return parts[0]
        ends = [*accumulate(len(part.feature) for part in parts)]
        places = map(slice, [0, *ends[:-1]], ends)
        return cls.placed([*zip(places, parts, strict=True)], ends[-1] if ends else 0)

    @classmethod
    def placed(cls, parts: Sequence[tuple[IndexArray | slice, "Splits"]], n: int) -> "Splits":
        """Return n splits, of which each part has some, with their places."""
        feature, low, high, first_map = np.empty((4, n), np.int64)
        before = 0
        for places, part in parts:
            feature[places], low[places], high[places] = part.feature, part.low, part.high
            first_map[places] = np.where(part.first_map >= 0, part.first_map + before, -1)
            before += len(part.maps)
        maps = [np.empty(0, np.int32), *(part.maps for _, part in parts)]
        return cls(feature, low, high, first_map, np.concatenate(maps))

    @property
    def is_grouping(self) -> BoolArray:
        return np.asarray(self.first_map >= 0)

    def take(self, places: IndexArray) -> "Splits":
        """Return some of the splits."""
        feature, low, high = self.feature[places], self.low[places], self.high[places]
        return Splits(feature, low, high, self.first_map[places], self.maps)
