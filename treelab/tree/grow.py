"""Grow a tree: ask the metric for scores, take the best admissible candidate, part the cases.

The builder never knows what kind of metric it is talking to.
"""

from collections.abc import Mapping
from heapq import heappush
from typing import Any, Literal, NamedTuple

import attrs
import numpy as np

from treelab._typing import IndexArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.cut_rule import CutRule
from treelab.data.dataset import Dataset
from treelab.data.schema import Schema
from treelab.errors import DataError
from treelab.protocols import Scores, SplitMetric
from treelab.stats.choice import choose
from treelab.stats.context import SplitStrategy
from treelab.stats.in_memory import InMemoryStore
from treelab.stats.nodes import CaseStore, Missing, NodeBatch
from treelab.stats.splits import Splits
from treelab.stats.ties import pop_first
from treelab.tree.beam import BeamGrower
from treelab.tree.model import Tree
from treelab.tree.recorder import Tests, TreeRecorder
from treelab.tree.stop import Stop

HowToSearch = Literal["greedy", "beam"]
Unseen = Literal["stop", "rest"]


@attrs.frozen
class Growth:
    """How to grow a tree: everything but the data and the pruner."""

    metric: SplitMetric
    cut_metric: SplitMetric
    coding: Coding = attrs.field(factory=Coding)
    splits: SplitStrategy = "auto"
    bins: int | None = None
    cuts: CutRule = attrs.field(factory=CutRule)
    missing: Missing = "fractional"
    unseen: Unseen = "stop"
    stop: Stop = attrs.field(factory=Stop)
    search: HowToSearch = "greedy"
    width: int = 5
    seed: int = 0
    settings: Mapping[str, Any] = attrs.field(factory=dict)

    def __call__(self, data: Dataset) -> Tree:
        """Return the tree of some data, not pruned."""
        coded = Coded.of(data, self.coding, self.bins, self.cuts)
        branch = self.missing == "branch"
        store = InMemoryStore.of(coded, self.splits, branch, self.stop.min_branch, self.seed)
        return self.of_store(store, data.schema)

    def of_store(self, store: CaseStore, schema: Schema) -> Tree:
        """Return the tree of the cases of a store, whose splits must be those asked for here."""
        # Nobody but the grower holds the root: its arrays make room for those of its children.
        recorder = self._grower.build(_root(store))
        parts = schema, self.coding, self.missing, self.settings
        tree = recorder.finish(store.context, *parts)
        return _with_rest(tree) if self.unseen == "rest" and self.splits == "binary" else tree

    @property
    def _grower(self) -> "_Builder | BeamGrower":
        parts = self.metric, self.cut_metric, self.missing, self.stop
        return BeamGrower(*parts, self.width) if self.search == "beam" else _Builder(*parts)


def _with_rest(tree: Tree) -> Tree:
    """Return a tree of tests of one value against the rest in which unseen values are of the rest.

    No training case has them, so it makes no difference before the tree is grown.
    """
    return attrs.evolve(tree, branch_of=np.where(tree.branch_of < 0, np.int32(1), tree.branch_of))


def _root(store: CaseStore) -> NodeBatch:
    root = store.root()
    if not root.sizes[0] > 0:
        raise DataError("a tree needs at least one case with a known class and weight above 0")
    return root


class _Open(NamedTuple):
    """Leaves to be split together; those of highest priority, then the oldest, come first."""

    priority: float
    age: int
    nodes: NodeBatch
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

    def build(self, root: NodeBatch) -> TreeRecorder:
        self.recorder = TreeRecorder(root.class_counts[0])
        if len(self.stop.splittable(root.class_counts, 0)):
            self._open(root, np.array([0]), 0)
        del root
        while self.frontier:
            self._open(*self._split(pop_first(self.frontier)))
        return self.recorder

    def _open(self, nodes: NodeBatch, numbers: IndexArray, depth: int) -> None:
        """Choose the splits of some leaves, and remember those that can be split."""
        if not len(nodes):
            return
        chosen = choose(nodes, self.metric, self.cut_metric)
        if not len(chosen.nodes):
            return
        self.recorder.by_counts &= chosen.by_counts
        nodes, numbers = nodes.only(chosen.nodes).without_tables, numbers[chosen.nodes]
        splits, scores = chosen.splits, chosen.scores
        if self.stop.max_leaves is None:
            heappush(self.frontier, _Open(0.0, numbers[0], nodes, numbers, splits, scores, depth))
            return
        for k, decrease in enumerate(nodes.split(splits, self.missing).decrease):
            one = np.array([k])
            part = nodes.only(one), numbers[one], splits.take(one), scores[one]
            heappush(self.frontier, _Open(-decrease, numbers[k], *part, depth))

    def _split(self, leaves: _Open) -> tuple[NodeBatch, IndexArray, int]:
        """Split some leaves; return those children that are no leaves for sure."""
        children = leaves.nodes.split(leaves.splits, self.missing)
        more, depth = len(children) - len(leaves.numbers), leaves.depth + 1
        if self.stop.max_leaves is not None and self.n_leaves + more > self.stop.max_leaves:
            nobody = np.empty(0, np.int64)
            return leaves.nodes.only(nobody), nobody, depth
        self.n_leaves += more
        self.recorder.tests.append(
            Tests(leaves.numbers, leaves.splits, children.missing_branch, leaves.scores)
        )
        numbers = self.recorder.add(
            leaves.numbers[children.parent], children.branch, children.counts
        )
        splittable = self.stop.splittable(children.counts, depth)
        return children.keep(splittable), numbers[splittable], depth
