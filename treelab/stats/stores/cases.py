"""`NodeCases`: the cases of some nodes side by side, in the order of each feature."""

from collections.abc import Callable

import attrs
import numpy as np

from treelab._threads import in_parallel
from treelab._typing import AnyArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.data.weights import is_integral, on_grid
from treelab.kernels.arrange import sort_cases
from treelab.kernels.nodes import Nodes
from treelab.stats.stores.buffers import BufferPool
from treelab.stats.stores.context import FeatureGroup, SplitContext

FeatureRange = tuple[int, int]

PART = 2**16
"""About so many values are worth a thread of their own."""

MOST_WHOLE = 2**23
"""Up to so many cases functions of counts are looked up in a table."""


@attrs.frozen(eq=False)
class SortedColumns:
    """Some features of some cases in ascending order; see `kernels.cuts`."""

    features: IndexArray
    n_codes: IndexArray
    keys: AnyArray
    order: IntArray


@attrs.frozen(eq=False)
class CaseFacts:
    """What is known of cases that lie elsewhere; see `NodeCases`."""

    whole: bool
    bits: int
    buffers: BufferPool


def bits_of_classes(n_classes: int) -> int:
    """Return how many bits of a key hold the class."""
    return max(1, int(n_classes - 1).bit_length())


@attrs.frozen(eq=False)
class NodeCases:
    """The cases of some nodes, one node after the other.

    Parameters
    ----------
    rows, labels, ids
        The row of each case in the data, its class and its place in `weights`.
    weights
        The weight of each id; without weights all weigh 1.
    whole
        Whether all weights are whole numbers, and not too large to be looked up.
    bits
        How many bits of a key hold the class.
    presorted
        The features that stay sorted from node to node.
    n_ids
        All ids are below.
    buffers
        Where large arrays over these cases and those of nodes below get their memory.
    """

    rows: IntArray
    labels: IntArray
    ids: IntArray
    weights: FloatArray
    whole: bool
    bits: int
    presorted: SortedColumns
    n_ids: int
    buffers: BufferPool

    @classmethod
    def of(
        cls,
        coded: Coded,
        rows: IndexArray,
        weights: FloatArray,
        context: SplitContext,
        presorted: FeatureGroup,
    ) -> "NodeCases":
        """Return some rows of the data as the cases of a single node, some features sorted."""
        integral = is_integral(weights)
        if not integral:
            weights = on_grid(weights, context.unit)
        elif np.all(weights == 1.0):
            weights = np.empty(0)
        whole = integral and context.n_training < MOST_WHOLE
        span = np.array([0]), np.array([len(rows)])
        return cls._sorted(coded, rows.astype(np.int32), weights, whole, span, presorted)

    @classmethod
    def of_nodes(
        cls,
        coded: Coded,
        spans: tuple[IndexArray, IndexArray],
        context: SplitContext,
        whole: bool,
    ) -> "NodeCases":
        """Return all rows of the data as the cases of nodes, which begin and end at `spans`."""
        rows = np.arange(len(coded.y), dtype=np.int32)
        weights = np.empty(0) if np.all(coded.weights == 1.0) else coded.weights
        return cls._sorted(coded, rows, weights, whole, spans, context.presorted)

    @classmethod
    def _sorted(
        cls,
        coded: Coded,
        rows: IntArray,
        weights: FloatArray,
        whole: bool,
        spans: tuple[IndexArray, IndexArray],
        presorted: FeatureGroup,
    ) -> "NodeCases":
        bits, buffers = bits_of_classes(coded.n_classes), BufferPool()
        ids, labels = np.arange(len(rows), dtype=np.int32), coded.y[rows]
        nodes = Nodes(rows, labels, ids, weights, *spans)
        by = _sorted(coded, presorted, nodes, bits, buffers)
        return cls(rows, labels, ids, weights, whole, bits, by, len(rows), buffers)

    def at(self, starts: IndexArray, stops: IndexArray) -> Nodes:
        """Return the cases between some places as kernels are told about them."""
        return Nodes(self.rows, self.labels, self.ids, self.weights, starts, stops)

    def relabelled(self, start: int, stop: int, labels: IntArray) -> "NodeCases":
        """Return the same cases, those at some places with other classes; all stays sorted."""
        by_place, by_id = self.labels.copy(), np.zeros(self.n_ids, self.presorted.keys.dtype)
        by_place[start:stop] = labels
        by_id[self.ids] = by_place
        keys = self.presorted.keys >> self.bits << self.bits | by_id[self.presorted.order]
        by = attrs.evolve(self.presorted, keys=keys)
        return attrs.evolve(self, labels=by_place, presorted=by)

    def dealt(self, labels: IntArray) -> "NodeCases":
        """Return the cases of a single node once for each row of labels (node, case), sorted."""
        rounds, n = labels.shape
        kept, shape = self.presorted, (len(self.presorted.features), rounds * n)
        classes = np.moveaxis(labels[:, kept.order], 1, 0).astype(kept.keys.dtype)
        keys = (kept.keys >> self.bits << self.bits)[:, None, :] | classes
        order = kept.order[:, None, :] + (np.arange(rounds, dtype=np.int32) * n)[:, None]
        by = attrs.evolve(kept, keys=keys.reshape(shape), order=order.reshape(shape))
        return attrs.evolve(
            self, rows=np.tile(self.rows, rounds), labels=labels.ravel(),
            ids=np.arange(rounds * n, dtype=np.int32), weights=np.tile(self.weights, rounds),
            presorted=by, n_ids=rounds * n, buffers=BufferPool(),
        )  # fmt: skip


@attrs.frozen(eq=False)
class Places:
    """Where the cases of some nodes lie: those of node k from `starts[k]` to `stops[k]`."""

    cases: NodeCases
    starts: IndexArray
    stops: IndexArray

    def only(self, nodes: IndexArray | slice) -> "Places":
        """Return the same for some of the nodes."""
        return Places(self.cases, self.starts[nodes], self.stops[nodes])

    @property
    def nodes(self) -> Nodes:
        """The cases as kernels are told about them."""
        return self.cases.at(self.starts, self.stops)

    @property
    def n_cases(self) -> int:
        """How many cases there are; some more where these are not all nodes."""
        return len(self.cases.rows)


def _sorted(
    coded: Coded, group: FeatureGroup, nodes: Nodes, bits: int, buffers: BufferPool
) -> SortedColumns:
    """Sort the cases of some nodes by each feature of a group."""
    features, n_codes, n_cases = group.features, group.n_codes, len(nodes.rows)
    keys = buffers.empty((len(features), n_cases), key_type(n_codes, bits))
    order = buffers.empty(keys.shape, np.int32)

    def sort(part: FeatureRange) -> None:
        sort_cases(coded.codes, features, n_codes, nodes, bits, part, keys, order)

    parallel_over_features(sort, len(features), n_cases)
    return SortedColumns(features, n_codes, keys, order)


def key_type(n_codes: IndexArray, bits: int) -> type[np.unsignedinteger]:
    """Return the smallest type that holds all keys."""
    room = (int(n_codes.max(initial=0)) + 1) << bits
    return np.uint32 if room < 2**32 else np.uint64


def parallel_over_features(
    work: Callable[[FeatureRange], None], n_features: int, n_cases: int
) -> None:
    """Do some work for all features: in parts that are worth a thread and fit into the cache."""
    step = max(1, PART // max(n_cases, 1))
    if step >= n_features:
        work((0, n_features))
        return
    firsts = range(0, n_features, step)
    in_parallel(work, [(first, min(first + step, n_features)) for first in firsts])
