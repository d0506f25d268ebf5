"""Multiway splits: every value that occurs at a node has a branch of its own.

*cells*  (row, class) the tables of all candidates, one under the other: a row for each value.
*codes*  the code of each row's value.
*ends*   the rows of each candidate end before; they begin where those of the last one end.
"""

from collections.abc import Callable

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.cuts import BLOCK, FixedPoint


@kernel
def find_multiway(
    counts: FloatArray,
    offsets: IndexArray,
    min_branch: float,
    missing_branch: bool,
    codes: IntArray,
    ends: IndexArray,
    part: IndexArray,
    lost: FloatArray,
) -> int:
    """Find the splits with two branches of at least `min_branch`; return their number.

    `counts` (node, value, class) are those of `value_counts`; the rows that are wanted move up to
    its beginning and become `cells`. `part` tells where a candidate comes from: node times number
    of features + feature. With `missing_branch` missing values are a branch too, else their
    weight is put down in `lost` (node, feature).
    """
    n_features = len(offsets) - 1
    cells = counts.reshape(-1, counts.shape[2])
    row, found = 0, 0
    for k in range(len(counts)):
        for f in range(n_features):
            start, n_large = row, 0
            for value in range(offsets[f], offsets[f + 1]):
                weight = 0.0
                for c in range(counts.shape[2]):
                    weight += counts[k, value, c]
                if value == offsets[f + 1] - 1 and not missing_branch:
                    lost[k, f] = weight
                elif weight > 0.0:
                    for c in range(counts.shape[2]):
                        cells[row, c] = counts[k, value, c]
                    codes[row] = value - offsets[f]
                    row += 1
                    n_large += int(weight >= min_branch)
            if n_large < 2:
                row = start
                continue
            ends[found], part[found] = row, k * n_features + f
            found += 1
    return found


@kernel
def multiway_scores(
    combine: Callable[..., None],
    cells: FloatArray,
    ends: IndexArray,
    with_shares: bool,
    small: FixedPoint,
    large: FixedPoint,
    scores: FloatArray,
) -> None:
    """Score every candidate by sums of h(count) over its table; see `kernels.cuts.sum_scores`."""
    sums, of_classes = np.zeros((6, BLOCK)), np.empty(cells.shape[1], np.uint64)
    start, i, done = 0, 0, 0
    for end in ends:
        n = np.uint64(cells[start:end].sum())
        h, unit = small if n < len(small.units) else large
        of_cells, of_branches, shares, of_all = 0, 0, 0.0, 0
        of_classes[:] = 0
        for row in range(start, end):
            size, of_row = np.uint64(0), 0
            for c in range(cells.shape[1]):
                count = np.uint64(cells[row, c])
                of_classes[c] += count
                size += count
                of_row += h[count]
            of_cells += of_row
            of_branches += h[size]
            if with_shares:
                shares += of_row * unit / size
        for count in of_classes:
            of_all += h[count]
        sums[0, i], sums[1, i], sums[2, i] = of_cells * unit, of_branches * unit, shares
        sums[3, i], sums[4, i], sums[5, i] = of_all * unit, h[n] * unit, float(n)
        start, i = end, i + 1
        if i == BLOCK:
            combine(sums, scores[done : done + i])
            done, i = done + i, 0
    combine(sums, scores[done : done + i])


@kernel
def map_values(
    codes: IntArray,
    ends: IndexArray,
    candidates: IndexArray,
    first_map: IndexArray,
    maps: IntArray,
) -> None:
    """Write down the branch of every value of some candidates, from `first_map[i]` on."""
    for i in range(len(candidates)):
        start = ends[candidates[i] - 1] if candidates[i] else 0
        for row in range(start, ends[candidates[i]]):
            maps[first_map[i] + codes[row]] = row - start
