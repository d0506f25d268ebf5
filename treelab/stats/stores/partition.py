"""Send the training cases of some nodes to their branches.

Three steps, of which the first and the last look at cases, each part of them by itself:
*count*    how many go to each branch; parts sum up.
*decide*   from the sums where missing values go, and in which shares.
*scatter*  each part moves its cases.
"""

from typing import NamedTuple

import numpy as np

from treelab._typing import FloatArray, IndexArray, SmallArray
from treelab.kernels.partition import (
    ChildCounts,
    Rules,
    places_of,
    scatter,
    scatter_sorted,
    share_out,
)
from treelab.kernels.ties import TIE
from treelab.stats.candidates.splits import NONE, Splits
from treelab.stats.stores.cases import (
    FeatureRange,
    NodeCases,
    Places,
    SortedColumns,
    parallel_over_features,
)
from treelab.stats.stores.context import FEW_BRANCHES, SplitContext
from treelab.stats.stores.nodes import Children, Missing, NodeBatch


class Moves(NamedTuple):
    """The branch of each case, -1 where a missing value has none, and how many take each."""

    branch: SmallArray
    found: ChildCounts


def rules_of(context: SplitContext, splits: Splits) -> Rules:
    """Return splits as kernels are told about them."""
    side = np.full(len(splits.feature), -1)
    if context.missing_is_value:
        side = _side_of_missing(splits)
    n_codes = context.n_codes[splits.feature]
    return Rules(splits.feature, n_codes, splits.low, side, splits.maps, splits.first_map)


def room_for_branches(context: SplitContext, splits: Splits, n: int) -> SmallArray:
    """Return room for the branch of each case, a byte each unless there are too many branches."""
    if context.few_branches or splits.maps.max(initial=0) < FEW_BRANCHES:
        return np.empty(n, np.int8)
    return np.empty(n, np.int32)


def decide(
    nodes: NodeBatch, splits: Splits, missing: Missing, found: ChildCounts, moves: object
) -> Children:
    """Return the children of nodes from what all their cases sum up to."""
    goes = np.full(len(nodes), -1)
    if missing != "fractional":
        goes = _missing_branch(nodes.context, splits, missing, found)
    counts, share = found.counts, np.empty(0)
    if np.count_nonzero(found.n_lost):
        share, counts = share_out(found, goes)
    return Children(nodes, found.parent, found.branch, counts, share, goes, moves)


def undivided(share: FloatArray) -> bool:
    """Tell whether every case of missing value goes to one branch, or to none."""
    return bool(((share == 0.0) | (share == 1.0)).all())


def scattered(
    places: Places, moves: Moves, share: FloatArray, unit: float, chosen: IndexArray
) -> Places:
    """Move the cases of some nodes to some of the children, which are given in order.

    `share` is that of the children in cases of missing value (see `Children`), and all weights are
    multiples of `unit`.
    """
    whole = places.cases.whole
    if len(share):
        whole = whole and undivided(share)
        share = share if np.count_nonzero(moves.found.n_lost) else np.empty(0)
    to, to_lost, starts, stops = places_of(moves.found, share, chosen)
    n = int(stops[-1]) if len(stops) else 0
    cases = _moved(places, moves, (to, to_lost), n, share, unit, whole)
    return Places(cases, starts, stops)


def _moved(
    places: Places,
    moves: Moves,
    to: tuple[IndexArray, IndexArray],
    n: int,
    share: FloatArray,
    unit: float,
    whole: bool,
) -> NodeCases:
    cases, (branch, found) = places.cases, moves
    lost = bool(len(share))
    rows, labels, ids = (np.empty(n, np.int32) for _ in range(3))
    weights = np.empty(n) if lost else np.empty(0)
    place_of = np.empty(len(branch) if lost else 0, np.int32)
    where = places.nodes, found.first_child, *to, share
    scatter(branch, *where, unit, rows, labels, ids, weights, place_of)
    by_old = cases.presorted
    keys = cases.buffers.empty((len(by_old.features), n), by_old.keys.dtype)
    order = cases.buffers.empty(keys.shape, np.int32)

    def carry_over(part: FeatureRange) -> None:
        scatter_sorted(by_old.keys, by_old.order, branch, place_of, *where, part, keys, order)

    if len(by_old.features):
        parallel_over_features(carry_over, len(by_old.features), places.n_cases)
    by = SortedColumns(by_old.features, by_old.n_codes, keys, order)
    if not lost:
        weights, n = cases.weights, cases.n_ids
    return NodeCases(rows, labels, ids, weights, whole, cases.bits, by, n, cases.buffers)


def _side_of_missing(splits: Splits) -> IndexArray:
    """Return the branch of missing values of each cut where they have one of their own."""
    return np.where(splits.high == NONE, 1, 2)


def _missing_branch(
    context: SplitContext, splits: Splits, missing: Missing, found: ChildCounts
) -> IndexArray:
    """Return where missing values go at each node; -1 for nowhere in particular."""
    if missing == "majority":
        return _first_largest(found)
    side = _side_of_missing(splits)
    goes = np.where(np.diff(found.first_child) > side, side, -1)
    here = splits.is_grouping
    goes[here] = splits.maps[splits.first_map[here] + context.n_codes[splits.feature[here]]]
    # A value that was never missing at a node goes with most cases, if it is missing later.
    return np.where(goes < 0, _first_largest(found), goes)


def _first_largest(found: ChildCounts) -> IndexArray:
    """Return the first branch of each node that is the largest, but for rounding."""
    sizes, firsts = found.counts.sum(axis=1), found.first_child[:-1]
    largest = np.maximum.reduceat(sizes, firsts)
    tied = np.flatnonzero(sizes >= largest[found.parent] * (1 - TIE))
    return np.asarray(tied[np.unique(found.parent[tied], return_index=True)[1]] - firsts)
