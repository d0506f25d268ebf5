"""Cuts of ordered features: where they lie, and what is on either side.

The cases of node k are the places `starts[k]` to `stops[k]` of all arrays over cases.

*keys*   (feature, place) `code << bits | class`, ascending within a node; a code of at least
         the feature's `n_codes` is missing, so missing values come last.
*order*  (feature, place) the id of the case each key belongs to: its place in `weights`.
*at*     (feature, place) the last key on the left of each cut, `KNOWN` for the cut between all
         known values and the missing ones; the cuts of node k begin at `starts[k]`.
*span*   the first feature and the one behind the last: threads share the features.

An empty array of weights means that every case weighs 1.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import AnyArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel

KNOWN = -1


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
def _move(
    keys: AnyArray,
    order: IntArray,
    bits: int,
    weights: FloatArray,
    place: int,
    last: int,
    left: FloatArray,
) -> int:
    """Move the cases up to the place `last` to the left; return the next place."""
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
    min_branch: float,
    missing_branch: bool,
    span: tuple[int, int],
) -> None:
    """Find the cuts that leave two branches of at least `min_branch`, and count missing values.

    Fills `at`, `n_cuts`, `known` and `missing`. With `missing_branch` missing values are a branch
    too.
    """
    mask = (1 << cuts.bits) - 1
    for f in range(span[0], span[1]):
        keys, order = cuts.keys[f], cuts.order[f]
        for k in range(len(stops)):
            start, last = cuts.starts[k], stops[k]
            while last > start and keys[last - 1] >> cuts.bits >= n_codes[f]:
                last -= 1
                weight = cuts.weights[order[last]] if len(cuts.weights) else 1.0
                cuts.missing[f, k, keys[last] & mask] += weight
            if len(cuts.weights):
                # Added up as the left side of a cut will be: of what has gone there nothing is
                # left on the right, not even by rounding.
                _move(keys, order, cuts.bits, cuts.weights, start, last - 1, cuts.known[f, k])
            else:
                cuts.known[f, k] = cuts.class_counts[k] - cuts.missing[f, k]
            known = cuts.known[f, k].sum()
            lost = cuts.missing[f, k].sum() if missing_branch and last < stops[k] else 0.0
            cuts.n_cuts[f, k] = _cuts_of_node(
                keys, order, cuts.bits, cuts.weights, start, last, known, lost, min_branch,
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
    at: IntArray,
) -> int:
    spare = int(lost > 0.0 and lost >= min_branch)
    found, left = 0, 0.0
    if spare and known > 0.0 and known >= min_branch:
        at[start] = KNOWN
        found = 1
    for place in range(start, last - 1):
        left += weights[order[place]] if len(weights) else 1.0
        if keys[place] >> bits != keys[place + 1] >> bits:
            right = max(known - left, 0.0)
            large = int(left >= min_branch) + int(right >= min_branch) + spare
            if large >= 2:
                at[start + found] = place
                found += 1
    return found


@kernel
def cut_tables(
    cuts: Cuts,
    span: tuple[int, int],
    tables: FloatArray,
) -> None:
    """Fill the table (cut, branch, class) of every cut; a third branch holds missing values."""
    cut = 0
    for f in range(span[0], span[1]):
        for k in range(len(cuts.starts)):
            place, known, missing = cuts.starts[k], cuts.known[f, k], cuts.missing[f, k]
            left = np.zeros(len(known))
            for last in cuts.at[f, place : place + cuts.n_cuts[f, k]]:
                place = _move(
                    cuts.keys[f], cuts.order[f], cuts.bits, cuts.weights, place, last, left
                )
                _fill(tables[cut], last, left, known, missing)
                cut += 1


@kernel
def table_scores(
    formula: Callable[[FloatArray], float],
    cuts: Cuts,
    span: tuple[int, int],
    table: FloatArray,
    scores: FloatArray,
) -> None:
    """Score every cut by a formula over its table (branch, class), which is made for it only."""
    cut = 0
    for f in range(span[0], span[1]):
        for k in range(len(cuts.starts)):
            place, known, missing = cuts.starts[k], cuts.known[f, k], cuts.missing[f, k]
            left = np.zeros(len(known))
            for last in cuts.at[f, place : place + cuts.n_cuts[f, k]]:
                place = _move(
                    cuts.keys[f], cuts.order[f], cuts.bits, cuts.weights, place, last, left
                )
                _fill(table, last, left, known, missing)
                scores[cut] = formula(table)
                cut += 1


@kernel
def _fill(
    table: FloatArray, last: int, left: FloatArray, known: FloatArray, missing: FloatArray
) -> None:
    if len(table) > 2:
        table[2] = missing
    if last == KNOWN:
        table[0], table[1], table[2] = known, missing, 0.0
        return
    for c in range(len(left)):
        table[0, c] = left[c]
        table[1, c] = max(known[c] - left[c], 0.0)


@kernel
def sum_scores(
    combine: Callable[[float, float, float, float, float, float], float],
    cuts: Cuts,
    span: tuple[int, int],
    missing_branch: bool,
    with_shares: bool,
    cell: FloatArray,
    scores: FloatArray,
) -> None:
    """Score every cut by sums of `cell[count]` over its table; see `stats.sums` for `combine`.

    All weights must be whole numbers, because `cell` is a table.
    """
    n_classes = cuts.class_counts.shape[1]
    known, lost = np.zeros(n_classes, np.uint64), np.zeros(n_classes, np.uint64)
    left, below, above = np.zeros(n_classes, np.uint64), np.zeros(n_classes), np.zeros(n_classes)
    first = 0
    for f in range(span[0], span[1]):
        for k in range(len(cuts.starts)):
            start, n_cuts = cuts.starts[k], cuts.n_cuts[f, k]
            for c in range(n_classes):
                lost[c] = np.uint64(cuts.missing[f, k, c])
                known[c] = np.uint64(cuts.known[f, k, c])
                left[c], below[c], above[c] = 0, 0.0, cell[known[c]]
            if n_cuts:
                _sum_scores_of_node(
                    combine, cuts.keys[f], cuts.order[f], cuts.bits, cuts.weights, start,
                    cuts.at[f, start : start + n_cuts], known, lost, left, below, above,
                    missing_branch, with_shares, cell, scores[first : first + n_cuts],
                )  # fmt: skip
            first += n_cuts


@kernel
def _sum_scores_of_node(
    combine: Callable[[float, float, float, float, float, float], float],
    keys: AnyArray,
    order: IntArray,
    bits: int,
    weights: FloatArray,
    start: int,
    at: IntArray,
    known: AnyArray,
    lost: AnyArray,
    left: AnyArray,
    below: FloatArray,
    above: FloatArray,
    missing_branch: bool,
    with_shares: bool,
    cell: FloatArray,
    scores: FloatArray,
) -> None:
    """Score the cuts of a node; `below` and `above` are `cell` of the classes left and right.

    Counts are unsigned, because such an index need not be checked.
    """
    mask = np.uint64((1 << bits) - 1)
    n, of_known, classes = known.sum(), above.sum(), above.sum()
    away, cells_away, share_away = np.uint64(0), 0.0, 0.0
    if missing_branch:
        away, cells_away, classes = lost.sum(), cell[lost].sum(), cell[known + lost].sum()
        share_away = cells_away / away if away else 0.0
    branch_away, whole, total = cell[away], cell[n + away], float(n + away)
    size, weight = np.uint64(0), np.uint64(1)
    place, shares = start, share_away
    for number in range(len(at)):
        last = at[number]
        if last == KNOWN:
            share = of_known / n + share_away
            cells, branches = of_known + cells_away, cell[n] + branch_away
            scores[number] = combine(cells, branches, share, classes, whole, total)
            continue
        while place <= last:
            c = np.uint64(keys[place]) & mask
            if len(weights):
                weight = np.uint64(weights[order[place]])
            left[c] += weight
            below[c], above[c] = cell[left[c]], cell[known[c] - left[c]]
            size += weight
            place += 1
        if with_shares:
            shares = below.sum() / size + above.sum() / (n - size) + share_away
        cells = cells_away
        for i in range(len(known)):
            cells += below[i] + above[i]
        branches = cell[size] + cell[n - size] + branch_away
        scores[number] = combine(cells, branches, shares, classes, whole, total)


@kernel
def scores_of(
    formula: Callable[[FloatArray], float], tables: FloatArray, scores: FloatArray
) -> None:
    """Score tables one by one."""
    for i in range(len(tables)):
        scores[i] = formula(tables[i])


@kernel
def sides_of(
    cuts: Cuts, ends: IndexArray, n_codes: IndexArray, candidates: IndexArray
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Return the feature of some cuts, and the codes below and above.

    The cuts of feature f at node k end before `ends[f * n_nodes + k]`. Where a cut parts the known
    values from the missing ones, the code above is -1.
    """
    feature, low, high = (
        np.empty(len(candidates), np.int64),
        np.empty(len(candidates), np.int64),
        np.empty(len(candidates), np.int64),
    )
    for i in range(len(candidates)):
        f, k = divmod(np.searchsorted(ends, candidates[i], side="right"), len(cuts.starts))
        number = candidates[i] - (ends[f * len(cuts.starts) + k] - cuts.n_cuts[f, k])
        place = cuts.at[f, cuts.starts[k] + number]
        feature[i] = f
        if place == KNOWN:
            low[i], high[i] = n_codes[f] - 1, -1
        else:
            low[i] = cuts.keys[f, place] >> cuts.bits
            high[i] = cuts.keys[f, place + 1] >> cuts.bits
    return feature, low, high
