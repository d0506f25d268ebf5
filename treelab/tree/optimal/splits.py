"""A candidate of the search as a split of the library."""

import numpy as np

from treelab._typing import IndexArray
from treelab.stats.candidates.splits import NONE, Splits
from treelab.stats.stores.node import InMemoryNode
from treelab.tree.optimal.axes import SearchAxis, codes_of


def offered(view: InMemoryNode, axis: SearchAxis, candidate: int) -> tuple[Splits, int | None]:
    """Return what a candidate does at a node, and which one it is of those offered there.

    It is offered unless the feature has so many values that those at the node would have led to
    other groupings. Where missing values go to the first of equally heavy branches, the branches
    keep the order of the search.
    """
    codes = np.unique(codes_of(view, axis.feature)[view.rows])
    branch = axis.branches(candidate)[codes]
    split, homeless = _split(view, axis, codes, branch), bool((branch < 0).any())
    places = np.flatnonzero(view.counts.feature == axis.feature)
    others = view.counts.splits(places)
    for i, place in enumerate(places.tolist()):
        if _part(split, 0, codes) == _part(others, i, codes):
            return split if homeless else others.take(np.array([i])), place
    return split, None


def _split(view: InMemoryNode, axis: SearchAxis, codes: IndexArray, branch: IndexArray) -> Splits:
    """Return the split that sends codes to branches."""
    feature = np.array([axis.feature])
    if axis.cut:
        low, high = codes[branch == 0].max(), codes[branch == 1].min(initial=np.iinfo(int).max)
        return Splits(feature, np.array([low]), np.array([high if (branch == 1).any() else NONE]))
    splits = Splits.groupings(feature, np.array([view.context.n_codes[axis.feature]]))
    known = branch >= 0
    splits.maps[codes[known]] = np.unique(branch[known], return_inverse=True)[1]
    return splits


def _from_zero(branch: IndexArray) -> IndexArray:
    """Give branches numbers in the order in which they occur; -1 stays."""
    known = branch[branch >= 0]
    firsts = known[np.sort(np.unique(known, return_index=True)[1])]
    number = np.full(branch.max(initial=0) + 2, -1)
    number[firsts] = np.arange(len(firsts))
    return number[branch]


def _part(splits: Splits, i: int, codes: IndexArray) -> tuple[int, ...]:
    """Return what stands for the parts that a split makes of codes."""
    if splits.is_grouping[i]:
        return tuple(_from_zero(splits.maps[splits.first_map[i] + codes]).tolist())
    return int(splits.low[i]), int(splits.high[i])
