"""Worked examples and problems of kantardzic2011 and duch2004, each under its own name."""

import json
from itertools import pairwise
from pathlib import Path

import naive_discretize as naive
import numpy as np
import pytest
from strategies import dataset

import treelab as tl
from treelab.discretize.moves import border_moves, equal_start
from treelab.discretize.rounding import round_to_power
from treelab.kernels.merging import pair_chi2
from treelab.stats.bins import bin_error

VECTORS = json.loads(
    (Path(__file__).parents[1] / "reference" / "discretize_vectors.json").read_text()
)
RULES = {"zero0.1": (0.1, 0.0), "skip": (0.0, 0.0), "kerber0.5": (0.0, 0.5)}
BY = {"bound": "boundaries", "closest boundary": "boundaries"}


def vectors(measure):
    found = [vector for vector in VECTORS if vector["measure"] == measure]
    assert found
    return pytest.mark.parametrize("vector", found, ids=lambda vector: vector["id"])


def data_of(x, y=None):
    y = [0] * len(x) if y is None else np.unique(y, return_inverse=True)[1]
    return dataset([np.array(x, dtype=float)], y)


def bins_by(coding, values):
    values = np.sort(np.array(values, dtype=float))
    codes = coding.codes("x0", values)
    return [values[codes == code].tolist() for code in range(codes.max() + 1)]


def profile(values):
    points, mass = np.unique(np.array(values, dtype=float), return_counts=True)
    return points, mass.astype(float)


# ChiMerge


@vectors("chimerge_chi2")
def test_chi_square_of_two_intervals(vector):
    a, b = (np.array(vector["input"][side], dtype=float) for side in "ab")
    found = pair_chi2(a, b, *RULES[vector["params"]["rule"]])

    assert found == pytest.approx(vector["expected"], abs=1e-11)  # kept to 12 decimals


@vectors("chimerge")
def test_chimerge_examples(vector):
    x, y = vector["input"]["x"], vector["input"]["y"]
    coding = tl.discretizer("chimerge", alpha=0.1).fit(data_of(x, y))

    assert coding.cuts["x0"] == pytest.approx(vector["expected"]["cuts"], abs=1e-12)
    counts = [naive.total(rows) for rows in tables_of(coding, x, y)]
    assert counts == vector["expected"]["counts"]
    chi2 = [
        pair_chi2(np.array(a, float), np.array(b, float), 0.1, 0.0) for a, b in pairwise(counts)
    ]
    assert chi2 == pytest.approx(vector["expected"]["final_chi2"], abs=1e-11)


def tables_of(coding, x, y):
    points, counts = naive.table(x, y)
    codes = coding.codes("x0", np.array(points, dtype=float))
    return [
        [row for row, c in zip(counts, codes, strict=True) if c == code]
        for code in range(codes.max() + 1)
    ]


TABLE_3_6 = [1, 3, 7, 8, 9, 11, 23, 37, 39, 45, 46, 59], [1, 2, 1, 1, 1, 2, 2, 1, 2, 1, 1, 1]


@pytest.mark.parametrize("empty", ["0.1", "skip", "floor"])
def test_table_3_6_has_three_intervals_whatever_is_expected_of_empty_classes(empty):
    coding = tl.discretizer("chimerge", empty=empty).fit(data_of(*TABLE_3_6))

    assert coding.labels("x0") == ("< 10", "10..42", ">= 42")


def test_problem_6_i2():
    x = [1.6, 4.3, 5.8, 3.6, 7.2, 4.9, 4.8]
    y = [0, 1, 1, 0, 1, 0, 1]
    cuts = tl.discretizer("chimerge").fit(data_of(x, y)).cuts["x0"]

    assert cuts == pytest.approx([3.95, 4.85, 5.35], abs=1e-12)


def test_problem_6_with_kerbers_floor():
    x = [[2.5, 7.2, 3.4, 5.6, 4.8, 8.1, 6.3], [1.6, 4.3, 5.8, 3.6, 7.2, 4.9, 4.8],
         [5.9, 2.1, 1.6, 6.8, 3.1, 8.3, 2.4]]  # fmt: skip
    data = dataset([np.array(column) for column in x], [0, 1, 1, 0, 1, 0, 1])
    cuts = tl.discretizer("chimerge", empty="floor").fit(data).cuts

    assert [points.round(9).tolist() for points in cuts.values()] == [[], [3.95], [4.5]]


# SSV


@vectors("ssv_discretize")
def test_ssv_cut_points(vector):
    coding = tl.discretizer("ssv", bins=vector["params"]["k"]).fit(data_of(**vector["input"]))

    assert coding.cuts["x0"].tolist() == vector["expected"]


@vectors("ssv_best_split")
def test_the_best_ssv_cut(vector):
    cuts = tl.discretizer("ssv", bins=2).fit(data_of(**vector["input"])).cuts["x0"]

    assert cuts.tolist() == ([] if vector["expected"] is None else vector["expected"][1:])


# Bins


@vectors("equal_frequency_bins")
def test_equally_filled_bins_leave_the_remainder_to_the_last(vector):
    values, k = vector["input"]["values"], vector["params"]["k"]
    points, mass = profile(values)
    start = border_moves(points, mass, k, "mode")[0]

    assert [part.tolist() for part in start.bins(points, mass)] == vector["expected"]
    assert start.borders.tolist() == equal_start(mass, k).tolist()


@vectors("bin_smoothing")
def test_smoothing_examples(vector):
    values, k, by = vector["input"]["values"], vector["params"]["k"], vector["params"]["by"]
    points, mass = profile(values)
    start = border_moves(points, mass, k, "mode")[0]
    places = start.whole_groups(mass)
    coding = tl.Coding({"x0": (points[places - 1] + points[places]) / 2})
    smoothed = tl.smooth(data_of(np.sort(values)), coding, BY.get(by, by))

    assert smoothed["x0"].tolist() == pytest.approx(vector["expected"], abs=1e-12)


def test_smoothing_by_means_of_the_example():
    values = [3, 2, 1, 5, 4, 3, 1, 7, 5, 3]
    smoothed = tl.smooth(data_of(np.sort(values)), tl.Coding({"x0": [2.5, 3.5]}), "mean")["x0"]

    assert smoothed == pytest.approx([4 / 3] * 3 + [3.0] * 3 + [5.25] * 4, abs=1e-12)


@vectors("dynamic_bins")
def test_dynamic_bins(vector):
    settings = vector["params"]
    move = "single" if settings["move"] == "one element" else "group"
    points, mass = profile(vector["input"]["values"])
    steps = border_moves(points, mass, settings["k"], settings["rep"], move)

    assert [step.error for step in steps] == pytest.approx(vector["expected"]["ER"], abs=1e-12)
    assert [b.tolist() for b in steps[-1].bins(points, mass)] == vector["expected"]["final"]


def test_problem_12_with_leftmost_ties_is_stuck_at_6():
    points, mass = profile([4, 2, 1, 6, 4, 3, 1, 7, 2, 2])
    last = border_moves(points, mass, 3, "median", ties="left")[-1]

    assert last.error == 6
    assert [b.tolist() for b in last.bins(points, mass)] == [[1, 1], [2, 2, 2, 3], [4, 4, 6, 7]]


def test_problem_12_by_the_discretizer():
    values = [4, 2, 1, 6, 4, 3, 1, 7, 2, 2]
    for method in ("moves", "exact"):
        coding = tl.discretizer("bins", bins=3, by="median", method=method).fit(data_of(values))
        assert bins_by(coding, values) == [[1, 1, 2, 2, 2], [3, 4, 4], [6, 7]]


@vectors("bin_error_sequence")
def test_the_error_of_bins(vector):
    by = vector["params"]["rep"]
    found = [
        sum(bin_error(*profile(part), by) for part in bins) for bins in vector["input"]["bins"]
    ]

    assert found == vector["expected"]


@vectors("optimal_bins")
def test_optimal_bins(vector):
    values, settings = vector["input"]["values"], vector["params"]
    by = BY.get(settings["rep"], settings["rep"])
    found = bins_by(tl.discretizer("bins", bins=settings["k"], by=by).fit(data_of(values)), values)

    assert found in vector["expected"]["solutions"]
    error = sum(bin_error(*profile(part), by) for part in found)
    assert error == pytest.approx(vector["expected"]["error"], abs=1e-9)


# Problem 13: the largest and smallest bins that 100 values in 10 bins can have

ONE_APART = [*[1.0] * 99, 11.0]
DIFFERENT = np.arange(100.0)
ALMOST_FULL = [*range(9), *[9.0] * 20, *range(10, 81)]
PROBLEM_13 = {
    "a": ("equal-width", ONE_APART, max),
    "b": ("equal-width", ONE_APART, min),
    "c": ("equal-frequency", DIFFERENT, max),
    "d": ("equal-frequency", DIFFERENT, min),
    "e": ("equal-frequency", ONE_APART, max),
    "f": ("equal-frequency", ALMOST_FULL, max),
}


@vectors("problem13")
def test_problem_13(vector):
    """A bin of 9 takes in 20 equal values (f); 99 equal ones stay together (a, e)."""
    assert size_of_problem_13(vector["input"]["part"]) == vector["expected"]


def test_problem_13e():
    assert size_of_problem_13("e") == 99


def size_of_problem_13(part):
    name, values, extreme = PROBLEM_13[part]
    data = data_of(values)
    assert len(data) == 100
    coding = tl.discretizer(name, bins=10).fit(data)
    return extreme(row.cases for row in coding.describe(data))


# Rounding


@vectors("round_pow10")
def test_rounding_examples(vector):
    found = round_to_power(np.array([vector["input"]["x"]]), vector["input"]["k"])

    assert found.tolist() == [vector["expected"]]


def test_rounding_below_zero_is_by_the_floor():
    assert round_to_power(np.array([-1457.0]), 1).tolist() == [-1460.0]
