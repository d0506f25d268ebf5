"""Bins against numpy's own search."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from treelab.kernels.digitize import bin_numbers

NUMBERS = st.floats(allow_nan=False) | st.sampled_from([-np.inf, -0.0, 0.0, 1.0, 5e-324, np.inf])


@steady(200)
@given(st.lists(NUMBERS, max_size=9), st.lists(NUMBERS | st.just(np.nan), max_size=12))
def test_the_bin_is_the_number_of_ends_below(ends, values):
    ends, values = np.unique(np.array(ends, float)), np.array(values, float)
    expected = np.where(np.isnan(values), -1, np.searchsorted(ends, values, side="left"))

    np.testing.assert_array_equal(expected, bin_numbers(values, ends))


def test_a_number_at_an_end_lies_in_the_bin_below_whatever_the_number_of_ends():
    for n in range(1, 40):
        ends = np.arange(n, dtype=float)

        assert bin_numbers(ends, ends).tolist() == list(range(n))
        assert bin_numbers(ends + 0.5, ends).tolist() == list(range(1, n + 1))


def test_without_ends_there_is_one_bin():
    assert bin_numbers(np.array([-np.inf, 3.0, np.nan]), np.empty(0)).tolist() == [0, 0, -1]
