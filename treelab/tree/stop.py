"""When a node becomes a leaf."""

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.errors import check_number


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
        With a limit the tree grows best first: the node with the largest score times its number
        of cases is split next, until no split fits.
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

    def ends(self, counts: FloatArray, depth: int) -> BoolArray:
        """Tell which nodes of these class weights (node, class) at this depth are leaves."""
        weight = counts.sum(axis=1)
        is_pure = weight - counts.max(axis=1) <= 1e-12 * weight
        too_small = weight < self.min_cases - 1e-9  # fractional weights add up inexactly
        too_deep = self.max_depth is not None and depth >= self.max_depth
        return np.asarray(is_pure | too_small | too_deep)
