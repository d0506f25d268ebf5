"""Scores of tables that lie one under the other."""

import numpy as np
import pytest

from treelab.kernels import rows as kernels
from treelab.kernels._jit import pointer
from treelab.stats.formulas.per_table import SIGNATURE


def stacked(seed, widths, n_classes=3):
    """Return random tables, the same one under the other, and their ends."""
    rng = np.random.default_rng(seed)
    tables = [rng.integers(0, 5, (width, n_classes)).astype(float) for width in widths]
    cells = np.concatenate([np.empty((0, n_classes)), *tables])
    return tables, cells, np.cumsum(widths, dtype=np.int64)


def skew(table):
    """A number that depends on every cell, its row and its class."""
    total = 0.0
    for j in range(table.shape[0]):
        for i in range(table.shape[1]):
            total += (j + 1) * (i + 2) ** 2 * table[j, i]
    return total


@pytest.mark.parametrize("widths", [[], [2], [2, 2, 2], [1, 5, 2, 3]])
def test_every_table_is_scored_by_itself(widths):
    tables, cells, ends = stacked(1, widths)
    scores = np.full(len(ends), np.nan)
    kernels.row_scores(pointer(skew, SIGNATURE) or skew, cells, ends, scores)

    assert scores.tolist() == [skew(table) for table in tables]


def test_the_class_margins_of_some_tables():
    tables, cells, ends = stacked(2, [3, 1, 4, 2])
    some = np.array([0, 2, 3])

    np.testing.assert_array_equal(
        kernels.class_margins(cells, ends, some), [tables[i].sum(axis=0) for i in some]
    )


def test_what_the_sizes_of_branches_give_is_added_up():
    tables, cells, ends = stacked(3, [2, 3, 2])
    by_size = np.random.default_rng(0).integers(0, 99, 200).astype(float)
    firsts, scores = np.array([0, 60, 120]), np.empty(3)
    kernels.row_size_scores(cells, ends, firsts, by_size, scores)

    assert scores.tolist() == [
        sum(by_size[first + int(row.sum())] for row in table)
        for first, table in zip(firsts, tables, strict=True)
    ]
