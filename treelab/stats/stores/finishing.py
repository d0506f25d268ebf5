"""Nodes that have become small: their cases are brought together, and the rest grows in memory."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from treelab._typing import CodeArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded, fixed
from treelab.stats.stores.cases import NodeCases, Places
from treelab.stats.stores.context import SplitContext
from treelab.stats.stores.in_memory import InMemoryStore
from treelab.stats.stores.nodes import Lineage, NodeBatch

LEVELS = 4
"""A node is small where its cases take fewer bytes than its histograms at so many levels."""

MOST_MOVED = 2**24
"""Up to so many bytes of cases are brought together in one place."""

LEAST_MOVED = 2**18
"""So few bytes are not divided any further."""

MOST_PIECES = 2**13
"""Cases of so many parts times places are on their way at most, for the nodes of a level."""


class Rows(NamedTuple):
    """The cases of some nodes in one part: codes (feature, case), and how many each node has."""

    codes: CodeArray
    labels: IntArray
    weights: FloatArray
    lengths: IndexArray


class SmallNodes(NamedTuple):
    """What is known of nodes whose cases are brought together."""

    context: SplitContext
    class_counts: FloatArray
    lineage: Lineage
    whole: bool


def groups_to_finish(n_bytes: FloatArray, per_level: float, n_parts: int) -> list[IndexArray]:
    """Return which nodes are finished, in groups, by the bytes of their cases.

    `per_level` are the bytes that the histograms of a node move at a level.

    >>> [group.tolist() for group in groups_to_finish(np.array([9.0, 1e9, 5.0]), 100.0, 2)]
    [[0, 2]]
    """
    small = np.flatnonzero(n_bytes <= min(LEVELS * per_level, MOST_MOVED))
    most_groups = max(1, MOST_PIECES // n_parts)
    moved = np.cumsum(n_bytes[small])
    small = small[moved <= most_groups * MOST_MOVED / 2]
    moved = moved[: len(small)]
    if not len(small):
        return []
    # As many groups as keep all workers busy, though none of next to nothing.
    each = min(max(moved[-1] / (2 * n_parts), moved[-1] / most_groups, LEAST_MOVED), MOST_MOVED / 2)
    firsts = np.flatnonzero(np.diff((moved - n_bytes[small]) // each)) + 1
    return np.split(small, firsts)


def finished(parts: Sequence[Rows], nodes: SmallNodes, finish: Callable[[NodeBatch], Any]) -> Any:
    """Return what comes of some nodes whose cases have been brought together."""
    return finish(gathered(parts, nodes))


def gathered(parts: Sequence[Rows], nodes: SmallNodes) -> NodeBatch:
    """Return some nodes with their cases of all parts in one memory."""
    lengths = np.sum([part.lengths for part in parts], axis=0)
    of_node = np.concatenate([np.repeat(np.arange(len(lengths)), p.lengths) for p in parts])
    order = np.argsort(of_node, kind="stable")
    # `take` keeps rows together; indexing would not, and kernels would be compiled anew.
    codes = fixed(np.take(np.concatenate([part.codes for part in parts], axis=1), order, axis=1))
    labels = fixed(np.concatenate([part.labels for part in parts])[order])
    weights = np.concatenate([_weights(part) for part in parts])[order]
    context = nodes.context
    coded = Coded(codes, context.axes, labels, weights, context.n_classes, context.cuts)
    stops = np.cumsum(lengths)
    cases = NodeCases.of_nodes(coded, (stops - lengths, stops), context, nodes.whole)
    places = Places(cases, stops - lengths, stops)
    store = InMemoryStore(context, coded)
    return NodeBatch(store, nodes.class_counts, places, nodes.lineage)


def _weights(part: Rows) -> FloatArray:
    return part.weights if len(part.weights) else np.ones(len(part.labels))
