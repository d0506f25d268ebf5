"""Multiway splits: every value that occurs at a node has a branch of its own.

*cells*  (row, class) the tables of all candidates, one under the other: a row for each value.
*codes*  the code of each row's value.
*ends*   the rows of each candidate end before; they begin where those of the last one end.
"""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel


@kernel
def find_multiway(
    counts: FloatArray,
    first_node: int,
    features: IndexArray,
    offsets: IndexArray,
    min_branch: float,
    missing_branch: bool,
    lost: FloatArray,
) -> tuple[IntArray, IndexArray, IndexArray, IndexArray]:
    """Find the splits with two branches of at least `min_branch`.

    `counts` (node, value, class) are those of `value_counts`, of nodes from number `first_node` on
    and features of the numbers `features`; the rows that are wanted move up to its beginning and
    become `cells`. With `missing_branch` missing values are a branch too, else their weight is put
    down in `lost` (node, number of the feature).

    Returns codes, ends, and the feature and node of each candidate.
    """
    most = len(counts) * len(features)
    codes, ends = np.empty(len(counts) * counts.shape[1], np.int32), np.empty(most, np.int64)
    feature, node = np.empty(most, np.int64), np.empty(most, np.int64)
    cells = counts.reshape(-1, counts.shape[2])
    row, found = 0, 0
    for k in range(len(counts)):
        for f in range(len(features)):
            start, n_large = row, 0
            for value in range(offsets[f], offsets[f + 1]):
                weight = 0.0
                for c in range(counts.shape[2]):
                    weight += counts[k, value, c]
                if value == offsets[f + 1] - 1 and not missing_branch:
                    lost[k, features[f]] = weight
                elif weight > 0.0:
                    # Into the array that is being read: `row` never overtakes what is to come.
                    for c in range(counts.shape[2]):
                        cells[row, c] = counts[k, value, c]
                    codes[row] = value - offsets[f]
                    row += 1
                    n_large += int(weight >= min_branch)
            if n_large < 2:
                row = start
                continue
            ends[found], feature[found], node[found] = row, features[f], first_node + k
            found += 1
    return codes, ends[:found], feature[:found], node[:found]


@kernel
def value_maps(
    codes: IntArray, ends: IndexArray, candidates: IndexArray, n_codes: IndexArray
) -> tuple[IndexArray, IntArray]:
    """Return the branch of every code for some candidates, and where the map of each begins.

    A map has `n_codes[i]` entries and one for missing; codes that do not occur have no branch: -1.
    """
    # Twice through the candidates: maps differ in length, and all lie in one array, whose length
    # must be known first.
    first_map, end = np.empty(len(candidates), np.int64), 0
    for i in range(len(candidates)):
        first_map[i] = end
        end += n_codes[i] + 1
    maps = np.full(end, -1, np.int32)
    for i in range(len(candidates)):
        start = ends[candidates[i] - 1] if candidates[i] else 0
        for row in range(start, ends[candidates[i]]):
            maps[first_map[i] + codes[row]] = row - start
    return first_map, maps
