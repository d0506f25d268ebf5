"""Contingency counts of a node: how often each class meets each value.

*code*   small integer that stands for a value of a feature; the largest code of the array's
         type is reserved for missing.
*rows*   positions of the node's cases; *weights* are theirs, in the same order.

Counts are additive: the counts of two parts of the cases sum to the counts of the whole.
"""

import numpy as np

from treelab.kernels._arrays import CodeArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel


@kernel
def class_counts(y: IntArray, rows: IndexArray, weights: FloatArray, n_classes: int) -> FloatArray:
    """Return the weight of each class among the cases."""
    counts = np.zeros(n_classes)
    for i in range(len(rows)):
        counts[y[rows[i]]] += weights[i]
    return counts


@kernel
def value_counts(
    codes: CodeArray,
    features: IndexArray,
    offsets: IndexArray,
    y: IntArray,
    rows: IndexArray,
    weights: FloatArray,
    n_classes: int,
) -> FloatArray:
    """Count (value, class) for several features into one tall table.

    The values of `features[k]` occupy the rows `offsets[k]` to `offsets[k + 1]`; the last of
    them counts the missing values.
    """
    counts = np.zeros((offsets[-1], n_classes))
    for k in range(len(features)):
        first, missing = offsets[k], offsets[k + 1] - 1
        column = codes[features[k]]
        for i in range(len(rows)):
            row = rows[i]
            counts[min(first + column[row], missing), y[row]] += weights[i]
    return counts


@kernel
def cut_tables(
    codes: CodeArray,
    features: IndexArray,
    n_codes: IndexArray,
    y: IntArray,
    rows: IndexArray,
    weights: FloatArray,
    n_classes: int,
    n_branches: int,
) -> tuple[FloatArray, IndexArray, IndexArray, FloatArray]:
    """Build the table of every cut between two neighbouring codes that occur.

    Returns the tables (cut, branch, class), the codes (cut, 2) below and above each cut, where
    the cuts of each feature start, and the counts (feature, class) of the missing values. With
    three branches, the third holds the missing values, and a feature with any has a first cut, with
    -1 for the code above, between all known values and them.
    """
    room = 0
    for k in range(len(features)):
        room += min(n_codes[k], len(rows))
    tables = np.zeros((room, n_branches, n_classes))
    sides = np.empty((room, 2), np.int64)
    starts = np.zeros(len(features) + 1, np.int64)
    missing = np.zeros((len(features), n_classes))
    for k in range(len(features)):
        here, counts = ordered_counts(codes[features[k]], n_codes[k], y, rows, weights, missing[k])
        start = starts[k]
        if n_branches > 2 and len(here) > 0 and missing[k].sum() > 0.0:
            tables[start, 0], tables[start, 1] = counts.sum(axis=0), missing[k]
            sides[start, 0], sides[start, 1] = here[-1], -1
            start += 1
        stop = start + max(len(here) - 1, 0)
        _cumulate(counts, missing[k], tables[start:stop])
        sides[start:stop, 0] = here[:-1]
        sides[start:stop, 1] = here[1:]
        starts[k + 1] = stop
    return tables[: starts[-1]], sides[: starts[-1]], starts, missing


@kernel
def _cumulate(counts: FloatArray, missing: FloatArray, tables: FloatArray) -> None:
    """Turn the counts of the codes into the tables of the cuts between them."""
    n_cuts, n_branches, n_classes = tables.shape
    for c in range(n_classes):
        total = counts[:, c].sum()
        below = 0.0
        for cut in range(n_cuts):
            below += counts[cut, c]
            tables[cut, 0, c] = below
            tables[cut, 1, c] = max(total - below, 0.0)
            if n_branches > 2:
                tables[cut, 2, c] = missing[c]


@kernel
def ordered_counts(
    column: CodeArray,
    n_codes: int,
    y: IntArray,
    rows: IndexArray,
    weights: FloatArray,
    missing: FloatArray,
) -> tuple[IndexArray, FloatArray]:
    """Count (value, class) of one ordered feature over the codes that occur, ascending.

    Missing values are added to `missing`. Many codes among few cases are sorted; few codes among
    many cases are counted in place.
    """
    if n_codes <= 4 * len(rows):
        return _by_code(column, n_codes, y, rows, weights, missing)
    return _by_sorting(column, n_codes, y, rows, weights, missing)


@kernel
def _by_code(
    column: CodeArray,
    n_codes: int,
    y: IntArray,
    rows: IndexArray,
    weights: FloatArray,
    missing: FloatArray,
) -> tuple[IndexArray, FloatArray]:
    counts = np.zeros((n_codes, len(missing)))
    occurs = np.zeros(n_codes, np.bool_)
    for i in range(len(rows)):
        row = rows[i]
        code = column[row]
        if code < n_codes:
            counts[code, y[row]] += weights[i]
            occurs[code] = True
        else:
            missing[y[row]] += weights[i]
    codes = np.flatnonzero(occurs)
    return codes, counts[codes]


@kernel
def _by_sorting(
    column: CodeArray,
    n_codes: int,
    y: IntArray,
    rows: IndexArray,
    weights: FloatArray,
    missing: FloatArray,
) -> tuple[IndexArray, FloatArray]:
    here = column[rows]
    codes = np.empty(len(rows), np.int64)
    counts = np.zeros((len(rows), len(missing)))
    n_present = 0
    for i in np.argsort(here, kind="mergesort"):
        if here[i] >= n_codes:
            missing[y[rows[i]]] += weights[i]
            continue
        if n_present == 0 or codes[n_present - 1] != here[i]:
            codes[n_present] = here[i]
            n_present += 1
        counts[n_present - 1, y[rows[i]]] += weights[i]
    return codes[:n_present], counts[:n_present]
