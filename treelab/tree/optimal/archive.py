"""What a set of cases costs at least, by what similar sets cost.

The best tree of S makes on T no more errors than on S and, at worst, those of T that are not in S:
so S costs at least what T does, less the weight of T without S (Demirovic et al., JMLR 2022).

With a least size m of branches, that tree may be forbidden on T, where a branch that has lost cases
of S is too small. It goes, with fewer than m cases, which join another branch: so each case of S
that is not in T may cost the others that fill a branch up to m. `Rules.similar` is 1 without such a
rule, and 2 where branches have two cases, say. With more than two branches a case of T may need a
branch that no case of S does: then a leaf must cost no more than a case, and leaves not be limited.
"""

from collections import defaultdict, deque

from treelab.kernels.unit_cases import weight_outside
from treelab.tree.optimal.nodes import SearchNode
from treelab.tree.optimal.problem import Problem

KEPT = 24
"""So many of the last sets of each depth are compared: more cost more time than they save."""


class Archive:
    """The last sets of cases of each depth and number of leaves, with what they cost at least."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.sets: dict[tuple[int, int], deque[tuple[SearchNode, int]]]
        self.sets = defaultdict(lambda: deque(maxlen=KEPT))

    def least(self, node: SearchNode, depth: int, leaves: int) -> int:
        """Return what a node costs at least."""
        units, more = self.problem.units, self.problem.rules.similar - 1
        least = 0
        for other, low in self._of(depth, leaves):
            lost = weight_outside(units, other.rows, node.inside)
            if more:
                lost += more * weight_outside(units, node.rows, other.inside)
            least = max(least, low - lost)
        return least

    def add(self, node: SearchNode, depth: int, leaves: int, low: int) -> None:
        """Remember what a node costs at least."""
        self._of(depth, leaves).append((node, low))

    def _of(self, depth: int, leaves: int) -> deque[tuple[SearchNode, int]]:
        # A single split is found sooner than a similar set.
        worth_it = self.problem.rules.similar > 0 and depth > 1
        return self.sets[depth, leaves] if worth_it else deque(maxlen=0)
