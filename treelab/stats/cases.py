"""`Cases`: the cases of some nodes side by side, in the order of each feature."""

from collections.abc import Callable

import attrs
import numpy as np

from treelab._threads import in_parallel
from treelab._typing import AnyArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.kernels.arrange import sort_cases

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

    @classmethod
    def of(
        cls,
        coded: Coded,
        features: IndexArray,
        cases: "Cases",
        starts: IndexArray,
        stops: IndexArray,
        keep_order: bool,
    ) -> "Sorted":
        """Sort the cases of some nodes by each of the features."""
        n_codes = np.array([coded.axes[f].n_codes for f in features], np.int64)
        keys = np.empty((len(features), len(cases.rows)), _key_type(n_codes, cases.bits))
        order = np.empty((len(features), len(cases.rows) if keep_order else 0), np.int32)

        def sort(span: Span) -> None:
            sort_cases(
                coded.codes, features, n_codes, cases.rows, cases.labels, cases.ids, starts,
                stops, cases.bits, span, keys, order,
            )  # fmt: skip

        share_out(sort, len(features), int((stops - starts).sum()))
        return cls(features, n_codes, keys, order)


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
    """

    rows: IntArray
    labels: IntArray
    ids: IntArray
    weights: FloatArray
    whole: bool
    bits: int
    kept: Sorted
    n_ids: int

    @classmethod
    def of(cls, coded: Coded, rows: IndexArray, weights: FloatArray, kept: IndexArray) -> "Cases":
        """Return some rows of the data as the cases of a single node."""
        whole = bool(np.all(weights == np.round(weights)) and weights.sum() < MOST_WHOLE)
        if np.all(weights == 1.0):
            weights = np.empty(0)
        bits = max(1, int(coded.n_classes - 1).bit_length())
        nothing = Sorted(
            kept[:0], kept[:0], np.empty((0, 0), np.uint32), np.empty((0, 0), np.int32)
        )
        ids = np.arange(len(rows), dtype=np.int32)
        cases = cls(
            rows.astype(np.int32), coded.y[rows], ids, weights, whole, bits, nothing, len(rows)
        )
        starts, stops = np.array([0]), np.array([len(rows)])
        return attrs.evolve(cases, kept=Sorted.of(coded, kept, cases, starts, stops, True))

    def relabelled(self, start: int, stop: int, labels: IntArray) -> "Cases":
        """Return the same cases, those at some places with other classes; all stays sorted."""
        by_place, by_id = self.labels.copy(), np.zeros(self.n_ids, self.kept.keys.dtype)
        by_place[start:stop] = labels
        by_id[self.ids] = by_place
        keys = self.kept.keys >> self.bits << self.bits | by_id[self.kept.order]
        return attrs.evolve(self, labels=by_place, kept=attrs.evolve(self.kept, keys=keys))


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
