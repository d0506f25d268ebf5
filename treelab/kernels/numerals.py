"""Numbers as texts spell them, in bytes: with a point, or with other marks.

Most are settled here, rounded as `float` rounds; the few that are not are left to `float` itself.
"""

import numpy as np
from numpy.typing import NDArray

from treelab.kernels._jit import kernel, step
from treelab.kernels.cells import SPACE, Bytes, Cells, Tokens, is_token, same_bytes, trimmed

PLUS, MINUS, POINT, ZERO, NINE, APOSTROPHE = 43, 45, 46, 48, 57, 39
LOWER_E, LOWER_I, LOWER_N, TO_LOWER = 101, 105, 110, 32

NUMBER, UNSETTLED, NO_NUMBER = 0, 1, 2

POWERS = np.array(
    [float(10**k) for k in range(23)]
)  # every power of ten that a double holds exactly
MOST_EXACT = 2**53
FARTHEST = 10**6  # no exponent beyond this differs from it
ROOM, TOO_LONG = 10**17, 10**18  # below ROOM one more digit still fits an int64 with ease


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
        start, end = trimmed(text, starts[row], ends[row])
        if (start == end or initials[text[start]]) and is_token(text, start, end, missing):
            continue
        values[row], state = _number(text, start, end)
        if state == NO_NUMBER:
            return values, unsettled, row
        unsettled[row] = state == UNSETTLED
    return values, unsettled, -1


@kernel
def parse_written(
    cells: Cells, missing: Tokens, decimal: int, thousands: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_], int]:
    """Do as `parse_numbers` for numbers of a notation, given by its marks."""
    # Numbers are rewritten to the notation of Python, so there is one parser for all. One buffer,
    # as long as the longest field, serves all rows.
    text, starts, ends = cells
    values = np.full(len(starts), np.nan)
    unsettled = np.zeros(len(starts), dtype=np.bool_)
    plain = np.empty((ends - starts).max() + 1 if len(starts) else 1, dtype=np.uint8)
    for row in range(len(starts)):
        start, end = trimmed(text, starts[row], ends[row])
        is_possible = start == end or missing.initials[text[start]]
        if is_possible and is_token(text, start, end, missing):
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
    if last > end or not same_bytes(text, i, text, first, gap):
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
    # By bytes, because the text is never decoded.
    if i < end and text[i] in (thousands, SPACE, APOSTROPHE):
        return 1
    if i + 1 < end and text[i] == 0xC2 and text[i + 1] == 0xA0:
        return 2
    if i + 2 < end and text[i] == 0xE2 and text[i + 1] == 0x80 and text[i + 2] in (0xAF, 0x99):
        return 3
    return 0


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
