"""Student's t-test of paired results: plain, and corrected for resampling."""

from math import nan, sqrt
from numbers import Real

import attrs
import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from treelab._typing import FloatArray
from treelab.data.checks import numbers
from treelab.errors import DataError, ParameterError
from treelab.stats.units import unit_of


@attrs.frozen
class PairedTest:
    """What a test of paired results says: `p` is two-sided, `difference` the mean of a - b.

    Statistic and `p` are NaN where the test cannot be made.
    """

    difference: float
    statistic: float
    p: float


def paired_t(a: ArrayLike, b: ArrayLike) -> PairedTest:
    """Test whether two learners differ, by results of the same repetitions or data sets.

    Equal results differ in nothing: p is 1. Differences that are all the same, and not 0, have no
    spread to be compared with, as of two learners that a single fold or a single case sets apart:
    there is no P-value, which is NaN as scipy's is.

    Examples
    --------
    >>> round(paired_t([3, 5, 4, 6], [1, 4, 4, 3]).p, 4)
    0.1027
    """
    return _t(differences(a, b), 0.0)


def corrected_t(a: ArrayLike, b: ArrayLike, test_share: float) -> PairedTest:
    """Test by results of folds, whose training cases overlap (Nadeau and Bengio 2003).

    The variance of the mean is s^2 (1/n + test cases / training cases) in place of s^2 / n.
    Without spread it has no P-value either; see `paired_t`.

    Parameters
    ----------
    a, b
        The results of all folds of all repetitions, in the same order.
    test_share
        The share of the cases that a fold tests: 0.1 in 10-fold cross-validation.
    """
    overlap = overlap_of(test_share)
    return _t(differences(a, b), overlap)


def overlap_of(test_share: float) -> float:
    """Return the ratio of test cases to training cases."""
    if not (isinstance(test_share, Real) and 0 < test_share < 1):
        raise ParameterError(f"test_share must lie between 0 and 1, got {test_share!r}")
    return test_share / (1 - test_share)


def differences(a: ArrayLike, b: ArrayLike, least: int = 2) -> FloatArray:
    """Return a - b, differences of rounding being none."""
    a, b = results(a, b, least)
    d = a - b
    return np.where(np.abs(d) < rounding_of(a, b), 0.0, d)


def results(a: ArrayLike, b: ArrayLike, least: int = 2) -> tuple[FloatArray, FloatArray]:
    """Return paired results whose differences are numbers."""
    a, b = numbers("results", a), numbers("results", b)
    if a.shape != b.shape or a.ndim != 1 or len(a) < least:
        raise DataError(
            f"a paired test needs two rows of at least {least} results, got shapes "
            f"{a.shape} and {b.shape}"
        )
    if not np.isfinite([a, b]).all():
        raise DataError("a paired test needs finite results")
    with np.errstate(over="ignore"):
        is_number = np.isfinite(a - b)
    if not is_number.all():
        raise DataError("the results are too large: their differences are no numbers")
    return a, b


def rounding_of(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return what a difference of two results may be off by rounding."""
    return 1e-12 * np.maximum(np.abs(a), np.abs(b))


def mean_of(d: FloatArray) -> float:
    """Return the mean of numbers of any size."""
    unit = float(unit_of(d))
    return float((d / unit).mean()) * unit


def mean_and_error(values: FloatArray) -> tuple[float, float]:
    """Return the mean of the numbers that are known, and its standard error; NaN where unknown.

    >>> mean_and_error(np.array([1.0, 3.0, np.nan]))
    (2.0, 1.0)
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return nan, nan
    error = known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else nan
    return float(known.mean()), float(error)


def mean_and_corrected_error(d: FloatArray, overlap: float) -> tuple[float, float]:
    """Return the mean and its standard error, an error of rounding being none."""
    mean, spread = float(d.mean()), float(d.std(ddof=1))
    error = spread * sqrt(1 / len(d) + overlap)
    return mean, error if error > 1e-12 * abs(mean) else 0.0


def _t(d: FloatArray, overlap: float) -> PairedTest:
    mean, error = mean_and_corrected_error(d / unit_of(d), overlap)
    if error == 0:
        return PairedTest(mean_of(d), nan, nan) if mean else PairedTest(0.0, 0.0, 1.0)
    statistic = mean / error
    return PairedTest(mean_of(d), statistic, float(2 * stdtr(len(d) - 1, -abs(statistic))))
