"""Groupings: ways to send the values of a nominal feature to two branches.

A *run* is a feature at a node; the values that occur there have *ranks* from 0 on.

*counts*  (node, value, class) those of `value_counts`: the values of feature f and one for missing
          begin at `offsets[f]`.
*rank*    (node, value) -1 where the value does not occur. Values of the same rank stay together.
*width*   (node, feature) the number of ranks.

Candidate p of a run sends to the left, where `subset` is not set, the rank p; where it is set and
there are few ranks, those whose bit of p + 1 is 0, so that rank 0 is always left; where there are
many, the ranks up to p: see `kernels.value_order` for their order.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.cuts import n_up_to

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
def rank_values(counts: FloatArray, offsets: IndexArray, missing: bool, ranks: Ranks) -> None:
    """Rank the values that occur at each node by their codes; with `missing`, missing is one.

    With `subset`, the rare values of a feature that has too many for all groupings share a rank.
    """
    rank, width, subset = ranks
    for k in range(len(counts)):
        for f in range(len(offsets) - 1):
            n, pool = 0, -1
            pooled = subset and offsets[f + 1] - offsets[f] - 1 > EXHAUSTIVE_VALUES
            for value in range(offsets[f], offsets[f + 1]):
                weight = 0.0
                for c in range(counts.shape[2]):
                    weight += counts[k, value, c]
                rank[k, value] = -1
                if weight > 0.0 and (missing or value < offsets[f + 1] - 1):
                    # The first rare value opens the pool and has a rank; the others go into it.
                    rare = pooled and weight < RARE - ROUNDING
                    if rare and pool >= 0:
                        rank[k, value] = pool
                        continue
                    if rare:
                        pool = n
                    rank[k, value] = n
                    n += 1
            width[k, f] = n


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
def count_groupings(ranks: Ranks) -> tuple[int, int, int]:
    """Return the number of runs, of their candidates, large or not, and the most ranks of one."""
    # Counted first, so that the arrays for all candidates can be made at once.
    n_runs, n_candidates, widest = 0, 0, 0
    for k in range(ranks.width.shape[0]):
        for f in range(ranks.width.shape[1]):
            width = ranks.width[k, f]
            n_runs += int(width >= 2)
            n_candidates += n_groupings(width, ranks.subset)
            if width > widest:
                widest = width
    return n_runs, n_candidates, widest


@kernel
def fill_groupings(
    counts: FloatArray,
    offsets: IndexArray,
    ranks: Ranks,
    min_branch: float,
    joined: FloatArray,
    found: Groupings,
) -> int:
    """Make the tables of all groupings with two branches of at least `min_branch`.

    `joined` is room for a table of ranks, with two rows more. Returns the number of candidates.

    Loops over classes are written out: numba compiles expressions of arrays for seconds.
    """
    run, n, n_classes = 0, 0, counts.shape[2]
    for k in range(len(counts)):
        for f in range(len(offsets) - 1):
            width = ranks.width[k, f]
            if width < 2:
                continue
            join_values(counts, k, offsets[f], offsets[f + 1], ranks.rank, width, joined)
            for p in range(n_groupings(width, ranks.subset)):
                _go_left(joined, width, p, ranks.subset)
                left, right = 0.0, 0.0
                for c in range(n_classes):
                    found.tables[n, 0, c] = joined[width + 1, c]
                    found.tables[n, 1, c] = max(joined[width, c] - joined[width + 1, c], 0.0)
                    left += found.tables[n, 0, c]
                    right += found.tables[n, 1, c]
                least = min(left, right)
                found.candidate[n] = p
                # One that is too small is written over by the next.
                n += int(least > 0.0 and least >= min_branch - ROUNDING)
            found.feature[run], found.node[run], found.ends[run] = f, k, n
            found.searched[run] = np.nan
            if ranks.subset and width > EXHAUSTIVE_VALUES:
                found.searched[run] = width - 1.0
            run += 1
    return n


@kernel
def join_values(
    counts: FloatArray,
    k: int,
    first: int,
    stop: int,
    rank: IntArray,
    width: int,
    joined: FloatArray,
) -> None:
    """Fill the table (rank, class) of values of a node, and their sum as the row behind it."""
    # The sum is that of the values with a rank, not of the node: missing values may have none.
    for row in range(width + 1):
        for c in range(counts.shape[2]):
            joined[row, c] = 0.0
    for value in range(first, stop):
        if rank[k, value] >= 0:
            for c in range(counts.shape[2]):
                joined[rank[k, value], c] += counts[k, value, c]
                joined[width, c] += counts[k, value, c]


@kernel
def _go_left(joined: FloatArray, width: int, candidate: int, subset: bool) -> None:
    """Turn the left branch of the candidate before, if any, into that of a candidate.

    It is the row behind the sum of all.
    """
    # Only prefixes grow from the one before, by one rank each. The others are added up anew, which
    # takes few steps: they have one rank, or `EXHAUSTIVE_VALUES` at most.
    is_prefix = subset and width > EXHAUSTIVE_VALUES
    for c in range(joined.shape[1]):
        left = joined[width + 1, c] if is_prefix and candidate else 0.0
        if is_prefix or not subset:
            left += joined[candidate, c]
        else:
            for rank in range(width):
                if not branch_of(rank, candidate, width, subset):
                    left += joined[rank, c]
        joined[width + 1, c] = left


@kernel
def grouping_maps(
    ranks: Ranks, found: Groupings, offsets: IndexArray, chosen: IndexArray
) -> tuple[IndexArray, IndexArray, IntArray]:
    """Return the number of the feature of some candidates, and the branch of each of its codes.

    The map of a candidate, with missing as the last code and -1 for no branch, begins at the place
    that is returned second.
    """
    # Twice through the candidates: maps differ in length, and all lie in one array, whose length
    # must be known first.
    run, first_map = np.empty(len(chosen), np.int64), np.empty(len(chosen), np.int64)
    feature, end = np.empty(len(chosen), np.int64), 0
    for i in range(len(chosen)):
        run[i] = n_up_to(found.ends, chosen[i])
        feature[i], first_map[i] = found.feature[run[i]], end
        end += offsets[feature[i] + 1] - offsets[feature[i]]
    maps = np.full(end, -1, np.int32)
    for i in range(len(chosen)):
        k, f = found.node[run[i]], feature[i]
        for value in range(offsets[f], offsets[f + 1]):
            rank = ranks.rank[k, value]
            if rank >= 0:
                maps[first_map[i] + value - offsets[f]] = branch_of(
                    rank, found.candidate[chosen[i]], ranks.width[k, f], ranks.subset
                )
    return feature, first_map, maps
