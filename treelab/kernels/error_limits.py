"""The errors to expect of a leaf beyond those seen, as kernels call them (SPEC 6.1).

A formula takes the cases and errors of a leaf, the confidence and the normal deviate of it.
"""

from collections.abc import Callable
from math import exp, lgamma, log, sqrt
from typing import TypeAlias

import numpy as np

from treelab.kernels._arrays import FloatArray
from treelab.kernels._jit import kernel

Formula: TypeAlias = Callable[[float, float, float, float], float]
SIGNATURE = "float64(float64, float64, float64, float64)"


def c45_extra_errors(n: float, e: float, confidence: float, deviate: float) -> float:
    """Return C4.5's AddErrs: a normal approximation with continuity correction."""
    if n <= 0.0:
        return 0.0
    if e >= 0.9999:
        return _c45_errors(n, e, deviate**2)
    none = n * (1.0 - float(confidence ** (1.0 / n)))
    return none if e < 1e-6 else none + e * (_c45_errors(n, 1.0, deviate**2) - none)


@kernel
def _c45_errors(n: float, e: float, c: float) -> float:
    return 0.67 * (n - e) if e + 0.5 >= n else _normal(n, e, c)


def j48_extra_errors(n: float, e: float, confidence: float, deviate: float) -> float:
    """Return what J48 adds: as C4.5, but all cases but for half an error are errors to the full."""
    if n <= 0.0:
        return 0.0
    if e >= 1.0:
        return _j48_errors(n, e, deviate**2)
    none = n * (1.0 - float(confidence ** (1.0 / n)))
    return none + e * (_j48_errors(n, 1.0, deviate**2) - none)


@kernel
def _j48_errors(n: float, e: float, c: float) -> float:
    return max(n - e, 0.0) if e + 0.5 >= n else _normal(n, e, c)


@kernel
def _normal(n: float, e: float, c: float) -> float:
    seen = e + 0.5
    upper = (seen + c / 2 + sqrt(c * (seen * (1 - seen / n) + c / 4))) / (n + c)
    return n * upper - e


def exact_extra_errors(n: float, e: float, confidence: float, _deviate: float) -> float:
    """Return the extra errors of the exact binomial limit: P(Bin(n, U) <= e) = confidence."""
    if n <= 0.0:
        return 0.0
    if e >= n:
        return n - e
    # Halved until no number lies between: the probability falls with the rate, and there is no
    # derivative that could mislead.
    low, high = 0.0, 1.0
    rate = 0.5
    while low < rate < high:
        if at_most(e, n, rate) > confidence:
            low = rate
        else:
            high = rate
        rate = (low + high) / 2.0
    return n * rate - e


@kernel
def at_most(e: float, n: float, rate: float) -> float:
    """Return P(Bin(n, rate) <= e), for e < n that need not be whole: an incomplete beta function.

    Its continued fraction converges in about sqrt(n) steps on the side of the mean where it is
    used, and the smaller one of the two probabilities is computed.
    """
    a, b = n - e, e + 1.0
    front = exp(
        lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(1.0 - rate) + b * log(rate)
    )  # fmt: skip
    if 1.0 - rate < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, 1.0 - rate) / a
    return 1.0 - front * _fraction(b, a, rate) / b


@kernel
def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    # c and d are ratios of successive numerators and denominators, which stay small where those
    # would overflow; a ratio of 0 is replaced by a number so small that it does not show.
    tiny = 1e-300
    c, d = 1.0, 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0), tiny)
    found, step, m = d, 0.0, 0.0
    while abs(step - 1.0) > 1e-15 and m < 1e6:
        m += 1.0
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        step = 1.0
        for part in (even, odd):
            d = 1.0 / _not_zero(1.0 + part * d, tiny)
            c = _not_zero(1.0 + part / c, tiny)
            step *= c * d
            found *= c * d
    return found


@kernel
def _not_zero(x: float, tiny: float) -> float:
    return x if abs(x) > tiny else tiny


@kernel
def extra_errors_of(
    formula: Formula, n: FloatArray, e: FloatArray, confidence: float, deviate: float
) -> FloatArray:
    """Return what a formula says of many leaves."""
    extra = np.empty(len(n))
    for i in range(len(n)):
        extra[i] = formula(n[i], e[i], confidence, deviate)
    return extra
