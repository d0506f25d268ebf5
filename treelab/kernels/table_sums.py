"""Sums of a function h of the counts over tables (branch, class), as formulas want them.

*cells*  (row, class) tables of any numbers of branches, one under the other.
*ends*   the rows of each table end before; they begin where those of the last one end.
*sums*   (which, table) in the order of `formulas.sums`.
"""

from collections.abc import Callable

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.fixed_point import FixedPoint, look_up


@kernel
def whole_sums(
    cells: FloatArray, ends: IndexArray, with_shares: bool, fixed: FixedPoint
) -> FloatArray:
    """Return the sums (which, candidate) of h(count) over every table; see `formulas.sums`.

    All counts must be whole numbers, because h is looked up: in the first table of `fixed` that is
    long enough for the cases.
    """
    sums, of_classes = np.zeros((6, len(ends))), np.empty(cells.shape[1], np.uint64)
    start = 0
    for i in range(len(ends)):
        n = np.uint64(cells[start : ends[i]].sum())
        h, unit = look_up(fixed, n)
        # Whole numbers of units: sums are exact in any order, and become floats at the end.
        of_cells, of_branches, of_all = 0, 0, 0
        of_classes[:] = 0
        for row in range(start, ends[i]):
            size, of_row = np.uint64(0), 0
            for c in range(cells.shape[1]):
                count = np.uint64(cells[row, c])
                of_classes[c] += count
                size += count
                of_row += h[count]
            of_cells += of_row
            of_branches += h[size]
            if with_shares:
                sums[2, i] += of_row * unit / size
        for count in of_classes:
            of_all += h[count]
        sums[0, i], sums[1, i] = of_cells * unit, of_branches * unit
        sums[3, i], sums[4, i], sums[5, i] = of_all * unit, h[n] * unit, float(n)
        start = ends[i]
    return sums


@kernel
def whole_row_scores(
    combine: Callable[..., None],
    cells: FloatArray,
    ends: IndexArray,
    with_shares: bool,
    fixed: FixedPoint,
    scores: FloatArray,
) -> None:
    """Fill the scores (which, table) by `whole_sums`; see `formulas.sums` for `combine`."""
    combine(whole_sums(cells, ends, with_shares, fixed), scores)


@kernel
def row_sum_scores(
    h: Callable[..., None],
    combine: Callable[..., None],
    cells: FloatArray,
    ends: IndexArray,
    scores: FloatArray,
) -> None:
    """Fill the scores (which, table) of any counts, of which `h` fills in the function."""
    # Both formulas are addresses, called once for all tables: so the calls cost next to nothing.
    counts = counts_to_sum(cells, ends)
    of_counts = np.empty(len(counts))
    h(counts, of_counts)
    combine(sums_of_counts(counts, of_counts, ends, cells.shape[1]), scores)


@kernel
def counts_to_sum(cells: FloatArray, ends: IndexArray) -> FloatArray:
    """Return all counts h is wanted of, table by table: so it is called once for all.

    Of a table these are each row's cells and their sum, then the classes and their sum.
    """
    n_classes, n_rows = cells.shape[1], ends[-1] if len(ends) else 0
    counts, at, row = np.empty((n_rows + len(ends)) * (n_classes + 1)), 0, 0
    for end in ends:
        of_table = at + (end - row) * (n_classes + 1)
        n = 0.0
        for c in range(n_classes):
            counts[of_table + c] = 0.0
        while row < end:
            size = 0.0
            for c in range(n_classes):
                counts[at + c] = cells[row, c]
                counts[of_table + c] += cells[row, c]
                size += cells[row, c]
                n += cells[row, c]
            counts[at + n_classes] = size
            at += n_classes + 1
            row += 1
        counts[of_table + n_classes] = n
        at = of_table + n_classes + 1
    return counts


@kernel
def sums_of_counts(
    counts: FloatArray, h: FloatArray, ends: IndexArray, n_classes: int
) -> FloatArray:
    """Return the sums (which, table), by the counts of `counts_to_sum` and h of each of them."""
    # Counts are read in the order they were written in, so their places need not be computed.
    sums, at, row = np.zeros((6, len(ends))), 0, 0
    for i in range(len(ends)):
        while row < ends[i]:
            size, of_row = counts[at + n_classes], 0.0
            for c in range(n_classes):
                of_row += h[at + c]
            sums[0, i] += of_row
            sums[1, i] += h[at + n_classes]
            sums[2, i] += of_row / size if size != 0.0 else 0.0
            at += n_classes + 1
            row += 1
        for c in range(n_classes):
            sums[3, i] += h[at + c]
        sums[4, i], sums[5, i] = h[at + n_classes], counts[at + n_classes]
        at += n_classes + 1
    return sums
