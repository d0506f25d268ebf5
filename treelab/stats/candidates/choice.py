"""Which split a metric chooses: in growing, in `why`, and where a feature is discretized."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import attrs
import numpy as np

from treelab._typing import BoolArray, IndexArray
from treelab.errors import DataError, ParameterError
from treelab.protocols import FeatureScores, Scores, SplitMetric
from treelab.stats.candidates.admission import Admission
from treelab.stats.candidates.blocks import real_numbers
from treelab.stats.candidates.splits import Splits
from treelab.stats.candidates.tables import BlockTables
from treelab.stats.stores.node import InMemoryNode
from treelab.stats.stores.nodes import NodeBatch


class Chosen(NamedTuple):
    """Some nodes of a batch with the split chosen for each, and what the metric said of it.

    `by_counts` tells whether the metric judged candidates, not features as a whole.
    """

    nodes: IndexArray
    splits: Splits
    scores: Scores
    by_counts: bool = True

    def take(self, places: IndexArray) -> "Chosen":
        """Return what was chosen for some of the nodes."""
        return self._replace(
            nodes=self.nodes[places], splits=self.splits.take(places), scores=self.scores[places]
        )

    @classmethod
    def joined(cls, parts: list[tuple[IndexArray, "Chosen"]]) -> "Chosen":
        """Return what was chosen for parts of a batch, each with the numbers of its nodes."""
        if len(parts) == 1:
            numbers, chosen = parts[0]
            return chosen._replace(nodes=numbers[chosen.nodes])
        nodes = np.concatenate([numbers[chosen.nodes] for numbers, chosen in parts])
        return cls(
            nodes,
            Splits.joined([chosen.splits for _, chosen in parts]),
            np.concatenate([chosen.scores for _, chosen in parts]),
            all(chosen.by_counts for _, chosen in parts),
        )


@attrs.frozen(eq=False)
class Judgement:
    """What a metric says of the candidates of some nodes.

    `worth` chooses the feature, `within` the candidate of that feature: the same, unless the metric
    judges features as a whole; there is a single node then. `said` are the metric's own scores,
    which constraints may leave other than the worth.
    """

    counts: BlockTables
    worth: Scores
    within: Scores
    by_counts: bool
    said: Scores = attrs.field()

    @said.default
    def _as_said(self) -> Scores:
        return self.worth

    @classmethod
    def of_candidates(cls, counts: BlockTables, scores: Scores) -> "Judgement":
        """Return what a metric says that judges candidates."""
        return cls(counts, scores, scores, True)

    def under(self, admission: Admission, depth: int, instead: Callable[[], Scores]) -> "Judgement":
        """Return what is left of it under constraints, at nodes of some depth.

        Where they refuse every candidate that the metric has judged, others may be left that it
        has not, as the gate of `gain-ratio-c45` leaves out most: these have their scores `instead`.
        """
        allowed = admission.allowed(self.counts, depth)
        said = np.where(allowed, self.said, np.nan)
        starved = _has_some(self.counts, self.said) & ~_has_some(self.counts, said)
        again = allowed & starved[self.counts.node]
        if again.any():
            said = np.where(again, instead(), said)
        worth = admission.worth(self.counts, said)
        within = worth if self.by_counts else np.where(allowed, self.within, np.nan)
        return attrs.evolve(self, worth=worth, within=within, said=said)

    def best(self) -> Chosen:
        """Take the best candidate of every node that has one."""
        return self._taken(self.candidates())

    def _taken(self, candidates: IndexArray) -> Chosen:
        nodes = (candidates >= 0).nonzero()[0]
        chosen = candidates[nodes]
        return Chosen(nodes, self.counts.splits(chosen), self.said[chosen], self.by_counts)

    def candidates(self) -> IndexArray:
        """Return the best candidate of every node, -1 for none."""
        best = self.counts.best(self.worth)
        if self.by_counts or best[0] < 0:
            return best
        of_best = self.counts.feature == self.counts.feature[best[0]]
        return self.counts.best(np.where(of_best, self.within, np.nan))

    def best_features(self, most: int) -> list[Chosen]:
        """Take the best candidate of each of the best features, of every node that has as many."""
        left, runs, found = self, self.counts.runs, list[Chosen]()
        for _ in range(most):
            candidates = left.candidates()
            found.append(left._taken(candidates))
            if not len(found[-1].nodes) or len(found) == most:
                break
            used = np.zeros(len(runs.ends), bool)
            used[np.searchsorted(runs.ends, candidates[candidates >= 0], side="right")] = True
            worth = np.where(runs.spread(used), np.nan, left.worth)
            within = worth if self.by_counts else self.within
            left = attrs.evolve(left, worth=worth, within=within)
        return found


@attrs.frozen
class Judges:
    """Who judges candidates: the metric, who finds cuts where it judges features, and constraints.

    `admission` is the filter of candidates that constraints are; None lets all pass.
    """

    metric: SplitMetric
    cut_metric: SplitMetric
    admission: Admission | None = None

    def __call__(self, nodes: NodeBatch | InMemoryNode) -> Judgement:
        """Return what is said of the candidates of nodes."""
        judgement = judge(nodes, self.metric, self.cut_metric)
        if self.admission is None or not len(judgement.counts):
            return judgement
        return judgement.under(
            self.admission, nodes.lineage.depth, lambda: cut_scores(nodes, self.cut_metric)
        )

    @property
    def by_level(self) -> bool:
        """Whether several nodes may be judged at once."""
        asked = (self.metric,) if self.admission is None else (self.metric, self.cut_metric)
        return all(getattr(metric, "by_level", False) for metric in asked)


def _has_some(counts: BlockTables, scores: Scores) -> BoolArray:
    """Tell which nodes have a candidate with a score."""
    found = np.zeros(len(counts.class_counts), bool)
    found[counts.node[~np.isnan(scores)]] = True
    return found


def choose(nodes: NodeBatch, judges: Judges) -> Chosen:
    """Choose a split for every node that has a candidate the metric can judge."""
    return Chosen.joined([(which, j.best()) for which, j in _judged(nodes, judges)])


def choose_some(nodes: NodeBatch, judges: Judges, most: int) -> list[Chosen]:
    """Choose the best splits of different features, the best of every node first."""
    parts = [(which, j.best_features(most)) for which, j in _judged(nodes, judges)]
    longest = max(len(found) for _, found in parts)
    # What a part has no more of is nothing, as its last choice is.
    return [
        Chosen.joined([(which, found[min(i, len(found) - 1)]) for which, found in parts])
        for i in range(longest)
    ]


def _judged(nodes: NodeBatch, judges: Judges) -> Iterator[tuple[IndexArray, Judgement]]:
    """Yield some nodes at a time, with what the metric says of them."""
    if judges.by_level:
        for portion in nodes.portions():
            yield portion, judges(nodes.only(portion))
        return
    for k in range(len(nodes)):
        yield np.array([k]), judges(nodes.node(k))


def judge(
    nodes: NodeBatch | InMemoryNode, metric: SplitMetric, cut_metric: SplitMetric
) -> Judgement:
    """Ask a metric for the candidates of nodes; the score of a feature is that of all of its own.

    A metric that is not `by_level` gets a single node.
    """
    counts = nodes.counts
    if not len(counts):
        return Judgement.of_candidates(counts, np.empty(0))
    given = metric(nodes)  # type: ignore[arg-type]
    if not isinstance(given, FeatureScores):
        return Judgement.of_candidates(counts, check_scores(given, len(counts)))
    worth = check_scores(given.values, len(nodes.context.axes))[counts.feature]
    return Judgement(counts, worth, cut_scores(nodes, cut_metric), False)


def cut_scores(
    nodes: NodeBatch | InMemoryNode, metric: SplitMetric, who: str = "cut_metric"
) -> Scores:
    """Return what a metric says of the candidates of nodes, if it judges no whole features."""
    given = metric(nodes)  # type: ignore[arg-type]
    if isinstance(given, FeatureScores):
        raise _judges_features(metric, who)
    return check_scores(given, len(nodes.counts))


def check_judges_cuts(metric: SplitMetric, who: str = "cut_metric") -> None:
    """Raise where a metric says of itself that it judges features as a whole."""
    if getattr(metric, "judges_features", False):
        raise _judges_features(metric, who)


def _judges_features(metric: SplitMetric, who: str) -> ParameterError:
    return ParameterError(
        f"{who} must judge the cuts of a feature, but {metric!r} judges features as a whole"
    )


def check_scores(scores: Scores, n_candidates: int) -> Scores:
    """Return the scores of a metric as an array, if they are numbers of the right shape."""
    scores = real_numbers("a metric", scores)
    if scores.shape != (n_candidates,):
        raise DataError(
            f"a metric must return one score per candidate: expected shape ({n_candidates},), "
            f"got {scores.shape}"
        )
    return scores + 0.0  # so that -0.0 is 0.0, as everywhere
