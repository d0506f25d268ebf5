"""What metrics say of the candidates of a node, and how far they agree."""

import attrs
import numpy as np
from scipy.stats import rankdata

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.metrics.c45 import first_of_each_run
from treelab.protocols import FeatureScores, Scores, SplitMetric
from treelab.stats.impurity import TIE
from treelab.stats.tables import BlockTables
from treelab.stats.view import View
from treelab.tree.choice import check_scores, cut_scores


@attrs.frozen(eq=False)
class Judgement:
    """The scores a metric gives the candidates of a node.

    `cuts` choose among the candidates of a feature where the metric judges the feature as a whole.
    """

    scores: Scores
    counts: BlockTables
    cuts: Scores | None = None

    @property
    def choice(self) -> int | None:
        """The candidate a tree would take."""
        best = int(self.counts.best(self.scores)[0])
        if best >= 0 and self.cuts is not None:
            of_best = self.counts.feature == self.counts.feature[best]
            best = int(self.counts.best(np.where(of_best, self.cuts, np.nan))[0])
        return None if best < 0 else best

    @property
    def best_of_features(self) -> BoolArray:
        """Which candidates are the best of their feature."""
        order = self.scores if self.cuts is None else self.cuts
        judged = ~np.isnan(self.scores + order)
        return judged & first_of_each_run(np.where(judged, order, -np.inf), self.counts.runs)


def judge(view: View, metric: SplitMetric, cut_metric: SplitMetric) -> Judgement:
    """Return what a metric says; a feature's score is that of all its candidates."""
    given, counts = metric(view), view.counts
    if not isinstance(given, FeatureScores):
        return Judgement(check_scores(given, len(counts)), counts)
    of_features = check_scores(given.values, len(view.space.coded.axes))
    return Judgement(of_features[counts.feature], counts, cut_scores(cut_metric, view))


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
    shared = rankdata(of_metrics, axis=1)
    sums = shared.sum(axis=0)
    spread = ((sums - sums.mean()) ** 2).sum()
    # The variance of shared ranks is what n^3 - n less the correction for ties stands for.
    most = n_metrics * ((shared - (n + 1) / 2) ** 2).sum()
    return float(spread / most) if n_metrics > 1 and most > 0 else None
