"""The counting kernels against plain loops, on every code type and both roads."""

from itertools import pairwise

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from treelab.kernels import counts as kernels

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
every_type = pytest.mark.parametrize("dtype", TYPES)
both_roads = pytest.mark.parametrize("road", [kernels._by_code, kernels._by_sorting])


@awkward
def test_class_weights_are_added_up(how):
    _, y, rows, weights = data = made(0, np.uint8, **how)
    expected = naive.class_weights(as_cases(*data), N_CLASSES)

    # The same numbers in the same order: equal to the last bit.
    assert expected == kernels.class_counts(y, rows, weights, N_CLASSES).tolist()


@every_type
@awkward
def test_values_are_counted_for_several_features_at_once(dtype, how):
    codes, y, rows, weights = data = made(1, dtype, **how)
    n_codes = how["n_codes"]
    features = np.arange(len(n_codes))[::-1].copy()  # any order
    widths = [n_codes[f] + 1 for f in features]
    offsets = np.concatenate([[0], np.cumsum(widths, dtype=np.int64)])
    actual = kernels.value_counts(codes, features, offsets, y, rows, weights, N_CLASSES)
    cases = as_cases(*data)
    expected = []
    for f in features:
        expected += naive.value_table(cases, f, [*range(n_codes[f]), None], N_CLASSES)

    assert expected == actual.tolist()


def test_all_codes_of_a_type_can_be_counted():
    for dtype in TYPES:
        n = most_codes(dtype)
        codes = np.array([[0, n - 1, np.iinfo(dtype).max]], dtype)
        y, rows = np.array([0, 1, 2], np.int32), np.arange(3)
        offsets = np.array([0, n + 1])
        counts = kernels.value_counts(codes, np.array([0]), offsets, y, rows, np.ones(3), 3)

        assert np.argwhere(counts).tolist() == [[0, 0], [n - 1, 1], [n, 2]]


def naive_ordered(cases, n_codes):
    values = naive.values_of(cases, 0)
    return (
        values,
        naive.value_table(cases, 0, values, n_codes),
        naive.value_table(cases, 0, [None], n_codes)[0],
    )


@both_roads
@every_type
@pytest.mark.parametrize("n_codes", [1, 2, 9, 255])  # of uint8, 255 is the missing code
@pytest.mark.parametrize(
    "how", [{}, {"cases": 0}, {"cases": 1}, {"missing": 1.0}, {"missing": 0.0}]
)
def test_both_roads_count_the_codes_that_occur(road, dtype, n_codes, how):
    codes, y, rows, weights = data = made(2, dtype, [n_codes], **how)
    missing = np.zeros(N_CLASSES)
    here, counts = road(codes[0], n_codes, y, rows, weights, missing)
    values, table, gone = naive_ordered(as_cases(*data), N_CLASSES)

    assert values == here.tolist()
    assert table == counts.tolist()
    assert gone == missing.tolist()


@pytest.mark.parametrize(("n_codes", "cases"), [(40, 10), (41, 10), (1000, 3), (3, 1000)])
def test_few_codes_are_counted_and_many_are_sorted(monkeypatch, n_codes, cases):
    """Only without the compiler can be seen which road was taken."""
    taken = []
    for name in ("_by_code", "_by_sorting"):
        monkeypatch.setattr(kernels, name, lambda *_, name=name: taken.append(name))
    choose = getattr(kernels.ordered_counts, "py_func", kernels.ordered_counts)
    choose(np.zeros(cases, np.uint16), n_codes, None, np.arange(cases), None, None)

    assert taken == ["_by_code" if n_codes <= 4 * cases else "_by_sorting"]


def test_missing_values_are_added_to_what_is_there():
    codes, y, rows, weights = made(3, np.uint8, [4], missing=1.0)
    missing = np.full(N_CLASSES, 10.0)
    kernels.ordered_counts(codes[0], 4, y, rows, weights, missing)

    assert missing.sum() > 30


@every_type
@pytest.mark.parametrize("n_branches", [2, 3])
@awkward
def test_the_tables_of_all_cuts(dtype, n_branches, how):
    codes, y, rows, weights = data = made(4, dtype, **how)
    n_codes = np.array(how["n_codes"], np.int64)
    features = np.arange(len(n_codes))[::-1].copy()
    tables, sides, starts, missing = kernels.cut_tables(
        codes, features, n_codes[features], y, rows, weights, N_CLASSES, n_branches
    )
    cases = as_cases(*data)
    for k, f in enumerate(features):
        values = naive.values_of(cases, f)
        cuts = list(pairwise(values))
        gone = naive.value_table(cases, f, [None], N_CLASSES)[0]

        if n_branches == 3 and sum(gone) > 0 and values:
            cuts.insert(0, (values[-1], -1))  # all known values against the missing ones
        assert cuts == [tuple(pair) for pair in sides[starts[k] : starts[k + 1]].tolist()]
        assert gone == missing[k].tolist()
        for (low, high), table in zip(cuts, tables[starts[k] : starts[k + 1]], strict=True):
            expected = [[0.0] * N_CLASSES, [0.0] * N_CLASSES, gone][:n_branches]
            if high < 0:  # the row is the branch: missing values go right
                expected = [[0.0] * N_CLASSES, gone, [0.0] * N_CLASSES]
            for case in cases:
                if case.values[f] is not None:
                    expected[int(case.values[f] > low)][case.y] += case.weight
            # The upper side is the total less the lower side: the last digits differ.
            np.testing.assert_allclose(table, expected, rtol=1e-12, atol=1e-12)
            assert (table >= 0).all()
    assert starts[-1] == len(tables) == len(sides)


def test_weights_that_add_up_inexactly_leave_nothing_behind():
    """Ten times 0.1 is not 1: what is left above a cut must not be negative."""
    codes = np.array([[0] * 10 + [1] * 3], np.uint8)
    y = np.array([0] * 10 + [1] * 3, np.int32)
    tables, *_ = kernels.cut_tables(
        codes, np.array([0]), np.array([2]), y, np.arange(13), np.full(13, 0.1), 2, 2
    )

    assert tables[0, 0, 1] == tables[0, 1, 0] == 0.0


@steady(50)
@given(st.integers(0, 1000), st.integers(0, 30))
def test_the_counts_of_two_parts_add_up_to_those_of_the_whole(seed, first):
    codes, y, rows, weights = made(seed, np.uint8, [5])
    offsets = np.array([0, 6])

    def count(part):
        return kernels.value_counts(
            codes, np.array([0]), offsets, y, rows[part], weights[part], N_CLASSES
        )

    total = count(slice(first)) + count(slice(first, None))
    # Sums in two parts: the last digits differ.
    np.testing.assert_allclose(total, count(slice(None)), rtol=1e-12)
