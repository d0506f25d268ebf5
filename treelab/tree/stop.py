"""When a node becomes a leaf."""

import attrs

from treelab._typing import FloatArray
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

    def at(self, counts: FloatArray, depth: int) -> bool:
        """Tell whether a node of these class weights at this depth is a leaf."""
        weight = counts.sum()
        is_pure = weight - counts.max() <= 1e-12 * weight
        too_small = weight < self.min_cases - 1e-9  # fractional weights add up inexactly
        too_deep = self.max_depth is not None and depth >= self.max_depth
        return bool(is_pure or too_small or too_deep)
