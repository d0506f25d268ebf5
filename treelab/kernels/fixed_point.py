"""A function of counts as whole numbers, so that its sums are exact in any order."""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import step


class FixedPoint(NamedTuple):
    """A function of counts from 0 on, in whole multiples of a unit that more cases make coarser.

    Table i is for nodes of fewer cases than it has entries: from `firsts[i]` to `firsts[i + 1]` of
    `units`, in multiples of `unit[i]`. Each is longer than the one before.
    """

    units: IndexArray
    firsts: IndexArray
    unit: FloatArray


@step
def look_up(fixed: FixedPoint, n: np.uint64) -> tuple[IndexArray, float]:
    """Return the function of the counts at a node of n cases, and its unit."""
    i = 0
    while n >= np.uint64(fixed.firsts[i + 1] - fixed.firsts[i]):
        i += 1
    return fixed.units[fixed.firsts[i] :], fixed.unit[i]
