"""Cases as a tree tests them: those that it cannot tell apart are one, of their weight together.

Of a number only the interval between the thresholds of the tree is left, and features that the tree
does not test are left out. Weights are on a grid, so their sums are exact. Only where cases are
shared out among branches, those with missing values stay as they are: shares are rounded by case.
"""

import attrs
import numpy as np

from treelab._typing import AnyArray, BoolArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import ANY_NUMBER, Axis
from treelab.data.order import HALF, ODD
from treelab.data.weights import is_integral, on_grid
from treelab.errors import ParameterError
from treelab.stats.stores.part import Part
from treelab.tree.model import Tree

MOST_VALUES = 2**28
"""So many values of different cases are dealt in one memory, 2 bytes each."""


@attrs.frozen(eq=False)
class Column:
    """A feature that a tree tests: the place of each code, missing last, among its `values`."""

    feature: int
    places: IndexArray
    values: FloatArray

    @classmethod
    def of(cls, tree: Tree, feature: int, axis: Axis) -> "Column":
        """Return the column of a feature."""
        if axis.kind != "numeric":
            codes = np.arange(axis.n_codes + 1)
            return cls(feature, codes, np.append(codes[:-1], np.nan))
        borders = np.unique(tree.threshold[tree.feature == feature])
        # A value stands for each code that is on the same side of all borders as those it is of.
        of_codes = np.append(axis.points, ANY_NUMBER) if axis.binned else axis.points
        places = np.append(np.searchsorted(borders, of_codes), len(borders) + 1)
        values = np.concatenate([borders, [ANY_NUMBER, np.nan]])
        return cls(feature, places, values)


@attrs.frozen(eq=False)
class Signatures:
    """Cases (column, case) by the places of their values, with classes and weights."""

    places: AnyArray
    y: IntArray
    weights: FloatArray

    def merged(self, together: BoolArray) -> "Signatures":
        """Return the same cases, equal ones as one where they may be put together."""
        mixed = np.zeros(len(self.y), np.uint64)
        for row in (self.y, *self.places):
            mixed = (mixed ^ row.astype(np.uint64)) * ODD
            mixed ^= mixed >> HALF
        # What has the same number by chance is not put together: neighbours are compared.
        order = np.argsort(mixed, kind="stable")
        places, y, together = self.places[:, order], self.y[order], together[order]
        same = (places[:, 1:] == places[:, :-1]).all(axis=0) & (y[1:] == y[:-1])
        firsts = np.flatnonzero(np.append(True, ~(same & together[1:] & together[:-1]))[: len(y)])
        weights = np.add.reduceat(self.weights[order], firsts) if len(firsts) else np.empty(0)
        return Signatures(places[:, firsts], y[firsts], weights)


def signatures_of(part: Part, columns: tuple[Column, ...], fractional: bool) -> Signatures:
    """Return the cases of a part that are learnt from."""
    coded, rows = part.coded, part.coded.to_learn_from
    places = np.empty((len(columns), len(rows)), _type_of(columns))
    for row, column in zip(places, columns, strict=True):
        codes = np.minimum(coded.codes[column.feature][rows], len(column.places) - 1)
        row[:] = column.places[codes]
    weights = coded.weights[rows]
    if not is_integral(weights):
        weights = on_grid(weights, part.context.unit)
    found = Signatures(places, coded.y[rows], weights)
    return found.merged(_together(found, columns, fractional))


def added_signatures(
    one: Signatures, other: Signatures, columns: tuple[Column, ...], fractional: bool
) -> Signatures:
    """Return the cases of two parts."""
    both = Signatures(
        np.concatenate([one.places, other.places], axis=1),
        np.concatenate([one.y, other.y]),
        np.concatenate([one.weights, other.weights]),
    )
    found = both.merged(_together(both, columns, fractional))
    if found.places.size > MOST_VALUES:
        raise ParameterError(
            f"this pruner needs the cases that the tree can tell apart in one memory, more than "
            f"{MOST_VALUES:,} values: use one that needs counts only, such as "
            "pruner='pessimistic:cf=0.2,raising=false', 'minimum-error', 'pep' or 'none'"
        )
    return found


def _type_of(columns: tuple[Column, ...]) -> type[np.unsignedinteger]:
    """Return the type of all places, of two as a rule: kernels are compiled anew for each."""
    widest = max((len(column.values) for column in columns), default=0)
    return np.uint16 if widest < 2**16 else np.uint32


def _together(cases: Signatures, columns: tuple[Column, ...], fractional: bool) -> BoolArray:
    if not fractional:
        return np.ones(len(cases.y), bool)
    missing: IndexArray = np.array([len(column.values) - 1 for column in columns], np.int64)
    return np.asarray((cases.places != missing[:, None]).all(axis=0))
