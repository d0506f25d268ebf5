"""Delimited text as bytes: where its fields are, what numbers they spell, which labels they repeat.

*text*    the bytes of a file, ended by a line feed that is always there.
*cells*   the fields of one column: text, and where in it each field starts and ends.
*tokens*  words that mean "missing", one after the other, and where each ends.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treelab.kernels._jit import kernel, step

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.signedinteger]

TAB, LF, CR, SPACE, PLUS, MINUS, POINT, ZERO, NINE = 9, 10, 13, 32, 43, 45, 46, 48, 57
APOSTROPHE, COMMA = 39, 44
LOWER_E, LOWER_I, LOWER_N, TO_LOWER = 101, 105, 110, 32

FINE, UNCLOSED, AFTER_QUOTE, WRONG_WIDTH = 0, -1, -2, -3
NUMBER, UNSETTLED, NO_NUMBER = 0, 1, 2

POWERS = np.array(
    [float(10**k) for k in range(23)]
)  # every power of ten that a double holds exactly
MOST_EXACT = 2**53
FARTHEST = 10**6  # no exponent beyond this differs from it
WHOLE = 7
"""So many bytes, with their number, make a key that fits an int64."""
ROOM, TOO_LONG = 10**17, 10**18  # below ROOM one more digit still fits an int64 with ease


class Dialect(NamedTuple):
    """How fields are told apart: two byte values, and whether spaces before a field count."""

    delimiter: int
    quote: int
    skip_space: bool


class Cells(NamedTuple):
    """The fields of one column."""

    text: Bytes
    starts: Offsets
    ends: Offsets


class Tokens(NamedTuple):
    """A few words, one after the other, and which bytes one of them begins with."""

    text: Bytes
    ends: Offsets
    initials: NDArray[np.bool_]


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
def parse_numbers(
    cells: Cells, missing: Tokens
) -> tuple[NDArray[np.float64], NDArray[np.bool_], int]:
    """Return the numbers, which of them only `float` can settle, and the first row without one.

    A missing field is NaN. The row is -1 if every field is a number; the rows after it are unread.
    """
    text, starts, ends = cells
    initials = missing.initials
    values = np.full(len(starts), np.nan)
    unsettled = np.zeros(len(starts), dtype=np.bool_)
    for row in range(len(starts)):
        start, end = _trimmed(text, starts[row], ends[row])
        if (start == end or initials[text[start]]) and _is_token(text, start, end, missing):
            continue
        values[row], state = _number(text, start, end)
        if state == NO_NUMBER:
            return values, unsettled, row
        unsettled[row] = state == UNSETTLED
    return values, unsettled, -1


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
        if 2 * count > len(table):
            table = _larger(cells, table, firsts[:count], keys)
    return codes, firsts[:count].copy()


@kernel
def count_tokens(cells: Cells, tokens: Tokens) -> int:
    """Return how many fields are one of some words."""
    count = 0
    for row in range(len(cells.starts)):
        start, end = _trimmed(cells.text, cells.starts[row], cells.ends[row])
        if start < end and tokens.initials[cells.text[start]]:
            count += _is_token(cells.text, start, end, tokens)
    return count


@kernel
def parse_written(
    cells: Cells, missing: Tokens, decimal: int, thousands: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_], int]:
    """Do as `parse_numbers` for numbers of a notation, given by its marks."""
    text, starts, ends = cells
    values = np.full(len(starts), np.nan)
    unsettled = np.zeros(len(starts), dtype=np.bool_)
    plain = np.empty((ends - starts).max() + 1 if len(starts) else 1, dtype=np.uint8)
    for row in range(len(starts)):
        start, end = _trimmed(text, starts[row], ends[row])
        is_possible = start == end or missing.initials[text[start]]
        if is_possible and _is_token(text, start, end, missing):
            continue
        length = _put_plain(text, start, end, decimal, thousands, plain)
        values[row], state = _number(plain, 0, length)
        if state == NO_NUMBER:
            return values, unsettled, row
        unsettled[row] = state == UNSETTLED
    return values, unsettled, -1


@kernel
def _put_plain(
    text: Bytes, start: int, end: int, decimal: int, thousands: int, plain: Bytes
) -> int:
    """Write a field as Python writes the number, if it is one, and return its length."""
    first = start + 1 if start < end and text[start] in (PLUS, MINUS) else start
    i = first
    while i < end and ZERO <= text[i] <= NINE:
        i += 1
    length = _put(text, start, i, plain, 0)
    gap, head = _gap(text, i, end, thousands), i
    if gap > 0 and 0 < head - first <= 3 and text[first] != ZERO:
        while _is_group(text, i, end, head, gap):
            length = _put(text, i + gap, i + gap + 3, plain, length)
            i += gap + 3
    rest = length
    length = _put(text, i, end, plain, length)
    for k in range(rest, length):
        if plain[k] == decimal:
            plain[k] = POINT
        elif plain[k] == POINT:
            return 0  # which is no number
    return length


@kernel
def _put(text: Bytes, start: int, end: int, plain: Bytes, length: int) -> int:
    for i in range(start, end):
        plain[length] = text[i]
        length += 1
    return length


@kernel
def _is_group(text: Bytes, i: int, end: int, first: int, gap: int) -> bool:
    """Tell whether the gap that was met first stands here, with three digits behind it."""
    last = i + gap + 3
    if last > end or not _same(text, i, text, first, gap):
        return False
    for digit in range(i + gap, last):
        if not ZERO <= text[digit] <= NINE:
            return False
    return last == end or not ZERO <= text[last] <= NINE


@kernel
def _gap(text: Bytes, i: int, end: int, thousands: int) -> int:
    """Return the length of what stands between thousands here; 0 if nothing does.

    That is a space, an apostrophe, or what UTF-8 writes for U+00A0, U+202F and U+2019.
    """
    if i < end and text[i] in (thousands, SPACE, APOSTROPHE):
        return 1
    if i + 1 < end and text[i] == 0xC2 and text[i + 1] == 0xA0:
        return 2
    if i + 2 < end and text[i] == 0xE2 and text[i + 1] == 0x80 and text[i + 2] in (0xAF, 0x99):
        return 3
    return 0


@kernel
def trim_bare(cells: Cells, quote: int) -> None:
    """Leave out white space at both ends of the fields that are not in quotes."""
    text, starts, ends = cells
    for row in range(len(starts)):
        if starts[row] == 0 or text[starts[row] - 1] != quote:
            starts[row], ends[row] = _trimmed(text, starts[row], ends[row])


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


@kernel
def _trimmed(text: Bytes, start: int, end: int) -> tuple[int, int]:
    """Leave out white space at both ends, as `float` does."""
    while start < end and _is_space(text[start]):
        start += 1
    while start < end and _is_space(text[end - 1]):
        end -= 1
    return start, end


@step
def _is_space(byte: int) -> bool:
    return byte == SPACE or TAB <= byte <= CR


@kernel
def _is_token(text: Bytes, start: int, end: int, tokens: Tokens) -> bool:
    begin = 0
    for last in tokens.ends:
        if last - begin == end - start and _same(text, start, tokens.text, begin, end - start):
            return True
        begin = last
    return False


@step
def _same(left: Bytes, i: int, right: Bytes, j: int, length: int) -> bool:
    for k in range(length):  # noqa: SIM110  (a generator is not compiled)
        if left[i + k] != right[j + k]:
            return False
    return True


@kernel
def _number(text: Bytes, start: int, end: int) -> tuple[float, int]:
    """Return the value of a decimal number and whether it is one, as `float` would have it."""
    first = start + 1 if start < end and text[start] in (PLUS, MINUS) else start
    if first < end and text[first] | TO_LOWER in (LOWER_I, LOWER_N):
        return np.nan, UNSETTLED  # perhaps inf or nan
    i, mantissa = _digits(text, first, end, 0)
    digits, scale = i - first, 0
    if i < end and text[i] == POINT:
        point = i + 1
        i, mantissa = _digits(text, point, end, mantissa)
        digits, scale = digits + i - point, point - i
    i, exponent = _exponent(text, i, end)
    if digits == 0 or i != end:
        return np.nan, NO_NUMBER
    value, state = _scaled(mantissa, scale + exponent)
    return (-value if text[start] == MINUS else value), state


@kernel
def _digits(text: Bytes, i: int, end: int, number: int) -> tuple[int, int]:
    """Read on a whole number; one that grows too long stays so."""
    while i < end:
        digit = int(text[np.uint64(i)]) - ZERO  # an unsigned index need not be checked
        if digit < 0 or digit > 9:
            break
        number = number * 10 + digit if number < ROOM else TOO_LONG
        i += 1
    return i, number


@kernel
def _exponent(text: Bytes, i: int, end: int) -> tuple[int, int]:
    """Read 'e', sign and digits if they are there."""
    if i + 1 >= end or text[i] | TO_LOWER != LOWER_E:
        return i, 0
    first = i + 2 if text[i + 1] in (PLUS, MINUS) else i + 1
    last, exponent = _digits(text, first, end, 0)
    if last == first:
        return i, 0
    exponent = min(exponent, FARTHEST)
    return last, -exponent if text[i + 1] == MINUS else exponent


@kernel
def _scaled(mantissa: int, scale: int) -> tuple[float, int]:
    """Return mantissa * 10**scale, correctly rounded, or leave it unsettled.

    Clinger (1990): one rounding of two exact numbers is exact rounding.
    """
    if mantissa == 0:
        return 0.0, NUMBER
    if mantissa >= TOO_LONG or abs(scale) >= len(POWERS):
        return np.nan, UNSETTLED
    if scale == 0:
        return float(mantissa), NUMBER
    if mantissa <= MOST_EXACT:
        number = float(mantissa)
        return (number * POWERS[scale] if scale > 0 else number / POWERS[-scale]), NUMBER
    return _ratio(mantissa, POWERS[-scale]) if scale < 0 else (np.nan, UNSETTLED)


@kernel
def _ratio(mantissa: int, power: float) -> tuple[float, int]:
    """Divide a whole number of 16 to 18 digits by a power of ten, correctly rounded.

    The quotient of the leading part is corrected by its remainder, which is known exactly. The
    correction itself is good to some 50 bits; where an error of 2**-40 in it could change the
    result (Ziv's test) the number is left unsettled.
    """
    high = float(mantissa)
    low = float(mantissa - int(high))
    quotient = high / power
    product, error = _exact_product(quotient, power)
    correction = (((high - product) - error) + low) / power
    slack = correction * 2.0**-40
    value = quotient + (correction + slack)
    return value, NUMBER if value == quotient + (correction - slack) else UNSETTLED


@step
def _exact_product(left: float, right: float) -> tuple[float, float]:
    """Return the product of two numbers and its rounding error (Dekker 1971)."""
    left_high, left_low = _halves(left)
    right_high, right_low = _halves(right)
    product = left * right
    error = ((left_high * right_high - product) + left_high * right_low) + left_low * right_high
    return product, error + left_low * right_low


@step
def _halves(number: float) -> tuple[float, float]:
    spread = number * 134217729.0  # 2**27 + 1
    high = spread - (spread - number)
    return high, number - high


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
            if length <= WHOLE:
                break
            first = firsts[code]
            if cells.ends[first] - cells.starts[first] == length and _same(
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
