"""All candidates of a node, with what tells which of them to try first."""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.branch_costs import (
    NEVER,
    leaves_cost,
    n_candidates,
    room_for,
    set_branches,
    weight_of,
)
from treelab.kernels.unit_cases import Rules, Units, fill_tables


class Listed(NamedTuple):
    """The candidates that are allowed at a node.

    How pure their branches are, and, of ordered features, what weighs on the left.
    """

    feature: IndexArray
    candidate: IndexArray
    pure: FloatArray
    left: IndexArray


@kernel
def list_candidates(units: Units, rows: IndexArray, rules: Rules) -> Listed:
    """Return all candidates that are allowed for some units, the first of equal cuts."""
    # There is room for all candidates, allowed or not: which are is known only when their branches
    # are made, and they should be made once.
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
    # It is only compared between candidates of a node, so what they have in common is left out of
    # their Gini.
    pure = 0.0
    for b in range(n):
        weight, squares = 0.0, 0.0
        for c in range(room.shape[1]):
            weight += float(room[b, c])
            squares += float(room[b, c]) ** 2
        if weight > 0.0:
            pure += squares / weight
    return pure
