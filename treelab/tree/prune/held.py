"""Cases that are held out to prune by: what they say of every node, in memory or elsewhere."""

from collections.abc import Iterator
from math import fsum
from typing import Any, Protocol, runtime_checkable

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.data.hashed_folds import pruning_folds
from treelab.data.weights import on_grid, unit_of
from treelab.errors import DataError
from treelab.kernels.route import spread
from treelab.stats.formulas.impurity import majority
from treelab.tree.cases import cases_of_dataset
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import class_codes, sum_up

PART = 2**16
"""So many cases are sent down a tree at a time."""


@runtime_checkable
class HeldOut(Protocol):
    """Cases that were held out."""

    def ended(self, tree: Tree, /) -> FloatArray:
        """Return the weights (node, class) of the cases that end at each node.

        Classes that the tree does not know come last. All are multiples of one unit, so the sums
        are the same for any order of the cases.
        """
        ...


@runtime_checkable
class Foldable(Protocol):
    """Known cases that can be parted in folds; of those elsewhere there are very many."""

    @property
    def n_cases(self) -> int:
        """How many there are."""

    @property
    def weight(self) -> float:
        """What they weigh together."""

    def parted(self, folds: int, seed: int, /) -> Iterator[tuple[Any, HeldOut]]:
        """Give the cases to grow a tree from and those held out, fold by fold."""
        ...


@attrs.frozen(eq=False)
class HeldCases:
    """Held-out cases in memory; weights are rounded to multiples of a unit."""

    data: Dataset
    unit: float

    def ended(self, tree: Tree) -> FloatArray:
        return ended_classes(tree, self.data, self.unit)


@attrs.frozen(eq=False)
class KnownCases:
    """Cases in memory of a known class and a weight above 0."""

    data: Dataset

    @classmethod
    def of(cls, data: Dataset) -> "KnownCases":
        """Return those of some data."""
        return cls(data.usable())

    @property
    def n_cases(self) -> int:
        return len(self.data)

    @property
    def weight(self) -> float:
        return fsum(self.data.weights)

    def parted(self, folds: int, seed: int) -> Iterator[tuple[Dataset, HeldCases]]:
        fold, unit = pruning_folds(self.data, folds, seed), unit_of(self.weight)
        for number in range(folds):
            held = HeldCases(self.data.take(fold == number), unit)
            yield self.data.take(fold != number), held


def known_cases_of(data: "Dataset | Foldable") -> Foldable:
    """Return the cases that can be parted in folds."""
    return KnownCases.of(data) if isinstance(data, Dataset) else data


@attrs.frozen(eq=False)
class Held:
    """What held-out cases say of every node.

    `as_leaf` are the errors a node would make as a leaf, `stays` those of the cases that end at it.
    """

    as_leaf: FloatArray
    stays: FloatArray


def held_out(tree: Tree, data: "Dataset | HeldOut") -> Held:
    """Send held-out cases down a tree and count the errors at every node."""
    if not isinstance(data, HeldOut):
        known = KnownCases.of(data)
        data = HeldCases(known.data, unit_of(known.weight))
    stays = data.ended(tree)
    if not stays.any():
        raise DataError("pruning needs at least one case with a known class and weight above 0")
    label, nodes, reached = majority(tree.counts), np.arange(tree.n_nodes), sum_up(tree, stays)
    return Held(
        as_leaf=reached.sum(axis=1) - reached[nodes, label],
        stays=stays.sum(axis=1) - stays[nodes, label],
    )


def ended_classes(tree: Tree, data: Dataset, unit: float) -> FloatArray:
    """Return the weights (node, class) of known cases that end at each node; see `HeldOut`."""
    ended = np.zeros((tree.n_nodes, len(tree.classes) + 1))
    y, cases = class_codes(tree, data), cases_of_dataset(tree, data, tree.tested)
    known = (y >= 0) & (data.weights > 0)
    for first in range(0, len(data), PART):
        part = slice(first, min(first + PART, len(data)))
        rows = np.flatnonzero(known[part])
        weights = on_grid(data.weights[part][rows], unit)
        spread(tree.flat, 0, cases.part(part), y[part], rows, weights, unit, ended)
    return ended
