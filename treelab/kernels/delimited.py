"""Delimited text as bytes: where its fields are."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treelab.kernels._jit import kernel, step
from treelab.kernels.cells import CR, LF, SPACE, Bytes, Offsets

FINE, UNCLOSED, AFTER_QUOTE, WRONG_WIDTH = 0, -1, -2, -3


class Dialect(NamedTuple):
    """How fields are told apart: two byte values, and whether spaces before a field count."""

    delimiter: int
    quote: int
    skip_space: bool


class Outcome(NamedTuple):
    """How far `tokenize` came: rows read, what stopped it, in which field (from 0) and where.

    `began` and `ended` say from where to where the last row goes, also one that is not right.
    """

    rows: int
    problem: int
    field: int
    position: int
    began: int
    ended: int


@kernel
def count_lines(text: Bytes) -> int:
    """Return an upper bound on the number of rows: the line ends of every kind."""
    lines = 0
    for byte in text:
        lines += byte in (LF, CR)
    return lines


@kernel
def tokenize(text: Bytes, dialect: Dialect, starts: Offsets, ends: Offsets) -> Outcome:
    """Note where each field starts and ends, by column and row; blank lines are no rows.

    Doubled quotes are made single in `text` itself, so that a field is always one stretch of bytes.
    """
    row, i = 0, _skip_blank_lines(text, 0)
    began = ended = i
    while i < len(text):
        began = i
        fields, problem, i = _row(text, i, dialect, starts, ends, row)
        ended = i
        if problem != FINE:
            return Outcome(row, problem, fields, i, began, len(text))
        if fields != len(starts):
            return Outcome(row, WRONG_WIDTH, fields, began, began, ended)
        row += 1
        i = _skip_blank_lines(text, i)
    return Outcome(row, FINE, 0, i, began, ended)


@kernel
def row_widths(text: Bytes, dialect: Dialect, most: int) -> NDArray[np.int64]:
    """Return the number of fields of the first rows; 0 for one whose quotes are broken."""
    # With no room to write to, `_row` only counts. A row with text behind a quote does not spoil
    # those below it; a quote that is never closed has swallowed them.
    widths = np.zeros(most, dtype=np.int64)
    nowhere = np.empty((0, 0), dtype=np.int32)
    row, i = 0, _skip_blank_lines(text, 0)
    while i < len(text) and row < most:
        fields, problem, i = _row(text, i, dialect, nowhere, nowhere, row)
        if problem == UNCLOSED:
            break
        widths[row] = fields if problem == FINE else 0
        while problem != FINE and text[i] != LF:
            i += 1
        row += 1
        i = _skip_blank_lines(text, i)
    return widths[:row]


@kernel
def _skip_blank_lines(text: Bytes, i: int) -> int:
    """Return where the next line with anything but spaces on it begins."""
    begin = i
    while i < len(text):
        if text[i] in (LF, CR):
            begin = i + 1
        elif text[i] != SPACE:
            return begin
        i += 1
    return i


@kernel
def _row(
    text: Bytes, i: int, dialect: Dialect, starts: Offsets, ends: Offsets, row: int
) -> tuple[int, int, int]:
    """Return the number of fields, what is wrong, and where the row ends or the trouble begins."""
    fields = 0
    while True:
        start, end, i = _field(text, i, dialect)
        if end < 0:
            return fields, end, start
        if fields < len(starts):
            starts[fields, row], ends[fields, row] = start, end
        fields += 1
        if text[i] != dialect.delimiter:
            return fields, FINE, i
        i += 1
        if dialect.delimiter == SPACE:  # spaces at the end of a line start no other field
            while text[i] == SPACE:
                i += 1
            if text[i] in (LF, CR):
                return fields, FINE, i


@kernel
def _field(text: Bytes, i: int, dialect: Dialect) -> tuple[int, int, int]:
    """Return start and end of a field and where its delimiter is; a broken one ends below 0."""
    if dialect.skip_space:
        while text[i] == SPACE:
            i += 1
    if text[i] == dialect.quote:
        return _quoted(text, i + 1, dialect)
    start = i
    while True:
        byte = text[np.uint64(i)]  # an unsigned index need not be checked
        if byte == dialect.delimiter or (byte <= CR and byte in (LF, CR)):
            return start, i, i
        i += 1


@kernel
def _quoted(text: Bytes, i: int, dialect: Dialect) -> tuple[int, int, int]:
    """Do as `_field` for the inside of quotes, closing up doubled ones."""
    # Written back into the text, because a field only gets shorter: `end` never overtakes `i`.
    start = end = i
    while i < len(text) - 1:
        if text[i] == dialect.quote:
            if text[i + 1] != dialect.quote:
                return start, _closed(end, text[i + 1], dialect.delimiter), i + 1
            i += 1
        text[end] = text[i]
        end += 1
        i += 1
    return start, UNCLOSED, i


@step
def _closed(end: int, after: int, delimiter: int) -> int:
    """Return the end of a quoted field unless what comes after its quote may not."""
    return end if after in (delimiter, LF, CR) else AFTER_QUOTE
