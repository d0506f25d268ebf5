"""The tables of a split's branches, made from tables of a feature's values: no case is looked at.

`order` are the units of a node in the order of their codes of the feature; those of a code begin at
`starts[code]`.
"""

import numpy as np

from treelab.kernels._arrays import IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.branch_costs import weight_of
from treelab.kernels.unit_cases import Units, add_unit


@kernel
def in_order(units: Units, rows: IndexArray, f: int) -> tuple[IndexArray, IndexArray]:
    """Return units in the order of their codes, and where each code begins."""
    # A counting sort: the codes are small numbers, and `starts` is wanted anyway.
    starts = np.zeros(units.first[f + 1] - units.first[f] + 1, np.int64)
    for row in rows:
        starts[units.codes[row, f] + 1] += 1
    for code in range(1, len(starts)):
        starts[code] += starts[code - 1]
    place, order = starts.copy(), np.empty_like(rows)
    for row in rows:
        order[place[units.codes[row, f]]] = row
        place[units.codes[row, f]] += 1
    return order, starts


@kernel
def add_code(
    units: Units,
    tables: IndexArray,
    order: IndexArray,
    start: int,
    stop: int,
    to: IndexArray,
) -> None:
    """Add units to tables; if they are most of all, by all tables less those of the others."""
    # So at most half of the units are ever added. Weights are whole numbers, so the difference is
    # exact.
    if 2 * (stop - start) <= len(order):
        for i in range(start, stop):
            add_unit(units, order[i], to)
        return
    others = np.zeros(tables.shape, np.int64)
    for i in range(start):
        add_unit(units, order[i], others)
    for i in range(stop, len(order)):
        add_unit(units, order[i], others)
    for value in range(len(tables)):
        for c in range(tables.shape[1]):
            to[value, c] += tables[value, c] - others[value, c]


@kernel
def part(
    tables: IndexArray,
    left: IndexArray,
    lost: IndexArray,
    own_branch: bool,
    room: IndexArray,
    branches: IndexArray,
) -> None:
    """Make the tables of the branches of a cut."""
    # What is missing goes with most cases, unless it has a branch of its own.
    to_left = not own_branch and weight_of(room, 0) >= weight_of(room, 1)
    for value in range(len(tables)):
        for c in range(tables.shape[1]):
            here, gone = left[value, c], lost[value, c]
            if to_left:
                here += gone
            branches[0, value, c] = here
            branches[1, value, c] = tables[value, c] - here
            if own_branch:
                branches[1, value, c] -= gone
                branches[2, value, c] = gone


@kernel
def set_apart(
    tables: IndexArray, of_code: IndexArray, side: IndexArray, branches: IndexArray
) -> None:
    """Make the tables of the two branches of a map: some codes and all others."""
    # `side` has fewer codes than the other branch, which is the difference: exact, because weights
    # are whole numbers.
    for value in range(len(tables)):
        for c in range(tables.shape[1]):
            here = 0
            for code in side:
                here += of_code[code, value, c]
            branches[0, value, c] = here
            branches[1, value, c] = tables[value, c] - here


@kernel
def join(
    of_code: IndexArray,
    starts: IndexArray,
    branch_of: IntArray,
    n: int,
    room: IndexArray,
    branches: IndexArray,
) -> None:
    """Make the tables of the branches of a map from those of the values."""
    # What has no branch goes to the heaviest, so that one must be known first. Codes that no unit
    # has are passed over: their tables hold nothing.
    heaviest = 0
    for b in range(n):
        if weight_of(room, b) > weight_of(room, heaviest):
            heaviest = b
        for value in range(of_code.shape[1]):
            for c in range(of_code.shape[2]):
                branches[b, value, c] = 0
    for code in range(len(of_code)):
        if starts[code] < starts[code + 1]:
            b = branch_of[code] if branch_of[code] >= 0 else heaviest
            for value in range(of_code.shape[1]):
                for c in range(of_code.shape[2]):
                    branches[b, value, c] += of_code[code, value, c]
