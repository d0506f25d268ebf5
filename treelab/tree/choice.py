"""The best candidates of nodes, by what a metric says of them."""

from typing import NamedTuple

import numpy as np

from treelab._typing import IndexArray
from treelab.errors import DataError, ParameterError
from treelab.protocols import FeatureScores, Scores, SplitMetric
from treelab.stats.candidates import Splits, real_numbers
from treelab.stats.tables import BlockTables
from treelab.stats.view import View


class Chosen(NamedTuple):
    """Some nodes of a level with the split chosen for each, and what the metric said of it."""

    nodes: IndexArray
    splits: Splits
    scores: Scores

    @classmethod
    def joined(cls, parts: list[tuple[IndexArray, "Chosen"]]) -> "Chosen":
        """Return what was chosen for parts of a level, each with the numbers of its nodes."""
        if len(parts) == 1:
            numbers, chosen = parts[0]
            return chosen._replace(nodes=numbers[chosen.nodes])
        nodes = np.concatenate([numbers[chosen.nodes] for numbers, chosen in parts])
        return cls(
            nodes,
            Splits.joined([chosen.splits for _, chosen in parts]),
            np.concatenate([chosen.scores for _, chosen in parts]),
        )


def best_of(counts: BlockTables, scores: Scores) -> Chosen:
    """Take the best candidate of every node that has one."""
    best = counts.best(scores)
    nodes = (best >= 0).nonzero()[0]
    chosen = best[nodes]
    return Chosen(nodes, counts.splits(chosen), scores[chosen])


def cut_scores(cut_metric: SplitMetric, view: View) -> Scores:
    """Return what a metric says of the candidates of a node, if it judges no whole features."""
    given = cut_metric(view)
    if isinstance(given, FeatureScores):
        raise _no_cut_metric(cut_metric)
    return check_scores(given, len(view.counts))


def check_judges_cuts(cut_metric: SplitMetric) -> None:
    """Raise where a metric says of itself that it judges features as a whole."""
    if getattr(cut_metric, "judges_features", False):
        raise _no_cut_metric(cut_metric)


def _no_cut_metric(metric: SplitMetric) -> ParameterError:
    return ParameterError(
        f"cut_metric must judge the cuts of a feature, but {metric!r} judges features as a whole"
    )


def check_scores(scores: Scores, n_candidates: int) -> Scores:
    """Return the scores of a metric as an array, if they are numbers of the right shape."""
    scores = real_numbers("a metric", scores)
    if scores.shape != (n_candidates,):
        raise DataError(
            f"a metric must return one score per candidate: expected shape ({n_candidates},), "
            f"got {scores.shape}"
        )
    return scores
