"""What a metric says of each feature at the root."""

import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import Coded
from treelab.protocols import FeatureScores, Runs, Scores, SplitMetric
from treelab.stats.candidates.choice import check_scores
from treelab.stats.stores.in_memory import root_node


def feature_scores(coded: Coded, metric: SplitMetric, seed: int = 0) -> FloatArray:
    """Return the score of every feature: that of its best candidate, NaN where it has none.

    Nominal features and intervals have one candidate, a branch for each value; a numeric feature
    has its cuts.
    """
    view = root_node(coded, splits="multiway", seed=seed)
    given = metric(view)
    if isinstance(given, FeatureScores):
        return check_scores(given.values, len(coded.axes))
    return _best(check_scores(given, len(view.counts)), view.counts.runs, len(coded.axes))


def _best(scores: Scores, runs: Runs, n_features: int) -> FloatArray:
    best = np.full(n_features, -np.inf)
    np.maximum.at(best, runs.spread(runs.feature), np.where(np.isnan(scores), -np.inf, scores))
    return np.where(np.isneginf(best), np.nan, best)
