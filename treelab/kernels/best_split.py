"""The split that makes leaves of a node at the least cost."""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.branch_costs import (
    covers,
    leaves_cost,
    n_candidates,
    room_for,
    set_branches,
    weight_of,
)
from treelab.kernels.unit_cases import Rules, Units, class_weights, fill_tables, is_mapped

LEAF = -1
"""The feature of a node that is better left a leaf."""


class Best(NamedTuple):
    """The least cost that was found, and the split that has it."""

    cost: int
    feature: int
    candidate: int


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
    # The two fast loops get one branch as the class counts less the other, so they need every
    # case in one of two branches; all else takes the general way.
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
    # The general way: any number of branches, and cases without one. `<` keeps the first of equal
    # candidates; `n` is 0 for a cut that is the same as the one before.
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
    # `low + high` is compared, not the cost, and whether the branches are large enough is asked
    # only of a cut that would be the best so far: few are.
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
    # The other branch is the class counts less this one.
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
