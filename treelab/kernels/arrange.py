"""Bring the cases of nodes into the order of their codes, and keep them so from node to node.

The cases of node k are the places `starts[k]` to `stops[k]` of `rows`, `labels` and `ids`; `keys`
and `order` are as in `kernels.cuts`. Weights and branches are found by the id of a case, which
it keeps from node to node, so that what is sorted can be moved without being renumbered.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import (
    AnyArray,
    CodeArray,
    FloatArray,
    IndexArray,
    IntArray,
    SmallArray,
)
from treelab.kernels._jit import kernel

FEW = 24
"""So many cases are sorted by insertion."""

DIGIT = 11
"""More cases are sorted by so many bits of their codes at a time."""


@kernel
def sort_cases(
    codes: CodeArray,
    features: IndexArray,
    n_codes: IndexArray,
    rows: IntArray,
    labels: IntArray,
    ids: IntArray,
    starts: IndexArray,
    stops: IndexArray,
    bits: int,
    span: tuple[int, int],
    keys: AnyArray,
    order: IntArray,
) -> None:
    """Sort the cases of every node by their codes, missing last, equal ones as they come."""
    other_keys, other_order = np.empty_like(keys[0]), np.empty_like(order[0])
    for f in range(span[0], span[1]):
        column, n = codes[features[f]], n_codes[f]
        n_digits = 1
        while n >> n_digits * DIGIT:
            n_digits += 1
        for k in range(len(starts)):
            here, there = (keys[f], order[f]), (other_keys, other_order)
            if stops[k] - starts[k] <= FEW:
                _insert(column, n, rows, labels, ids, starts[k], stops[k], bits, *here)
                continue
            if n_digits % 2:
                here, there = there, here
            for place in range(starts[k], stops[k]):
                here[0][place] = min(int(column[rows[place]]), n) << bits | int(labels[place])
                here[1][place] = ids[place]
            for digit in range(n_digits):
                _deal_by_digit(*here, starts[k], stops[k], bits + digit * DIGIT, *there)
                here, there = there, here


@kernel
def _deal_by_digit(
    keys: AnyArray,
    order: IntArray,
    start: int,
    stop: int,
    shift: int,
    new_keys: AnyArray,
    new_order: IntArray,
) -> None:
    """Sort by some bits of the keys, equal ones as they come.

    Few bits at a time, because the processor can follow writes to a few thousand places, not to a
    million.
    """
    mask = np.uint64((1 << DIGIT) - 1)
    firsts = np.zeros(2 + (1 << DIGIT), np.int64)
    for place in range(start, stop):
        firsts[(np.uint64(keys[place]) >> np.uint64(shift) & mask) + np.uint64(1)] += 1
    firsts[0] = start
    for digit in range(1 << DIGIT):
        firsts[digit + 1] += firsts[digit]
    for place in range(start, stop):
        own = np.uint64(keys[place]) >> np.uint64(shift) & mask
        there = firsts[own]
        firsts[own] += 1
        new_keys[there], new_order[there] = keys[place], order[place]


@kernel
def _insert(
    column: AnyArray,
    n_codes: int,
    rows: IntArray,
    labels: IntArray,
    ids: IntArray,
    start: int,
    stop: int,
    bits: int,
    keys: AnyArray,
    order: IntArray,
) -> None:
    for place in range(start, stop):
        code = min(int(column[rows[place]]), n_codes)
        there = place
        while there > start and keys[there - 1] >> bits > code:
            keys[there], order[there] = keys[there - 1], order[there - 1]
            there -= 1
        keys[there], order[there] = (code << bits) | int(labels[place]), ids[place]


@kernel
def tally_cases(
    codes: CodeArray,
    features: IndexArray,
    n_codes: IndexArray,
    rows: IntArray,
    labels: IntArray,
    ids: IntArray,
    weights: FloatArray,
    starts: IndexArray,
    stops: IndexArray,
    bits: int,
    span: tuple[int, int],
    to: IndexArray,
    keys: AnyArray,
    tallies: FloatArray,
    ends: IndexArray,
) -> None:
    """Sort the cases of every node by code and class, those that are equal added up to one.

    The keys of node k begin at place `to[k]` and end before `ends[f, k]`; `tallies` are their
    weights.
    """
    shift = np.uint64(bits)
    for f in range(span[0], span[1]):
        column, n = codes[features[f]], np.uint64(n_codes[f])
        tally = np.zeros((n_codes[f] + 1) << bits)
        for k in range(len(starts)):
            for place in range(starts[k], stops[k]):
                # Unsigned, because such an index need not be checked.
                code = min(np.uint64(column[np.uint64(rows[place])]), n)
                key = code << shift | np.uint64(labels[place])
                tally[key] += weights[ids[place]] if len(weights) else 1.0
            there = to[k]
            for place in range(len(tally)):
                if tally[place] > 0.0:
                    keys[f, there], tallies[f, there] = place, tally[place]
                    tally[place] = 0.0
                    there += 1
            ends[f, k] = there


@kernel
def branches_of(
    codes: CodeArray,
    rows: IntArray,
    ids: IntArray,
    starts: IndexArray,
    stops: IndexArray,
    feature: IndexArray,
    n_codes: IndexArray,
    low: IndexArray,
    side_of_missing: IndexArray,
    maps: IntArray,
    first_map: IndexArray,
    branch: SmallArray,
) -> IndexArray:
    """Fill the branch of every case: by a cut above the code `low`, or by a map of codes.

    Node k has a map where `first_map[k]` is not negative; the map's last entry is for missing.
    Returns the number of branches of every node.
    """
    n_branches = np.zeros(len(starts), np.int64)
    for k in range(len(starts)):
        column, n = codes[feature[k]], n_codes[k]
        for place in range(starts[k], stops[k]):
            code = min(int(column[rows[place]]), n)
            if first_map[k] >= 0:
                goes = maps[first_map[k] + code]
            elif code == n:
                goes = side_of_missing[k]
            else:
                goes = int(code > low[k])
            branch[ids[place]] = goes
            n_branches[k] = max(n_branches[k], goes + 1)
    return n_branches


@kernel
def count_branches(
    branch: SmallArray,
    labels: IntArray,
    ids: IntArray,
    weights: FloatArray,
    starts: IndexArray,
    stops: IndexArray,
    first_child: IndexArray,
    counts: FloatArray,
    lost: FloatArray,
    n_cases: IndexArray,
    n_lost: IndexArray,
) -> None:
    """Add up the classes (child, class) and numbers of cases of all children.

    What has no branch is added to `lost` (node, class) and `n_lost` (node).
    """
    for k in range(len(starts)):
        for place in range(starts[k], stops[k]):
            case = ids[place]
            weight = weights[case] if len(weights) else 1.0
            if branch[case] < 0:
                lost[k, labels[place]] += weight
                n_lost[k] += 1
            else:
                child = first_child[k] + branch[case]
                counts[child, labels[place]] += weight
                n_cases[child] += 1


class Divided(NamedTuple):
    """What comes of the splits of some nodes.

    The children of node k are `first_child[k]` to `first_child[k + 1]`; child i is branch
    `number[i]` of node `parent[i]`. The others are those of `count_branches`.
    """

    first_child: IndexArray
    parent: IndexArray
    number: IndexArray
    counts: FloatArray
    lost: FloatArray
    n_cases: IndexArray
    n_lost: IndexArray


@kernel
def divide(
    codes: CodeArray,
    rows: IntArray,
    labels: IntArray,
    ids: IntArray,
    weights: FloatArray,
    starts: IndexArray,
    stops: IndexArray,
    feature: IndexArray,
    n_codes: IndexArray,
    low: IndexArray,
    side_of_missing: IndexArray,
    maps: IntArray,
    first_map: IndexArray,
    n_classes: int,
    branch: SmallArray,
) -> Divided:
    """Carry out the split of every node: fill `branch` as `branches_of` does, and count."""
    n_branches = branches_of(
        codes, rows, ids, starts, stops, feature, n_codes, low, side_of_missing, maps, first_map,
        branch,
    )  # fmt: skip
    first_child = np.zeros(len(starts) + 1, np.int64)
    first_child[1:] = n_branches.cumsum()
    parent = np.repeat(np.arange(len(starts)), n_branches)
    counts, lost = np.zeros((len(parent), n_classes)), np.zeros((len(starts), n_classes))
    n_cases, n_lost = np.zeros(len(parent), np.int64), np.zeros(len(starts), np.int64)
    count_branches(
        branch, labels, ids, weights, starts, stops, first_child, counts, lost, n_cases, n_lost
    )
    number = np.arange(len(parent)) - first_child[parent]
    return Divided(first_child, parent, number, counts, lost, n_cases, n_lost)


@kernel
def deal(
    branch: SmallArray,
    rows: IntArray,
    labels: IntArray,
    ids: IntArray,
    weights: FloatArray,
    starts: IndexArray,
    stops: IndexArray,
    first_child: IndexArray,
    to: IndexArray,
    to_lost: IndexArray,
    share: FloatArray,
    new_rows: IntArray,
    new_labels: IntArray,
    new_ids: IntArray,
    new_weights: FloatArray,
    place_of: IntArray,
) -> None:
    """Copy the cases to the children, each from place `to[child]` on; a child at -1 gets none.

    Cases without a branch go to all children, from `to_lost[child]` on, with a `share` of their
    weight. Where there are such, every case of the children gets a new id, its place, and
    `place_of[id]` tells where in the arrays, or how many'th among those without a branch, the case
    went; else ids and weights stay, and `place_of` and `new_weights` are empty.
    """
    next_place = to.copy()
    for k in range(len(starts)):
        n_lost = 0
        for place in range(starts[k], stops[k]):
            case = ids[place]
            if branch[case] >= 0:
                child = first_child[k] + branch[case]
                there = next_place[child]
                if there >= 0:
                    next_place[child] = there + 1
                    new_rows[there], new_labels[there] = rows[place], labels[place]
                    new_ids[there] = case
                    if len(place_of):
                        new_ids[there] = there
                        place_of[case] = there
                        new_weights[there] = weights[case] if len(weights) else 1.0
                continue
            for child in range(first_child[k], first_child[k + 1]):
                if to[child] >= 0 and share[child] > 0.0:
                    there = to_lost[child] + n_lost
                    new_rows[there], new_labels[there] = rows[place], labels[place]
                    new_ids[there] = there
                    weight = weights[case] if len(weights) else 1.0
                    new_weights[there] = share[child] * weight
            place_of[case] = n_lost
            n_lost += 1


@kernel
def deal_sorted(
    keys: AnyArray,
    order: IntArray,
    branch: SmallArray,
    place_of: IntArray,
    starts: IndexArray,
    stops: IndexArray,
    first_child: IndexArray,
    to: IndexArray,
    to_lost: IndexArray,
    share: FloatArray,
    span: tuple[int, int],
    new_keys: AnyArray,
    new_order: IntArray,
) -> None:
    """Carry the order of every feature over to the children; see `deal`."""
    for f in range(span[0], span[1]):
        next_place = to.copy()
        for k in range(len(starts)):
            first, last = first_child[k], first_child[k + 1] - 1
            if last == first + 1 and not len(place_of):
                _deal_in_two(
                    keys[f], order[f], branch, starts[k], stops[k], to[first : last + 1],
                    to_lost[first : last + 1], new_keys[f], new_order[f],
                )  # fmt: skip
                continue
            for place in range(starts[k], stops[k]):
                case = order[f, place]
                if branch[case] >= 0:
                    child = first + branch[case]
                    there = next_place[child]
                    if there >= 0:
                        next_place[child] = there + 1
                        new_keys[f, there] = keys[f, place]
                        new_order[f, there] = place_of[case] if len(place_of) else case
                    continue
                for child in range(first, last + 1):
                    there = next_place[child]
                    if there >= 0 and share[child] > 0.0:
                        next_place[child] = there + 1
                        new_keys[f, there] = keys[f, place]
                        new_order[f, there] = to_lost[child] + place_of[case]


@kernel
def _deal_in_two(
    keys: AnyArray,
    order: IntArray,
    branch: SmallArray,
    start: int,
    stop: int,
    to: IndexArray,
    ends: IndexArray,
    new_keys: AnyArray,
    new_order: IntArray,
) -> None:
    """Carry the order over to two children, or to the one that gets cases: without a guess."""
    left, right = to[0], to[1]
    if left >= 0 and right >= 0:
        for place in range(start, stop):
            goes_right = int(branch[np.uint64(order[place])])
            there = np.uint64(right if goes_right else left)
            new_keys[there], new_order[there] = keys[place], order[place]
            left += 1 - goes_right
            right += goes_right
        return
    wanted = int(right >= 0)
    goes_to, end, place = to[wanted], ends[wanted], start
    while 0 <= goes_to < end:
        # What is not wanted is written, too, and the next one over it.
        there = np.uint64(goes_to)
        new_keys[there], new_order[there] = keys[place], order[place]
        goes_to += int(branch[np.uint64(order[place])] == wanted)
        place += 1


@kernel
def first_best(
    scores: FloatArray,
    feature: IndexArray,
    node: IndexArray,
    ends: IndexArray,
    n_nodes: int,
    tie: float,
) -> IndexArray:
    """Return the best candidate of every node, -1 where none can be judged.

    The candidates of run r, all of `feature[r]` at `node[r]`, end before `ends[r]`. Among
    candidates that are equal within `tie`, relative to a best above 1, the lowest feature wins,
    then the first candidate.
    """
    best_of_run = np.full(len(ends), np.nan)
    best = np.full(n_nodes, np.nan)
    start = 0
    for r in range(len(ends)):
        top = np.nan
        for place in range(start, ends[r]):
            if scores[place] > top or (np.isnan(top) and not np.isnan(scores[place])):
                top = scores[place]
        best_of_run[r] = top
        if top > best[node[r]] or np.isnan(best[node[r]]):
            best[node[r]] = top
        start = ends[r]
    chosen = np.full(n_nodes, -1)
    chosen_feature = np.full(n_nodes, np.iinfo(np.int64).max)
    start = 0
    for r in range(len(ends)):
        k = node[r]
        slack = tie * max(1.0, abs(best[k])) if np.isfinite(best[k]) else 0.0
        if feature[r] < chosen_feature[k] and best_of_run[r] >= best[k] - slack:
            place = start
            while not scores[place] >= best[k] - slack:
                place += 1
            chosen[k], chosen_feature[k] = place, feature[r]
        start = ends[r]
    return chosen
