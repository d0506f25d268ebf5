"""Equal width and equal frequency, against the formulas of duch2004."""

import re

import attrs
import naive_discretize
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import dataset, steady

import treelab as tl
from treelab.discretize.unsupervised import EqualFrequency, EqualWidth
from treelab.errors import ParameterError, UnknownNameError

NAN = np.nan
NUMBERS = st.lists(
    st.one_of(
        st.sampled_from([-2.0, 0.0, 0.1, 0.2, 0.3, 0.7, 1.0, 1e-9, 1e6, -1e6]),
        st.floats(-1e9, 1e9, allow_subnormal=False),
    ),
    min_size=1,
    max_size=20,
)


def codes_of(discretizer, values, weights=None):
    """Return the interval of each value, by the cut points found on the same values."""
    data = dataset([np.array(values, dtype=float)], np.zeros(len(values), int), weights=weights)
    return discretizer.fit(data).codes("x0", data["x0"]).tolist()


# Equal width


@steady(200)
@given(NUMBERS, st.integers(1, 12))
def test_equal_width_is_the_formula_to_the_last_bit(values, bins):
    low, high = min(values), max(values)
    data = dataset([np.array(values)], np.zeros(len(values), int))
    coding = EqualWidth(bins).fit(data)
    assume(low == high or len(coding.cuts["x0"]) == bins - 1)  # not so where no number is between
    expected = [naive_discretize.equal_width_code(x, low, high, bins) for x in values]

    assert expected == coding.codes("x0", data["x0"]).tolist()


def test_intervals_without_a_number_have_no_code():
    """Between these two numbers there is no room for ten intervals."""
    assert codes_of(EqualWidth(10), [1.0, np.nextafter(1.0, 2.0)]) == [0, 1]


def test_a_value_on_a_border_lies_above_it():
    """0.1 * 3 is not 0.3, but the formula puts every tenth where it belongs."""
    tenths = [i / 10 for i in range(11)]
    expected = [naive_discretize.equal_width_code(x, 0.0, 1.0, 10) for x in tenths]

    assert expected == codes_of(EqualWidth(10), tenths)


def test_equal_width_by_hand():
    assert codes_of(EqualWidth(4), [0, 1, 2, 3, 4, 8]) == [0, 0, 1, 1, 2, 3]


# Equal frequency


@steady(200)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=24), st.integers(1, 8))
def test_equal_frequency_is_rank_times_bins_over_cases(values, bins):
    numbers = naive_discretize.equal_frequency_codes(values, bins)
    # Bins that nobody falls into have no cut point of their own.
    places = sorted(set(numbers))

    assert [places.index(number) for number in numbers] == codes_of(EqualFrequency(bins), values)


def test_equal_frequency_by_hand():
    assert codes_of(EqualFrequency(3), [1, 1, 2, 3, 3, 3, 4, 5, 5, 7]) == [
        0, 0, 0, 0, 0, 0, 1, 2, 2, 2,
    ]  # fmt: skip
    assert codes_of(EqualFrequency(2), [4, 1, 3, 2]) == [1, 0, 1, 0]


def test_the_cut_lies_midway_between_two_values():
    coding = EqualFrequency(2).fit(dataset([[1.0, 2.0, 4.0, 9.0]], [0, 0, 0, 0]))

    assert coding.cuts["x0"].tolist() == [3.0]


@steady(100)
@given(
    st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 3)), min_size=1, max_size=12),
    st.integers(1, 6),
)
def test_a_weight_of_two_is_a_case_twice(weighted, bins):
    values, weights = zip(*weighted, strict=True)
    repeated = np.repeat(values, weights).tolist()
    expected = dict(zip(repeated, codes_of(EqualFrequency(bins), repeated), strict=True))

    assert [expected[v] for v in values] == codes_of(EqualFrequency(bins), values, weights)


def test_weights_that_add_up_inexactly_fill_the_bins_evenly():
    """Three times 0.1 is a little more than 0.3."""
    assert codes_of(EqualFrequency(3), range(9), [0.1] * 9) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_neighbouring_numbers_can_be_told_apart():
    for low in (1.0, np.nextafter(1.0, 2.0)):  # the middle is rounded down or up
        assert codes_of(EqualFrequency(2), [low, np.nextafter(low, 2.0)]) == [0, 1]


# Both


both = pytest.mark.parametrize("make", [EqualWidth, EqualFrequency])


@both
@pytest.mark.parametrize("values", [[3.0, 3.0, 3.0], [3.0], [], [NAN, NAN], [NAN, 2.0]])
def test_without_two_different_values_there_is_no_cut(make, values):
    data = dataset([np.array(values, dtype=float)], np.zeros(len(values), int), 1)
    coding = make(5).fit(data)

    assert coding.cuts["x0"].tolist() == []
    assert coding.apply(data).schema.features[0].labels == ("any",)


@both
def test_missing_values_are_left_out_and_stay_missing(make):
    known = codes_of(make(3), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    holed = codes_of(make(3), [1.0, NAN, 2.0, 3.0, NAN, 4.0, 5.0, 6.0])

    assert holed == [known[0], -1, *known[1:3], -1, *known[3:]]


@both
def test_cases_without_weight_are_left_out(make):
    values, weights = [1.0, 2.0, 3.0, 4.0, 900.0], [1, 1, 1, 1, 0]

    assert codes_of(make(2), values, weights) == [*codes_of(make(2), values[:4]), 1]


@both
def test_nominal_features_stay_as_they_are(make):
    data = dataset([[1.0, 2.0], [0, 1]], [0, 1])

    assert list(make(2).fit(data).cuts) == ["x0"]


@both
def test_one_bin_is_one_interval(make):
    assert codes_of(make(1), [1.0, 2.0, 3.0]) == [0, 0, 0]


@both
@pytest.mark.parametrize("bins", [0, -1, 2.5, "3", None])
def test_bins_must_be_a_whole_number(make, bins):
    message = f"bins must be a whole number of at least 1, got {bins!r}"
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        make(bins)


@both
def test_values_outside_the_training_range_fall_into_the_outer_intervals(make):
    coding = make(3).fit(dataset([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], [0] * 6))

    assert coding.codes("x0", np.array([-99.0, 99.0])).tolist() == [0, 2]


# By name


def test_discretizers_have_names():
    assert tl.discretizer("equal-width") == EqualWidth(10)
    assert tl.discretizer("equal-width:5") == EqualWidth(5)
    assert tl.discretizer("equal-frequency:bins=5") == EqualFrequency(5)
    assert tl.discretizer("equal-frequency", bins=5) == EqualFrequency(5)


def test_a_discretizer_itself_is_taken_as_it_is():
    mine = EqualWidth(3)

    assert tl.discretizer(mine) is mine
    with pytest.raises(ParameterError, match=r"^parameters go with the name of a discretizer"):
        tl.discretizer(mine, bins=4)


def test_what_is_no_discretizer_is_refused():
    with pytest.raises(ParameterError, match=r"^expected the name of a discretizer or one with"):
        tl.discretizer(3)
    with pytest.raises(ParameterError, match=r"^a scikit-learn transformer cannot stand in"):
        tl.discretizer(tl.Discretizer("mdlp"))
    with pytest.raises(UnknownNameError, match=r"did you mean 'equal-width'\?$"):
        tl.discretizer("equalwidth")
    with pytest.raises(UnknownNameError, match=r"^unknown parameter .* did you mean 'bins'\?$"):
        tl.discretizer("equal-width", bin=3)


def test_a_discretizer_prints_as_it_is_made_and_does_not_change():
    assert repr(EqualWidth(3)) == "EqualWidth(bins=3)"
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        EqualWidth(3).bins = 4
