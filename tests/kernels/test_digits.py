"""Digits of keys against a plain reading of what a key, a cell and a digit are."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from treelab.kernels.digits import KeyCells, count_digits, count_leading, mark_inside
from treelab.scale.keys import bits_of, keys_of

ODD = [np.nan, -np.nan, -np.inf, np.inf, -0.0, 0.0, 5e-324, -5e-324, 1.0, -1.0]
NUMBERS = st.lists(st.floats() | st.sampled_from(ODD), max_size=150)
CUTS = st.lists(st.floats(allow_nan=False), min_size=1, max_size=9)
WIDTHS = st.sampled_from([(48, 10), (38, 10), (8, 8), (3, 3)])


def naive_key(value):
    """Return the whole number of 64 bits in the order of the numbers; None for NaN."""
    if np.isnan(value):
        return None
    (bits,) = struct.unpack("<Q", struct.pack("<d", value + 0.0))
    return 2**64 - 1 - bits if bits >= 2**63 else bits + 2**63


def cells_at(numbers, width, digit):
    """Return the cells in which some numbers lie."""
    starts = sorted({naive_key(number) >> width << width for number in numbers})
    return KeyCells(np.array(starts, np.uint64), width, digit)


def naive_cell(key, cells):
    """Return how many cells start at or below a key, and the distance to the last of those."""
    below = [start for start in cells.starts.tolist() if start <= key]
    return len(below), key - below[-1] if below else None


def naive_digits(values, weights, cells):
    counts = np.zeros((len(cells.starts), 1 << cells.digit))
    for value, weight in zip(values, weights, strict=True):
        if (key := naive_key(value)) is not None:
            number, distance = naive_cell(key, cells)
            if number and distance < 1 << cells.width:
                counts[number - 1, distance >> (cells.width - cells.digit)] += weight
    return counts


def naive_inside(values, weights, cells):
    inside, after = [], [2**64 - 1] * (len(cells.starts) + 1)
    for value, weight in zip(values, weights, strict=True):
        key, is_in = naive_key(value), False
        if key is not None and weight > 0:
            number, distance = naive_cell(key, cells)
            is_in = number > 0 and distance < 1 << cells.width
            after[number] = after[number] if is_in else min(after[number], key)
        inside.append(is_in)
    return inside, after


def weighed(values):
    return np.array(values, float), (np.arange(len(values)) % 3).astype(float)


@steady(100)
@given(NUMBERS)
def test_leading_digits_are_those_of_the_keys(values):
    values, weights = weighed(values)
    expected, found = np.zeros(2**16), np.zeros(2**16)
    for value, weight in zip(values, weights, strict=True):
        if (key := naive_key(value)) is not None:
            expected[key >> 48] += weight

    count_leading(bits_of(values), weights, found)

    np.testing.assert_array_equal(found, expected)


@steady(100)
@given(NUMBERS, CUTS, WIDTHS)
def test_next_digits_are_counted_in_cells(values, cuts, width):
    # Some of the numbers lie in a cell for certain.
    values, weights = weighed([*cuts, *values])
    cells = cells_at(cuts, *width)
    found = np.zeros((len(cells.starts), 1 << cells.digit))

    count_digits(bits_of(values), weights, cells, found)

    np.testing.assert_array_equal(found, naive_digits(values, weights, cells))


@steady(100)
@given(NUMBERS, CUTS, WIDTHS)
def test_numbers_in_cells_are_marked_and_the_first_behind_each_is_found(values, cuts, width):
    values, weights = weighed([*cuts, *values])
    cells = cells_at(cuts, *width)
    inside = np.zeros(len(values), np.bool_)
    after = np.full(len(cells.starts) + 1, 2**64 - 1, np.uint64)

    mark_inside(bits_of(values), weights, cells, inside, after)

    assert (inside.tolist(), after.tolist()) == naive_inside(values, weights, cells)


@pytest.mark.parametrize("value", [value for value in ODD if not np.isnan(value)])
def test_keys_of_arrays_are_the_same(value):
    assert int(keys_of(np.array([value]))[0]) == naive_key(value)
