"""Bins, rounding, smoothing and cuts by hand; what a coding says of data."""

import re

import naive_discretize as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, steady

import treelab as tl
from treelab.discretize import bins as bins_module
from treelab.discretize.moves import border_moves
from treelab.discretize.rounding import round_to_power
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.stats.bins import BY, bin_error, representatives

NAN = np.nan
VALUES = st.lists(st.integers(-4, 9), min_size=1, max_size=14)


def data_of(values, weights=None):
    return dataset([np.array(values, dtype=float)], np.zeros(len(values), int), weights=weights)


def error_of(coding, values, by):
    codes = coding.codes("x0", np.array(values, dtype=float))
    parts = [[v for v, c in zip(values, codes, strict=True) if c == code] for code in set(codes)]
    return sum(naive.bin_error(part, by) for part in parts)


# Exact bins


@pytest.mark.parametrize("by", BY)
@steady(80)
@given(VALUES, st.integers(1, 5))
def test_exact_bins_have_the_least_error_of_all(by, values, k):
    coding = tl.discretizer("bins", bins=k, by=by).fit(data_of(values))
    least, _ = naive.best_bins(values, k, by)

    assert len(coding.cuts["x0"]) == min(k, len(set(values))) - 1
    # Sums of at most 14 small numbers: rounding is far below this.
    assert error_of(coding, values, by) == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("by", BY)
@steady(80)
@given(VALUES)
def test_representatives_and_errors_by_hand(by, values):
    points, mass = np.unique(np.array(values, dtype=float), return_counts=True)
    expected = naive.representatives(values, by)
    stand = np.repeat(representatives(points, mass.astype(float), by), mass)

    assert stand.tolist() == pytest.approx(expected, abs=1e-9)
    error = bin_error(points, mass.astype(float), by)
    assert error == pytest.approx(naive.bin_error(values, by), abs=1e-9)


def test_among_bins_of_equal_error_the_smallest_cuts_are_taken():
    cuts = tl.discretizer("bins", bins=2, by="median").fit(data_of([1.0, 2.0, 3.0])).cuts["x0"]

    assert cuts.tolist() == [1.5]


def test_exact_bins_of_too_many_values_are_refused(monkeypatch):
    monkeypatch.setattr(bins_module, "MOST_POINTS", 3)
    with pytest.raises(DataError, match=r"^exact bins are for at most 3 different values, here"):
        tl.discretizer("bins").fit(data_of([1.0, 2.0, 3.0, 4.0]))


# Border moves


@pytest.mark.parametrize("by", BY)
@steady(60)
@given(VALUES, st.integers(1, 4))
def test_moves_lower_the_error_and_never_below_the_least(by, values, k):
    k = min(k, len(set(values)))
    points, mass = np.unique(np.array(values, dtype=float), return_counts=True)
    steps = border_moves(points, mass.astype(float), k, by)
    errors = [step.error for step in steps]
    bins = [part.tolist() for part in steps[-1].bins(points, mass.astype(float))]

    assert errors == sorted(errors, reverse=True)
    assert len(set(errors)) == len(errors)
    assert [value for part in bins for value in part] == sorted(values)
    assert all(bins)
    last = sum(naive.bin_error(part, by) for part in bins)
    assert last == pytest.approx(errors[-1], abs=1e-9)


@pytest.mark.parametrize("ties", ["right", "left"])
@pytest.mark.parametrize("move", ["group", "single"])
@pytest.mark.parametrize("by", BY)
@steady(40)
@given(VALUES, st.integers(1, 4))
def test_moves_are_those_of_the_descent_over_lists(by, move, ties, values, k):
    k = min(k, len(values))
    points, mass = np.unique(np.array(values, dtype=float), return_counts=True)
    steps = border_moves(points, mass.astype(float), k, by, move, ties)

    assert [s.borders.tolist() for s in steps] == naive.border_moves(values, k, by, move, ties)


def test_a_parted_group_joins_its_larger_part():
    """The start is {1, 2, 2}, {2, 9, 9, 9}; modes cannot do better, and 2 stays below."""
    data = data_of([1.0, 2.0, 2.0, 2.0, 9.0, 9.0, 9.0])
    cuts = tl.discretizer("bins", bins=2, by="mode", method="moves").fit(data).cuts["x0"]

    assert cuts.tolist() == [5.5]


def test_a_border_inside_the_last_value_cuts_nothing():
    """The bins end as {0, 1}, {5, 5, 7}, {9 x 4}, {9 x 3}."""
    data = data_of([0.0, 1.0, 5.0, 5.0, 7.0, *[9.0] * 7])
    cuts = tl.discretizer("bins", bins=4, method="moves").fit(data).cuts["x0"]

    assert cuts.tolist() == [3.0, 8.0]


def test_borders_may_move_up_to_the_first_value():
    """The start is {0, 10}, {11, 12}; 0 alone leaves the least error."""
    data = data_of([0.0, 10.0, 11.0, 12.0])
    cuts = tl.discretizer("bins", bins=2, method="moves").fit(data).cuts["x0"]

    assert cuts.tolist() == [5.0]


# Rounding


def test_digits_behind_the_point_may_be_kept():
    assert round_to_power(np.array([1.23456, -0.005, 2.5]), -2).tolist() == [1.23, 0.0, 2.5]


@steady(200)
@given(st.integers(-(10**6), 10**6), st.integers(0, 4))
def test_rounding_is_half_up(x, power):
    unit = 10**power
    assert round_to_power(np.array([x]), power).tolist() == [(2 * x + unit) // (2 * unit) * unit]


@steady(100)
@given(st.lists(st.integers(-3000, 3000), min_size=1, max_size=30), st.integers(1, 8))
def test_values_that_round_alike_share_an_interval(values, limit):
    coding = tl.discretizer("rounding", values=limit).fit(data_of(values))
    rounded = np.array(values, dtype=float)
    power = 0
    while len(np.unique(rounded)) > limit:
        power += 1
        rounded = round_to_power(np.array(values), power)

    expected = np.unique(rounded, return_inverse=True)[1]
    assert coding.codes("x0", np.array(values, dtype=float)).tolist() == expected.tolist()
    assert len(coding.cuts["x0"]) < limit


def test_the_cuts_of_rounding_are_its_borders():
    """0, 10, 20 and 30 are four values; hundreds leave 0 alone."""
    data = data_of([1.0, 14.0, 15.0, 26.0, 4.0])

    assert tl.discretizer("rounding", values=4).fit(data).cuts["x0"].tolist() == [5.0, 15.0, 25.0]
    assert tl.discretizer("rounding", values=3).fit(data).cuts["x0"].tolist() == []


def test_rounding_may_begin_behind_the_point():
    coding = tl.discretizer("rounding", values=3, first=-1).fit(data_of([0.12, 0.14, 0.31, 0.49]))

    assert coding.cuts["x0"] == pytest.approx([0.25, 0.45], abs=1e-12)


def test_the_largest_numbers_can_be_rounded():
    data = data_of([1.7e308, -1.7e308, 1.0, 2.0])

    assert len(tl.discretizer("rounding", values=1).fit(data).cuts["x0"]) == 0
    assert len(tl.discretizer("rounding", values=3).fit(data).cuts["x0"]) == 2


# By hand


def test_cuts_by_hand():
    iris = tl.load("iris")
    by_name = tl.discretizer("cuts", cuts={"petal width": [0.8, 1.75]}).fit(iris)

    assert list(by_name.cuts) == ["petal width"]
    for same in ([2, 4.5], "2;4.5", "2 4.5"):
        coding = tl.discretizer("cuts", cuts=same).fit(iris)
        assert {tuple(points) for points in coding.cuts.values()} == {(2.0, 4.5)}
        assert tuple(coding.cuts) == iris.features
    assert tl.discretizer("cuts:2.5").fit(iris).cuts["petal width"].tolist() == [2.5]


def test_cuts_by_hand_must_be_given():
    with pytest.raises(ParameterError, match=r"^discretizer 'cuts' needs a value for 'cuts'$"):
        tl.discretizer("cuts")


def test_cuts_by_hand_must_fit_the_data():
    with pytest.raises(UnknownNameError, match=r"did you mean 'petal width'\?$"):
        tl.discretizer("cuts", cuts={"petal widht": [1.0]}).fit(tl.load("iris"))
    with pytest.raises(ParameterError, match=r"must be finite and ascending$"):
        tl.discretizer("cuts:2;1").fit(tl.load("iris"))


# Smoothing


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("mean", [2, NAN, 2, 2, 7, 7]),
        ("median", [2, NAN, 2, 2, 7, 7]),
        ("mode", [1, NAN, 1, 1, 6, 6]),
        ("boundaries", [1, NAN, 1, 3, 6, 8]),
    ],
)
def test_smoothing_by_hand(by, expected):
    data = data_of([1.0, NAN, 2.0, 3.0, 6.0, 8.0])
    smoothed = tl.smooth(data, tl.Coding({"x0": [5.0]}), by)

    np.testing.assert_array_equal(smoothed["x0"], expected)
    assert smoothed.schema == data.schema


@pytest.mark.parametrize("by", BY)
def test_smoothing_counts_weights_as_cases(by):
    values, weights = [1.0, 2.0, 4.0, 6.0, 9.0], [1, 3, 2, 0, 2]
    coding = tl.Coding({"x0": [5.0]})
    rows = np.repeat(np.arange(5), weights)
    once = tl.smooth(data_of(values, weights), coding, by)["x0"]
    twice = tl.smooth(data_of(np.array(values)[rows]), coding, by)["x0"]

    assert once[rows].tolist() == twice.tolist()


def test_smoothing_leaves_other_features_alone():
    iris = tl.load("iris")
    smoothed = tl.smooth(iris, tl.Coding({"petal width": [1.0]}))

    assert np.array_equal(smoothed["petal length"], iris["petal length"])
    assert len(np.unique(smoothed["petal width"])) == 2
    with pytest.raises(DataError, match=r"is nominal; only numeric columns can be cut$"):
        tl.smooth(tl.load("lenses"), tl.Coding({tl.load("lenses").features[0]: [1.0]}))


# What a coding says


def test_a_coding_counts_cases_and_classes():
    data = dataset([[1.0, 2.0, NAN, 7.0, 9.0]], [0, 1, 1, 1, -1], 2, [1, 1, 2, 1, 1])
    rows = tl.Coding({"x0": [5.0, 20.0]}).describe(data)

    assert [(row.label, row.cases, row.shares) for row in rows] == [
        ("< 5", 2.0, {"c0": 0.5, "c1": 0.5}),
        ("5..20", 2.0, {"c0": 0.0, "c1": 1.0}),
        (">= 20", 0.0, {"c0": 0.0, "c1": 0.0}),
        ("missing", 2.0, {"c0": 0.0, "c1": 1.0}),
    ]
    assert str(rows).splitlines() == [
        "feature  interval  cases      c0       c1",
        "x0       < 5           2  50.0 %   50.0 %",
        "x0       5..20         2   0.0 %  100.0 %",
        "x0       >= 20         0",
        "x0       missing       2   0.0 %  100.0 %",
    ]


def test_a_coding_prints_its_intervals():
    assert str(tl.Coding({"a": [1.0], "long": []})) == "a     < 1 | >= 1\nlong  any"
    assert str(tl.Coding()) == "no feature is cut"
    assert str(tl.Coding().describe(data_of([1.0]))) == "feature  interval  cases"


def test_all_discretizers_have_names():
    names = {
        "equal-width", "equal-frequency", "chimerge", "chi2-merge", "ssv", "mdlp",
        "kononenko-mdl", "greedy", "bins", "rounding", "cuts",
    }  # fmt: skip

    assert names <= set(tl.discretizer_names())
    assert tl.discretizer_names() == sorted(tl.discretizer_names())
    for name in tl.discretizer_names():
        made = tl.discretizer(name, **({"cuts": [1.0]} if name == "cuts" else {}))
        assert re.match(r"[A-Z]\w+\(", repr(made))


def test_light_cases_are_parted_evenly_at_the_start():
    points, mass = np.arange(9.0), np.full(9, 0.1)
    steps = border_moves(points, mass, 3, "mean")

    assert steps[0].borders == pytest.approx([0.3, 0.6])
    data = data_of(points, mass)
    cuts = tl.discretizer("bins", bins=3, method="moves").fit(data).cuts["x0"]
    assert cuts.tolist() == [2.5, 5.5]


def test_a_bin_may_weigh_less_than_a_case():
    points, mass = np.array([0.0, 10.0, 10.5, 11.0]), np.full(4, 0.25)
    steps = border_moves(points, mass, 2, "mean")

    assert [step.borders.tolist() for step in steps] == [[0.5], [0.25]]


def test_what_stands_for_a_bin_does_not_depend_on_the_order_of_the_cases():
    rng = np.random.default_rng(0)
    values = np.array([0.1, 0.1, 0.1, 0.7, 0.7, 0.7, 0.9])
    weights = np.array([0.1, 0.3, 0.7, 1 / 3, 0.1, 0.7, 0.3])
    found = set()
    for _ in range(30):
        order = rng.permutation(len(values))
        data = dataset([values[order]], np.zeros(len(values), int), 1, weights[order])
        found |= set(tl.smooth(data, tl.Coding({"x0": [5.0]})).columns[0].tolist())

    assert len(found) == 1
