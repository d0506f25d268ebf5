"""The kernels of multiway splits against tables that are counted one by one."""

import naive
import numpy as np
import pytest
from nodes import AWKWARD, nodes

from treelab.kernels import multiway as kernels

awkward = pytest.mark.parametrize("how", AWKWARD.values(), ids=AWKWARD.keys())
missing_branch = pytest.mark.parametrize("missing_branch", [False, True])


def counted(made):
    """Return the tall table (node, value, class) of all features, and where each begins."""
    counts = [
        [
            row
            for f in made.features
            for row in naive.value_table(
                made.cases(k), f, [*range(made.n_codes[f]), None], made.n_classes
            )
        ]
        for k in made.numbers
    ]
    offsets = np.concatenate([[0], np.cumsum(made.n_codes + 1)])
    return np.array(counts).reshape(len(made.starts), offsets[-1], made.n_classes), offsets


def found(made, tall, min_branch, missing_branch):
    """Return cells, codes, ends, the node and feature of each candidate, and what is lost."""
    counts, offsets = tall[0].copy(), tall[1]  # the kernel moves what it keeps to the front
    numbers = made.features[::-1] + 2  # the features may have any numbers
    lost = np.zeros((len(made.starts), len(made.features) + 2))
    codes, ends, feature, node = kernels.find_multiway(
        counts, 3, numbers, offsets, min_branch, missing_branch, lost
    )
    place = {number: f for f, number in enumerate(numbers.tolist())}
    where = [
        (k - 3, place[number]) for k, number in zip(node.tolist(), feature.tolist(), strict=True)
    ]
    return counts.reshape(-1, made.n_classes), codes, ends, where, lost[:, numbers]


def naive_rows(made, missing_branch):
    """Return the codes that occur and their class weights, for every node and feature."""
    found = {}
    for k in made.numbers:
        for f in made.features:
            values = [*range(made.n_codes[f]), *([None] if missing_branch else [])]
            table = naive.value_table(made.cases(k), f, values, made.n_classes)
            found[k, f] = [(code, row) for code, row in enumerate(table) if sum(row) > 0]
    return found


def naive_splits(rows_of, min_branch):
    """Return the node, the feature, the codes and the table of every split, node by node."""
    return [
        (at, [code for code, _ in rows], [row for _, row in rows])
        for at, rows in rows_of.items()
        if sum(sum(row) >= min_branch for _, row in rows) >= 2
    ]


@missing_branch
@awkward
def test_every_value_that_occurs_has_a_branch(how, missing_branch):
    made = nodes(**how)
    tall, rows_of = counted(made), naive_rows(made, missing_branch)  # slow: once for all
    for min_branch in (0.0, 1.0, 2.5, 6.0):
        cells, codes, ends, where, lost = found(made, tall, min_branch, missing_branch)
        starts = [0, *ends][:-1]
        expected = naive_splits(rows_of, min_branch)

        assert where == [at for at, _, _ in expected]
        for start, end, (_, values, table) in zip(starts, ends, expected, strict=True):
            assert codes[start:end].tolist() == values
            assert cells[start:end].tolist() == table
        for k in made.numbers:
            for f in made.features:
                gone = sum(naive.value_table(made.cases(k), f, [None], made.n_classes)[0])
                assert lost[k, f] == (0.0 if missing_branch else gone)


@missing_branch
@awkward
def test_values_are_mapped_to_their_branches(how, missing_branch):
    made = nodes(3, **how)
    _, codes, ends, where, _ = found(made, counted(made), 0.0, missing_branch)
    chosen = np.arange(len(ends))[::-2].copy()  # any, in any order
    n_codes = np.array([made.n_codes[where[c][1]] for c in chosen], np.int64)
    first_map, maps = kernels.value_maps(codes, ends, chosen, n_codes)
    splits = naive_splits(naive_rows(made, missing_branch), 0.0)

    assert len(maps) == (n_codes + 1).sum()
    for c, first, n in zip(chosen, first_map, n_codes, strict=True):
        values = splits[c][1]
        expected = [values.index(v) if v in values else -1 for v in range(n + 1)]

        assert maps[first : first + n + 1].tolist() == expected
