"""The split that makes leaves of a node at the least cost.

`tables` (value of any feature, class) are those of `unit_cases.fill_tables`. `room` holds the
branches (branch, class) of a candidate, and in the row behind them what has no branch.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel, step
from treelab.kernels.unit_cases import Rules, Units, class_weights, fill_tables, is_mapped

NEVER = 2**62
"""More than anything costs."""

LEAF = -1
"""The feature of a node that is better left a leaf."""


class Best(NamedTuple):
    """The least cost that was found, and the split that has it."""

    cost: int
    feature: int
    candidate: int


class Listed(NamedTuple):
    """The candidates that are allowed at a node.

    How pure their branches are, and, of ordered features, what weighs on the left.
    """

    feature: IndexArray
    candidate: IndexArray
    pure: FloatArray
    left: IndexArray


@kernel
def n_candidates(units: Units, f: int) -> int:
    """Return the number of candidates of a feature, allowed or not."""
    if is_mapped(units, f):
        return int(units.first_map[f + 1] - units.first_map[f])
    return int(units.first[f + 1] - units.first[f] - 1)


@kernel
def room_for(units: Units) -> IndexArray:
    """Return room for the branches of any candidate."""
    most = 2
    for n in units.n_branches:
        most = max(most, n)
    return np.zeros((most + 1, units.n_classes), np.int64)


@kernel
def set_branches(
    units: Units, tables: IndexArray, f: int, candidate: int, room: IndexArray
) -> int:
    """Make the branches of a candidate, of an ordered feature from those of the one before.

    Returns how many there are, empty ones too; 0 where it is no other than the one before.
    """
    first, lost = units.first[f], units.first[f + 1] - 1
    if is_mapped(units, f):
        m = units.first_map[f] + candidate
        return _send_all(tables, first, lost, units.maps[m], units.n_branches[m], room)
    if candidate == 0:
        _start_right(tables, first, lost, room)
    moved = 0
    for c in range(tables.shape[1]):
        n = tables[first + candidate, c]
        moved += n
        room[0, c] += n
        room[1, c] -= n
    if moved == 0:
        return 0
    return 3 if units.own_branch else 2


@kernel
def _start_right(tables: IndexArray, first: int, lost: int, room: IndexArray) -> None:
    for c in range(tables.shape[1]):
        room[0, c], room[1, c], room[2, c] = 0, 0, tables[lost, c]
        for value in range(first, lost):
            room[1, c] += tables[value, c]


@kernel
def _send_all(
    tables: IndexArray, first: int, lost: int, branch_of: IntArray, n: int, room: IndexArray
) -> int:
    for b in range(n + 1):
        for c in range(tables.shape[1]):
            room[b, c] = 0
    for value in range(first, lost + 1):
        b = branch_of[value - first]
        b = b if b >= 0 else n
        for c in range(tables.shape[1]):
            room[b, c] += tables[value, c]
    return n


@step
def weight_of(room: IndexArray, b: int) -> int:
    """Return the weight of a branch."""
    weight = 0
    for c in range(room.shape[1]):
        weight += room[b, c]
    return weight


@kernel
def leaves_cost(
    room: IndexArray, n: int, rules: Rules, homeless: bool
) -> int:
    """Return what branches cost as leaves; `NEVER` where fewer than two are large enough."""
    cost, large, heaviest, most_weight = 0, 0, 0, -1
    for b in range(n):
        weight, most = 0, 0
        for c in range(room.shape[1]):
            weight += room[b, c]
            most = max(most, room[b, c])
        if weight > 0:
            cost += weight - most + rules.leaf
            large += int(weight >= rules.min_branch)
            if weight > most_weight:
                heaviest, most_weight = b, weight
    if large < 2:
        return NEVER
    return cost + _extra(room, n, heaviest) if homeless else cost


@kernel
def _extra(room: IndexArray, n: int, heaviest: int) -> int:
    """Return how many errors more what has no branch makes in the heaviest one."""
    weight, before, after = 0, 0, 0
    for c in range(room.shape[1]):
        weight += room[n, c]
        before = max(before, room[heaviest, c])
        after = max(after, room[heaviest, c] + room[n, c])
    return weight - (after - before)


@kernel
def best_split(
    units: Units,
    tables: IndexArray,
    totals: IndexArray,
    rules: Rules,
    limit: int,
    room: IndexArray,
) -> Best:
    """Return the first split of least cost below `limit`; all of its branches are leaves.

    `totals` are the weights of the classes.
    """
    best = Best(limit, LEAF, 0)
    for f in range(units.codes.shape[1]):
        mapped, missing = is_mapped(units, f), weight_of(tables, units.first[f + 1] - 1) > 0
        if not mapped and not missing:
            best = _best_cut(units, tables, f, totals, rules, best, room[0])
        elif mapped and units.n_branches[units.first_map[f]] == 2 and covers(units, f, missing):
            best = _best_of_two(units, tables, f, totals, rules, best, room[0])
        else:
            homeless = missing and not (units.own_branch and covers(units, f, missing))
            best = _best_candidate(units, tables, f, homeless, rules, best, room)
    return best


@step
def covers(units: Units, f: int, missing: bool) -> bool:
    """Tell whether every value has a branch; all maps of a feature have the same values."""
    lost = units.first[f + 1] - units.first[f] - 1
    return not missing or not is_mapped(units, f) or units.maps[units.first_map[f], lost] >= 0


@kernel
def _best_candidate(
    units: Units,
    tables: IndexArray,
    f: int,
    homeless: bool,
    rules: Rules,
    best: Best,
    room: IndexArray,
) -> Best:
    for k in range(n_candidates(units, f)):
        n = set_branches(units, tables, f, k, room)
        if n:
            cost = leaves_cost(room, n, rules, homeless)
            if cost < best.cost:
                best = Best(cost, f, k)
    return best


@kernel
def _best_cut(
    units: Units,
    tables: IndexArray,
    f: int,
    totals: IndexArray,
    rules: Rules,
    best: Best,
    left: IndexArray,
) -> Best:
    """Return the best cut of a feature without missing values: the loop that all time is spent in.

    What is right is the heaviest class on either side.
    """
    n_classes, first, last = len(totals), units.first[f], units.first[f + 1] - 1
    weight, on_left = 0, 0
    for c in range(n_classes):
        left[c] = 0
        weight += totals[c]
    wanted, at = weight + 2 * rules.leaf - best.cost, -1
    for value in range(first, last):
        here, low, high = 0, 0, 0
        for c in range(n_classes):
            n = tables[value, c]
            here += n
            left[c] += n
            low = max(low, left[c])
            high = max(high, totals[c] - left[c])
        if here and low + high > wanted:
            on_left = 0
            for c in range(n_classes):
                on_left += left[c]
            least = min(on_left, weight - on_left)
            if least > 0 and least >= rules.min_branch:
                wanted, at = low + high, value - first
    return best if at < 0 else Best(weight + 2 * rules.leaf - wanted, f, at)


@kernel
def _best_of_two(
    units: Units,
    tables: IndexArray,
    f: int,
    totals: IndexArray,
    rules: Rules,
    best: Best,
    here: IndexArray,
) -> Best:
    """Return the best map to two branches, of which only the one of fewer codes is counted."""
    weight = 0
    for c in range(len(totals)):
        weight += totals[c]
    wanted, at = weight + 2 * rules.leaf - best.cost, -1
    for m in range(units.first_map[f], units.first_map[f + 1]):
        low, high, on_side = 0, 0, 0
        for c in range(len(totals)):
            here[c] = 0
            for i in range(units.first_side[m], units.first_side[m + 1]):
                here[c] += tables[units.first[f] + units.side[i], c]
            on_side += here[c]
            low = max(low, here[c])
            high = max(high, totals[c] - here[c])
        least = min(on_side, weight - on_side)
        if low + high > wanted and least > 0 and least >= rules.min_branch:
            wanted, at = low + high, m - units.first_map[f]
    return best if at < 0 else Best(weight + 2 * rules.leaf - wanted, f, at)


@kernel
def best_single(units: Units, rows: IndexArray, rules: Rules, limit: int) -> Best:
    """Return the first split of some units of least cost below `limit`."""
    tables = np.empty((units.first[-1], units.n_classes), np.int64)
    fill_tables(units, rows, tables)
    return best_split(units, tables, class_weights(units, rows), rules, limit, room_for(units))


@kernel
def list_candidates(units: Units, rows: IndexArray, rules: Rules) -> Listed:
    """Return all candidates that are allowed for some units, the first of equal cuts."""
    tables = np.empty((units.first[-1], units.n_classes), np.int64)
    fill_tables(units, rows, tables)
    room, most, found = room_for(units), 0, 0
    for f in range(units.codes.shape[1]):
        most += n_candidates(units, f)
    listed = Listed(
        np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most), np.zeros(most, np.int64)
    )
    for f in range(units.codes.shape[1]):
        for k in range(n_candidates(units, f)):
            n = set_branches(units, tables, f, k, room)
            if n and leaves_cost(room, n, rules, False) < NEVER:
                listed.feature[found], listed.candidate[found] = f, k
                listed.pure[found], listed.left[found] = _purity(room, n), weight_of(room, 0)
                found += 1
    return Listed(
        listed.feature[:found], listed.candidate[:found], listed.pure[:found], listed.left[:found]
    )


@kernel
def _purity(room: IndexArray, n: int) -> float:
    """Return the sum of n_c squared over n of some branches: the larger, the lower their Gini."""
    pure = 0.0
    for b in range(n):
        weight, squares = 0.0, 0.0
        for c in range(room.shape[1]):
            weight += float(room[b, c])
            squares += float(room[b, c]) ** 2
        if weight > 0.0:
            pure += squares / weight
    return pure
