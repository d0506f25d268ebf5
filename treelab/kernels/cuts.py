"""Cuts of ordered features: where they lie, and what is on either side.

The cases of node k begin at the place `starts[k]` of all arrays over cases. Cases of the same code
and class may be added up to one.

*keys*   (feature, place) `code << bits | class`, ascending codes within a node; a code of at least
         the feature's `n_codes` is missing, so missing values come last.
*order*  (feature, place) the id of the case each key belongs to: its place in `weights`.
*at*     (feature, place) the last key on the left of each cut, `KNOWN` for the cut between all
         known values and the missing ones; the cuts of node k begin at `starts[k]`.
*span*   the first feature and the one behind the last: threads share the features.

An empty array of weights means that every case weighs 1.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import AnyArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel, step

KNOWN = -1

ROUNDING = 1e-9
"""A side may be smaller than wanted by so much: fractional weights add up inexactly."""


class CutLimits(NamedTuple):
    """How large the sides of a cut must be, and which codes are too close to be parted.

    A side holds `least`, and `share` of the known cases of the node unless that is above `most`.
    The first code that may be parted from code c of feature f is `follows[firsts[f] + c]`; without
    any, every two codes may be parted.
    """

    least: float
    share: float
    most: float
    follows: IndexArray
    firsts: IndexArray


class Cuts(NamedTuple):
    """All cuts of some features at some nodes, and the cases they part.

    `n_cuts` is (feature, node), `class_counts` (node, class); `known` and `missing` (feature, node,
    class) are the cases on either side of the last code.
    """

    keys: AnyArray
    order: IntArray
    bits: int
    weights: FloatArray
    starts: IndexArray
    at: IntArray
    n_cuts: IndexArray
    class_counts: FloatArray
    known: FloatArray
    missing: FloatArray


@kernel
def move_to(
    keys: AnyArray,
    order: IntArray,
    bits: int,
    weights: FloatArray,
    place: int,
    last: int,
    left: FloatArray,
) -> int:
    """Move the cases up to the place `last` to the left; return the next place."""
    # The caller goes on from the place that is returned, so each case moves once for all cuts of a
    # node; its class is in the key, and needs no look-up.
    mask = (1 << bits) - 1
    while place <= last:
        left[keys[place] & mask] += weights[order[place]] if len(weights) else 1.0
        place += 1
    return place


@kernel
def find_cuts(
    cuts: Cuts,
    stops: IndexArray,
    n_codes: IndexArray,
    limits: CutLimits,
    missing_branch: bool,
    span: tuple[int, int],
    features: IndexArray,
    lost_of: FloatArray,
) -> None:
    """Find the cuts that leave two branches large enough, and count missing values.

    The keys of feature f at node k end before `stops[f, k]`. Fills `at`, `n_cuts`, `known` and
    `missing`. With `missing_branch` missing values are a branch too, else their weight is put down
    in `lost_of` (node, number of the feature, which is `features[f]`).
    """
    mask = (1 << cuts.bits) - 1
    for f in range(span[0], span[1]):
        keys, order, follows = cuts.keys[f], cuts.order[f], limits.follows
        if len(follows):
            follows = follows[limits.firsts[f] :]
        for k in range(len(cuts.starts)):
            start, last = cuts.starts[k], stops[f, k]
            while last > start and keys[last - 1] >> cuts.bits >= n_codes[f]:
                last -= 1
                weight = cuts.weights[order[last]] if len(cuts.weights) else 1.0
                cuts.missing[f, k, keys[last] & mask] += weight
            if len(cuts.weights):
                # Added up as the left side of a cut will be: of what has gone there nothing is
                # left on the right, not even by rounding.
                move_to(keys, order, cuts.bits, cuts.weights, start, last - 1, cuts.known[f, k])
            else:
                # Class by class: numba compiles an assignment of arrays for seconds.
                for c in range(cuts.known.shape[2]):
                    cuts.known[f, k, c] = cuts.class_counts[k, c] - cuts.missing[f, k, c]
            known, lost = 0.0, 0.0
            for c in range(cuts.known.shape[2]):
                known += cuts.known[f, k, c]
                lost += cuts.missing[f, k, c]
            if not missing_branch:
                lost_of[k, features[f]], lost = lost, 0.0
            least = max(limits.least, min(limits.most, limits.share * known) - ROUNDING)
            cuts.n_cuts[f, k] = _cuts_of_node(
                keys, order, cuts.bits, cuts.weights, start, last, known, lost, least, follows,
                cuts.at[f],
            )  # fmt: skip


@kernel
def _cuts_of_node(
    keys: AnyArray,
    order: IntArray,
    bits: int,
    weights: FloatArray,
    start: int,
    last: int,
    known: float,
    lost: float,
    min_branch: float,
    follows: IndexArray,
    at: IntArray,
) -> int:
    # Missing values that are a branch large enough need one other: all known ones may be it.
    spare = int(lost > 0.0 and lost >= min_branch)
    found, left = 0, 0.0
    if spare and known > 0.0 and known >= min_branch:
        at[start] = KNOWN
        found = 1
    for place in range(start, last - 1):
        left += weights[order[place]] if len(weights) else 1.0
        low, high = keys[place] >> bits, keys[place + 1] >> bits
        if low != high and (not len(follows) or high >= follows[low]):
            right = max(known - left, 0.0)
            large = int(left >= min_branch) + int(right >= min_branch) + spare
            if large >= 2:
                at[start + found] = place
                found += 1
    return found


@kernel
def runs_of_cuts(
    features: IndexArray, n_cuts: IndexArray
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Return feature and node of each run of cuts (feature, node), and where it ends."""
    # Runs without cuts are listed, too, so that run f * n_nodes + k is always feature f at node k;
    # `sides_of` relies on it.
    n = n_cuts.size
    feature, node, ends = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    run, end = 0, 0
    for f in range(n_cuts.shape[0]):
        for k in range(n_cuts.shape[1]):
            end += n_cuts[f, k]
            feature[run], node[run], ends[run] = features[f], k, end
            run += 1
    return feature, node, ends


@kernel
def sides_of(
    cuts: Cuts, ends: IndexArray, n_codes: IndexArray, candidates: IndexArray
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Return the feature of some cuts, and the codes below and above.

    The cuts of feature f at node k end before `ends[f * n_nodes + k]`. Where a cut parts the known
    values from the missing ones, the code above is -1.
    """
    # A search in `ends` instead of an array of the run of every cut: only the cuts that were
    # chosen are asked for.
    feature, low, high = (
        np.empty(len(candidates), np.int64),
        np.empty(len(candidates), np.int64),
        np.empty(len(candidates), np.int64),
    )
    for i in range(len(candidates)):
        f, k = divmod(n_up_to(ends, candidates[i]), len(cuts.starts))
        number = candidates[i] - (ends[f * len(cuts.starts) + k] - cuts.n_cuts[f, k])
        place = cuts.at[f, cuts.starts[k] + number]
        feature[i] = f
        if place == KNOWN:
            low[i], high[i] = n_codes[f] - 1, -1
        else:
            low[i] = cuts.keys[f, place] >> cuts.bits
            high[i] = cuts.keys[f, place + 1] >> cuts.bits
    return feature, low, high


@step
def n_up_to(ascending: IndexArray, most: int) -> int:
    """Return how many numbers are at most `most`; `np.searchsorted` takes longer to compile."""
    low, high = 0, len(ascending)
    while low < high:
        middle = (low + high) >> 1
        if ascending[middle] <= most:
            low = middle + 1
        else:
            high = middle
    return low
