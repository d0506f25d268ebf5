"""Cases that a tree is pruned by, in memory or elsewhere."""

from math import fsum
from typing import Protocol, runtime_checkable

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import fixed
from treelab.data.dataset import Dataset
from treelab.data.weights import is_integral, on_grid, unit_of
from treelab.tree.model import Tree
from treelab.tree.predict import matrix
from treelab.tree.prune.cutting import class_codes, known_cases


@attrs.frozen(eq=False)
class DealtCases:
    """Cases as subtree raising deals them to branches.

    Parameters
    ----------
    matrix
        (case, column) what a test looks at: numbers as in `kernels.route`, or their places in
        `values`.
    values
        (column, place); empty where the matrix has the numbers themselves.
    column
        The column of each feature, and -1 behind the last.
    y
        The class of each case, -1 where it is not known.
    rows, weights
        The cases that count, and what they weigh, in multiples of `unit`, so that sums are exact
        and the order of the cases leaves no trace.
    """

    matrix: AnyArray
    values: FloatArray
    column: IndexArray
    y: IntArray
    rows: IndexArray
    weights: FloatArray
    unit: float


@runtime_checkable
class CasesElsewhere(Protocol):
    """Cases that are not in memory, and what pruners ask them."""

    def n_distinct(self, tested: set[int], /) -> FloatArray:
        """Return how many values each numeric feature has.

        Of features that are not tested, only whether there is more than one.
        """
        ...

    def dealt(self, tree: Tree, /) -> DealtCases:
        """Return the cases to learn from as a tree tests them; equal ones may be one."""
        ...


def dealt_cases(tree: Tree, data: Dataset | CasesElsewhere) -> DealtCases:
    """Return cases as a tree tests them."""
    if isinstance(data, CasesElsewhere):
        return data.dealt(tree)
    codes = class_codes(tree, data)
    y = fixed(np.where(codes < len(tree.classes), codes, -1))
    rows, weights = known_cases(data, y)
    integral = is_integral(weights)
    unit = unit_of(float(weights.sum()) if integral else fsum(weights))
    if not integral:
        weights = on_grid(weights, unit)
    column, values = np.append(np.arange(len(tree.features)), -1), np.empty((0, 0))
    return DealtCases(matrix(tree, data, tested=True), values, column, y, rows, weights, unit)
