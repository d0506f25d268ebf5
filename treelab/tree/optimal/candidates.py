"""The candidates of a node, in the order in which they are tried."""

import numpy as np

from treelab.kernels.branch_costs import NEVER
from treelab.kernels.candidate_list import list_candidates
from treelab.tree.optimal.nodes import SearchNode

DIGITS = 12
"""Impurities that differ by less than rounding are equal."""


class Candidates:
    """The candidates of a node in the order in which they are tried, with what each costs at least.

    `left` is what lies left of a cut.
    """

    def __init__(self, node: SearchNode, least: int) -> None:
        units, rules = node.problem.units, node.problem.rules
        listed = list_candidates(units, node.rows, rules)
        pure = np.round(listed.pure / max(float(node.by_class.sum()), 1.0), DIGITS)
        order = np.argsort(-pure, kind="stable")
        self.feature, self.candidate = listed.feature[order], listed.candidate[order]
        self.left = listed.left[order]
        self.least = np.full(len(order), least)
        self.similar = rules.similar * (np.diff(units.first_map) == 0)

    def __len__(self) -> int:
        return len(self.feature)

    def split(self, i: int) -> tuple[int, int]:
        """Return feature and candidate."""
        return int(self.feature[i]), int(self.candidate[i])

    @property
    def lowest(self) -> int:
        """What all of them cost at least."""
        return int(self.least.min(initial=NEVER))

    def raise_least(self, i: int, least: int) -> None:
        """Note what a candidate costs at least, and so do cuts of the feature that are near it."""
        self.least[i] = max(least, self.least[i])
        similar = self.similar[self.feature[i]]
        if similar:
            near = self.feature == self.feature[i]
            moved = similar * np.abs(self.left[near] - self.left[i])
            self.least[near] = np.maximum(self.least[near], self.least[i] - moved)
