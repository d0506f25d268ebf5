"""The regions of two numeric features in which a tree predicts each class."""

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from treelab._markup import inline
from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.data.dataset import Dataset, is_missing
from treelab.errors import DataError, ParameterError
from treelab.plots.canvas import (
    check_format,
    in_style,
    new_figure,
    panels,
    picture,
    save,
    write_ticks,
)
from treelab.plots.style import colour, marker
from treelab.tree.model import Tree
from treelab.tree.predict import predicted_codes
from treelab.tree.revisit import training_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_EDGES = 600
"""More borders than that on an axis are finer than a picture shows."""
NARROW, WIDE, NARROWEST = 1e-150, 1e150, 1e-12
"""Half of the least and the largest range that can be drawn, and its least share of a number."""
MOST_POINTS = 2000
"""Of more cases these are drawn, evenly picked."""


@attrs.frozen(eq=False)
class Regions:
    """What a tree predicts in the plane of two features; made by `treelab.regions`.

    Parameters
    ----------
    tree, data
        The tree and the cases.
    features
        The features of the horizontal and of the vertical axis.
    borders
        The borders of the cells along each of them, those of the picture included.
    predicted
        The code of the class predicted in each cell: (vertical, horizontal).
    fixed
        The values at which the other features that the tree tests are held, in words.
    """

    tree: Tree
    data: Dataset
    features: tuple[str, str]
    borders: tuple[FloatArray, FloatArray]
    predicted: IndexArray
    fixed: dict[str, str]

    def __repr__(self) -> str:
        rows, columns = self.predicted.shape
        a, b = self.features
        return f"<Regions of {a!r} and {b!r}: {columns} x {rows} cells>"

    def draw(self) -> "Figure":
        """Return the picture: regions and cases, each class in its colour."""
        return _draw(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to an .svg, .png or .pdf file."""
        check_format(path)
        save(self.draw(), path)

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        drawn = inline(picture(self.draw(), "svg").decode())
        return f'<div style="overflow:auto;background:#fff">{drawn}</div>'


def regions(tree: Tree, data: Any = None, features: Sequence[str] | None = None) -> Regions:
    """Return where in the plane of two numeric features a tree predicts which class.

    Parameters
    ----------
    tree
        The tree.
    data
        Cases to draw, which need not be given while those the tree was grown from are alive.
    features
        The names of two numeric features; None: the two that lower the impurity most. Other
        features that the tree tests are held at their median or most frequent value.

    Examples
    --------
    >>> import treelab as tl
    >>> data = tl.load("iris")
    >>> tl.regions(tl.grow(data), data)
    <Regions of 'petal width' and 'petal length': 3 x 2 cells>
    """
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree, got {type(tree).__name__}")
    cases = training_data(tree, data)
    cases = cases.take(cases.weights > 0)
    a, b = pair = _pair(tree, features)
    borders = _borders(tree, cases, a), _borders(tree, cases, b)
    typical = [_typical(values) for values in cases.columns]
    others = [f for f in tree.tested if tree.features[f] not in pair]
    fixed = {tree.features[f]: _in_words(tree, f, typical[f]) for f in others}
    predicted = _predicted(tree, pair, borders, typical)
    return Regions(tree, cases, pair, borders, predicted, fixed)


def _pair(tree: Tree, given: Sequence[str] | None) -> tuple[str, str]:
    columns = tree.schema.features
    if given is None:
        order = np.argsort(-tree.feature_importances, kind="stable")
        numeric = [columns[f].name for f in order if not columns[f].is_nominal]
        if len(numeric) < 2:
            raise DataError("regions need two numeric features, and the tree knows fewer")
        return numeric[0], numeric[1]
    if isinstance(given, str) or len(given) != 2 or given[0] == given[1]:
        raise ParameterError(f"features must be the names of two features, got {given!r}")
    for name in given:
        if columns[tree.schema.index(name)].is_nominal:
            raise DataError(f"column {name!r} is nominal; regions are of numeric features")
    return given[0], given[1]


def _borders(tree: Tree, data: Dataset, name: str) -> FloatArray:
    """Return the thresholds of a feature between the ends of the picture."""
    known = data[name][~np.isnan(data[name])]
    if not len(known):
        raise DataError(f"column {name!r} has no known values to draw")
    low, high = picture_ends(name, float(known.min()), float(known.max()))
    place = tree.schema.index(name)
    tested = tree.threshold[(tree.feature == place) & ~np.isnan(tree.threshold)]
    inner = np.unique(np.append(tested, tree.coding.cuts.get(name, [])))
    inner = inner[(inner > low) & (inner < high)]
    if len(inner) > MOST_EDGES:
        inner = np.linspace(low, high, MOST_EDGES)[1:-1]
    return np.concatenate([[low], inner, [high]])


def picture_ends(name: str, least: float, most: float) -> tuple[float, float]:
    """Return where the picture of a feature begins and ends."""
    half, away = most / 2 - least / 2, max(abs(least), abs(most))
    if away > 2 * WIDE or (half and half < max(NARROW, away * NARROWEST)):
        raise DataError(
            f"column {name!r} reaches from {least:g} to {most:g}, which no picture can show"
        )
    margin = 0.08 * half or max(0.04, away * NARROWEST)
    return least - margin, most + margin


def _typical(values: AnyArray) -> float:
    """Return the median of numbers, or the most frequent code; missing where nothing is known."""
    known = values[~is_missing(values)]
    if values.dtype.kind == "f":
        return float(np.quantile(known, 0.5, method="lower")) if len(known) else np.nan
    return float(np.bincount(known).argmax()) if len(known) else -1.0


def _in_words(tree: Tree, place: int, value: float) -> str:
    column = tree.schema.features[place]
    if np.isnan(value) or (column.labels is not None and value < 0):
        return "missing"
    if column.labels is not None:
        return column.labels[int(value)]
    return f"{value:.6g}" if column.scale is None else column.scale.write(value)


def _predicted(
    tree: Tree,
    pair: tuple[str, str],
    borders: tuple[FloatArray, FloatArray],
    typical: Sequence[float],
) -> IndexArray:
    """Return the class in the middle of each cell, which is that of the whole cell."""
    middles = [(edges[1:] + edges[:-1]) / 2 for edges in borders]
    x, y = np.meshgrid(*middles)
    at = {tree.schema.index(name): grid.ravel() for name, grid in zip(pair, (x, y), strict=True)}
    columns = [
        at.get(f, np.full(x.size, value if column.labels is None else int(value)))
        for f, (column, value) in enumerate(zip(tree.schema.features, typical, strict=True))
    ]
    nothing = np.full(x.size, -1)
    cells = Dataset.of(tree.schema, columns, nothing, np.ones(x.size), "cells", x.size)
    return np.asarray(predicted_codes(tree, cells)).reshape(x.shape)


@in_style
def _draw(found: Regions) -> "Figure":
    from matplotlib.colors import ListedColormap

    figure = new_figure(7.2, 5.2)
    (axes,) = panels(figure, (1.0,))
    axes.grid(visible=False)  # lines across the regions would look like their borders
    n = len(found.tree.classes)
    axes.pcolormesh(
        *found.borders, found.predicted, cmap=ListedColormap([colour(k) for k in range(n)]),
        vmin=-0.5, vmax=n - 0.5, alpha=0.3, edgecolors="none", linewidth=0, antialiased=False,
        rasterized=True,
    )  # fmt: skip
    _points(axes, found)
    _label(axes, found)
    return figure


def _points(axes: "Axes", found: Regions) -> None:
    """Draw the cases; those that the tree takes for another class have a dark edge."""
    step = -(-len(found.data) // MOST_POINTS) or 1
    data = found.data.take(np.arange(0, len(found.data), step))
    x, y = (data[name] for name in found.features)
    wrong = predicted_codes(found.tree, data) != data.y
    for code, label in enumerate(data.classes):
        here = (data.y == code) & ~np.isnan(x) & ~np.isnan(y)
        for some, edge, width in ((here & ~wrong, "white", 0.5), (here & wrong, "black", 1.3)):
            axes.scatter(
                x[some], y[some], s=26, color=colour(code), marker=marker(code),
                edgecolors=edge, linewidths=width, zorder=2 + width,
                label=None if edge == "black" else label,
            )  # fmt: skip


def _label(axes: "Axes", found: Regions) -> None:
    tree, (a, b) = found.tree, found.features
    axes.set_xlim(*found.borders[0][[0, -1]])
    axes.set_ylim(*found.borders[1][[0, -1]])
    axes.set_xlabel(a)
    axes.set_ylabel(b)
    for name, axis in ((a, axes.xaxis), (b, axes.yaxis)):
        scale = tree.schema.features[tree.schema.index(name)].scale
        if scale is not None:
            write_ticks(axis, scale)
    held = ", ".join(f"{name} = {value}" for name, value in list(found.fixed.items())[:3])
    more = len(found.fixed) - 3
    held = f"\n{held}{f' and {more} more held' if more > 0 else ''}" if held else ""
    title = tree.schema.target.name or "class"
    axes.set_title(f"{title}: regions of the tree; dark edges: predicted wrongly{held}", loc="left")
    axes.legend(
        title=tree.schema.target.name, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False,
        fontsize=8, title_fontsize=8,
    )  # fmt: skip
