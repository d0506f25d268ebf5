"""When a node becomes a leaf."""

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.errors import check_number
from treelab.kernels.counts import mixed_nodes


@attrs.frozen
class Stop:
    """The rules that end growth; all sizes are weights, so a case of weight 2 counts twice.

    Parameters
    ----------
    min_cases
        A node of fewer cases is a leaf.
    min_branch
        A split must leave at least two branches of so many cases.
    max_depth
        No leaf lies under more tests.
    max_leaves
        With a limit the tree grows best first: the leaf is split next whose split gains most over
        no split, until none fits. The metric chooses each leaf's split; what it gains is measured
        alike for all metrics, since their scores need not be 0 for no information nor be comparable
        between nodes: the decrease of the Gini impurity times the number of cases, as in
        `Tree.feature_importances`.
    """

    min_cases: float = 2
    min_branch: float = 2
    max_depth: int | None = None
    max_leaves: int | None = None

    def __attrs_post_init__(self) -> None:
        check_number("min_cases", self.min_cases, 1)
        check_number("min_branch", self.min_branch, 0)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 0, whole=True)
        if self.max_leaves is not None:
            check_number("max_leaves", self.max_leaves, 1, whole=True)

    def splittable(self, counts: FloatArray, depth: int) -> IndexArray:
        """Return which nodes of these class weights (node, class) at this depth are no leaves."""
        if self.max_depth is not None and depth >= self.max_depth:
            return np.empty(0, np.int64)
        return mixed_nodes(counts, self.min_cases - 1e-9)  # fractional weights add up inexactly

    def further_down(self, depth: int, leaves: int) -> "Stop":
        """Return the rules of what lies so deep in a tree that has so many leaves beside it."""
        max_depth = None if self.max_depth is None else max(self.max_depth - depth, 0)
        max_leaves = None if self.max_leaves is None else max(self.max_leaves - leaves, 1)
        return attrs.evolve(self, max_depth=max_depth, max_leaves=max_leaves)
