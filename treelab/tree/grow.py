"""Grow a tree: ask the metric for scores, take the best admissible candidate, part the cases.

The builder never knows what kind of metric it is talking to.
"""

from heapq import heappush
from typing import Literal, NamedTuple

import attrs
import numpy as np

from treelab._registry import Registry
from treelab._typing import IndexArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.errors import DataError, check_choice
from treelab.protocols import FeatureScores, Scores, SplitMetric
from treelab.stats.candidates import Splits
from treelab.stats.ties import pop_first
from treelab.stats.view import HowToSplit, Level, Space, View
from treelab.tree.beam import BeamGrower
from treelab.tree.choice import Chosen, best_of, check_scores, cut_scores
from treelab.tree.model import Missing, Tree
from treelab.tree.optimal.grower import OptimalGrower
from treelab.tree.optimal.settings import Optimal, bins_for
from treelab.tree.partition import Division
from treelab.tree.sketch import Sketch, Tests
from treelab.tree.stop import Stop

HowToSearch = Literal["greedy", "beam"] | Optimal

SEARCHES: Registry[HowToSearch] = Registry("search", "treelab.searches")
SEARCHES.add("greedy", lambda: "greedy")
SEARCHES.add("beam", lambda: "beam")
SEARCHES.add("optimal", Optimal)


def find_search(spec: str | Optimal) -> HowToSearch:
    """Return a search by name ('beam', 'optimal:price=0.01', ...), or the search itself."""
    if isinstance(spec, Optimal):
        return spec
    name = spec.partition(":")[0] if isinstance(spec, str) else spec
    check_choice("search", name, ("greedy", "beam", "optimal"))
    return SEARCHES.make(spec)


@attrs.frozen
class Growth:
    """How to grow a tree: everything but the data and the pruner."""

    metric: SplitMetric
    cut_metric: SplitMetric
    coding: Coding = attrs.field(factory=Coding)
    splits: HowToSplit = "auto"
    bins: int | None = None
    missing: Missing = "fractional"
    stop: Stop = attrs.field(factory=Stop)
    search: HowToSearch = "greedy"
    width: int = 5
    seed: int = 0
    learner: str = ""

    def __call__(self, data: Dataset) -> Tree:
        """Return the tree of some data, not pruned."""
        bins = bins_for(self.bins) if isinstance(self.search, Optimal) else self.bins
        coded = Coded.of(data, self.coding, bins)
        branch = self.missing == "branch"
        space = Space(coded, self.splits, branch, self.stop.min_branch, self.seed)
        # Nobody but the grower holds the root: its arrays make room for those of its children.
        sketch = self._grower.build(_root(space))
        return sketch.finish(coded, data.schema, self.coding, self.missing, self.learner)

    @property
    def _grower(self) -> "_Builder | BeamGrower | OptimalGrower":
        if isinstance(self.search, Optimal):
            return OptimalGrower(self.metric, self.missing, self.stop, self.search)
        parts = self.metric, self.cut_metric, self.missing, self.stop
        return BeamGrower(*parts, self.width) if self.search == "beam" else _Builder(*parts)


def _root(space: Space) -> Level:
    root = Level.root(space)
    if not root.sizes[0] > 0:
        raise DataError("a tree needs at least one case with a known class and weight above 0")
    return root


class _Open(NamedTuple):
    """Leaves to be split together; those of highest priority, then the oldest, come first."""

    priority: float
    age: int
    level: Level
    numbers: IndexArray
    splits: Splits
    scores: Scores
    depth: int


class _Builder:
    def __init__(
        self, metric: SplitMetric, cut_metric: SplitMetric, missing: Missing, stop: Stop
    ) -> None:
        self.metric, self.cut_metric = metric, cut_metric
        self.missing, self.stop = missing, stop
        self.frontier: list[_Open] = []
        self.n_leaves = 1

    def build(self, root: Level) -> Sketch:
        self.sketch = Sketch(root.class_counts[0])
        if len(self.stop.goes_on(root.class_counts, 0)):
            self._open(root, np.array([0]), 0)
        del root
        while self.frontier:
            self._open(*self._split(pop_first(self.frontier)))
        return self.sketch

    def _open(self, level: Level, numbers: IndexArray, depth: int) -> None:
        """Choose the splits of some leaves, and remember those that can be split."""
        if not len(level):
            return
        nodes, splits, scores = self._choose(level)
        if not len(nodes):
            return
        level, numbers = level.only(nodes).without_tables, numbers[nodes]
        if self.stop.max_leaves is None:
            heappush(self.frontier, _Open(0.0, numbers[0], level, numbers, splits, scores, depth))
            return
        for k, decrease in enumerate(Division.of(level, splits, self.missing).decrease):
            one = np.array([k])
            part = level.only(one), numbers[one], splits.take(one), scores[one]
            heappush(self.frontier, _Open(-decrease, numbers[k], *part, depth))

    def _choose(self, level: Level) -> Chosen:
        """Choose a split for every node that has a candidate the metric can judge."""
        if getattr(self.metric, "by_level", False):
            parts = level.parts()
            if len(parts) == 1:
                return self._choose_among(level)
            return Chosen.joined([(part, self._choose_among(level.only(part))) for part in parts])
        return Chosen.joined(
            [(np.array([k]), self._choose_at(level.node(k))) for k in range(len(level))]
        )

    def _choose_among(self, level: Level) -> Chosen:
        scores = check_scores(self.metric(level), len(level.counts))  # type: ignore[arg-type]
        return best_of(level.counts, scores)

    def _choose_at(self, view: View) -> Chosen:
        counts = view.counts
        if not len(counts):
            return best_of(counts, np.empty(0))
        given = self.metric(view)
        if isinstance(given, FeatureScores):
            return self._choose_feature(view, given.values)
        return best_of(counts, check_scores(given, len(counts)))

    def _choose_feature(self, view: View, of_features: Scores) -> Chosen:
        """Take the best feature that can be split, and its best candidate by the cut metric."""
        self.sketch.by_counts = False
        counts = view.counts
        scores = check_scores(of_features, len(view.space.coded.axes))[counts.feature]
        best = best_of(counts, scores)
        if not len(best.nodes):
            return best
        cuts = cut_scores(self.cut_metric, view)
        of_best = counts.feature == best.splits.feature[0]
        cut = best_of(counts, np.where(of_best, cuts, np.nan))
        return cut._replace(scores=best.scores[: len(cut.nodes)])

    def _split(self, leaves: _Open) -> tuple[Level, IndexArray, int]:
        """Split some leaves; return the level of those children that are no leaves for sure."""
        parts = Division.of(leaves.level, leaves.splits, self.missing)
        more, depth = len(parts.counts) - len(leaves.numbers), leaves.depth + 1
        if self.stop.max_leaves is not None and self.n_leaves + more > self.stop.max_leaves:
            nobody = np.empty(0, np.int64)
            return leaves.level.only(nobody), nobody, depth
        self.n_leaves += more
        self.sketch.tests.append(
            Tests(leaves.numbers, leaves.splits, parts.missing_branch, leaves.scores)
        )
        made = parts.made
        numbers = self.sketch.add(leaves.numbers[made.parent], made.number, parts.counts)
        goes_on = self.stop.goes_on(parts.counts, depth)
        return parts.children(goes_on), numbers[goes_on], depth
