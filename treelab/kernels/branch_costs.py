"""What a split sends to its branches, and what they cost as leaves.

`tables` (value of any feature, class) are those of `unit_cases.fill_tables`. `room` holds the
branches (branch, class) of a candidate, and in the row behind them what has no branch.
"""

import numpy as np

from treelab.kernels._arrays import IndexArray, IntArray
from treelab.kernels._jit import kernel, step
from treelab.kernels.unit_cases import Rules, Units, is_mapped

NEVER = 2**62
"""More than anything costs."""


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
def set_branches(units: Units, tables: IndexArray, f: int, candidate: int, room: IndexArray) -> int:
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
    # A code that no case has here: the cut is the one before.
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
    # Added up anew, as maps have nothing in common with the map before. What has no branch has a
    # row behind the branches, so it needs no loop of its own.
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
def covers(units: Units, f: int, missing: bool) -> bool:
    """Tell whether every value has a branch; all maps of a feature have the same values."""
    lost = units.first[f + 1] - units.first[f] - 1
    return not missing or not is_mapped(units, f) or units.maps[units.first_map[f], lost] >= 0


@step
def weight_of(room: IndexArray, b: int) -> int:
    """Return the weight of a branch."""
    weight = 0
    for c in range(room.shape[1]):
        weight += room[b, c]
    return weight


@kernel
def leaves_cost(room: IndexArray, n: int, rules: Rules, homeless: bool) -> int:
    """Return what branches cost as leaves; `NEVER` where fewer than two are large enough."""
    # An empty branch costs nothing, as no leaf is made of it. The heaviest branch is found on the
    # way, because it also gets what has no branch.
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
