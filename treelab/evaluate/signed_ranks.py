"""Wilcoxon's signed ranks: whether two learners differ over many data sets."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from treelab.evaluate.student import PairedTest, differences, mean_of
from treelab.stats.units import unit_of


def wilcoxon(a: ArrayLike, b: ArrayLike) -> PairedTest:
    """Test paired results of several data sets by the ranks of their differences.

    The ranks of equal results are split evenly between the two sides (Demsar 2006, section
    3.1.3). The statistic is the smaller sum of ranks.

    Examples
    --------
    >>> round(wilcoxon([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 7]).p, 4)
    0.0938
    """
    d = differences(a, b, least=1)
    if not d.any():
        half = len(d) * (len(d) + 1) / 4
        return PairedTest(0.0, half, 1.0)
    # Differences that are equal but for rounding share their rank.
    result = stats.wilcoxon(np.round(d / unit_of(np.ravel([a, b])), 12), zero_method="zsplit")
    return PairedTest(mean_of(d), float(result.statistic), float(result.pvalue))
