"""The tree of least cost among those of depth two: a split with a split or a leaf in every branch.

The tables of a candidate's branches are made from those of the candidate before, or from the tables
of the feature's values: as in MurTree (Demirovic et al., JMLR 2022), which counts every pair of
features once for all trees of depth two, no case is looked at again for the splits below.
"""

import numpy as np

from treelab.kernels._arrays import IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.best_split import LEAF, Best, best_split
from treelab.kernels.branch_costs import (
    NEVER,
    covers,
    leaves_cost,
    n_candidates,
    room_for,
    set_branches,
)
from treelab.kernels.branch_tables import add_code, in_order, join, part, set_apart
from treelab.kernels.unit_cases import Rules, Units, add_unit, compacted, fill_tables, is_mapped


@kernel
def best_pair(
    units: Units,
    rows: IndexArray,
    rules: Rules,
    one_below: bool,
    limit: int,
    span: tuple[int, int],
) -> Best:
    """Return the first split of least cost below `limit` with a split or leaf in each branch.

    `span`: the first feature at the top and the one behind the last. With `one_below` no more than
    one of the branches is split.
    """
    # Codes that no unit has here are dropped first: every candidate makes tables of all values,
    # and these get shorter. The best cut gets its old code back in the end.
    units, before = compacted(units, rows)
    rows = np.arange(len(rows))
    tables = np.empty((units.first[-1], units.n_classes), np.int64)
    fill_tables(units, rows, tables)
    room, below = room_for(units), room_for(units)
    branches = np.empty((len(room), *tables.shape), np.int64)
    best = Best(limit, LEAF, 0)
    for f in range(span[0], span[1]):
        order, starts = in_order(units, rows, f)
        if is_mapped(units, f):
            best = _best_of_maps(
                units, tables, f, order, starts, rules, one_below, best, room, branches, below
            )
        else:
            best = _best_of_cuts(
                units, tables, f, order, starts, rules, one_below, best, room, branches, below
            )
    if best.feature == LEAF or is_mapped(units, best.feature):
        return best
    return Best(best.cost, best.feature, before[units.first[best.feature] + best.candidate])


@kernel
def _best_of_cuts(
    units: Units,
    tables: IndexArray,
    f: int,
    order: IndexArray,
    starts: IndexArray,
    rules: Rules,
    one_below: bool,
    best: Best,
    room: IndexArray,
    branches: IndexArray,
    below: IndexArray,
) -> Best:
    left, lost = np.zeros(tables.shape, np.int64), np.zeros(tables.shape, np.int64)
    for i in range(starts[-2], starts[-1]):
        add_unit(units, order[i], lost)
    # What moves between two cuts changes the least cost by its weight at most: next to a cut that
    # is much too dear nothing can be found (similar support).
    moved, dear = 0, 0
    for k in range(n_candidates(units, f)):
        n = set_branches(units, tables, f, k, room)
        if starts[k + 1] == len(order):
            break  # nothing is left on the right
        add_code(units, tables, order, starts[k], starts[k + 1], left)
        for i in range(starts[k], starts[k + 1]):
            moved += units.weight[order[i]]
        if n == 0 or leaves_cost(room, n, rules, False) == NEVER:
            continue
        if rules.similar and moved * rules.similar <= dear:
            continue
        part(tables, left, lost, units.own_branch, room, branches)
        cost = _cost_below(units, branches, n, rules, one_below, best.cost, below)
        if cost < best.cost:
            best = Best(cost, f, k)
        moved, dear = 0, cost - best.cost
    return best


@kernel
def _best_of_maps(
    units: Units,
    tables: IndexArray,
    f: int,
    order: IndexArray,
    starts: IndexArray,
    rules: Rules,
    one_below: bool,
    best: Best,
    room: IndexArray,
    branches: IndexArray,
    below: IndexArray,
) -> Best:
    # Maps have nothing in common with the map before, but all add up the same values: their
    # tables are made once. Of two branches that of fewer codes is added up, the other is the rest.
    of_code = np.zeros((len(starts) - 1, *tables.shape), np.int64)
    for code in range(len(of_code)):
        add_code(units, tables, order, starts[code], starts[code + 1], of_code[code])
    for k in range(n_candidates(units, f)):
        n = set_branches(units, tables, f, k, room)
        if leaves_cost(room, n, rules, False) == NEVER:
            continue
        m = units.first_map[f] + k
        if n == 2 and covers(units, f, starts[-2] < starts[-1]):
            side = units.side[units.first_side[m] : units.first_side[m + 1]]
            set_apart(tables, of_code, side, branches)
        else:
            join(of_code, starts, units.maps[m], n, room, branches)
        cost = _cost_below(units, branches, n, rules, one_below, best.cost, below)
        if cost < best.cost:
            best = Best(cost, f, k)
    return best


@kernel
def _cost_below(
    units: Units,
    branches: IndexArray,
    n: int,
    rules: Rules,
    one_below: bool,
    limit: int,
    below: IndexArray,
) -> int:
    """Return what branches cost, each a leaf or split once; at least that where not below `limit`.

    A branch that is split costs two leaves at least.
    """
    # `least` begins with what the branches cost at least; branch by branch, what one costs takes
    # the place of its bound, and once the sum is too dear nothing more needs to be split.
    cost, least, most_saved = 0, 0, 0
    totals = np.empty(units.n_classes, np.int64)
    for b in range(n):
        as_leaf = _leaf_cost(units, branches[b], rules, totals)
        cost += as_leaf
        least += min(as_leaf, 2 * rules.leaf)
    for b in range(n):
        if least >= limit:
            return least
        as_leaf = _leaf_cost(units, branches[b], rules, totals)
        at_least = min(as_leaf, 2 * rules.leaf)
        saved = 0
        if as_leaf > at_least and _sum(totals) >= rules.min_cases:
            split = best_split(units, branches[b], totals, rules, as_leaf, below)
            saved = as_leaf - split.cost
        least += as_leaf - saved - at_least
        most_saved = max(most_saved, saved)
    return cost - most_saved if one_below else least


@kernel
def _leaf_cost(units: Units, tables: IndexArray, rules: Rules, totals: IndexArray) -> int:
    """Return what the cases of some tables cost as a leaf, nothing where there are none.

    Fills the weights of the classes.
    """
    # Each unit has exactly one value of the first feature, so its rows alone add up to the class
    # counts.
    weight, most = 0, 0
    for c in range(tables.shape[1]):
        totals[c] = 0
        for value in range(units.first[1]):
            totals[c] += tables[value, c]
        weight += totals[c]
        most = max(most, totals[c])
    return weight - most + rules.leaf if weight else 0


@kernel
def _sum(totals: IndexArray) -> int:
    total = 0
    for weight in totals:
        total += weight
    return total
