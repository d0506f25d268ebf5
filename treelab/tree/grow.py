"""Grow a tree from data: code them, put them into a store, search, and write the tree down."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import attrs
import numpy as np

from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.constraints import Constraints
from treelab.data.cut_rule import CutRule
from treelab.data.dataset import Dataset
from treelab.data.schema import Schema
from treelab.errors import DataError
from treelab.protocols import SplitMetric
from treelab.stats.candidates.admission import Admitted
from treelab.stats.candidates.choice import Judges
from treelab.stats.stores.context import SplitStrategy
from treelab.stats.stores.in_memory import InMemoryStore
from treelab.stats.stores.nodes import CaseStore, Missing, NodeBatch
from treelab.tree.beam import BeamGrower
from treelab.tree.builder import Builder
from treelab.tree.lookahead import Greedy, LookAhead
from treelab.tree.met import met_by_look_ahead
from treelab.tree.model import Tree
from treelab.tree.optimal.grower import OptimalGrower
from treelab.tree.optimal.settings import Optimal, bins_for
from treelab.tree.recorder import TreeRecorder
from treelab.tree.searches import BeamSearch, GreedySearch, LookAheadSearch, Search
from treelab.tree.stop import Stop

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
    search: Search = attrs.field(factory=GreedySearch)
    width: int = 5
    seed: int = 0
    constraints: Constraints | None = None
    settings: Mapping[str, Any] = attrs.field(factory=dict)

    def __call__(self, data: Dataset) -> Tree:
        """Return the tree of some data, not pruned."""
        return self.of_store(self._store(data), data.schema)

    def met(self, data: Dataset) -> Iterator[Tree]:
        """Yield every tree of some data that the search finishes, not pruned."""
        store = self._store(data)
        grower = self._grower(data.schema)
        return (self._tree(met, store, data.schema) for met in self._all_met(grower, _root(store)))

    def _store(self, data: Dataset) -> InMemoryStore:
        coded = Coded.of(data, self.coding, self.bins_used, self.cuts)
        branch = self.missing == "branch"
        return InMemoryStore.of(coded, self.splits, branch, self.stop.min_branch, self.seed)

    @property
    def bins_used(self) -> int | None:
        """Into how many bins numbers are put."""
        return bins_for(self.bins) if isinstance(self.search, Optimal) else self.bins

    def of_store(self, store: CaseStore, schema: Schema) -> Tree:
        """Return the tree of the cases of a store, whose splits must be those asked for here."""
        # Nobody but the grower holds the root: its arrays make room for those of its children.
        return self._tree(self._grower(schema).build(_root(store)), store, schema)

    def below(self, roots: NodeBatch, schema: Schema, depth: int) -> TreeRecorder:
        """Return the trees under some nodes of a tree, which lie at a depth.

        `max_leaves` is of all of them together: where the search is for one root, the first takes
        of it what it can use.
        """
        grower, counts = self._grower(schema), roots.class_counts
        if isinstance(grower, Builder):
            splittable = self.stop.splittable(counts, depth)
            return grower.below(counts, roots.only(splittable), splittable, depth)
        recorder, stop = TreeRecorder(counts), self.stop.further_down(depth, len(roots) - 1)
        for root in range(len(roots)):
            part = attrs.evolve(self, stop=stop)._grower(schema)
            assert not isinstance(part, Builder)
            grown = part.build(roots.only(np.array([root])))
            recorder.graft(np.array([root]), grown)
            stop = stop.further_down(0, len(grown.leaves) - 1)
        return recorder

    def _tree(self, recorder: TreeRecorder, store: CaseStore, schema: Schema) -> Tree:
        parts = schema, self.coding, self.missing, self.settings
        tree = recorder.finish(store.context, *parts)
        if self.constraints is not None:
            tree = attrs.evolve(tree, monotone=dict(self.constraints.monotone))
        return with_rest(tree) if self.unseen == "rest" and self.splits == "binary" else tree

    def _judges(self, schema: Schema) -> Judges:
        given = self.constraints
        admission = None if given is None else Admitted.of(given, schema)
        return Judges(self.metric, self.cut_metric, admission)

    def _grower(self, schema: Schema) -> Builder | BeamGrower | OptimalGrower:
        judges, how = self._judges(schema), (self.missing, self.stop)
        match self.search:
            case Optimal():
                return OptimalGrower(self.metric, *how, self.search)
            case BeamSearch():
                return BeamGrower(judges, *how, self.width)
            case LookAheadSearch(price, cf):
                return Builder(LookAhead(judges, *how, self.width, price, cf), *how)
        return Builder(Greedy(judges), *how)

    def _all_met(
        self, grower: Builder | BeamGrower | OptimalGrower, root: NodeBatch
    ) -> Iterator[TreeRecorder]:
        if isinstance(grower, BeamGrower):
            return grower.met(root)
        if isinstance(grower, Builder) and isinstance(grower.choose, LookAhead):
            return met_by_look_ahead(grower.choose, self.missing, self.stop, root)
        return iter([grower.build(root)])


def with_rest(tree: Tree) -> Tree:
    """Return a tree of tests of one value against the rest in which unseen values are of the rest.

    No training case has them, so it makes no difference before the tree is grown. Of more branches,
    as people may ask for, none is the rest.
    """
    n_branches = np.repeat(np.diff(tree.first_child), np.diff(tree.first_code))
    unseen = (tree.branch_of < 0) & (n_branches == 2)
    return attrs.evolve(tree, branch_of=np.where(unseen, np.int32(1), tree.branch_of))


def _root(store: CaseStore) -> NodeBatch:
    root = store.root()
    if not root.sizes[0] > 0:
        raise DataError("a tree needs at least one case with a known class and weight above 0")
    return root
