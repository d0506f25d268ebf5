"""The values of a feature at a node, and where they can be cut."""

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import Axis
from treelab.data.schema import Column
from treelab.errors import UnknownNameError
from treelab.stats.stores.node import InMemoryNode
from treelab.tree.model import Tree


@attrs.frozen(eq=False)
class Place:
    """The values of a feature at a node.

    `codes` are those of known values that occur there, with their weights.
    """

    tree: Tree
    view: InMemoryNode
    path: str
    feature: int
    codes: IndexArray
    weights: FloatArray
    missing: float

    @classmethod
    def of(cls, tree: Tree, view: InMemoryNode, path: str, feature: str) -> "Place":
        """Return the values of a feature, which must be one of the tree's."""
        if feature not in tree.schema.places:
            raise UnknownNameError("feature", feature, tree.features)
        number = tree.schema.places[feature]
        n_codes = view.coded.axes[number].n_codes
        codes = np.minimum(view.coded.codes[number][view.rows].astype(np.int64), n_codes)
        sums = np.bincount(codes, view.weights, minlength=n_codes + 1).astype(np.float64)
        known = np.flatnonzero(sums[:-1] > 0)
        return cls(tree, view, path, number, known, sums[known], float(sums[-1]))

    @property
    def axis(self) -> Axis:
        return self.view.coded.axes[self.feature]

    @property
    def column(self) -> Column:
        """The feature, intervals as labels."""
        return self.tree.coding.column(self.tree.schema.features[self.feature])

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def has_branch_for_missing(self) -> bool:
        return self.tree.missing == "branch"


def borders(place: Place) -> FloatArray | None:
    """Return the only thresholds there are, where numbers lie in bins or intervals; else None."""
    if place.axis.kind == "interval":
        return place.tree.coding.cuts[place.name]
    return place.axis.points if place.axis.binned else None


def threshold_range(place: Place, least: float = 0.0) -> tuple[float, float] | None:
    """Return the ends of thresholds that leave cases on both sides, at least so many; if any do.

    From the first to below the second; of borders, the first and the last one.
    """
    if len(place.codes) < 2:
        return None
    left = place.weights.cumsum()[:-1]
    right = place.weights.sum() - left
    fits = np.flatnonzero((left >= least - 1e-9) & (right >= least - 1e-9))
    if not len(fits):
        return None
    first, last = place.codes[fits[0]], place.codes[fits[-1]]
    known = borders(place)
    if known is None:
        points = place.axis.points
        return float(points[first]), float(points[place.codes[fits[-1] + 1]])
    return float(known[first]), float(known[min(last, len(known) - 1)])
