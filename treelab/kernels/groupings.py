"""Groupings: ways to send the values of a nominal feature to two branches.

A *run* is a feature at a node; the values that occur there have *ranks* from 0 on.

*counts*  (node, value, class) those of `value_counts`: the values of feature f and one for missing
          begin at `offsets[f]`.
*rank*    (node, value) -1 where the value does not occur. Values of the same rank stay together.
*width*   (node, feature) the number of ranks.

Candidate p of a run sends to the left, where `subset` is not set, the rank p; where it is set and
there are few ranks, those whose bit of p + 1 is 0, so that rank 0 is always left; where there are
many, the ranks up to p.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.value_order import order_values

EXHAUSTIVE_VALUES = 7
"""Up to so many values all two-group partitions are tried (63 of them)."""

RARE = 5
"""A value with fewer cases at a node is rare there; see `experiments/defaults`.

Two cases of one class say nothing, but a search that may send each of a hundred such values to
the side of its class finds a rule in them. Without a common rank for them an identifier, a date
read as labels or a column of a thousand labels is memorised, whatever the metric.
"""

ROUNDING = 1e-9
"""A branch may be smaller than wanted by so much: fractional weights add up inexactly."""


class Ranks(NamedTuple):
    """The ranks of all values, and how they are sent to branches; see this module's text."""

    rank: IntArray
    width: IndexArray
    subset: bool


@kernel
def rank_values(counts: FloatArray, offsets: IndexArray, subset: bool, missing: bool) -> Ranks:
    """Rank the values that occur at each node; with `missing`, missing is one of them.

    With `subset`, the rare values of a feature that has too many for all groupings share a rank,
    and many ranks follow the order of `order_values`; else they follow the codes.
    """
    n_features = len(offsets) - 1
    rank = np.full(counts.shape[:2], -1, np.int32)
    width = np.zeros((len(counts), n_features), np.int64)
    for k in range(len(counts)):
        for f in range(n_features):
            first, stop = offsets[f], offsets[f + 1] - int(not missing)
            pooled = subset and offsets[f + 1] - first - 1 > EXHAUSTIVE_VALUES
            mine, n, pool = rank[k], 0, -1
            for value in range(first, stop):
                weight = 0.0
                for c in range(counts.shape[2]):
                    weight += counts[k, value, c]
                if pooled and 0.0 < weight < RARE - ROUNDING:
                    if pool < 0:
                        pool = n
                        n += 1
                    mine[value] = pool
                elif weight > 0.0:
                    mine[value] = n
                    n += 1
            width[k, f] = n
            if subset and n > EXHAUSTIVE_VALUES:
                _reorder(counts[k, first:stop], mine[first:stop], n)
    return Ranks(rank, width, subset)


@kernel
def _reorder(counts: FloatArray, rank: IntArray, width: int) -> None:
    table, place = np.zeros((width, counts.shape[1])), np.empty(width, np.int64)
    join_values(counts, rank, table)
    order_values(table, place)
    for value in range(len(rank)):
        if rank[value] >= 0:
            rank[value] = place[rank[value]]


@kernel
def join_values(counts: FloatArray, rank: IntArray, table: FloatArray) -> None:
    """Add the counts (value, class) to a table (rank, class)."""
    for value in range(len(rank)):
        if rank[value] >= 0:
            for c in range(counts.shape[1]):
                table[rank[value], c] += counts[value, c]


@kernel
def n_groupings(width: int, subset: bool) -> int:
    """Return the number of candidates of a run."""
    if width < 2:
        return 0
    if not subset:
        # With two values, the second against the rest is the first against the rest.
        return 1 if width == 2 else width
    return (1 << (width - 1)) - 1 if width <= EXHAUSTIVE_VALUES else width - 1


@kernel
def branch_of(rank: int, candidate: int, width: int, subset: bool) -> int:
    """Return the branch that a candidate of a run sends a rank to."""
    if not subset:
        return int(rank != candidate)
    if width <= EXHAUSTIVE_VALUES:
        return (candidate + 1) >> (width - 1 - rank) & 1
    return int(rank > candidate)


class Groupings(NamedTuple):
    """The candidates that leave two branches large enough.

    Their tables (candidate, branch, class), and which of its run each one is. The candidates of a
    run, of feature number `feature` at node `node`, end before `ends`. `searched` is the number of
    bits that name one of all groupings where an order led to a few of them, else NaN: the order is
    that of the classes at the node, so its best prefix is the best of all 2^(values - 1) - 1
    groupings, or close to it, and that is what was chosen among.
    """

    tables: FloatArray
    candidate: IndexArray
    feature: IndexArray
    node: IndexArray
    ends: IndexArray
    searched: FloatArray


@kernel
def find_groupings(
    counts: FloatArray, offsets: IndexArray, ranks: Ranks, min_branch: float
) -> Groupings:
    """Make the tables of all groupings with two branches of at least `min_branch`."""
    n_runs, most, widest = 0, 0, 0
    for width in ranks.width.ravel():
        n_runs += int(width >= 2)
        most += n_groupings(width, ranks.subset)
        widest = max(widest, width)
    n_classes = counts.shape[2]
    tables, candidate = np.empty((most, 2, n_classes)), np.empty(most, np.int64)
    feature, node = np.empty(n_runs, np.int64), np.empty(n_runs, np.int64)
    ends, searched = np.empty(n_runs, np.int64), np.full(n_runs, np.nan)
    joined, left, total = np.empty((widest, n_classes)), np.empty(n_classes), np.empty(n_classes)
    run, found = 0, 0
    for k in range(len(counts)):
        for f in range(len(offsets) - 1):
            width = ranks.width[k, f]
            if width < 2:
                continue
            rank = ranks.rank[k, offsets[f] : offsets[f + 1]]
            joined[:width] = 0.0
            join_values(counts[k, offsets[f] : offsets[f + 1]], rank, joined)
            _add_up(rank, joined, total)
            for p in range(n_groupings(width, ranks.subset)):
                _go_left(left, joined[:width], p, ranks.subset)
                if _fill(tables[found], left, total, min_branch):
                    candidate[found] = p
                    found += 1
            feature[run], node[run], ends[run] = f, k, found
            if ranks.subset and width > EXHAUSTIVE_VALUES:
                searched[run] = width - 1.0
            run += 1
    return Groupings(tables[:found], candidate[:found], feature, node, ends, searched)


@kernel
def _add_up(rank: IntArray, joined: FloatArray, total: FloatArray) -> None:
    """Add up the table of a run in the order of the codes: their order leaves no trace."""
    total[:] = 0.0
    done = np.zeros(len(joined), np.bool_)
    for value in range(len(rank)):
        if rank[value] >= 0 and not done[rank[value]]:
            done[rank[value]] = True
            for c in range(len(total)):
                total[c] += joined[rank[value], c]


@kernel
def _go_left(left: FloatArray, joined: FloatArray, candidate: int, subset: bool) -> None:
    """Turn the left branch of the candidate before, if any, into that of a candidate."""
    n_classes = joined.shape[1]
    if not subset or len(joined) <= EXHAUSTIVE_VALUES or candidate == 0:
        left[:] = 0.0
    if not subset or len(joined) > EXHAUSTIVE_VALUES:
        for c in range(n_classes):
            left[c] += joined[candidate, c]
        return
    for rank in range(len(joined)):
        if not branch_of(rank, candidate, len(joined), subset):
            for c in range(n_classes):
                left[c] += joined[rank, c]


@kernel
def _fill(table: FloatArray, left: FloatArray, total: FloatArray, min_branch: float) -> bool:
    """Fill a table (branch, class); tell whether both branches are large enough."""
    n_left, n_right = 0.0, 0.0
    for c in range(len(total)):
        table[0, c] = left[c]
        table[1, c] = max(total[c] - left[c], 0.0)
        n_left += table[0, c]
        n_right += table[1, c]
    least = min(n_left, n_right)
    return least > 0.0 and least >= min_branch - ROUNDING


@kernel
def grouping_maps(
    ranks: Ranks,
    groupings: Groupings,
    offsets: IndexArray,
    chosen: IndexArray,
) -> tuple[IndexArray, IndexArray, IntArray]:
    """Return the run of some candidates, where the map of each begins, and the maps.

    A map has the branch of every code and of missing; codes that do not occur have none: -1.
    """
    run, first_map, end = np.empty(len(chosen), np.int64), np.empty(len(chosen), np.int64), 0
    for i in range(len(chosen)):
        run[i] = np.searchsorted(groupings.ends, chosen[i], side="right")
        first_map[i] = end
        f = groupings.feature[run[i]]
        end += offsets[f + 1] - offsets[f]
    maps = np.full(end, -1, np.int32)
    for i in range(len(chosen)):
        k, f = groupings.node[run[i]], groupings.feature[run[i]]
        for value in range(offsets[f], offsets[f + 1]):
            if ranks.rank[k, value] >= 0:
                maps[first_map[i] + value - offsets[f]] = branch_of(
                    ranks.rank[k, value], groupings.candidate[chosen[i]], ranks.width[k, f],
                    ranks.subset,
                )  # fmt: skip
    return run, first_map, maps
