"""`HistogramsAtHand`: the sums of the nodes that were counted last.

What a split makes of a node can be read off the histogram of its feature: no case is looked at.
"""

from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import code_type, fixed
from treelab.kernels.nodes import Nodes
from treelab.kernels.partition import ChildCounts, Rules, count_children
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.context import SplitContext
from treelab.stats.stores.partition import room_for_branches

GroupHistograms = tuple[FloatArray, ...]
"""The counts (node, value, class) of each group of features."""


@attrs.define(eq=False)
class HistogramsAtHand:
    """Histograms of some nodes of one place, up to so many cells; earlier ones are forgotten."""

    most_cells: int
    places: Any = None
    nodes: list[IndexArray] = attrs.field(factory=list)
    histograms: list[GroupHistograms] = attrs.field(factory=list)
    n_cells: int = 0

    def note(self, places: Any, nodes: IndexArray, found: GroupHistograms) -> None:
        """Keep the histograms of some nodes, if there is room."""
        if places is not self.places:
            self.places, self.nodes, self.histograms, self.n_cells = places, [], [], 0
        self.n_cells += sum(counts.size for counts in found)
        if self.n_cells <= self.most_cells:
            self.nodes.append(nodes)
            self.histograms.append(found)

    def of(self, places: Any, nodes: IndexArray) -> GroupHistograms | None:
        """Return the histograms of some nodes, if those of all are there."""
        if places is not self.places or not self.nodes:
            return None
        known = np.concatenate(self.nodes)
        order = np.argsort(known)
        at = order[np.minimum(np.searchsorted(known, nodes, sorter=order), len(known) - 1)]
        if not np.array_equal(known[at], nodes):
            return None
        if len(self.nodes) == 1:
            return tuple(counts[at] for counts in self.histograms[0])
        return tuple(np.concatenate(each)[at] for each in zip(*self.histograms, strict=True))


def children_in(
    context: SplitContext, histograms: GroupHistograms, splits: Splits, rules: Rules
) -> ChildCounts:
    """Count the children of nodes by their histograms, whose cells are taken for cases.

    The numbers of cases are those of cells: above 0 where a child has cases, if all of these
    weigh something.
    """
    nodes, codes, cells = _cells_of_splits(context, histograms, splits)
    place, label = np.nonzero(cells)
    n = len(place)
    ids = np.arange(n, dtype=np.int32)
    # All cells of a node stand together, though not in the order of the nodes.
    starts, stops = np.zeros((2, len(splits.feature)), np.int64)
    firsts = np.flatnonzero(np.diff(nodes[place], prepend=-1))
    starts[nodes[place[firsts]]], stops[nodes[place[firsts]]] = firsts, np.append(firsts[1:], n)
    here = Nodes(
        codes[place].astype(np.int32), label.astype(np.int32), ids, cells[place, label], starts,
        stops,
    )  # fmt: skip
    branch = room_for_branches(context, splits, n)
    return count_children(_own_codes(context), here, rules, context.n_classes, branch)


def _cells_of_splits(
    context: SplitContext, histograms: GroupHistograms, splits: Splits
) -> tuple[IndexArray, IndexArray, FloatArray]:
    """Return the node, code and class weights of each value of the features that are split."""
    found = []
    for group, counts in zip(context.groups, histograms, strict=True):
        nodes = np.flatnonzero(np.isin(splits.feature, group.features))
        own = np.searchsorted(group.features, splits.feature[nodes])
        lengths = group.n_codes[own] + 1
        node = np.repeat(nodes, lengths)
        code = np.arange(len(node)) - np.repeat(lengths.cumsum() - lengths, lengths)
        found.append((node, code, counts[node, np.repeat(group.offsets[own], lengths) + code]))
    node, code, cells = (np.concatenate(each) for each in zip(*found, strict=True))
    return node, code, cells


def _own_codes(context: SplitContext) -> Any:
    """Return codes (feature, row) that are the number of the row."""
    most = int(context.n_codes.max(initial=0))
    rows = np.arange(most + 1, dtype=code_type(most))
    return fixed(np.tile(rows, (len(context.axes), 1)))
