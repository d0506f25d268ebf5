"""Which fields of a column repeat the same label: a hash table of their bytes."""

import numpy as np
from numpy.typing import NDArray

from treelab.kernels._jit import kernel, step
from treelab.kernels.cells import Bytes, Cells, same_bytes

WHOLE = 7
"""So many bytes, with their number, make a key that fits an int64."""


@kernel
def code_labels(cells: Cells) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the code of each field, and for each code the row in which it occurs first.

    Fields are told apart by a key of their first bytes, and by the others only where keys agree.
    """
    rows = len(cells.starts)
    codes = np.empty(rows, dtype=np.int32)
    firsts, keys = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
    table = np.full(64, -1, dtype=np.int32)
    count = 0
    for row in range(rows):
        key = _key(cells, row)
        slot = _slot(cells, row, key, table, firsts, keys)
        if table[slot] < 0:
            table[slot] = count
            firsts[count], keys[count] = row, key
            count += 1
        codes[row] = table[slot]
        # Half empty, so that a search ends after a step or two.
        if 2 * count > len(table):
            table = _larger(cells, table, firsts[:count], keys)
    return codes, firsts[:count].copy()


@step
def _key(cells: Cells, row: int) -> int:
    """Return the length of a field, if small, and its first bytes as one number.

    Bytes that are none are 0: without a branch that the processor could guess wrong.
    """
    text, start = cells.text, int(cells.starts[row])
    length = int(cells.ends[row]) - start
    key, last = min(length, WHOLE + 1), len(text) - 1
    for k in range(WHOLE):
        byte = int(text[np.uint64(min(start + k, last))])
        key = (key << 8) | (byte if k < length else 0)
    return key


@kernel
def _slot(
    cells: Cells,
    row: int,
    key: int,
    table: NDArray[np.int32],
    firsts: NDArray[np.int64],
    keys: NDArray[np.int64],
) -> int:
    """Return where in the hash table the field of a row is, or would have to be."""
    text, start, length = cells.text, cells.starts[row], cells.ends[row] - cells.starts[row]
    slot = _hash(text, start, length, key) & (len(table) - 1)
    while table[slot] >= 0:
        code = table[slot]
        if keys[code] == key:
            # The key of a short field is the whole field.
            if length <= WHOLE:
                break
            first = firsts[code]
            if cells.ends[first] - cells.starts[first] == length and same_bytes(
                text, start, text, cells.starts[first], length
            ):
                break
        slot = (slot + 1) & (len(table) - 1)
    return int(slot)


@step
def _hash(text: Bytes, start: int, length: int, key: int) -> int:
    """Mix a key, and by FNV-1a what lies behind it.

    It is kept to 32 bits, so that int64 never overflows and plain Python agrees.
    """
    value = ((key & 0xFFFFFFFF) ^ (key >> 25)) & 0xFFFFFFFF
    value = (value * 2027808485) & 0xFFFFFFFF
    for k in range(WHOLE, length):
        value = ((value ^ int(text[start + k])) * 16777619) & 0xFFFFFFFF
    return value ^ (value >> 15)


@kernel
def _larger(
    cells: Cells, table: NDArray[np.int32], firsts: NDArray[np.int64], keys: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Return a table four times as large with the same labels in it."""
    larger = np.full(4 * len(table), -1, dtype=np.int32)
    for code in range(len(firsts)):
        larger[_slot(cells, firsts[code], keys[code], larger, firsts, keys)] = code
    return larger
