"""Pessimistic estimates of the errors a leaf will make (C4.5 release 8; SPEC 6.1)."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from scipy.special import betaincinv

from treelab._typing import FloatArray

ExtraErrors: TypeAlias = Callable[[FloatArray, FloatArray, float], FloatArray]
"""(cases, errors, confidence) to the errors to be added to those seen."""

# C4.5's table of the normal deviate of a confidence (release 8, Src/stats.c).
_CONFIDENCE = np.array([0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00])
_DEVIATE = np.array([4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00])


def c45_deviate(confidence: float) -> float:
    """Return C4.5's deviate of a confidence, interpolated in its table.

    >>> round(c45_deviate(0.25), 4)
    0.6925
    """
    return float(np.interp(confidence, _CONFIDENCE, _DEVIATE))


def c45_extra_errors(cases: FloatArray, errors: FloatArray, confidence: float) -> FloatArray:
    """Return C4.5's AddErrs: a normal approximation with continuity correction."""
    n, e = np.broadcast_arrays(np.asarray(cases, float), np.asarray(errors, float))
    safe = np.where(n > 0, n, 1.0)
    none = safe * (1 - confidence ** (1 / safe))
    one = _normal(safe, np.ones_like(safe), confidence)
    extra = np.select(
        [n <= 0, e < 1e-6, e < 0.9999],
        [0.0, none, none + e * (one - none)],
        _normal(safe, e, confidence),
    )
    return np.asarray(extra)


def _normal(n: FloatArray, e: FloatArray, confidence: float) -> FloatArray:
    c = c45_deviate(confidence) ** 2
    seen = np.minimum(e + 0.5, n)
    upper = (seen + c / 2 + np.sqrt(c * (seen * (1 - seen / n) + c / 4))) / (n + c)
    return np.where(e + 0.5 >= n, 0.67 * (n - e), n * upper - e)


def exact_extra_errors(cases: FloatArray, errors: FloatArray, confidence: float) -> FloatArray:
    """Return the extra errors of the exact binomial limit: P(Bin(n, U) <= e) = confidence."""
    n, e = np.broadcast_arrays(np.asarray(cases, float), np.asarray(errors, float))
    some = (n > 0) & (e < n)
    upper = np.ones(n.shape)
    upper[some] = betaincinv(e[some] + 1, n[some] - e[some], 1 - confidence)
    return np.where(n > 0, n * upper - e, 0.0)


METHODS: dict[str, ExtraErrors] = {"c45": c45_extra_errors, "exact": exact_extra_errors}
