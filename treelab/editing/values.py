"""What the values of a feature are like at a node: for sliders and histograms."""

from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.schema import Column
from treelab.editing.ground import Ground
from treelab.editing.place import Place, borders, threshold_range
from treelab.errors import ParameterError, check_number
from treelab.tree.model import Tree
from treelab.tree.path import read_path, write_path
from treelab.tree.revisit import Settings
from treelab.tree.show import limit_of
from treelab.tree.weighting import restored_counts


@attrs.frozen(eq=False)
class Bar:
    """A value, or numbers from `low` to `high`, with the weight of each class."""

    label: str
    counts: FloatArray
    low: float | None = None
    high: float | None = None


@attrs.frozen(eq=False)
class ValuesAt:
    """The values of a feature among the cases at a node.

    Parameters
    ----------
    node, feature, kind, classes
        Where; 'numeric', 'interval' or 'nominal'; the labels of the classes.
    bars
        The known values: one for each label or interval that occurs, each number where they are
        few, else stretches of equal width, or the bins.
    missing
        The weight of each class among the cases whose value is missing.
    thresholds
        The ends of those that leave no branch empty: from the first to below the second; where
        there are `borders`, the first and the last of those. None where there are none.
    of_learner
        The same for two branches of `min_branch` cases, as the learner asks for.
    borders
        The only thresholds there are, where numbers were put into bins or intervals; else None.
    """

    node: str
    feature: str
    kind: str
    classes: tuple[str, ...]
    bars: tuple[Bar, ...]
    missing: FloatArray
    thresholds: tuple[float, float] | None
    of_learner: tuple[float, float] | None
    borders: FloatArray | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything in plain values, ready for JSON."""
        ends = self.thresholds or (None, None), self.of_learner or (None, None)
        return {
            "node": self.node,
            "feature": self.feature,
            "kind": self.kind,
            "classes": list(self.classes),
            "values": [attrs.asdict(bar) | {"counts": bar.counts.tolist()} for bar in self.bars],
            "missing": self.missing.tolist(),
            "lowest": ends[0][0],
            "highest": ends[0][1],
            "learner_lowest": ends[1][0],
            "learner_highest": ends[1][1],
            "borders": None if self.borders is None else self.borders.tolist(),
        }


def values_at(tree: Tree, node: str, feature: str, data: Any = None, *, bars: int = 60) -> ValuesAt:
    """Return what the values of a feature are like at a node, a leaf or not.

    Parameters
    ----------
    tree, node, feature
        Where; the node by its path.
    data
        The data the tree was grown from; they need not be given while they are alive.
    bars
        So many stretches at most, where a feature has more different numbers.

    Examples
    --------
    >>> import treelab as tl
    >>> from treelab.editing import values_at
    >>> found = values_at(tl.grow(tl.load("iris")), "1", "petal width")
    >>> found.thresholds, found.bars[0].label, found.bars[0].counts.tolist()
    ((1.0, 2.5), '1', [0.0, 7.0, 0.0])
    """
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree, got {type(tree).__name__}")
    check_number("bars", bars, 2, whole=True)
    path = write_path(read_path(node))
    ground = Ground.of(tree, data)
    place = Place.of(tree, ground.at(tree.node(path), path).node(0), path, feature)
    least = Settings.of(tree).min_branch
    table = _table(place, ground)
    known = borders(place)
    is_cut = place.axis.kind != "nominal"
    return ValuesAt(
        path, feature, place.axis.kind, tree.classes,
        tuple(_bars(place, table[:-1], bars)), table[-1],
        threshold_range(place) if is_cut else None,
        threshold_range(place, least) if is_cut else None,
        None if known is None else _within(known, threshold_range(place)),
    )  # fmt: skip


def _within(known: FloatArray, limits: tuple[float, float] | None) -> FloatArray:
    if limits is None:
        return known[:0]
    return known[(known >= limits[0]) & (known <= limits[1])]


def _table(place: Place, ground: Ground) -> FloatArray:
    """Return the weight (code, class) of the cases as they are, missing being the last code."""
    view, n_codes = place.view, place.axis.n_codes
    codes = np.minimum(view.coded.codes[place.feature][view.rows].astype(np.int64), n_codes)
    table = np.zeros((n_codes + 1, len(place.tree.classes)))
    np.add.at(table, (codes, view.labels), view.weights)
    if place.tree.costs is None:
        return table
    return restored_counts(table, place.tree.costs, ground.store.root().class_counts[0])


def _bars(place: Place, table: FloatArray, most: int) -> list[Bar]:
    column, codes = place.tree.schema.features[place.feature], place.codes
    if place.axis.kind != "numeric":
        labels = place.column.labels or ()
        return [Bar(labels[code], table[code]) for code in codes]
    if place.axis.binned:
        return [_bin(column, place.axis.points, code, table[code]) for code in codes]
    values = place.axis.points[codes]
    if len(codes) <= most:
        pairs = zip(values.tolist(), table[codes], strict=True)
        return [Bar(limit_of(column, value), counts, value, value) for value, counts in pairs]
    return _stretches(column, values, codes, table, most)


def _bin(column: Column, points: FloatArray, code: int, counts: FloatArray) -> Bar:
    low = float(points[code - 1]) if code > 0 else None
    high = float(points[code]) if code < len(points) else None
    ends = [end and limit_of(column, end) for end in (low, high)]
    label = f"<= {ends[1]}" if low is None else f"> {ends[0]}"
    label = f"{ends[0]}..{ends[1]}" if low is not None and high is not None else label
    return Bar(label, counts, low, high)


def _stretches(
    column: Column, values: FloatArray, codes: IndexArray, table: FloatArray, most: int
) -> list[Bar]:
    """Return bars of equal width from the smallest number to the largest."""
    ends = np.linspace(values[0], values[-1], most + 1)
    place = np.clip(np.searchsorted(ends, values, side="right") - 1, 0, most - 1)
    counts = np.zeros((most, table.shape[1]))
    np.add.at(counts, place, table[codes])
    pairs = zip(ends[:-1].tolist(), ends[1:].tolist(), counts, strict=True)
    return [
        Bar(f"{limit_of(column, low)}..{limit_of(column, high)}", each, low, high)
        for low, high, each in pairs
    ]
