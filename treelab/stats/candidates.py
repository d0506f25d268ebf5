"""The ways a node may be parted, in blocks of candidates of one shape.

A *cut* parts an ordered feature between two codes that occur at the node.
A *grouping* sends every value that occurs at the node to a branch.
"""

from collections.abc import Iterator

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.stats.groupings import Groupings, SplitKind, groupings


@attrs.frozen(eq=False)
class Cut:
    """Codes up to `low` go to branch 0, the others to branch 1; `high` is the next that occurs."""

    feature: int
    low: int
    high: int


@attrs.frozen(eq=False)
class Grouping:
    """`codes[i]` goes to branch `branches[i]`; code `n_codes` stands for missing."""

    feature: int
    codes: IndexArray
    branches: IndexArray


@attrs.frozen(eq=False)
class CutBlock:
    """Cuts of ordered features: tables (cut, branch, class), a third branch being missing."""

    tables: FloatArray
    feature: IndexArray
    sides: IndexArray

    def split(self, place: int) -> Cut:
        """Return what a candidate does."""
        low, high = self.sides[place]
        return Cut(int(self.feature[place]), int(low), int(high))


@attrs.frozen(eq=False)
class GroupingBlock:
    """The groupings of all nominal features on which equally many values occur."""

    tables: FloatArray
    feature: IndexArray
    codes: IndexArray
    scheme: Groupings

    def split(self, place: int) -> Grouping:
        """Return what a candidate does."""
        which, candidate = divmod(place, self.scheme.n)
        branches = self.scheme.branches(which, candidate)
        return Grouping(int(self.feature[place]), self.codes[which], branches)


Block = CutBlock | GroupingBlock


def grouping_blocks(
    counts: FloatArray, features: IndexArray, offsets: IndexArray, kind: SplitKind
) -> Iterator[GroupingBlock]:
    """Yield the groupings of nominal features, from the tall table of `value_counts`."""
    present = counts.sum(axis=1) > 0
    owner = np.repeat(np.arange(len(features)), np.diff(offsets))[present]
    codes = (np.arange(len(counts)) - np.repeat(offsets[:-1], np.diff(offsets)))[present]
    n_values = np.bincount(owner, minlength=len(features))
    for width in np.unique(n_values[n_values >= 2]):
        mine = (n_values == width)[owner]
        tables = counts[present][mine].reshape(-1, width, counts.shape[1])
        scheme = groupings(tables, kind)
        owners = np.repeat(features[n_values == width], scheme.n)
        yield GroupingBlock(scheme.part(tables), owners, codes[mine].reshape(-1, width), scheme)


def two_large_branches(tables: FloatArray, min_branch: float) -> BoolArray:
    """Tell which tables leave two branches that are not empty and large enough."""
    weights = tables.sum(axis=2)
    # The slack forgives the rounding of fractional weights, nothing else.
    large = (weights > 0) & (weights >= min_branch - 1e-9)
    return np.asarray(large.sum(axis=1) >= 2)
