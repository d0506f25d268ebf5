"""Ranks and bins against their definitions in numpy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, steady

from treelab.data import coded
from treelab.data.coded import ANY_NUMBER, Axis, Coded
from treelab.data.coding import Coding
from treelab.data.quantiles import midway, quantile_borders

NUMBERS = st.sampled_from([-3.0, -0.0, 0.0, 5e-324, 0.1, 0.3, 1.0, 1e300, -1e300, np.nan])
COLUMNS = st.lists(NUMBERS, min_size=1, max_size=14)


@steady(200)
@given(st.lists(NUMBERS | st.sampled_from([-np.inf, np.inf]), max_size=14))
def test_ranks_are_places_among_the_distinct_values(values):
    values = np.array(values, float)
    known = ~np.isnan(values)
    expected, inverse = np.unique(values[known], return_inverse=True)
    points, ranks = coded._ranks(values)

    np.testing.assert_array_equal(expected, points)
    np.testing.assert_array_equal(ranks[known], inverse)
    assert (ranks[~known] == -1).all()


@steady(200)
@given(COLUMNS, st.randoms(use_true_random=False), st.sampled_from([(1.0,), (0.0, 1.0, 0.1, 2.0)]))
def test_masses_are_the_weights_of_the_distinct_values(values, random, pool):
    values = np.array(values)
    weights = np.array([random.choice(pool) for _ in values])
    points, mass = coded._masses(values, weights)
    used = ~np.isnan(values) & (weights > 0)
    expected = np.unique(values[used])

    np.testing.assert_array_equal(expected, points)
    for point, weight in zip(points, mass, strict=True):
        # Weights are added up in another order.
        assert weight == pytest.approx(weights[values == point].sum())


@steady(200)
@given(COLUMNS, st.randoms(use_true_random=False), st.integers(2, 6))
def test_the_bin_of_a_number_is_that_of_the_ends(values, random, bins):
    values = np.array(values)
    n = len(values)
    y = np.array([random.choice([-1, 0, 1]) for _ in range(n)])
    weights = np.array([random.choice([0.0, 1.0, 0.5]) for _ in range(n)])
    data = dataset([values], y, 2, weights)
    found = Coded.of(data, Coding(), bins)
    codes = found.codes[0].astype(int)
    codes[codes == np.iinfo(found.codes.dtype).max] = -1
    axis, usable = found.axes[0], (y >= 0) & (weights > 0) & ~np.isnan(values)
    points = np.unique(values[usable])

    np.testing.assert_array_equal(codes == -1, np.isnan(values))
    assert axis.binned == (len(points) > bins)
    known = ~np.isnan(values)
    if not axis.binned:
        np.testing.assert_array_equal(axis.points[codes[known]], values[known])
        return
    mass = np.array([weights[usable & (values == point)].sum() for point in points])
    ends = midway(*quantile_borders(points, mass, bins))
    np.testing.assert_array_equal(ends, axis.points)
    np.testing.assert_array_equal(np.searchsorted(ends, values[known]), codes[known])
    for code in range(axis.n_codes):
        here = usable & (codes == code)
        mean = np.average(values[here], weights=weights[here])
        # Large numbers of both signs cancel: all but the last digits of the largest. The smallest
        # numbers of all have fewer digits, and lose them to a weight.
        lost = max(1e-12 * np.abs(values[here]).max(), np.finfo(float).tiny)
        assert axis.values[code] == pytest.approx(mean, abs=lost)


@pytest.mark.parametrize("bins", [None, 3])
def test_threads_code_as_one_does(bins, monkeypatch):
    rng = np.random.default_rng(0)
    columns = [rng.choice([np.nan, *rng.normal(size=30)], 200) for _ in range(4)]
    data = dataset(columns, rng.integers(0, 2, 200))
    alone = Coded.of(data, Coding(), bins)
    monkeypatch.setattr(coded, "MANY", 1)
    together = Coded.of(data, Coding(), bins)

    np.testing.assert_array_equal(alone.codes, together.codes)
    for one, other in zip(alone.axes, together.axes, strict=True):
        np.testing.assert_array_equal(one.points, other.points)


def test_the_last_code_of_a_type_is_kept_for_missing_values():
    for n, dtype in [(255, np.uint8), (256, np.uint16), (65_535, np.uint16), (65_536, np.uint32)]:
        values = np.append(np.arange(n, dtype=float), np.nan)
        codes = Coded.of(dataset([values], np.zeros(n + 1, int)), Coding()).codes

        assert codes.dtype == dtype
        assert codes[0, -2:].tolist() == [n - 1, np.iinfo(dtype).max]


def test_thresholds_part_neighbours_and_known_values_from_missing_ones():
    low, high = np.array([0, 1, 2]), np.array([1, 3, -1])
    exact = Axis("numeric", 4, np.array([0.0, 1.0, 2.0, 4.0]))
    binned = Axis("numeric", 4, np.array([0.5, 1.5, 3.0]), np.array([0.0, 1.0, 2.0, 4.0]))

    assert exact.thresholds(low, high).tolist() == [0.5, 2.5, ANY_NUMBER]
    assert binned.thresholds(low, high).tolist() == [0.5, 1.5, ANY_NUMBER]
