"""Friedman's test of several learners over several data sets, with Nemenyi's test after it.

Demsar 2006, section 3.2: N data sets, k learners; rank 1 is the best.
"""

from math import sqrt

import attrs
import numpy as np
import scipy  # whose `stats` is loaded when it is needed: it takes half a second
from numpy.typing import ArrayLike

from treelab._typing import FloatArray
from treelab.data.checks import numbers
from treelab.errors import DataError, ParameterError
from treelab.stats.units import unit_of


@attrs.frozen(eq=False)
class Friedman:
    """What the test says.

    Parameters
    ----------
    ranks
        The mean rank of each learner.
    n_data
        The number of data sets.
    chi2, p
        Friedman's statistic, corrected for ties, and its P-value.
    f, p_f
        Iman and Davenport's less cautious statistic, and its P-value; NaN where all data sets
        rank the learners alike, so that there is no spread to be compared with.
    """

    ranks: FloatArray
    n_data: int
    chi2: float
    p: float
    f: float
    p_f: float

    def nemenyi(self) -> FloatArray:
        """Return the P-values of all pairs of learners by Nemenyi's test."""
        k = len(self.ranks)
        i, j = np.triu_indices(k, 1)
        q = np.abs(self.ranks[i] - self.ranks[j]) / self._error() * sqrt(2)
        # The integral behind the distribution is slow: equal differences share one.
        distinct, place = np.unique(np.round(q, 12), return_inverse=True)
        p = np.ones((k, k))
        p[i, j] = np.clip(scipy.stats.studentized_range.sf(distinct, k, np.inf), 0.0, 1.0)[place]
        p[j, i] = p[i, j]
        return p

    def critical_difference(self, alpha: float = 0.05) -> float:
        """Return the difference of mean ranks that is significant by Nemenyi's test."""
        if not 0 < alpha < 1:
            raise ParameterError(f"alpha must lie between 0 and 1, got {alpha!r}")
        q = float(scipy.stats.studentized_range.ppf(1 - alpha, len(self.ranks), np.inf))
        return q / sqrt(2) * self._error()

    def _error(self) -> float:
        k = len(self.ranks)
        return sqrt(k * (k + 1) / (6 * self.n_data))


def friedman(scores: ArrayLike) -> Friedman:
    """Test whether learners differ, by scores (data set, learner), larger being better.

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.8, 0.8]])
    >>> result.ranks.round(2).tolist(), round(result.chi2, 3)
    ([1.0, 2.17, 2.83], 5.636)
    """
    scores = numbers("scores", scores)
    if scores.ndim != 2 or scores.shape[0] < 2 or scores.shape[1] < 3:
        raise DataError(
            "Friedman's test needs scores of at least 2 data sets and 3 learners, got shape "
            f"{scores.shape}"
        )
    if not np.isfinite(scores).all():
        raise DataError("Friedman's test needs a finite score in every place")
    n, k = scores.shape
    # Scores that are equal but for rounding share their rank; every data set has its own scale.
    ranks = scipy.stats.rankdata(-np.round(scores / unit_of(scores.T)[:, None], 12), axis=1)
    chi2 = _chi2(ranks)
    f = (n - 1) * chi2 / (n * (k - 1) - chi2) if chi2 < n * (k - 1) else np.nan
    return Friedman(
        ranks.mean(axis=0), n, chi2, float(scipy.stats.chi2.sf(chi2, k - 1)),
        float(f), float(scipy.stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
    )  # fmt: skip


def _chi2(ranks: FloatArray) -> float:
    """Return Friedman's statistic: 0 where all scores of every data set are equal."""
    n, k = ranks.shape
    between = ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    within = ((ranks - (k + 1) / 2) ** 2).sum() / (n * (k - 1))
    return float(n * between / within) if within > 0 else 0.0
