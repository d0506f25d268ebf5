"""Grow several trees side by side and keep the most promising (beam search, duch2004's SSV trees).

A *spot* is a leaf that can be split, in one of several ways: the best one of each of the `width`
features the metric likes most. A *plan* is a tree in the making: spots with the way chosen for
each, and spots that still wait. In every round each plan splits its most promising spot, whose best
way lowers the weighted Gini impurity most, and `width` plans go on: the greedy one, and those whose
tests together lower it most. The metric finds the ways, but its scores are not compared between
nodes (see `treelab.tree.stop.Stop`). Of the finished trees the one with the fewest errors on the
training cases wins, then the one with the fewest leaves.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property

import attrs
import numpy as np

from treelab._typing import IndexArray
from treelab.protocols import Scores
from treelab.stats.candidates.choice import Chosen, Judges
from treelab.stats.stores.nodes import Children, Missing, NodeBatch
from treelab.stats.ties import first_best, settled
from treelab.tree.recorder import Tests, TreeRecorder
from treelab.tree.stop import Stop


@attrs.frozen(eq=False)
class Spot:
    """A leaf that can be split, and the ways to do it, the best first."""

    nodes: NodeBatch
    depth: int
    ways: tuple["Way", ...]

    @property
    def promise(self) -> float:
        return self.ways[0].decrease


@attrs.frozen(eq=False)
class Way:
    """A split, its score, and what comes of it, found out when it is first needed."""

    grower: "BeamGrower"
    nodes: NodeBatch
    depth: int
    chosen: Chosen

    @cached_property
    def children(self) -> Children:
        return self.nodes.split(self.chosen.splits, self.grower.missing)

    @cached_property
    def decrease(self) -> float:
        """By how much it lowers the Gini impurity times the number of cases."""
        return float(self.children.decrease[0])

    @cached_property
    def spots(self) -> Mapping[int, Spot]:
        """The children that can be split, by the number of their branch."""
        splittable = self.grower.stop.splittable(self.children.counts, self.depth + 1)
        if not len(splittable):
            return {}
        below = self.children.keep(splittable)
        spots = (self.grower.spot(below, k, self.depth + 1) for k in range(len(splittable)))
        return {int(b): spot for b, spot in zip(splittable, spots, strict=True) if spot.ways}


@attrs.frozen(eq=False)
class Plan:
    """A tree in the making; `waiting` in the order in which the spots were made."""

    chosen: Mapping[Spot, Way]
    waiting: tuple[Spot, ...]
    value: float
    n_leaves: int
    errors: float
    greedy: bool = True

    @property
    def key(self) -> object:
        """What tells plans apart; they may become equal where a split does not fit."""
        return tuple(map(id, self.chosen.values())), tuple(map(id, self.waiting))

    def next(self) -> Spot:
        """Return the most promising spot, the oldest among equals."""
        return self.waiting[first_best([spot.promise for spot in self.waiting])]

    def without(self, spot: Spot) -> "Plan":
        """Return the plan in which a spot stays a leaf."""
        return attrs.evolve(self, waiting=tuple(s for s in self.waiting if s is not spot))

    def with_way(self, spot: Spot, way: Way) -> "Plan":
        """Return the plan in which a spot is split; what comes of it is not asked yet."""
        return attrs.evolve(
            self.without(spot),
            chosen={**self.chosen, spot: way},
            value=self.value + way.decrease,
            greedy=self.greedy and way is spot.ways[0],
        )


@attrs.frozen(eq=False)
class BeamGrower:
    """Grows a tree by beam search."""

    judges: Judges
    missing: Missing
    stop: Stop
    width: int

    def build(self, root: NodeBatch) -> TreeRecorder:
        """Return the best tree found."""
        first = self.spot(root, 0, 0)
        return _drawn(root, first, min(self._finished(root, first), key=_rank))

    def met(self, root: NodeBatch) -> Iterator[TreeRecorder]:
        """Yield every tree that was finished."""
        first = self.spot(root, 0, 0)
        return (_drawn(root, first, plan) for plan in self._finished(root, first))

    def _finished(self, root: NodeBatch, first: Spot) -> Iterator[Plan]:
        """Yield the plans in which no spot waits, at least one."""
        can_split = first.ways and len(self.stop.splittable(root.class_counts, 0))
        plans = [Plan({}, (first,) if can_split else (), 0.0, 1, _errors(root.class_counts))]
        while plans:
            yield from (plan for plan in plans if not plan.waiting)
            plans = self._next([plan for plan in plans if plan.waiting])

    def spot(self, nodes: NodeBatch, k: int, depth: int) -> Spot:
        """Return what can be done at a node."""
        one = nodes.only(np.array([k])).without_tables
        judged = self.judges(one.without_tables.node(0))
        best = judged.best_features(self.width)  # the last may be of no node: all were named
        return Spot(
            one, depth, tuple(Way(self, one, depth, each) for each in best if len(each.nodes))
        )

    def _next(self, plans: list[Plan]) -> list[Plan]:
        """Split a spot of every plan in all ways, and carry out the best."""
        options = [
            (plan.with_way(plan.next(), way), plan, plan.next(), way)
            for plan in plans
            for way in plan.next().ways
        ]
        # Sums that differ by rounding are equal; the first of equals comes first.
        options.sort(key=lambda option: (not option[0].greedy, -settled(option[0].value)))
        found: dict[object, Plan] = {}
        for option in options[: self.width]:
            plan = self._carried_out(*option)
            found.setdefault(plan.key, plan)
        return list(found.values())

    def _carried_out(self, split: Plan, plan: Plan, spot: Spot, way: Way) -> Plan:
        more = len(way.children) - 1
        if self.stop.max_leaves is not None and plan.n_leaves + more > self.stop.max_leaves:
            return plan.without(spot)
        return attrs.evolve(
            split,
            waiting=(*split.waiting, *way.spots.values()),
            n_leaves=plan.n_leaves + more,
            errors=plan.errors - _errors(spot.nodes.class_counts) + _errors(way.children.counts),
        )


def _rank(plan: Plan) -> tuple[float, int]:
    return round(plan.errors, 9), plan.n_leaves


def _errors(counts: Scores) -> float:
    """Return the weight of the cases that are not of the most frequent class of their node."""
    return float((counts.sum(axis=1) - counts.max(axis=1)).sum())


def _drawn(root: NodeBatch, first: Spot, plan: Plan) -> TreeRecorder:
    """Return the tree of a plan."""
    recorder = TreeRecorder(root.class_counts)
    waiting = [(first, 0)]
    while waiting:
        spot, number = waiting.pop()
        way = plan.chosen.get(spot)
        if way is None:
            continue
        chosen, children = way.chosen, way.children
        recorder.by_counts &= chosen.by_counts
        test = np.array([number]), chosen.splits, children.missing_branch, chosen.scores
        recorder.tests.append(Tests(*test))
        parent: IndexArray = np.full(len(children), number)
        numbers = recorder.add(parent, children.branch, children.counts)
        waiting += [(below, int(numbers[b])) for b, below in way.spots.items()]
    return recorder
