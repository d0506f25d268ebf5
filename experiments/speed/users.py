"""A metric of one's own beside the same built-in metric: the gain, written in three ways."""

from math import log2

import numpy as np
from agree import same_value
from bench import Peer, classes, compare, dataset, grown, main, numbers

import treelab as tl


def n_log_n(n):
    return n * np.log2(np.maximum(n, 1.0))  # a count is 0 or at least 1


def in_numpy(t):
    """Return the gain of tables (..., value, class), many at a time."""
    n = t.sum(axis=(-2, -1))
    known = n_log_n(t.sum(axis=-1)).sum(axis=-1) + n_log_n(t.sum(axis=-2)).sum(axis=-1)
    return (n_log_n(n) - known + n_log_n(t).sum(axis=(-2, -1))) / n


def of_one_table(t):
    """Return the gain of one table (value, class), in loops that numba can compile."""
    values, labels = t.shape
    n = t.sum()
    bits = n * log2(n)
    for j in range(values):
        size = t[j].sum()
        if size > 0:
            bits -= size * log2(size)
        for i in range(labels):
            if t[j, i] > 0:
                bits += t[j, i] * log2(t[j, i])
    for i in range(labels):
        size = t[:, i].sum()
        if size > 0:
            bits -= size * log2(size)
    return bits / n


@tl.sums_of(n_log_n)
def of_sums(cells, branches, _shares, classes, whole, n):
    """Return the gain from the sums of n log n over cells, values and classes."""
    return (whole - classes - branches + cells) / n


WAYS = {
    "a numpy batch formula": (in_numpy, 1 / 3),
    "a compilable function": (of_one_table, 1 / 1.3),
    "sums_of": (of_sums, 1 / 1.3),
}


def rows(quick):
    for n in (1_000,) if quick else (10_000, 100_000):
        x = numbers(n)
        data = dataset(x, classes(x))
        for way, (formula, wanted) in WAYS.items():
            yield from compare(
                "user's metric",
                f"{way}, {n:,} x 20, depth 10",
                grown(data, tl.from_counts(formula), max_depth=10),
                Peer("built-in gain", grown(data, max_depth=10), wanted, same_value),
                runs=1 if quick else 3,
            )


if __name__ == "__main__":
    main(rows)
