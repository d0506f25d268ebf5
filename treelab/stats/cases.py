"""`Cases`: the cases of some nodes side by side, in the order of each feature."""

from collections.abc import Callable

import attrs
import numpy as np

from treelab._threads import in_parallel
from treelab._typing import AnyArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.kernels.arrange import sort_cases, tally_cases
from treelab.kernels.nodes import Nodes
from treelab.stats.room import Room

Span = tuple[int, int]

PART = 2**16
"""About so many values are worth a thread of their own."""

MOST_WHOLE = 2**22
"""Up to so many cases functions of counts are looked up in a table."""


@attrs.frozen(eq=False)
class Sorted:
    """Some features of some cases in ascending order; see `kernels.cuts`."""

    features: IndexArray
    n_codes: IndexArray
    keys: AnyArray
    order: IntArray


@attrs.frozen(eq=False)
class Keys:
    """What cuts are found in: sorted cases with their weights, node after node.

    The keys of feature f at node k are the places `starts[k]` to `stops[f, k]`.
    """

    sorted: Sorted
    weights: FloatArray
    starts: IndexArray
    stops: IndexArray
    n_cases: int

    @classmethod
    def kept(cls, cases: "Cases", starts: IndexArray, stops: IndexArray) -> "Keys":
        """Return the features that stay sorted from node to node."""
        kept, n_cases = cases.kept, int((stops - starts).sum())
        ends = np.empty((len(kept.features), len(stops)), np.int64)
        ends[:] = stops
        return cls(kept, cases.weights, starts, ends, n_cases)

    @classmethod
    def tallied(
        cls,
        coded: Coded,
        features: IndexArray,
        cases: "Cases",
        starts: IndexArray,
        stops: IndexArray,
    ) -> "Keys":
        """Return features of few codes: cases of the same code and class add up to one."""
        n_codes, lengths = _n_codes(coded, features), stops - starts
        rooms = np.minimum(lengths, (int(n_codes.max(initial=0)) + 1) << cases.bits)
        ends = np.cumsum(rooms)
        shape = len(features), int(ends[-1] if len(ends) else 0) + 1
        keys, order = np.empty(shape, _key_type(n_codes, cases.bits)), np.empty(shape, np.int32)
        tallies = np.empty(shape)
        to, filled = ends - rooms, np.empty((len(features), len(ends)), np.int64)
        nodes = cases.at(starts, stops)

        def tally(span: Span) -> None:
            tally_cases(
                coded.codes, features, n_codes, nodes, cases.bits, span, to, keys, order, tallies,
                filled,
            )  # fmt: skip

        share_out(tally, len(features), int(lengths.sum()))
        by = Sorted(features, n_codes, keys, order)
        return cls(by, tallies.ravel(), to, filled, int(rooms.sum()))


@attrs.frozen(eq=False)
class Cases:
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
    kept
        The features that stay sorted from node to node.
    n_ids
        All ids are below.
    room
        Where large arrays over these cases and those of nodes below get their memory.
    """

    rows: IntArray
    labels: IntArray
    ids: IntArray
    weights: FloatArray
    whole: bool
    bits: int
    kept: Sorted
    n_ids: int
    room: Room

    @classmethod
    def of(cls, coded: Coded, rows: IndexArray, weights: FloatArray, kept: IndexArray) -> "Cases":
        """Return some rows of the data as the cases of a single node."""
        whole = bool(np.all(weights == np.round(weights)) and weights.sum() < MOST_WHOLE)
        if np.all(weights == 1.0):
            weights = np.empty(0)
        bits = max(1, int(coded.n_classes - 1).bit_length())
        ids = np.arange(len(rows), dtype=np.int32)
        places, labels = rows.astype(np.int32), coded.y[rows]
        room = Room()
        root = Nodes(places, labels, ids, weights, np.array([0]), np.array([len(rows)]))
        by = _sorted(coded, kept, root, bits, room)
        return cls(places, labels, ids, weights, whole, bits, by, len(rows), room)

    def at(self, starts: IndexArray, stops: IndexArray) -> Nodes:
        """Return the cases between some places as kernels are told about them."""
        return Nodes(self.rows, self.labels, self.ids, self.weights, starts, stops)

    def relabelled(self, start: int, stop: int, labels: IntArray) -> "Cases":
        """Return the same cases, those at some places with other classes; all stays sorted."""
        by_place, by_id = self.labels.copy(), np.zeros(self.n_ids, self.kept.keys.dtype)
        by_place[start:stop] = labels
        by_id[self.ids] = by_place
        keys = self.kept.keys >> self.bits << self.bits | by_id[self.kept.order]
        return attrs.evolve(self, labels=by_place, kept=attrs.evolve(self.kept, keys=keys))

    def dealt(self, labels: IntArray) -> "Cases":
        """Return the cases of a single node once for each row of labels (node, case), sorted."""
        rounds, n = labels.shape
        kept, shape = self.kept, (len(self.kept.features), rounds * n)
        classes = np.moveaxis(labels[:, kept.order], 1, 0).astype(kept.keys.dtype)
        keys = (kept.keys >> self.bits << self.bits)[:, None, :] | classes
        order = kept.order[:, None, :] + (np.arange(rounds, dtype=np.int32) * n)[:, None]
        by = attrs.evolve(kept, keys=keys.reshape(shape), order=order.reshape(shape))
        return attrs.evolve(
            self, rows=np.tile(self.rows, rounds), labels=labels.ravel(),
            ids=np.arange(rounds * n, dtype=np.int32), weights=np.tile(self.weights, rounds),
            kept=by, n_ids=rounds * n, room=Room(),
        )  # fmt: skip


def _sorted(coded: Coded, features: IndexArray, nodes: Nodes, bits: int, room: Room) -> Sorted:
    """Sort the cases of some nodes by each of the features."""
    n_codes, n_cases = _n_codes(coded, features), len(nodes.rows)
    keys = room.empty((len(features), n_cases), _key_type(n_codes, bits))
    order = room.empty(keys.shape, np.int32)

    def sort(span: Span) -> None:
        sort_cases(coded.codes, features, n_codes, nodes, bits, span, keys, order)

    share_out(sort, len(features), n_cases)
    return Sorted(features, n_codes, keys, order)


def _n_codes(coded: Coded, features: IndexArray) -> IndexArray:
    return np.array([coded.axes[f].n_codes for f in features], np.int64)


def _key_type(n_codes: IndexArray, bits: int) -> type[np.unsignedinteger]:
    room = (int(n_codes.max(initial=0)) + 1) << bits
    return np.uint32 if room < 2**32 else np.uint64


def share_out(work: Callable[[Span], None], n_features: int, n_cases: int) -> None:
    """Do some work for all features: in parts that are worth a thread and fit into the cache."""
    step = max(1, PART // max(n_cases, 1))
    if step >= n_features:
        work((0, n_features))
        return
    firsts = range(0, n_features, step)
    in_parallel(work, [(first, min(first + step, n_features)) for first in firsts])
