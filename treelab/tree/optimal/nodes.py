"""A node of the search: some units, what they cost as a leaf, and what any tree must cost."""

from collections.abc import Iterator

import attrs
import numpy as np

from treelab._typing import BoolArray, IndexArray
from treelab.kernels.unit_cases import class_weights, unit_branches
from treelab.tree.optimal.problem import Problem


@attrs.frozen(eq=False)
class SearchNode:
    """Some units of a problem.

    `key` stands for the set of them. `by_class` are the weights of the classes, the heaviest
    first. `unavoidable` is the weight no tree gets right: units of equal values that weigh less
    than another (the bound of equivalent cases, Angelino et al., JMLR 2018).
    """

    problem: Problem
    rows: IndexArray
    inside: BoolArray
    key: bytes
    by_class: IndexArray
    unavoidable: int

    @classmethod
    def of(cls, problem: Problem, rows: IndexArray) -> "SearchNode":
        """Return the node of some units, given in order."""
        inside = np.zeros(len(problem.unavoidable), bool)
        inside[rows] = True
        by_class = np.sort(class_weights(problem.units, rows))[::-1]
        unavoidable = int(problem.unavoidable[rows].sum())
        return cls(problem, rows, inside, np.packbits(inside).tobytes(), by_class, unavoidable)

    @property
    def leaf(self) -> int:
        """What it costs as a leaf."""
        return int(self.by_class[1:].sum()) + self.problem.rules.leaf

    def least(self, leaves: int) -> int:
        """Return what a tree of so many leaves costs at least, if it is no leaf itself.

        With l leaves no more than l classes are ever right.
        """
        price = self.problem.rules.leaf
        wrong = int(self.by_class.sum())
        least = self.leaf
        for n, weight in enumerate(self.by_class[:leaves].tolist(), 1):
            wrong -= weight
            if n > 1:
                least = min(least, n * price + max(wrong, self.unavoidable))
            if wrong <= self.unavoidable:
                break
        return least

    def is_leaf(self, leaves: int) -> bool:
        """Tell whether no split is allowed or can save anything."""
        rules = self.problem.rules
        return (
            int(self.by_class.sum()) < rules.min_cases
            or leaves < 2
            or self.leaf <= 2 * rules.leaf + self.unavoidable
        )

    def children(self, feature: int, candidate: int) -> "list[SearchNode]":
        """Return the branches of a split that are not empty."""
        return [SearchNode.of(self.problem, rows) for rows in self._parts(feature, candidate)]

    def _parts(self, feature: int, candidate: int) -> Iterator[IndexArray]:
        branch = np.empty(len(self.rows), np.int32)
        n = unit_branches(self.problem.units, self.rows, feature, candidate, branch)
        return (self.rows[branch == b] for b in range(n))
