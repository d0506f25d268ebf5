"""The cases of a root as the search sees them: units, candidates and costs in whole numbers."""

from functools import cached_property

import attrs
import numpy as np

from treelab._typing import AnyArray, IndexArray
from treelab.kernels.unit_cases import Rules, Units
from treelab.stats.stores.node import InMemoryNode
from treelab.tree.optimal.axes import SearchAxis, axes_of, codes_of
from treelab.tree.optimal.costs import Costs
from treelab.tree.stop import Stop

ONE = np.ones(1)

MOST_SIMILAR = 8
"""A case that may change the cost by more times its weight says nothing of others."""


@attrs.frozen(eq=False)
class Problem:
    """What is to be minimised.

    `unit_of` is the unit of each row of the data, -1 for one that is not learned from;
    `unavoidable` the weight of each unit that no tree can get right, since a heavier unit has the
    same values.
    """

    axes: tuple[SearchAxis, ...]
    units: Units
    rules: Rules
    unit_of: IndexArray
    unavoidable: IndexArray
    costs: Costs

    @classmethod
    def of(cls, root: InMemoryNode, stop: Stop, price: float) -> "Problem":
        """Make the problem of all cases of a root."""
        axes, rows = axes_of(root), root.coded.to_learn_from
        y, weights = root.coded.y[rows], root.coded.weights[rows]
        codes = [axis.values[codes_of(root, axis.feature)[rows]] for axis in axes]
        content = np.column_stack([*codes, y]).astype(np.uint16)
        distinct, unit = np.unique(content, axis=0, return_inverse=True)
        costs = Costs.of(float(weights.sum()), len(distinct), _most_branches(axes))
        weight = np.zeros(len(distinct), np.int64)
        np.add.at(weight, unit.reshape(-1), costs.of_weights(weights))
        units = _units(axes, distinct, weight, root)
        leaf = costs.of_leaf(price, float(weights.sum()))
        least = costs.at_least(stop.min_branch), costs.at_least(stop.min_cases)
        case = int(costs.of_weights(ONE)[0])
        rules = Rules(leaf, *least, 0)
        if most_branches(units) == 2 or stop.max_leaves is None:
            rules = rules._replace(similar=_similar(units, rules, case))
        unit_of = np.full(len(root.coded.y), -1)
        unit_of[rows] = unit.reshape(-1)
        return cls(axes, units, rules, unit_of, _unavoidable(distinct, weight), costs)

    @property
    def n_units(self) -> int:
        return len(self.unavoidable)

    @property
    def has_missing(self) -> bool:
        return has_missing(self.units)

    @cached_property
    def most_branches(self) -> int:
        """How many branches a split can have."""
        return most_branches(self.units)


def has_missing(units: Units) -> bool:
    """Tell whether a unit misses a value that has no place among the others."""
    return bool((units.codes == np.diff(units.first) - 1).any())


def most_branches(units: Units) -> int:
    """Return how many branches a split can have."""
    third = units.own_branch and has_missing(units)
    return max(3 if third else 2, int(units.n_branches.max(initial=0)))


def _most_branches(axes: tuple[SearchAxis, ...]) -> int:
    return max((axis.most_branches for axis in axes), default=2)


def _units(
    axes: tuple[SearchAxis, ...], distinct: AnyArray, weight: IndexArray, root: InMemoryNode
) -> Units:
    maps = [axis.maps for axis in axes if axis.maps is not None]
    stacked = np.full((sum(map(len, maps)), max((m.shape[1] for m in maps), default=1)), -1)
    first = 0
    for block in maps:
        stacked[first : first + len(block), : block.shape[1]] = block
        first += len(block)
    first_side, side = _sides(stacked)
    n_maps = [0 if axis.maps is None else len(axis.maps) for axis in axes]
    n_codes = [axis.n_codes + 1 for axis in axes]
    return Units(
        codes=np.ascontiguousarray(distinct[:, :-1]),
        label=distinct[:, -1].astype(np.int32),
        weight=weight,
        n_classes=root.coded.n_classes,
        first=np.cumsum([0, *n_codes]),
        first_map=np.cumsum([0, *n_maps]),
        maps=stacked.astype(np.int32),
        n_branches=stacked.max(axis=1, initial=-1).astype(np.int64) + 1,
        own_branch=root.context.missing_is_value,
        first_side=first_side,
        side=side,
    )


def _sides(maps: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Return the codes of the branch that has fewer of each map to two; see `Units.side`."""
    counts = np.array([(maps == 0).sum(axis=1), (maps == 1).sum(axis=1)])
    fewer = np.where(maps.max(axis=1, initial=0) == 1, counts.argmin(axis=0), -2)
    maps_of, codes = np.nonzero(maps == fewer[:, None])
    return np.searchsorted(maps_of, np.arange(len(maps) + 1)), codes


def _similar(units: Units, rules: Rules, case: int) -> int:
    """Return by how many times its weight a case changes the least cost; see `Rules.similar`."""
    lightest, n_branches = int(units.weight.min(initial=case)), most_branches(units)
    moves = not units.own_branch and has_missing(units)
    # A case may need a branch, and so a leaf, that a tree of other cases does without.
    dear = n_branches > 2 and rules.leaf > lightest
    if moves or dear or rules.min_cases > 2 * lightest:
        return 0
    # A branch that is too small lacks a case at least, where all weights are whole.
    whole = bool((units.weight % case == 0).all())
    filled = max(0, rules.min_branch - (case if whole else 0))
    if rules.min_branch <= lightest:
        filled = 0
    factor = 1 - (-filled * (n_branches - 1) // lightest)
    return factor if factor <= MOST_SIMILAR else 0


def _unavoidable(distinct: AnyArray, weight: IndexArray) -> IndexArray:
    """Return the weight of units that lie where a heavier one, or an equal one before, lies."""
    same = np.append(True, (distinct[1:, :-1] != distinct[:-1, :-1]).any(axis=1))
    group = np.cumsum(same[: len(distinct)]) - 1
    heaviest = np.lexsort((-np.arange(len(weight)), weight, group))
    last = np.append(np.diff(group) > 0, True)[: len(weight)]
    lost: IndexArray = weight.copy()
    lost[heaviest[last]] = 0
    return lost
