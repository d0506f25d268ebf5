"""Cases as the search for optimal trees sees them: equal ones added up, weights in whole numbers.

A *unit* is all cases of the same values and the same class. Weights are costs: what it costs to
get a case wrong, in whole numbers, so that sums do not depend on their order. A leaf costs
`Rules.leaf`.

An *ordered* feature has no maps: its candidate k parts the codes up to k from the others, and
missing values from both or with the heavier side; so the last k parts known values from missing
ones. The candidates of a *mapped* feature are the rows `first_map[f]` to `first_map[f + 1]` of
`maps`: the branch of every code, -1 for none. The last code of every feature stands for missing;
what has no branch goes with the heaviest one, the first among equals.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import BoolArray, CodeArray, IndexArray, IntArray
from treelab.kernels._jit import kernel, step


class Units(NamedTuple):
    """The cases and their candidates.

    `codes` is (unit, feature); the codes of feature f have the rows from `first[f]` on of a table
    (value of any feature, class), that of missing the last one before `first[f + 1]`. `own_branch`
    says that the missing values of ordered features have a branch of their own. `side` are, for
    maps to two branches, the codes of the branch that has fewer of them, from `first_side[m]` to
    `first_side[m + 1]` for map m: what lies there is counted, the rest is what is left.
    """

    codes: CodeArray
    label: IntArray
    weight: IndexArray
    n_classes: int
    first: IndexArray
    first_map: IndexArray
    maps: IntArray
    n_branches: IndexArray
    own_branch: bool
    first_side: IndexArray
    side: IndexArray


class Rules(NamedTuple):
    """What a leaf costs, and which splits are allowed; all in the unit of weights.

    `similar`: a case more or less changes the least cost by so many times its weight at most, see
    `treelab.tree.optimal.archive`; 0 where that cannot be said.
    """

    leaf: int
    min_branch: int
    min_cases: int
    similar: int


@kernel
def fill_tables(units: Units, rows: IndexArray, tables: IndexArray) -> None:
    """Fill the table (value of any feature, class) of some units."""
    for value in range(len(tables)):
        for c in range(tables.shape[1]):
            tables[value, c] = 0
    for row in rows:
        add_unit(units, row, tables)


@step
def add_unit(units: Units, row: int, tables: IndexArray) -> None:
    """Add a unit to the tables of all features."""
    label, weight = units.label[row], units.weight[row]
    for f in range(units.codes.shape[1]):
        tables[units.first[f] + units.codes[row, f], label] += weight


@kernel
def compacted(units: Units, rows: IndexArray) -> tuple[Units, IndexArray]:
    """Return some units, ordered features with those codes only that occur there.

    Returns also the code that each row of their tables had before.
    """
    n_features, occurs = units.codes.shape[1], np.zeros(units.first[-1], np.bool_)
    for row in rows:
        for f in range(n_features):
            occurs[units.first[f] + units.codes[row, f]] = True
    first, place = np.zeros(n_features + 1, np.int64), np.zeros(units.first[-1], np.int64)
    before, n = np.zeros(units.first[-1], np.int64), 0
    for f in range(n_features):
        for value in range(units.first[f], units.first[f + 1]):
            place[value], before[n] = n - first[f], value - units.first[f]
            is_last = value == units.first[f + 1] - 1
            n += int(occurs[value] or is_last or is_mapped(units, f))
        first[f + 1] = n
    codes = np.empty((len(rows), n_features), units.codes.dtype)
    label, weight = np.empty(len(rows), np.int32), np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        label[i], weight[i] = units.label[rows[i]], units.weight[rows[i]]
        for f in range(n_features):
            codes[i, f] = place[units.first[f] + units.codes[rows[i], f]]
    some = Units(
        codes, label, weight, units.n_classes, first, units.first_map, units.maps,
        units.n_branches, units.own_branch, units.first_side, units.side,
    )  # fmt: skip
    return some, before


@kernel
def class_weights(units: Units, rows: IndexArray) -> IndexArray:
    """Return the weight of each class."""
    counts = np.zeros(units.n_classes, np.int64)
    for row in rows:
        counts[units.label[row]] += units.weight[row]
    return counts


@step
def is_mapped(units: Units, f: int) -> bool:
    """Tell whether the candidates of a feature are maps."""
    return bool(units.first_map[f + 1] > units.first_map[f])


@kernel
def unit_branches(units: Units, rows: IndexArray, f: int, candidate: int, branch: IntArray) -> int:
    """Fill the branch of every unit, without empty ones; return the number of branches."""
    # Units without a branch are left at -1: which branch is the heaviest is known only when all
    # others are counted.
    n_codes = units.first[f + 1] - units.first[f] - 1
    mapped = is_mapped(units, f)
    weights = np.zeros(n_codes + 3, np.int64)
    for i in range(len(rows)):
        code = units.codes[rows[i], f]
        if mapped:
            branch[i] = units.maps[units.first_map[f] + candidate, code]
        elif code == n_codes:
            branch[i] = 2 if units.own_branch else -1
        else:
            branch[i] = int(code > candidate)
        if branch[i] >= 0:
            weights[branch[i]] += units.weight[rows[i]]
    return _without_empty(weights, branch)


@kernel
def _without_empty(weights: IndexArray, branch: IntArray) -> int:
    """Give the branches that are not empty numbers from 0 on; who has none goes to the heaviest."""
    # `>` makes the heaviest the first among equals, as in all kernels that count without looking
    # at units.
    heaviest, n = 0, 0
    number = np.empty(len(weights), np.int32)
    for b in range(len(weights)):
        if weights[b] > weights[heaviest]:
            heaviest = b
        number[b] = n
        n += int(weights[b] > 0)
    for i in range(len(branch)):
        branch[i] = number[branch[i] if branch[i] >= 0 else heaviest]
    return n


@kernel
def weight_outside(units: Units, rows: IndexArray, inside: BoolArray) -> int:
    """Return the weight of those units that are not inside a set of units."""
    weight = 0
    for row in rows:
        if not inside[row]:
            weight += units.weight[row]
    return weight
