"""Coding: cut points, their words, and the codes a tree grows on."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, random_dataset, steady

from treelab.data.coded import Axis, Coded
from treelab.data.coding import Coding
from treelab.data.schema import Column
from treelab.errors import DataError, ParameterError, UnknownNameError, shown

NAN = np.nan
WIDTH = Coding({"x0": [0.8, 1.75]})


# Cut points


@steady(100)
@given(
    st.lists(st.sampled_from([-1.5, 0.0, 0.5, 2.0, 1e9]), unique=True).map(sorted),
    st.lists(st.sampled_from([-2.0, -1.5, 0.0, 0.1, 0.5, 2.0, 3.0, 1e9, 1e10]), max_size=9),
)
def test_the_code_is_the_number_of_cuts_not_above_the_value(cuts, values):
    expected = [sum(cut <= value for cut in cuts) for value in values]

    assert expected == Coding({"x": cuts}).codes("x", np.array(values)).tolist()


def test_a_missing_value_has_no_interval():
    assert WIDTH.codes("x0", np.array([NAN, 0.8, NAN])).tolist() == [-1, 1, -1]


@pytest.mark.parametrize("cuts", [[1.0, 1.0], [2.0, 1.0], [NAN], [np.inf], [-np.inf, 0.0]])
def test_cuts_must_be_finite_and_ascending(cuts):
    message = "the cut points of 'x' must be finite and ascending"
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        Coding({"x": cuts})


@pytest.mark.parametrize("cuts", ["x", 5, None, [[1, 2]], [1, "b"], [10**400], {"y": 1}])
def test_cuts_must_be_numbers(cuts):
    message = f"the cut points of 'x' must be a list of numbers, got {shown(cuts)}"
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        Coding({"x": cuts})


@pytest.mark.parametrize("cuts", [[1], 5, "x"])
def test_cuts_go_with_names(cuts):
    with pytest.raises(ParameterError, match=r"^cut points go with the names of features, as in "):
        Coding(cuts)


def test_a_coding_cannot_be_changed_from_outside():
    cuts = np.array([1.0, 2.0])
    coding = Coding({"x": cuts})
    cuts[0] = -5.0

    assert coding.cuts["x"].tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        coding.cuts["x"][0] = 3.0


@pytest.mark.parametrize(
    ("cuts", "labels"),
    [
        ([], ("any",)),
        ([3], ("< 3", ">= 3")),
        ([0.8, 1.75], ("< 0.8", "0.8..1.75", ">= 1.75")),
        ([-1e-5, 2 / 3], ("< -1e-05", "-1e-05..0.666666666667", ">= 0.666666666667")),
    ],
)
def test_intervals_in_words(cuts, labels):
    assert Coding({"x": cuts}).labels("x") == labels


def test_neighbouring_cuts_have_different_words():
    """Twelve digits are not enough to tell these cuts apart."""
    cuts = [1.0, 1.0 + 2**-52, 1.0 + 2**-51, 1.0 + 2**-50]
    labels = Coding({"x": cuts}).labels("x")

    assert len(set(labels)) == 5


def test_two_codings_are_equal_by_their_cuts():
    same, other = Coding({"x0": [0.8, 1.75]}), Coding({"x0": [0.8, 1.76]})

    assert same == WIDTH
    assert hash(same) == hash(WIDTH)
    assert other != WIDTH
    assert Coding({"x1": [0.8, 1.75]}) != WIDTH
    assert Coding() != WIDTH
    assert WIDTH != "x0"


# Applied to data


def test_cut_features_become_nominal_and_the_others_stay():
    data = dataset([[0.2, 0.8, 3.0, NAN], [1.0, 2.0, 3.0, 4.0], [0, 1, -1, 0]], [0, 1, 0, -1], 2)
    data = data.reweighted([1, 2, 3, 4])
    result = WIDTH.apply(data)

    labels = ("< 0.8", "0.8..1.75", ">= 1.75")
    assert result.schema.features == (Column("x0", labels), *data.schema.features[1:])
    assert result["x0"].tolist() == [0, 1, 2, -1]
    for name in ("x1", "x2"):
        np.testing.assert_array_equal(result[name], data[name])
    assert (result.y.tolist(), result.weights.tolist()) == ([0, 1, 0, -1], [1, 2, 3, 4])
    assert (result.schema.target, result.name) == (data.schema.target, data.name)


def test_only_numbers_can_be_cut():
    with pytest.raises(
        DataError, match=r"^column 'x0' is nominal; only numeric columns can be cut$"
    ):
        WIDTH.apply(dataset([[0, 1]], [0, 1]))


def test_a_feature_that_is_not_there_cannot_be_cut():
    with pytest.raises(UnknownNameError, match=r"^unknown column 'x0'"):
        WIDTH.apply(dataset([], [0, 1]))


# Codes to grow on


def test_numbers_are_coded_by_rank():
    data = dataset([[7.0, -1.0, NAN, 7.0, 2.5]], [0] * 5)
    coded = Coded.of(data, Coding())

    assert coded.codes.tolist() == [[2, 0, 255, 2, 1]]
    assert (coded.axes[0].kind, coded.axes[0].n_codes) == ("numeric", 3)
    assert coded.axes[0].points.tolist() == [-1.0, 2.5, 7.0]


def test_labels_keep_their_codes_and_cut_numbers_get_those_of_the_intervals():
    data = dataset([[0.2, 3.0, NAN], [2, -1, 0]], [0, 1, 0], labels={1: 5})
    coded = Coded.of(data, WIDTH)

    assert coded.codes.tolist() == [[0, 2, 255], [2, 255, 0]]
    assert [(axis.kind, axis.n_codes) for axis in coded.axes] == [("interval", 3), ("nominal", 5)]


@pytest.mark.parametrize(
    ("values", "dtype"), [(255, np.uint8), (256, np.uint16), (65535, np.uint16), (65536, np.uint32)]
)
def test_codes_are_as_small_as_they_can_be_with_one_left_for_missing(values, dtype):
    numbers = np.append(np.arange(values, dtype=float), NAN)
    coded = Coded.of(dataset([numbers], np.zeros(values + 1, int)), Coding())

    assert coded.codes.dtype == dtype
    assert coded.codes[0, -2] == values - 1
    assert coded.codes[0, -1] == np.iinfo(dtype).max


def test_codes_cannot_be_written_to_and_rows_are_contiguous():
    coded = Coded.of(random_dataset(0), Coding())

    assert coded.codes.flags.c_contiguous
    assert not coded.codes.flags.writeable


def test_a_threshold_separates_two_values():
    axis = Axis("numeric", 3, np.array([1.0, 2.0, 4.0]))

    assert axis.thresholds(np.array([0, 1, 0]), np.array([1, 2, 2])).tolist() == [1.5, 3.0, 2.5]


@pytest.mark.parametrize("low", [1.0, np.nextafter(1.0, 2.0), -1.0, 5e-324, -5e-324])
def test_a_threshold_is_never_the_upper_value(low):
    high = np.nextafter(low, np.inf)
    [threshold] = Axis("numeric", 2, np.array([low, high])).thresholds(np.array([0]), np.array([1]))

    assert low <= threshold < high


def test_few_bins_hold_about_the_same_weight():
    values = np.arange(12.0)
    coded = Coded.of(dataset([values], np.zeros(12, int)), Coding(), bins=4)

    assert coded.codes.tolist() == [[0] * 3 + [1] * 3 + [2] * 3 + [3] * 3]
    assert coded.axes[0].binned
    assert coded.axes[0].points.tolist() == [2.5, 5.5, 8.5]
    assert coded.axes[0].thresholds(np.array([0]), np.array([2])) == [2.5]


def test_bins_are_not_used_where_there_are_fewer_values():
    """Heavy values would fill several bins and throw the light ones together."""
    data = dataset([[1.0, 2.0, 3.0, 4.0]], [0] * 4, weights=[1, 1, 1, 997])
    coded = Coded.of(data, Coding(), bins=4)

    assert not coded.axes[0].binned
    assert coded.codes.tolist() == [[0, 1, 2, 3]]


def test_bins_do_not_see_cases_without_weight_or_class():
    values = [1.0, 2.0, 3.0, 4.0, 100.0, 101.0, 102.0]
    data = dataset([values], [0, 0, 0, 0, -1, -1, 0], weights=[1, 1, 1, 1, 9, 9, 0])
    axis = Coded.of(data, Coding(), bins=2).axes[0]

    assert axis.points.tolist() == [2.5]
