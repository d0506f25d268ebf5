"""From what a search has found to a tree of the library's own splits."""

from time import monotonic
from typing import NamedTuple

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError
from treelab.protocols import FeatureScores, Scores, SplitMetric
from treelab.stats.view import Level, View
from treelab.tree.choice import check_scores
from treelab.tree.model import Missing
from treelab.tree.optimal.nodes import SearchNode
from treelab.tree.optimal.optimum import Optimum
from treelab.tree.optimal.problem import Problem
from treelab.tree.optimal.search import Search
from treelab.tree.optimal.settings import Optimal, limits
from treelab.tree.optimal.splits import offered
from treelab.tree.partition import Division
from treelab.tree.sketch import Sketch, Tests
from treelab.tree.stop import Stop


class _Place(NamedTuple):
    """A node of the tree, and what may lie below it."""

    level: Level
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

    def build(self, root: Level) -> Sketch:
        """Return the tree of least cost, or the best one found in time."""
        depth, leaves = limits(self.stop)
        end = monotonic() + self.settings.time_limit
        problem = Problem.of(root, self.stop, self.settings.price)
        self._check(root, problem)
        search = Search(problem, end)
        leaves = search.most_leaves(depth) if leaves is None else leaves
        search.dive(_units_of(problem, root), depth, leaves)
        sketch = Sketch(root.class_counts[0])
        ends = self._draw(sketch, search, _Place(root, 0, depth, leaves))
        bound = search.solve(_units_of(problem, root), depth, leaves)
        price = round(self.settings.price * float(root.sizes[0]), 9)
        sketch.optimum = Optimum.of(ends, price, problem.costs.to_weight(bound.low), bound.solved)
        return sketch

    def _check(self, root: Level, problem: Problem) -> None:
        if self.missing == "fractional" and problem.has_missing:
            raise ParameterError(
                "search='optimal' sends no case down several branches: values are missing, so give "
                "missing='branch' or missing='majority'"
            )
        if problem.axes:
            self._scores(root.node(0))

    def _scores(self, view: View) -> Scores:
        given = self.metric(view)
        if isinstance(given, FeatureScores):
            raise ParameterError(
                "search='optimal' needs a metric that scores single splits, but "
                f"{self.metric!r} judges features as a whole"
            )
        return check_scores(given, len(view.counts))

    def _draw(self, sketch: Sketch, search: Search, root: _Place) -> FloatArray:
        """Add what was found to a sketch; return the class weights of its leaves."""
        ends, waiting = [], [root]
        while waiting:
            place = waiting.pop()
            below = self._split(sketch, search, place)
            waiting += below
            if not below:
                ends.append(place.level.class_counts[0])
        return np.array(ends)

    def _split(self, sketch: Sketch, search: Search, place: _Place) -> list[_Place]:
        """Split a node as was found; return its children, none for a leaf."""
        node = _units_of(search.problem, place.level)
        choice = search.choice(node, place.depth, place.leaves)
        if choice is None:
            return []
        axis = search.problem.axes[choice.feature]
        view = place.level.node(0)
        split, candidate = offered(view, axis, choice.candidate)
        score = np.nan if candidate is None else self._scores(view)[candidate]
        parts, number = Division.of(place.level, split, self.missing), np.array([place.number])
        sketch.tests.append(Tests(number, split, parts.missing_branch, np.array([score])))
        parent = np.full(len(parts.counts), place.number)
        numbers = sketch.add(parent, parts.made.number, parts.counts)
        levels = [parts.children(np.array([b])) for b in range(len(parts.counts))]
        return [
            _Place(level, int(n), choice.depth, choice.leaves_of(_units_of(search.problem, level)))
            for level, n in zip(levels, numbers, strict=True)
        ]


def _units_of(problem: Problem, level: Level) -> SearchNode:
    return SearchNode.of(problem, np.unique(problem.unit_of[level.node(0).rows]))
