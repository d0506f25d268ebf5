"""`SortedNodes`: what cuts are found in."""

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.kernels.arrange import list_histograms, tally_cases
from treelab.stats.stores.cases import (
    FeatureRange,
    Places,
    SortedColumns,
    key_type,
    parallel_over_features,
)
from treelab.stats.stores.context import FeatureGroup


@attrs.frozen(eq=False)
class SortedNodes:
    """Sorted cases with their weights, node after node; see `kernels.cuts`.

    The keys of feature f at node k are the places `starts[k]` to `stops[f, k]`.
    """

    sorted: SortedColumns
    weights: FloatArray
    starts: IndexArray
    stops: IndexArray
    n_cases: int

    @classmethod
    def presorted(cls, places: Places) -> "SortedNodes":
        """Return the features that stay sorted from node to node."""
        columns = places.cases.presorted
        stops = np.empty((len(columns.features), len(places.stops)), np.int64)
        stops[:] = places.stops
        return cls(columns, places.cases.weights, places.starts, stops, places.n_cases)

    @classmethod
    def histogrammed(cls, coded: Coded, group: FeatureGroup, places: Places) -> "SortedNodes":
        """Return features of few codes: cases of the same code and class add up to one."""
        bits, nodes, lengths = places.cases.bits, places.nodes, places.stops - places.starts
        rooms = np.minimum(lengths, (int(group.n_codes.max(initial=0)) + 1) << bits)
        found = cls._empty(group, bits, rooms)

        def tally(part: FeatureRange) -> None:
            tally_cases(
                coded.codes, group.features, group.n_codes, nodes, bits, part, found.starts,
                found.sorted.keys, found.sorted.order, _by_feature(found), found.stops,
            )  # fmt: skip

        parallel_over_features(tally, len(group.features), places.n_cases)
        return found

    @classmethod
    def of_histograms(cls, histograms: FloatArray, group: FeatureGroup, bits: int) -> "SortedNodes":
        """Return the same of histograms (node, code, class), as `FeatureGroup.offsets` has them."""
        rooms = np.full(len(histograms), (int(group.n_codes.max(initial=0)) + 1) << bits)
        found = cls._empty(group, bits, rooms)
        list_histograms(
            histograms, group.offsets, bits, found.starts, found.sorted.keys, found.sorted.order,
            _by_feature(found), found.stops,
        )  # fmt: skip
        return found

    @classmethod
    def _empty(cls, group: FeatureGroup, bits: int, rooms: IndexArray) -> "SortedNodes":
        """Return room for so many keys of each feature at each node."""
        ends, n_features = np.cumsum(rooms), len(group.features)
        # One more, because kernels write what does not count before they move on.
        shape = n_features, int(ends[-1] if len(ends) else 0) + 1
        keys, order = np.empty(shape, key_type(group.n_codes, bits)), np.empty(shape, np.int32)
        by = SortedColumns(group.features, group.n_codes, keys, order)
        stops = np.empty((n_features, len(rooms)), np.int64)
        return cls(by, np.empty(shape[0] * shape[1]), ends - rooms, stops, int(rooms.sum()))


def _by_feature(found: SortedNodes) -> FloatArray:
    return found.weights.reshape(found.sorted.keys.shape)
