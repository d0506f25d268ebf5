"""Scores of tables (branch, class) one under the other; see `table_sums` for `cells`, `ends`."""

from collections.abc import Callable

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel


@kernel
def row_scores(
    formula: Callable[[FloatArray], float],
    cells: FloatArray,
    ends: IndexArray,
    scores: FloatArray,
) -> None:
    """Score every table by a formula over it."""
    # Tables may have any number of branches; as rows of one array each is a slice, not a copy.
    start = 0
    for i in range(len(ends)):
        scores[i] = formula(cells[start : ends[i]])
        start = ends[i]


@kernel
def class_margins(cells: FloatArray, ends: IndexArray, tables: IndexArray) -> FloatArray:
    """Return the class margins (table, class) of some of the tables."""
    margins = np.zeros((len(tables), cells.shape[1]))
    for i in range(len(tables)):
        for row in range(ends[tables[i] - 1] if tables[i] else 0, ends[tables[i]]):
            for c in range(cells.shape[1]):
                margins[i, c] += cells[row, c]
    return margins


@kernel
def row_size_scores(
    cells: FloatArray, ends: IndexArray, firsts: IndexArray, by_size: FloatArray, scores: FloatArray
) -> None:
    """Score every table by what branches of its sizes give, added up.

    What a branch of size a of table i is given is `by_size[firsts[i] + a]`; all counts must be
    whole numbers.
    """
    # Branches of a size all give the same, and that is known for every size: a look-up takes the
    # place of a formula.
    row = 0
    for i in range(len(ends)):
        scores[i] = 0.0
        while row < ends[i]:
            size = 0.0
            for c in range(cells.shape[1]):
                size += cells[row, c]
            scores[i] += by_size[firsts[i] + int(size)]
            row += 1
