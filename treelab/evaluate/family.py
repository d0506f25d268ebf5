"""Holm's correction: P-values of a family of tests, each as if it stood alone."""

import numpy as np
from numpy.typing import ArrayLike

from treelab._typing import FloatArray
from treelab.data.checks import numbers
from treelab.errors import DataError


def holm(p: ArrayLike) -> FloatArray:
    """Return adjusted P-values: to reject those below alpha errs once with chance alpha.

    The i-th smallest of m is multiplied by m - i + 1, and none is less than a smaller one's
    (Holm 1979). A test without a P-value (NaN) shows nothing but is one of the m, for which tests
    can be made is not known before.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = numbers("P-values", p)
    unknown = np.isnan(p)
    if p.ndim != 1 or not np.all(unknown | ((p >= 0) & (p <= 1))):
        raise DataError("P-values must be a row of numbers from 0 to 1")
    p = np.where(unknown, 1.0, p)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(steps, 1.0)
    adjusted[unknown] = np.nan
    return adjusted
