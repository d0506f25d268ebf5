"""What metrics say of the candidates of a node, and how far they agree."""

import numpy as np
import scipy  # whose `stats` is loaded when it is needed: it takes half a second

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.kernels.ties import TIE
from treelab.metrics.c45 import first_of_each_run
from treelab.protocols import Scores
from treelab.stats.candidates.choice import Judgement


def best_of_features(judged: Judgement) -> BoolArray:
    """Tell which candidates are the best of their feature."""
    is_judged = ~np.isnan(judged.worth + judged.within)
    order = np.where(is_judged, judged.within, -np.inf)
    return is_judged & first_of_each_run(order, judged.counts.runs)


def ranks(scores: Scores) -> IndexArray:
    """Return the rank of each score: 1 is the largest, equals share, NaN comes last.

    >>> ranks(np.array([0.5, 0.9, np.nan, 0.5])).tolist()
    [2, 1, 4, 2]
    """
    ordered = np.sort(scores[~np.isnan(scores)])
    equal_up_to = scores + np.where(np.isfinite(scores), TIE * np.maximum(1.0, np.abs(scores)), 0.0)
    better = len(ordered) - np.searchsorted(ordered, equal_up_to, side="right")
    return np.where(np.isnan(scores), len(ordered) + 1, better + 1)


def rescaled(scores: Scores) -> FloatArray:
    """Return the scores from 0, the worst, to 1, the best; equal ones are all best.

    >>> rescaled(np.array([2.0, 6.0, np.nan, 3.0])).tolist()
    [0.0, 1.0, nan, 0.25]
    """
    finite = scores[np.isfinite(scores)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    if high - low <= TIE * max(1.0, abs(high)):
        return np.where(np.isnan(scores), np.nan, 1.0)
    return np.asarray((np.clip(scores, low, high) - low) / (high - low))


def concordance(of_metrics: IndexArray) -> float | None:
    """Return Kendall's W, corrected for ties, of ranks (metric, candidate).

    1: all metrics rank alike; 0: they have nothing in common. None where there is nothing to
    compare: one metric, one candidate, or equals only.

    >>> concordance(np.array([[1, 2, 3], [1, 2, 3]])), concordance(np.array([[1, 2], [2, 1]]))
    (1.0, 0.0)
    """
    n_metrics, n = of_metrics.shape
    shared = scipy.stats.rankdata(of_metrics, axis=1)
    sums = shared.sum(axis=0)
    spread = ((sums - sums.mean()) ** 2).sum()
    # The variance of shared ranks is what n^3 - n less the correction for ties stands for.
    most = n_metrics * ((shared - (n + 1) / 2) ** 2).sum()
    return float(spread / most) if n_metrics > 1 and most > 0 else None
