"""Choices of splits: the best one, or the one under which the best tree grows.

Look-ahead takes the best features of a node, each with its best candidate, completes the tree under
each of them greedily *with the same metric*, and prices what it has grown: the pessimistic errors
of the leaves (SPEC 6.1) and a price for every leaf, where a subtree that costs more than a leaf in
its place counts as that leaf. The cheapest split is taken, then its children have their turn (SPEC
12.6; Top-k of Blanc et al. 2023 with the completion of LicketySPLIT). With a single feature it is
the greedy choice.
"""

from collections.abc import Callable

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.kernels.pruning import subtree_prices
from treelab.kernels.ties import TIE
from treelab.stats.candidates.choice import Chosen, Judges, choose, choose_some
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.nodes import Children, Missing, NodeBatch
from treelab.tree.builder import Builder
from treelab.tree.prune.price import as_leaves
from treelab.tree.recorder import TreeRecorder
from treelab.tree.stop import Stop


@attrs.frozen
class Greedy:
    """Takes the best candidate of every node."""

    judges: Judges

    def __call__(self, nodes: NodeBatch, _depth: int) -> Chosen:
        return choose(nodes, self.judges)


@attrs.frozen(eq=False)
class Completed:
    """Some nodes with an option for each, and the trees that grow greedily under its branches.

    The roots of `grown` are the children, in their order.
    """

    option: Chosen
    children: Children
    grown: TreeRecorder


@attrs.frozen
class LookAhead:
    """Takes of the `width` best features of every node the one whose completed tree is cheapest.

    Parameters
    ----------
    price
        What a leaf costs, in errors.
    cf
        The confidence of the pessimistic errors.
    seen
        Receives every option that was completed.
    """

    judges: Judges
    missing: Missing
    stop: Stop
    width: int
    price: float
    cf: float
    seen: Callable[[Completed], None] | None = None

    def __call__(self, nodes: NodeBatch, depth: int) -> Chosen:
        options = choose_some(nodes, self.judges, self.width)
        if len(options) == 1 or not len(options[1].nodes):
            return options[0]
        # Where there is one option only, nothing needs to be completed.
        contested = options[1].nodes
        costs = np.zeros((len(options), len(nodes)))
        costs[1:] = np.inf
        for cost, option in zip(costs, options, strict=True):
            judged = np.isin(option.nodes, contested)
            here = option.nodes[judged]
            part = nodes.only(here).without_tables
            cost[here] = self._cost(part, option.take(np.flatnonzero(judged)), depth)
        return _cheapest(options, costs)

    def _cost(self, nodes: NodeBatch, option: Chosen, depth: int) -> FloatArray:
        """Return what the trees cost that grow greedily under an option of each of some nodes."""
        if not len(nodes):
            return np.empty(0)
        children = nodes.split(option.splits, self.missing)
        grown = self._completed(children, depth + 1)
        if self.seen is not None:
            self.seen(Completed(option, children, grown))
        of_children = subtree_prices(grown.parent, as_leaves(grown.counts, self.price, self.cf))
        return np.bincount(children.parent, of_children[: len(children)], len(nodes)).astype(
            np.float64
        )

    def _completed(self, children: Children, depth: int) -> TreeRecorder:
        """Return the trees that grow greedily under children."""
        stop = attrs.evolve(self.stop, max_leaves=None)
        builder = Builder(Greedy(self.judges), self.missing, stop)
        splittable = stop.splittable(children.counts, depth)
        return builder.below(children.counts, children.keep(splittable), splittable, depth)


def _cheapest(options: list[Chosen], costs: FloatArray) -> Chosen:
    """Take the cheapest option (option, node) of each node; the first among equals."""
    least = costs.min(axis=0)
    which = (costs <= least + TIE * np.maximum(1.0, np.abs(least))).argmax(axis=0)
    nodes = options[0].nodes
    place = np.empty(len(which), np.int64)
    firsts = np.cumsum([0, *(len(option.nodes) for option in options)])
    for i, option in enumerate(options):
        mine = np.flatnonzero(which[option.nodes] == i)
        place[option.nodes[mine]] = firsts[i] + mine
    chosen: IndexArray = place[nodes]
    splits = Splits.joined([option.splits for option in options]).take(chosen)
    scores = np.concatenate([option.scores for option in options])[chosen]
    return Chosen(nodes, splits, scores, options[0].by_counts)
