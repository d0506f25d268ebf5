"""Branch and bound over trees: what is known of every set of cases is kept.

A *state* is a set of units with the depth and the leaves that are left. Its candidates are tried in
the order of the Gini impurity of their branches, the purest first, then in that of the features;
two levels above the leaves in that of the features alone (`kernels.best_pair`). The first tree of
least cost is taken, so the answer depends on nothing but the cases, unless time runs out.

Source: the bounds are those of Angelino et al. (JMLR 2018, equivalent cases), Demirovic et al.
(JMLR 2022, similar support, depth two) and Brita et al. (AAAI 2025, neighbouring thresholds).
"""

from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

import attrs

from treelab.kernels.best_pair import best_pair
from treelab.kernels.best_split import LEAF, Best, best_single
from treelab.kernels.branch_costs import NEVER
from treelab.tree.optimal.archive import Archive
from treelab.tree.optimal.candidates import Candidates
from treelab.tree.optimal.nodes import SearchNode
from treelab.tree.optimal.problem import Problem

EXACT = 2
"""Trees of this depth are found at once."""

MOST_WORK = 2**24
"""The clock is looked at after about so many steps of a kernel."""


@attrs.frozen
class Bounds:
    """What the best tree of a state costs: between `low` and `high`, that of the best one found.

    That one begins with a split, or is a leaf (`LEAF`).
    """

    low: int
    high: int
    feature: int = LEAF
    candidate: int = 0

    @property
    def solved(self) -> bool:
        return self.low >= self.high


class Total(NamedTuple):
    """What the branches of a split cost together, and how many leaves each may have."""

    low: int
    high: int
    leaves: tuple[int, ...] = ()


@attrs.frozen(eq=False)
class Choice:
    """The split of a node, the depth below it and how many leaves each branch may have."""

    feature: int
    candidate: int
    depth: int
    nodes: Sequence[SearchNode]
    leaves: tuple[int, ...]

    def leaves_of(self, node: SearchNode) -> int:
        """Return how many leaves a branch may have.

        Weights that add up to nearly the same may have sent missing values to another branch.
        """
        shares = zip(self.leaves, self.nodes, strict=True)
        return next((n for n, other in shares if other.key == node.key), min(self.leaves))


class Search:
    """Finds the trees of least cost of a problem, until a time (`monotonic`) is reached."""

    def __init__(self, problem: Problem, end: float) -> None:
        self.problem, self.end = problem, end
        self.known: dict[tuple[bytes, int, int], Bounds] = {}
        self.archive = Archive(problem)

    @property
    def out_of_time(self) -> bool:
        return monotonic() > self.end

    def most_leaves(self, depth: int) -> int:
        """Return how many leaves a tree of a depth can have."""
        return int(self.problem.most_branches**depth)

    def solve(self, node: SearchNode, depth: int, leaves: int, limit: int = NEVER) -> Bounds:
        """Return what the best tree costs, exactly if that is below `limit` and time allows."""
        depth, leaves = self._within(depth, leaves)
        if node.is_leaf(leaves):
            return Bounds(node.leaf, node.leaf)
        state = node.key, depth, leaves
        found = self.known.get(state) or Bounds(node.least(leaves), node.leaf)
        if found.solved or found.low >= limit:
            return found
        low = max(found.low, self.archive.least(node, depth, leaves))
        found = attrs.evolve(found, low=min(low, found.high))
        if not found.solved and found.low < limit:
            found = self._improved(node, depth, leaves, min(limit, found.high), found)
            self.archive.add(node, depth, leaves, found.low)
        self.known[state] = found
        return found

    def choice(self, node: SearchNode, depth: int, leaves: int) -> Choice | None:
        """Return what the best tree found does at a node; None for a leaf."""
        found = self.solve(node, depth, leaves)
        if found.feature == LEAF:
            return None
        depth, leaves = self._within(depth, leaves)
        nodes = node.children(found.feature, found.candidate)
        shares = self.below(nodes, depth - 1, leaves, NEVER).leaves
        return Choice(found.feature, found.candidate, depth - 1, nodes, shares)

    def dive(self, node: SearchNode, depth: int, leaves: int) -> Bounds:
        """Return a first tree: the purest splits, and the best of depth two below them.

        It is what is left if time runs out early, and others need not be looked at that cost more.
        """
        depth, leaves = self._within(depth, leaves)
        if depth <= EXACT or leaves < self.most_leaves(depth) or node.is_leaf(leaves):
            return self.solve(node, depth, leaves)
        least, found = node.least(leaves), Bounds(node.least(leaves), node.leaf)
        candidates = Candidates(node, least)
        if len(candidates):
            split = candidates.split(0)
            high = sum(self.dive(child, depth - 1, leaves).high for child in node.children(*split))
            found = min(found, Bounds(least, high, *split), key=lambda bounds: bounds.high)
        self.known[node.key, depth, leaves] = found
        return found

    def _within(self, depth: int, leaves: int) -> tuple[int, int]:
        """Return the depth and leaves that a tree within these limits can have."""
        depth = min(depth, leaves - 1)
        return depth, min(leaves, self.most_leaves(depth))

    def _improved(
        self, node: SearchNode, depth: int, leaves: int, limit: int, found: Bounds
    ) -> Bounds:
        one_below = self.problem.most_branches == 2 and leaves == 3
        if depth == 1 and leaves == self.most_leaves(1):
            best = best_single(self.problem.units, node.rows, self.problem.rules, limit)
            return _after(best, found, limit)
        if depth == 2 and (one_below or leaves == self.most_leaves(2)):
            return self._pair(node, one_below, limit, found)
        return self._branched(node, depth, leaves, limit, found)

    def _pair(self, node: SearchNode, one_below: bool, limit: int, found: Bounds) -> Bounds:
        """Find the best tree of depth two, in as many parts as it takes to look at the clock."""
        units, rules = self.problem.units, self.problem.rules
        n_features = units.codes.shape[1]
        work = n_features * len(node.rows) + int(units.first[-1]) ** 2 // n_features
        step = max(1, MOST_WORK // (work * units.n_classes))
        low = found.low
        for first in range(0, n_features, step):
            span = first, min(first + step, n_features)
            best = best_pair(units, node.rows, rules, one_below, limit, span)
            if best.feature != LEAF:
                limit, found = best.cost, Bounds(low, *best)
            if self.out_of_time and span[1] < n_features:
                return found
        return attrs.evolve(found, low=max(low, limit))

    def _branched(
        self, node: SearchNode, depth: int, leaves: int, limit: int, found: Bounds
    ) -> Bounds:
        """Try the candidates whose least cost is below what was found."""
        candidates = Candidates(node, found.low)
        for i in range(len(candidates)):
            if self.out_of_time:
                break
            if candidates.least[i] >= limit:
                continue
            split = candidates.split(i)
            total = self.below(node.children(*split), depth - 1, leaves, limit)
            candidates.raise_least(i, total.low)
            if total.high < limit:
                limit, found = total.high, Bounds(found.low, total.high, *split)
        return attrs.evolve(found, low=min(found.high, candidates.lowest))

    def below(self, nodes: Sequence[SearchNode], depth: int, leaves: int, limit: int) -> Total:
        """Return what the branches of a split cost, if that is below `limit`."""
        if leaves >= self.most_leaves(depth + 1):
            return self._without_shares(nodes, depth, limit)
        return self._shared_out(nodes, depth, leaves, limit)

    def _without_shares(self, nodes: Sequence[SearchNode], depth: int, limit: int) -> Total:
        most = self.most_leaves(depth)
        least = [self._least(node, depth, most) for node in nodes]
        low, high = sum(least), 0
        for node, known in zip(nodes, least, strict=True):
            if low >= limit:
                return Total(low, NEVER)
            found = self.solve(node, depth, most, limit - (low - known))
            low, high = low + found.low - known, high + found.high
        return Total(low, high, (most,) * len(nodes))

    def _shared_out(
        self, nodes: Sequence[SearchNode], depth: int, leaves: int, limit: int
    ) -> Total:
        """Try all numbers of leaves for each branch; the first of the best ones is taken."""
        spare = leaves - len(nodes) + 1
        if spare < 1:
            return Total(NEVER, NEVER)
        least = [self._least(node, depth, spare) for node in nodes]
        totals = [Total(0, 0)]
        for node, known in zip(nodes, least, strict=True):
            room = limit - (sum(least) - known)
            found = [self.solve(node, depth, n, room) for n in range(1, spare + 1)]
            totals = _joined(totals, found, spare)
        return totals[-1]

    def _least(self, node: SearchNode, depth: int, leaves: int) -> int:
        depth, leaves = self._within(depth, leaves)
        if node.is_leaf(leaves):
            return node.leaf
        known = self.known.get((node.key, depth, leaves))
        return known.low if known else node.least(leaves)


def _after(best: Best, found: Bounds, limit: int) -> Bounds:
    """Return what is known after all splits below a limit were tried."""
    if best.feature == LEAF:
        return attrs.evolve(found, low=max(found.low, limit))
    return Bounds(best.cost, *best)


def _joined(totals: list[Total], found: Sequence[Bounds], spare: int) -> list[Total]:
    """Add a branch: entry n is the best of all ways to have n leaves more than branches.

    A branch of m leaves leaves n - m + 1 of the spare ones to those before.
    """
    joined = []
    for n in range(spare):
        ways = [
            Total(
                before.low + here.low,
                before.high + here.high,
                (*before.leaves, m + 1),
            )
            for m, here in enumerate(found[: n + 1])
            for before in [totals[min(n - m, len(totals) - 1)]]
        ]
        best = min(ways, key=lambda way: way.high)
        joined.append(best._replace(low=min(way.low for way in ways)))
    return joined
