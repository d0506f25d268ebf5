"""The ways a node may be parted, in blocks of candidates of one shape.

A *cut* parts an ordered feature between two codes that occur at the node.
A *grouping* sends every value that occurs at the node to a branch.
"""

from collections.abc import Callable, Iterator

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.stats.groupings import Groupings

NONE = -1
"""The code above a cut that parts the known values from the missing ones."""


@attrs.frozen(eq=False)
class Cut:
    """Codes up to `low` go to branch 0, the others to branch 1; `high` is the next that occurs.

    Where `high` is `NONE`, all known values go to branch 0 and the missing ones to branch 1.
    """

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

    def only(self, chosen: BoolArray) -> "CutBlock":
        """Return the block of some of the candidates."""
        return CutBlock(self.tables[chosen], self.feature[chosen], self.sides[chosen])


@attrs.frozen(eq=False)
class GroupingBlock:
    """The groupings of all nominal features on which equally many values occur.

    `number` counts the groupings of the scheme through, feature by feature.
    """

    tables: FloatArray
    feature: IndexArray
    number: IndexArray
    codes: IndexArray
    scheme: Groupings

    def split(self, place: int) -> Grouping:
        """Return what a candidate does."""
        which, candidate = divmod(int(self.number[place]), self.scheme.n)
        branches = self.scheme.branches(which, candidate)
        return Grouping(int(self.feature[place]), self.codes[which], branches)

    def only(self, chosen: BoolArray) -> "GroupingBlock":
        """Return the block of some of the candidates."""
        return attrs.evolve(
            self,
            tables=self.tables[chosen],
            feature=self.feature[chosen],
            number=self.number[chosen],
        )


Block = CutBlock | GroupingBlock


def grouping_blocks(
    counts: FloatArray,
    features: IndexArray,
    offsets: IndexArray,
    choose: Callable[[FloatArray], Groupings],
) -> Iterator[GroupingBlock]:
    """Yield the groupings of nominal features, from the tall table of `value_counts`.

    `choose` gives the scheme of groupings for tables (feature, value, class).
    """
    present = counts.sum(axis=1) > 0
    owner = np.repeat(np.arange(len(features)), np.diff(offsets))[present]
    codes = (np.arange(len(counts)) - np.repeat(offsets[:-1], np.diff(offsets)))[present]
    n_values = np.bincount(owner, minlength=len(features))
    for width in np.unique(n_values[n_values >= 2]):
        mine = (n_values == width)[owner]
        tables = counts[present][mine].reshape(-1, width, counts.shape[1])
        scheme = choose(tables)
        owners = np.repeat(features[n_values == width], scheme.n)
        number = np.arange(len(owners))
        codes_of = codes[mine].reshape(-1, width)
        yield GroupingBlock(scheme.part(tables), owners, number, codes_of, scheme)


def admissible(block: Block, min_branch: float) -> Block:
    """Return the candidates that leave two branches that are not empty and large enough."""
    weights = block.tables.sum(axis=2)
    # The slack forgives the rounding of fractional weights, nothing else.
    large = (weights > 0) & (weights >= min_branch - 1e-9)
    chosen = large.sum(axis=1) >= 2
    return block if chosen.all() else block.only(chosen)
