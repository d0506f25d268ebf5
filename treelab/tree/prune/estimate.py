"""Pessimistic estimates of the errors a leaf will make (C4.5 release 8; SPEC 6.1)."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from treelab._typing import FloatArray
from treelab.kernels import error_limits
from treelab.kernels._jit import pointer

# C4.5's table of the normal deviate of a confidence (release 8, Src/stats.c).
_CONFIDENCE = np.array([0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00])
_DEVIATE = np.array([4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00])


def c45_deviate(confidence: float) -> float:
    """Return C4.5's deviate of a confidence, interpolated in its table.

    >>> round(c45_deviate(0.25), 4)
    0.6925
    """
    return float(np.interp(confidence, _CONFIDENCE, _DEVIATE))


def normal_deviate(confidence: float) -> float:
    """Return the normal deviate of a confidence; 0 where it is above one half.

    >>> round(normal_deviate(0.25), 4)
    0.6745
    """
    return max(float(ndtri(1.0 - confidence)), 0.0)


class Method(NamedTuple):
    """A formula of `kernels.error_limits`, and the deviate of a confidence that it takes."""

    formula: error_limits.Formula
    deviate: Callable[[float], float]


METHODS = {
    "c45": Method(error_limits.c45_extra_errors, c45_deviate),
    "j48": Method(error_limits.j48_extra_errors, normal_deviate),
    "exact": Method(error_limits.exact_extra_errors, normal_deviate),
}


@cache
def compiled(method: str) -> Any:
    """Return the formula of a method as kernels call it."""
    return pointer(METHODS[method].formula, error_limits.SIGNATURE)


def extra_errors(method: str, cases: Any, errors: Any, confidence: float) -> FloatArray:
    """Return the errors to be added to those seen, of leaves of so many cases and errors."""
    n, e = np.broadcast_arrays(np.asarray(cases, float), np.asarray(errors, float))
    deviate = METHODS[method].deviate(confidence)
    extra = error_limits.extra_errors_of(
        compiled(method), n.flatten(), e.flatten(), float(confidence), deviate
    )
    return extra.reshape(n.shape)
