"""Grow a tree: ask the metric for scores, take the best admissible candidate, part the cases.

The builder never knows what kind of metric it is talking to.
"""

from heapq import heappop, heappush
from typing import NamedTuple

import attrs
import numpy as np

from treelab._typing import IndexArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.errors import DataError
from treelab.protocols import FeatureScores, Scores, SplitMetric
from treelab.stats.candidates import Cut, Grouping
from treelab.stats.impurity import TIE
from treelab.stats.view import Space, Splits, View
from treelab.tree.draft import Draft, freeze
from treelab.tree.model import Missing, Tree
from treelab.tree.partition import carry_out
from treelab.tree.stop import Stop


@attrs.frozen
class Growth:
    """How to grow a tree: everything but the data and the pruner."""

    metric: SplitMetric
    cut_metric: SplitMetric
    coding: Coding = attrs.field(factory=Coding)
    splits: Splits = "auto"
    bins: int | None = None
    missing: Missing = "fractional"
    stop: Stop = attrs.field(factory=Stop)
    seed: int = 0
    learner: str = ""

    def __call__(self, data: Dataset) -> Tree:
        """Return the tree of some data, not pruned."""
        coded = Coded.of(data, self.coding, self.bins)
        branch = self.missing == "branch"
        space = Space(coded, self.splits, branch, self.stop.min_branch, self.seed)
        root = View.root(space)
        if not len(root.rows):
            raise DataError("a tree needs at least one case with a known class and weight above 0")
        draft = _Builder(self.metric, self.cut_metric, self.missing, self.stop).build(root)
        return freeze(draft, data.schema, self.coding, self.missing, self.learner)


class _Open(NamedTuple):
    """A leaf that can be split; those of highest priority, then the oldest, come first."""

    priority: float
    age: int
    draft: Draft
    view: View
    split: Cut | Grouping
    score: float
    depth: int


class _Builder:
    def __init__(
        self, metric: SplitMetric, cut_metric: SplitMetric, missing: Missing, stop: Stop
    ) -> None:
        self.metric, self.cut_metric = metric, cut_metric
        self.missing, self.stop = missing, stop
        self.frontier: list[_Open] = []
        self.n_nodes = 0
        self.n_leaves = 1

    def build(self, root: View) -> Draft:
        draft = self._add(root, 0)
        while self.frontier:
            self._split(heappop(self.frontier))
        return draft

    def _add(self, view: View, depth: int) -> Draft:
        """Make a leaf of a view, and remember it where it can be split."""
        draft = Draft(view.class_counts)
        self.n_nodes += 1
        chosen = None if self.stop.at(view.class_counts, depth) else self._choose(view)
        if chosen is not None:
            split, score = chosen
            gain = score * view.class_counts.sum() if self.stop.max_leaves is not None else 0.0
            # The view is made anew without its tables, which are not needed again.
            bare = View(view.space, view.rows, view.weights, view.path)
            heappush(self.frontier, _Open(-gain, self.n_nodes, draft, bare, split, score, depth))
        return draft

    def _choose(self, view: View) -> tuple[Cut | Grouping, float] | None:
        counts = view.counts
        if not len(counts):
            return None
        given = self.metric(view)
        if isinstance(given, FeatureScores):
            return self._choose_feature(view, given.values)
        scores = check_scores(given, len(counts))
        best = first_best(scores, counts.feature)
        return None if best is None else (counts.split(best), float(scores[best]))

    def _choose_feature(
        self, view: View, of_features: Scores
    ) -> tuple[Cut | Grouping, float] | None:
        """Take the best feature that can be split, and its best candidate by the cut metric."""
        counts = view.counts
        scores = check_scores(of_features, len(view.space.coded.axes))[counts.feature]
        best = first_best(scores, counts.feature)
        if best is None:
            return None
        cuts = check_scores(self.cut_metric(view), len(counts))  # type: ignore[arg-type]
        of_best = counts.feature == counts.feature[best]
        cut = first_best(np.where(of_best, cuts, np.nan), counts.feature)
        return None if cut is None else (counts.split(cut), float(scores[best]))

    def _split(self, leaf: _Open) -> None:
        test, cases = carry_out(leaf.view, leaf.split, self.missing)
        more = len(cases) - 1
        if self.stop.max_leaves is not None and self.n_leaves + more > self.stop.max_leaves:
            return
        self.n_leaves += more
        for field in attrs.fields(type(test)):
            setattr(leaf.draft, field.name, getattr(test, field.name))
        leaf.draft.score = leaf.score
        leaf.draft.children = [
            self._add(leaf.view.child(branch, *part), leaf.depth + 1)
            for branch, part in enumerate(cases)
        ]


def first_best(scores: Scores, feature: IndexArray) -> int | None:
    """Return the best candidate: among equals the lowest feature, then the first candidate.

    The candidates of a feature are in ascending order of threshold.
    """
    if np.isnan(scores).all():
        return None
    best = np.nanmax(scores)
    slack = TIE * max(1.0, abs(best)) if np.isfinite(best) else 0.0
    tied = np.flatnonzero(scores >= best - slack)
    return int(tied[np.argmin(feature[tied])])


def check_scores(scores: Scores, n_candidates: int) -> Scores:
    """Return the scores of a metric as an array, if they are numbers of the right shape."""
    try:
        scores = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"a metric must return numbers, got {scores!r}") from None
    if scores.shape != (n_candidates,):
        raise DataError(
            f"a metric must return one score per candidate: expected shape ({n_candidates},), "
            f"got {scores.shape}"
        )
    return scores
