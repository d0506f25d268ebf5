"""The counting kernels against plain loops, on every code type."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodes import AWKWARD as AWKWARD_NODES
from nodes import nodes
from strategies import steady

from treelab.kernels import counts as kernels
from treelab.kernels.nodes import Nodes

TYPES = [np.uint8, np.uint16, np.uint32]
N_CLASSES = 3


def made(seed, dtype, n_codes, cases=30, missing=0.2):
    """Return codes (feature, case), classes, rows and weights; the largest code is missing."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, n, cases) for n in n_codes]).reshape(len(n_codes), cases)
    codes[rng.random(codes.shape) < missing] = np.iinfo(dtype).max
    # The last code that is not missing is the first to be mistaken for it.
    for row, n in zip(codes, n_codes, strict=True):
        row[: min(cases, 1)] = n - 1
    y = rng.integers(0, N_CLASSES, cases).astype(np.int32)
    rows = np.flatnonzero(rng.random(cases) < 0.8)
    weights = rng.choice([0.1, 0.3, 1.0, 2.0], len(rows))
    codes = codes.astype(dtype)
    codes.flags.writeable = y.flags.writeable = (
        False  # as in a growing tree: compiled once for both
    )
    return codes, y, rng.permutation(rows), weights


def as_cases(codes, y, rows, weights):
    gone = np.iinfo(codes.dtype).max
    return [
        naive.Case(
            [None if code == gone else int(code) for code in codes[:, row]], int(y[row]), float(w)
        )
        for row, w in zip(rows, weights, strict=True)
    ]


def most_codes(dtype):
    """Return the largest number of codes a type has room for, or enough of them."""
    return min(int(np.iinfo(dtype).max), 70_000)


AWKWARD = {
    "some": {"n_codes": [4, 1, 7]},
    "no-case": {"n_codes": [4, 2], "cases": 0},
    "one-case": {"n_codes": [4, 2], "cases": 1},
    "all-missing": {"n_codes": [5, 3], "missing": 1.0},
    "nothing-missing": {"n_codes": [5, 3], "missing": 0.0},
    "one-feature": {"n_codes": [2], "cases": 90},
    "no-feature": {"n_codes": []},
}
awkward = pytest.mark.parametrize("how", AWKWARD.values(), ids=AWKWARD.keys())
at_nodes = pytest.mark.parametrize("how", AWKWARD_NODES.values(), ids=AWKWARD_NODES.keys())


@awkward
def test_class_weights_are_added_up(how):
    _, y, rows, weights = data = made(0, np.uint8, **how)
    expected = naive.class_weights(as_cases(*data), N_CLASSES)

    # The same numbers in the same order: equal to the last bit.
    assert expected == kernels.class_counts(y, rows, weights, N_CLASSES).tolist()


def count_values(made, features, span=None):
    """Return the tall table (node, value, class) of some features."""
    offsets = np.concatenate([[0], np.cumsum(made.n_codes[features] + 1)])
    counts = np.zeros((len(made.starts), offsets[-1], made.n_classes))
    codes = made.codes[features].T
    by_case = np.minimum(codes, made.n_codes[features].astype(codes.dtype))
    kernels.value_counts(
        np.ascontiguousarray(by_case), offsets, made.nodes, span or (0, len(features)), counts
    )
    return counts


@at_nodes
def test_values_are_counted_for_several_features_and_nodes_at_once(how):
    made = nodes(1, **how)
    features = made.features[::-1].copy()  # any order
    counts = count_values(made, features)
    for k in made.numbers:
        cases, expected = made.cases(k), []
        for f in features:
            values = [*range(made.n_codes[f]), None]
            expected += naive.value_table(cases, f, values, made.n_classes)

        # The same numbers in the same order: equal to the last bit.
        assert expected == counts[k].tolist()


def test_threads_count_the_features_of_their_span_only():
    made = nodes(2, sizes=[20, 30])
    counts, first, last = (count_values(made, made.features, s) for s in (None, (0, 1), (1, 3)))
    border = made.n_codes[0] + 1

    assert not first[:, border:].any()
    assert not last[:, :border].any()
    np.testing.assert_array_equal(first + last, counts)


def test_all_codes_of_a_type_can_be_counted():
    for dtype in TYPES:
        n = most_codes(dtype)
        codes = np.array([[0], [n - 1], [n]], dtype)
        cases = np.arange(3, dtype=np.int32)
        counts = np.zeros((1, n + 1, 3))
        all_in_one = Nodes(cases, cases, cases, np.ones(3), np.array([0]), np.array([3]))
        kernels.value_counts(codes, np.array([0, n + 1]), all_in_one, (0, 1), counts)

        assert np.argwhere(counts[0]).tolist() == [[0, 0], [n - 1, 1], [n, 2]]


def naive_mixed(counts, min_cases):
    """Return the nodes of enough cases and more than one class."""
    return [
        k
        for k, weights in enumerate(counts)
        if sum(weights) >= min_cases and sum(weight > 1e-9 for weight in weights) > 1
    ]


def test_nodes_of_one_class_or_few_cases_are_not_mixed():
    counts = np.array([[3, 0, 0], [0, 2, 1], [0, 0, 0], [0.5, 1, 0.4], [2, 1e-15, 0], [1, 1, 9]])
    for min_cases in (0.0, 1.9, 2.0, 3.0, 12.0):
        found = kernels.mixed_nodes(counts, min_cases)

        assert found.tolist() == naive_mixed(counts.tolist(), min_cases)
    assert kernels.mixed_nodes(counts[:0], 1.0).tolist() == []


@steady(50)
@given(st.integers(0, 1000), st.integers(0, 30), st.sampled_from(["one", "whole", "fraction"]))
def test_the_counts_of_two_parts_add_up_to_those_of_the_whole(seed, first, weights):
    made = nodes(seed, sizes=[30], weights=weights)
    border = made.starts + first
    parts = [made._replace(stops=border), made._replace(starts=border)]
    first, second, total = (count_values(part, made.features) for part in [*parts, made])

    # The weights add up exactly, in any order.
    np.testing.assert_array_equal(first + second, total)
