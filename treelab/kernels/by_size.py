"""What chance leaves of the class entropy in a branch, for branches of every size.

Every size has its own hypergeometric sum (`expectation.cell_bits`), but from one size to the next
the sums change smoothly: those of large branches are read off polynomials through a few of them.
The error is no larger than that of the sums' rounding.
"""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.expectation import MANY, bits_of_both, class_entropy, second_order

SUMMED = 64
"""Branches of up to so many cases, or of all but so many, are summed; so are ranges as narrow."""

BITS = 4
POINTS = 2**BITS
"""So many sizes are summed where a size doubles."""


@kernel
def entropy_by_size(
    classes: FloatArray,
    firsts: IndexArray,
    x_log_x: FloatArray,
    span: tuple[int, int],
    parts: FloatArray,
) -> None:
    """Fill the part of a branch of each size in the expected entropy, in bits.

    Those of the class margin `classes[i]`, all of whole numbers, go to `parts` from `firsts[i]` on,
    from size 0 to that of all cases. `x_log_x` holds x log2 x of as many.
    """
    # One flat array, because margins of different numbers of cases have different numbers of
    # sizes; threads take a span of margins each.
    for i in range(span[0], span[1]):
        _fill(classes[i], x_log_x, parts[firsts[i] : firsts[i + 1]])


@kernel
def _fill(classes: FloatArray, x_log_x: FloatArray, parts: FloatArray) -> None:
    # As in `expectation`, what chance tells is scaled by what a single case tells: a branch of one
    # case then leaves no entropy, and one of all cases leaves all of it.
    n = len(parts) - 1
    parts[:] = 0.0
    if n == 0:
        return
    entropy = class_entropy(classes, n)
    if n > MANY:
        for a in range(1, n + 1):
            parts[a] = second_order(a, classes, n, entropy)
        return
    _tell(classes, n, x_log_x, parts)
    most = parts[1]
    for a in range(2, n):
        parts[a] = entropy * max(a - parts[a] / most, 0.0) / n if most > 0.0 else 0.0
    parts[1], parts[n] = 0.0, entropy


@kernel
def _tell(classes: FloatArray, n: int, x_log_x: FloatArray, told: FloatArray) -> None:
    """Fill what chance tells of the class in branches of 1 to n - 1 cases, times their cases."""
    # Only up to half of the cases: the sum over a branch gives that over the rest, too. Ranges
    # double, because the larger the sizes, the more slowly the sums change.
    half, low = n // 2, 0
    while low < half:
        high = min(2 * low if low else SUMMED, half)
        if high - low <= SUMMED:
            for a in range(low + 1, high + 1):
                told[a], told[n - a] = _told_of_both(a, classes, n, x_log_x)
        else:
            _interpolate(classes, n, x_log_x, low, high, told)
        low = high


@kernel
def _told_of_both(a: int, classes: FloatArray, n: int, x_log_x: FloatArray) -> tuple[float, float]:
    here, there = 0.0, 0.0
    for b in classes:
        in_branch, in_rest = bits_of_both(a, int(b), n, x_log_x)
        here += in_branch
        there += in_rest
    return here, there


@kernel
def _interpolate(
    classes: FloatArray, n: int, x_log_x: FloatArray, low: int, high: int, told: FloatArray
) -> None:
    """Fill the sizes behind `low` to `high`, and what they leave of n, by Newton's polynomials.

    The sizes that are summed lie where Chebyshev puts them, which keeps the error even, and are
    taken in an order that spreads, which keeps rounding from growing.
    """
    at, here, there = np.empty(POINTS), np.empty(POINTS), np.empty(POINTS)
    middle, radius = (low + high) / 2.0, (high - low) / 2.0
    for i in range(POINTS):
        angle = np.pi * (_reversed(i) + 0.5) / POINTS
        at[i] = np.round(middle + radius * np.cos(angle))
        here[i], there[i] = _told_of_both(int(at[i]), classes, n, x_log_x)
    scale = 2.0 / radius
    for j in range(1, POINTS):
        for i in range(POINTS - 1, j - 1, -1):
            step = (at[i] - at[i - j]) * scale
            here[i], there[i] = (here[i] - here[i - 1]) / step, (there[i] - there[i - 1]) / step
    for a in range(low + 1, high + 1):
        p, q = here[POINTS - 1], there[POINTS - 1]
        for j in range(POINTS - 2, -1, -1):
            step = (a - at[j]) * scale
            p, q = p * step + here[j], q * step + there[j]
        told[a], told[n - a] = p, q


@kernel
def _reversed(i: int) -> int:
    """Return the bits of a number below `POINTS` from right to left."""
    other = 0
    for _ in range(BITS):
        other, i = other << 1 | i & 1, i >> 1
    return other
