"""Which cuts of a numeric feature are considered, and where their thresholds lie."""

from typing import Literal, get_args

import attrs
import numpy as np

from treelab._registry import Registry
from treelab._typing import FloatArray, IndexArray
from treelab.data.quantiles import midway
from treelab.errors import check_choice, check_number

Threshold = Literal["midpoint", "data", "node"]

ROUNDING = 1e-12
"""A value above a midpoint by no more, relative to it, is not above it but for rounding."""


@attrs.frozen
class CutRule:
    """Which cuts are considered, apart from what `min_branch` asks of all splits.

    Parameters
    ----------
    side_share, side_most
        Each side of a cut holds at least `side_share` times the mean number of cases of a class at
        the node, of those whose value is known, but no more than `side_most` are asked for.
    threshold
        'midpoint': between the two values of the node that are parted; 'data': the largest value of
        the training data not above that; 'node': the largest one of the node.
    apart
        Values that follow each other at a node and do not differ by more are not parted.
    """

    side_share: float = 0.0
    side_most: float = 0.0
    threshold: Threshold = "midpoint"
    apart: float = 0.0

    def __attrs_post_init__(self) -> None:
        check_choice("threshold", self.threshold, get_args(Threshold))
        for name in ("side_share", "side_most", "apart"):
            check_number(name, getattr(self, name), 0)

    def thresholds(self, below: FloatArray, above: FloatArray, points: FloatArray) -> FloatArray:
        """Return what parts values of a node that follow each other; `points` are all values."""
        if self.threshold == "node":
            return below
        middle = midway(below, above)
        if self.threshold == "midpoint":
            return middle
        not_above = np.searchsorted(points, middle + ROUNDING * np.abs(middle), side="right")
        return np.asarray(points[np.minimum(not_above, np.searchsorted(points, above)) - 1])

    def follows(self, points: FloatArray) -> IndexArray:
        """Return for each of the ascending values the first one that is far enough above it."""
        return np.searchsorted(points, points + self.apart, side="right")


def _c45(
    side_share: float = 0.1,
    side_most: float = 25,
    threshold: Threshold = "data",
    apart: float = 1e-5,
) -> CutRule:
    """Return the rule of C4.5 release 8 (SPEC 12.4, items 1, 7 and 8)."""
    return CutRule(side_share, side_most, threshold, apart)


CUT_RULES: Registry[CutRule] = Registry("rule for cuts", "treelab.cuts")
CUT_RULES.add("all", CutRule)
CUT_RULES.add("c45", _c45)


def cut_rule(spec: str) -> CutRule:
    """Return the rule that a specification such as 'c45' or 'all:apart=0.1' names.

    >>> cut_rule("all:apart=0.5").follows(np.array([0.0, 0.25, 1.0])).tolist()
    [2, 2, 3]
    """
    return CUT_RULES.make(spec)
