"""What a set of cases costs at least, by what similar sets cost.

The best tree of S makes on T no more errors than on S and, at worst, those of T that are not in S:
so S costs at least what T does, less the weight of T without S (Demirovic et al., JMLR 2022).
"""

from collections import defaultdict, deque

from treelab._typing import IndexArray
from treelab.kernels.unit_cases import weight_outside
from treelab.tree.optimal.nodes import SearchNode
from treelab.tree.optimal.problem import Problem

KEPT = 24
"""So many of the last sets of each depth are compared: more cost more time than they save."""


class Archive:
    """The last sets of cases of each depth and number of leaves, with what they cost at least."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.sets: dict[tuple[int, int], deque[tuple[IndexArray, int]]]
        self.sets = defaultdict(lambda: deque(maxlen=KEPT))

    def least(self, node: SearchNode, depth: int, leaves: int) -> int:
        """Return what a node costs at least."""
        units, inside = self.problem.units, node.inside
        return max(
            (low - weight_outside(units, rows, inside) for rows, low in self._of(depth, leaves)),
            default=0,
        )

    def add(self, node: SearchNode, depth: int, leaves: int, low: int) -> None:
        """Remember what a node costs at least."""
        self._of(depth, leaves).append((node.rows, low))

    def _of(self, depth: int, leaves: int) -> deque[tuple[IndexArray, int]]:
        # A single split is found sooner than a similar set.
        worth_it = self.problem.rules.similar and depth > 1
        return self.sets[depth, leaves] if worth_it else deque(maxlen=0)
