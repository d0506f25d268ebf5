"""Weights in numbers of cases: repetitions stay, all else is scaled."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from treelab.data.weights import in_cases, times

WHOLE = st.lists(st.integers(0, 9), min_size=1, max_size=12).map(lambda w: np.array(w, float))
ANY = st.lists(st.sampled_from([0.0, 0.1, 0.3, 1.0, 2.5, 7.0]), min_size=1, max_size=12)


@given(WHOLE)
def test_whole_weights_stay(weights):
    np.testing.assert_array_equal(in_cases(weights), weights)


@steady(60)
@given(ANY.map(np.array), st.sampled_from([1e-300, 1e-6, 0.7, 1 / 3, 1e200]), st.data())
def test_others_keep_their_ratios_and_sum_up_to_the_cases_that_count(weights, factor, draw):
    weights = np.append(weights, 0.1) * factor
    found = in_cases(weights)
    order = draw.draw(st.permutations(range(len(weights))))

    # Rounding: each is a product of three numbers.
    np.testing.assert_allclose(found / found.max(), weights / weights.max(), rtol=1e-14)
    assert found.sum() == pytest.approx((weights > 0).sum())
    np.testing.assert_array_equal(in_cases(weights[order]), found[order])


@steady(60)
@given(WHOLE, st.data())
def test_a_case_that_is_repeated_has_the_weight_of_its_class_as_often(often, draw):
    n = len(often)
    of_class = np.array(
        draw.draw(st.lists(st.sampled_from([0.0, 0.02, 1.0, 3.0]), min_size=n, max_size=n))
    )
    rows = np.repeat(np.arange(n), often.astype(int))
    # Up to nine rounded products are added up.
    once = times(np.ones(len(rows)), of_class[rows])

    np.testing.assert_allclose(np.bincount(rows, once, n), times(often, of_class), rtol=1e-12)


@pytest.mark.parametrize("weights", [[0.1] * 3, [0.1, 0.0, 0.1], [1 / 3] * 7, [1e-320] * 2])
def test_equal_weights_are_exactly_one(weights):
    np.testing.assert_array_equal(in_cases(np.array(weights)), np.array(weights) > 0)


@pytest.mark.parametrize(
    "weights", [[0.0, 0.0], [-0.5, 1.0], [-1.0, -1.0], [np.inf, 0.5], [np.nan, 0.5]]
)
def test_what_has_to_be_refused_is_handed_on(weights):
    np.testing.assert_array_equal(in_cases(np.array(weights)), weights)
