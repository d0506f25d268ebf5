"""From what a search has found to a tree of the library's own splits."""

from time import monotonic
from typing import NamedTuple

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError
from treelab.protocols import FeatureScores, Scores, SplitMetric
from treelab.stats.candidates.choice import check_scores
from treelab.stats.stores.node import InMemoryNode
from treelab.stats.stores.nodes import Missing, NodeBatch
from treelab.tree.optimal.costs import price_of
from treelab.tree.optimal.nodes import SearchNode
from treelab.tree.optimal.optimum import Optimum
from treelab.tree.optimal.problem import Problem
from treelab.tree.optimal.search import Search
from treelab.tree.optimal.settings import Optimal, limits
from treelab.tree.optimal.splits import offered
from treelab.tree.recorder import Tests, TreeRecorder
from treelab.tree.stop import Stop


class _Place(NamedTuple):
    """A node of the tree, and what may lie below it."""

    node: NodeBatch
    number: int
    depth: int
    leaves: int


@attrs.frozen(eq=False)
class OptimalGrower:
    """Grows the tree of least cost; the metric only scores the splits of that tree."""

    metric: SplitMetric
    missing: Missing
    stop: Stop
    settings: Optimal

    def build(self, root: NodeBatch) -> TreeRecorder:
        """Return the tree of least cost, or the best one found in time."""
        depth, leaves = limits(self.stop)
        end = monotonic() + self.settings.time_limit
        problem = Problem.of(root.node(0), self.stop, self.settings.price)
        self._check(root, problem)
        search = Search(problem, end)
        leaves = search.most_leaves(depth) if leaves is None else leaves
        search.dive(_units_of(problem, root), depth, leaves)
        recorder = TreeRecorder(root.class_counts)
        ends = self._draw(recorder, search, _Place(root, 0, depth, leaves))
        bound = search.solve(_units_of(problem, root), depth, leaves)
        price = price_of(self.settings.price, float(root.sizes[0]))
        low, proven = problem.costs.to_weight(bound.low), bool(bound.solved)
        recorder.optimum = Optimum.of(ends, price, low, proven)
        return recorder

    def _check(self, root: NodeBatch, problem: Problem) -> None:
        if self.missing == "fractional" and problem.has_missing:
            raise ParameterError(
                "search='optimal' sends no case down several branches: values are missing, so give "
                "missing='branch' or missing='majority'"
            )
        if problem.axes:
            self._scores(root.node(0))

    def _scores(self, view: InMemoryNode) -> Scores:
        given = self.metric(view)
        if isinstance(given, FeatureScores):
            raise ParameterError(
                "search='optimal' needs a metric that scores single splits, but "
                f"{self.metric!r} judges features as a whole"
            )
        return check_scores(given, len(view.counts))

    def _draw(self, recorder: TreeRecorder, search: Search, root: _Place) -> FloatArray:
        """Add what was found to a tree; return the class weights of its leaves."""
        ends, waiting = [], [root]
        while waiting:
            place = waiting.pop()
            below = self._split(recorder, search, place)
            waiting += below
            if not below:
                ends.append(place.node.class_counts[0])
        return np.array(ends)

    def _split(self, recorder: TreeRecorder, search: Search, place: _Place) -> list[_Place]:
        """Split a node as was found; return its children, none for a leaf."""
        node = _units_of(search.problem, place.node)
        choice = search.choice(node, place.depth, place.leaves)
        if choice is None:
            return []
        axis = search.problem.axes[choice.feature]
        view = place.node.node(0)
        split, candidate = offered(view, axis, choice.candidate)
        score = np.nan if candidate is None else self._scores(view)[candidate]
        parts, number = place.node.split(split, self.missing), np.array([place.number])
        recorder.tests.append(Tests(number, split, parts.missing_branch, np.array([score])))
        parent = np.full(len(parts), place.number)
        numbers = recorder.add(parent, parts.branch, parts.counts)
        nodes = [parts.keep(np.array([b])) for b in range(len(parts))]
        return [
            _Place(node, int(n), choice.depth, choice.leaves_of(_units_of(search.problem, node)))
            for node, n in zip(nodes, numbers, strict=True)
        ]


def _units_of(problem: Problem, node: NodeBatch) -> SearchNode:
    return SearchNode.of(problem, np.unique(problem.unit_of[node.node(0).rows]))
