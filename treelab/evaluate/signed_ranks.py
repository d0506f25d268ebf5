"""Wilcoxon's signed ranks: whether two learners differ over many data sets."""

import numpy as np
import scipy  # whose `stats` is loaded when it is needed: it takes half a second
from numpy.typing import ArrayLike

from treelab._typing import FloatArray
from treelab.evaluate.student import PairedTest, differences, mean_of, results, rounding_of

COUNTED = 13
"""Of so many data sets with equal differences the P-value is exact, as scipy's is; of more it is
the normal distribution's."""


def wilcoxon(a: ArrayLike, b: ArrayLike) -> PairedTest:
    """Test paired results of several data sets by the ranks of their differences.

    The ranks of equal results are split evenly between the two sides (Demsar 2006, section
    3.1.3). The statistic is the smaller sum of ranks.

    Examples
    --------
    >>> round(wilcoxon([1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 7]).p, 4)
    0.0938
    """
    a, b = results(a, b, least=1)
    d = differences(a, b, least=1)
    if not d.any():
        half = len(d) * (len(d) + 1) / 4
        return PairedTest(0.0, half, 1.0)
    places = np.sign(d) * _places(np.abs(d), rounding_of(a, b))
    if len(places) <= COUNTED and len(np.unique(np.abs(places[places != 0]))) < len(places):
        return PairedTest(mean_of(d), *_counted(places))
    result = scipy.stats.wilcoxon(places, zero_method="zsplit")
    return PairedTest(mean_of(d), float(result.statistic), float(result.pvalue))


def _counted(places: FloatArray) -> tuple[float, float]:
    """Return the smaller sum of ranks, and the share of all choices of signs as one-sided as these.

    scipy lists the 2^n choices; how many give each sum of ranks is counted here rank by rank.
    """
    doubled = np.rint(2 * scipy.stats.rankdata(np.abs(places))).astype(int)  # shared ranks: halves
    ways = np.ones(1)
    for rank in doubled[places != 0]:  # a difference of nothing has no sign to choose
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    above, below = (int(doubled[side].sum()) for side in (places > 0, places < 0))
    least = min(above, below)
    p = min(1.0, float(2 * ways[: least + 1].sum() / ways.sum()))
    return least / 2 + float(doubled[places == 0].sum()) / 4, p


def _places(sizes: FloatArray, rounding: FloatArray) -> FloatArray:
    """Return numbers from 1 on, by size; sizes that are equal but for rounding share one.

    Every data set has its own scale, and so its own rounding.
    """
    order = np.argsort(sizes)
    sizes, rounding = sizes[order], rounding[order]
    places = np.empty(len(order))
    is_larger = np.diff(sizes) > np.maximum(rounding[1:], rounding[:-1])
    places[order] = np.cumsum([1, *is_larger])
    return places
