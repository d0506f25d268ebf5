"""Decimal numbers that also a reader who rounds twice reads as they were meant.

The shortest decimal number of a double may lie all but halfway to the next double. SQLite computes
with a few digits more than a double has, then rounds again: near such a half, to the wrong side.
"""

from fractions import Fraction

import numpy as np

MARGIN = Fraction(1, 64)
"""What a decimal number keeps from the half, in parts of the distance between two doubles.

SQLite's products of powers of ten are off by at most half as much where a long double has 64 bits.
"""


def safe_decimal(value: float) -> str:
    """Return the shortest decimal number, or 17 digits where it is close to the half.

    These are off by at most 0.45 of the distance: 1e-16 / 2 as a part of the number, to 2 ** -53.
    """
    return repr(value) if _keeps_off(repr(value), value) else f"{value:.17g}"


def _keeps_off(decimal: str, value: float) -> bool:
    # Below a power of two doubles lie closer together than above it.
    apart = abs(Fraction(value) - Fraction(float(np.nextafter(value, 0.0))))
    return abs(Fraction(decimal) - Fraction(value)) <= (Fraction(1, 2) - MARGIN) * apart
