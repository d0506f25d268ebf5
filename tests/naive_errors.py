"""What errors to expect of a leaf, from its cases and its errors."""

import math
from functools import cache
from itertools import pairwise
from statistics import NormalDist


def c45_deviate(cf):
    table = [(0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.1, 1.28),
             (0.2, 0.84), (0.4, 0.25), (1.0, 0.0)]  # fmt: skip
    for (left, high), (right, low) in pairwise(table):
        if cf <= right:
            return high + (low - high) * (cf - left) / (right - left)
    raise ValueError(cf)


def add_errs(n, e, cf):
    """C4.5 release 8, Src/stats.c."""
    if n <= 0:
        return 0.0
    none = n * (1 - cf ** (1 / n))
    if e < 1e-6:
        return none
    if e < 0.9999:
        return none + e * (add_errs(n, 1, cf) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    c = c45_deviate(cf) ** 2
    p = (e + 0.5 + c / 2 + math.sqrt(c * ((e + 0.5) * (1 - (e + 0.5) / n) + c / 4))) / (n + c)
    return n * p - e


def j48_add_errs(n, e, cf):
    """Weka 3.6.14, Stats.addErrs of J48: the exact deviate, and all of n - e."""
    if n <= 0:
        return 0.0
    if e < 1:
        none = n * (1 - cf ** (1 / n))
        return none + e * (j48_add_errs(n, 1, cf) - none)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    z, f = NormalDist().inv_cdf(1 - cf), (e + 0.5) / n
    root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e


@cache
def binomial_limit(n, e, cf):
    """The error rate at which at most e errors among n cases have probability cf."""
    if e >= n:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if binomial_cdf(e, n, middle) > cf else (low, middle)
    return low


def binomial_cdf(e, n, p):
    return math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(e + 1))


def c45_errors(n, e, cf):
    return e + add_errs(n, e, cf)


def exact_errors(n, e, cf):
    return n * binomial_limit(round(n), round(e), cf) if n > 0 else 0.0
