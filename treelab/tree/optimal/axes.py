"""The candidates of the root, feature by feature: what an optimal tree is made of.

The library's own candidates at the root, whatever the stop rules say there. Where an order of the
classes led to a few groupings of many values, the feature is ordered so in the whole tree.
"""

import attrs
import numpy as np

from treelab._typing import IndexArray, IntArray
from treelab.errors import DataError
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.node import InMemoryNode

MOST_ENTRIES = 2**22
"""The maps of a feature have no more entries: a thousand values, each against the rest, say."""


@attrs.frozen(eq=False)
class SearchAxis:
    """A feature that can be split.

    `values` are what the library's own codes, the last one for missing, become; `n_codes` stands
    for missing. Without `maps` (candidate, value) it is ordered. `cut`: its candidates are cuts,
    not groupings.
    """

    feature: int
    values: IndexArray
    n_codes: int
    cut: bool
    maps: IntArray | None = None

    def branches(self, candidate: int) -> IndexArray:
        """Return the branch of each of the library's codes; -1 for none, as of missing in a cut."""
        if self.maps is not None:
            return np.asarray(self.maps[candidate, self.values], np.int64)
        return np.where(self.values == self.n_codes, -1, self.values > candidate)

    @property
    def most_branches(self) -> int:
        return 3 if self.maps is None else int(self.maps.max()) + 1


def axes_of(root: InMemoryNode) -> tuple[SearchAxis, ...]:
    """Return all features that have a candidate at a root."""
    coded, free = root.coded, attrs.evolve(root.context, min_branch=0.0)
    counts = attrs.evolve(root.store, context=free).root().counts
    splits = counts.splits(np.arange(len(counts)))
    axes = []
    for f in np.unique(splits.feature).tolist():
        here, n_codes = splits.take(np.flatnonzero(splits.feature == f)), coded.axes[f].n_codes
        if here.is_grouping[0]:
            axes.append(_grouped(f, _maps(here, n_codes)))
        else:
            codes = codes_of(root, f)[coded.to_learn_from]
            axes.append(_ordered(f, _places(codes, n_codes), cut=True))
    return tuple(axes)


def codes_of(node: InMemoryNode, f: int) -> IndexArray:
    """Return the codes of a feature, that of missing being the one behind the last."""
    coded = node.coded
    return np.asarray(np.minimum(coded.codes[f].astype(np.int64), coded.axes[f].n_codes))


def _maps(splits: Splits, n_codes: int) -> IntArray:
    return np.asarray(splits.maps[splits.first_map[:, None] + np.arange(n_codes + 1)])


def _places(codes: IndexArray, n_codes: int) -> IndexArray:
    """Return the place of each known code among those that occur; -1 where it does not."""
    occurs = np.bincount(codes, minlength=n_codes + 1) > 0
    occurs[n_codes] = False
    return np.where(occurs, np.cumsum(occurs) - 1, -1)


def _grouped(f: int, maps: IntArray) -> SearchAxis:
    if maps.max() == 1 and (np.diff(maps, axis=0) <= 0).all():
        # Each map sends one group less to the right than the one before: an order of the values.
        return _ordered(f, np.where(maps[0] < 0, -1, maps.sum(axis=0)), cut=False)
    if maps.size > MOST_ENTRIES:
        raise DataError(
            f"search='optimal' cannot try {len(maps)} groupings of {maps.shape[1] - 1} values: "
            "give splits='subset'"
        )
    return SearchAxis(f, np.arange(maps.shape[1]), maps.shape[1] - 1, False, maps)


def _ordered(f: int, places: IndexArray, cut: bool) -> SearchAxis:
    """Return an axis of codes that have places in an order; what has none is missing."""
    n_codes = int(places.max()) + 1
    return SearchAxis(f, np.where(places < 0, n_codes, places), n_codes, cut)
