"""Digits of the keys of numbers: whole numbers of 64 bits in the order of the numbers.

*cell*  a range of keys that begin with the same bits; see `scale.borders`.

Nothing is written but what is asked for: arrays as long as the data would cost more than the work.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treelab.kernels._arrays import BoolArray, FloatArray, IntArray
from treelab.kernels._jit import kernel, step

Keys = NDArray[np.uint64]

SIGN = np.uint64(2**63)
INFINITY = np.uint64(0x7FF0000000000000)
NO_KEY = np.uint64(0)
"""Stands for NaN: no number has it."""

TOGETHER = 64


class KeyCells(NamedTuple):
    """Cells, ascending: from each of `starts` on, 2 ** `width` keys; digits have `digit` bits."""

    starts: Keys
    width: int
    digit: int


@step
def key_of(bits: np.uint64) -> np.uint64:
    """Return the key of a number by its bits; -0.0 has the key of 0.0."""
    if bits & ~SIGN > INFINITY:
        return NO_KEY
    if bits & SIGN and bits != SIGN:
        return ~bits
    return bits | SIGN


@kernel
def count_leading(bits: Keys, weights: FloatArray, counts: FloatArray) -> None:
    """Add the weight of each number to the count of its leading digit, of 16 bits."""
    for i in range(len(bits)):
        key = key_of(bits[i])
        if key != NO_KEY:
            counts[key >> np.uint64(48)] += weights[i]


@kernel
def place_keys(bits: Keys, starts: Keys, keys: Keys, cells: IntArray) -> None:
    """Fill the key of each number, and how many cells start at or below it.

    The numbers take each step of the search together, as in `digitize.bin_numbers`.
    """
    for i in range(len(bits)):
        keys[i] = key_of(bits[i])
        cells[i] = 0
    size = len(starts)
    while size > 0:
        half = (size + 1) >> 1
        for i in range(len(bits)):
            cells[i] += half * int(starts[np.uint64(cells[i] + half - 1)] <= keys[i])
        size -= half


@kernel
def count_digits(bits: Keys, weights: FloatArray, cells: KeyCells, counts: FloatArray) -> None:
    """Add the weight of each number in a cell to the count (cell, digit) of its next digit."""
    # A few numbers at a time, so that the room for their keys is small and stays in the cache. A
    # key may lie behind the cell that was found: cells need not touch.
    keys, found = np.empty(TOGETHER, np.uint64), np.empty(TOGETHER, np.int32)
    width, shift = np.uint64(cells.width), np.uint64(cells.width - cells.digit)
    for start in range(0, len(bits), TOGETHER):
        some = bits[start : start + TOGETHER]
        place_keys(some, cells.starts, keys, found)
        for i in range(len(some)):
            if found[i] == 0:
                continue
            distance = keys[i] - cells.starts[found[i] - 1]
            if distance >> width == 0:
                counts[found[i] - 1, distance >> shift] += weights[start + i]


@kernel
def mark_inside(
    bits: Keys, weights: FloatArray, cells: KeyCells, inside: BoolArray, after: Keys
) -> None:
    """Mark the numbers in cells, and lower `after` to the first key behind each that is in none.

    Numbers that weigh nothing are passed over.
    """
    # One pass does both: what is in no cell lies behind the last cell that starts at or below it,
    # and the search has found that one anyway.
    keys, found = np.empty(TOGETHER, np.uint64), np.empty(TOGETHER, np.int32)
    width = np.uint64(cells.width)
    for start in range(0, len(bits), TOGETHER):
        some = bits[start : start + TOGETHER]
        place_keys(some, cells.starts, keys, found)
        for i in range(len(some)):
            if keys[i] == NO_KEY or not weights[start + i] > 0.0:
                continue
            if found[i] > 0 and keys[i] - cells.starts[found[i] - 1] >> width == 0:
                inside[start + i] = True
            else:
                after[found[i]] = min(after[found[i]], keys[i])
