"""The classes along a feature, and where discretizers cut it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.scales import Scale
from treelab.errors import DataError
from treelab.plots.canvas import in_style, new_figure, panels, write_ticks
from treelab.plots.style import COLOURS, colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 60
MOST_CLASSES = len(COLOURS)
"""More classes are drawn as one."""
MOST_LABELS = 8
"""More cut points of a method are counted, not written."""


@in_style
def draw_cuts(data: Dataset, feature: str, codings: Mapping[str, Coding]) -> "Figure":
    """Draw the class histogram of a feature with the cut points of methods under each other.

    Parameters
    ----------
    data
        The cases.
    feature
        A numeric feature.
    codings
        What each method, by the name to be shown, found.
    """
    if data.schema.features[data.schema.index(feature)].is_nominal:
        raise DataError(f"column {feature!r} is nominal; only numeric columns can be cut")
    known = data.take(~np.isnan(data[feature]) & (data.weights > 0))
    if not len(known):
        raise DataError(f"column {feature!r} has no known values to draw")
    shown = known.take(is_near(known[feature]))
    rows = max(len(codings), 1)
    figure = new_figure(8.0, 3.2 + 0.42 * rows)
    above, below = panels(figure, (3.0, 0.42 * rows))
    _histogram(above, shown, feature)
    points = {name: coding.cuts.get(feature, np.empty(0)) for name, coding in codings.items()}
    scale = data.schema.features[data.schema.index(feature)].scale
    _cut_lines(above, below, points, _limits(shown[feature]), scale)
    if scale is not None:
        write_ticks(below.xaxis, scale)
    beyond = len(known) - len(shown)
    below.set_xlabel(f"{feature} ({beyond:,} cases lie beyond)" if beyond else feature)
    return figure


def is_near(values: FloatArray) -> BoolArray:
    """Tell which values to draw: all, unless a few far ones would squeeze all others."""
    low, high = np.quantile(values, [0.05, 0.95])
    margin = 1.5 * (high - low)
    if margin == 0 or np.ptp(values) <= 10 * margin:
        return np.ones(len(values), bool)
    return np.asarray((values >= low - margin) & (values <= high + margin))


def _histogram(axes: "Axes", data: Dataset, feature: str) -> None:
    values = data[feature]
    edges = bar_edges(values)
    base = np.zeros(len(edges) - 1)
    for number, (label, members) in enumerate(_groups(data)):
        counts, _ = np.histogram(values[members], edges, weights=data.weights[members])
        if not counts.any():
            continue
        axes.bar(
            edges[:-1], counts, np.diff(edges), base, align="edge", color=colour(number),
            edgecolor="white", linewidth=0.4, label=label,
        )  # fmt: skip
        base += counts
    axes.set_ylabel("cases")
    axes.set_title(f"{data.name}: {feature}", loc="left")
    if data.classes:
        axes.legend(
            title=data.target, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False,
            fontsize=8, title_fontsize=8,
        )  # fmt: skip


def _groups(data: Dataset) -> list[tuple[str, BoolArray]]:
    """Return the classes and who is in them; those without a class last."""
    if not 0 < len(data.classes) <= MOST_CLASSES:
        return [(f"{len(data.classes)} classes", np.ones(len(data), bool))]
    groups = [(_short(label), data.y == code) for code, label in enumerate(data.classes)]
    return [*groups, ("not known", data.y < 0)]


def bar_edges(values: FloatArray) -> FloatArray:
    """Return the borders of bars that do not part equal values at random.

    Few different values on a grid, such as whole numbers, get a bar each.
    """
    points = np.unique(values)
    if len(points) == 1:
        return np.asarray(points[0] + np.array([-0.5, 0.5]))
    step = float(np.diff(points).min())
    n_steps = (points[-1] - points[0]) / step
    on_grid = np.allclose((points - points[0]) / step, np.round((points - points[0]) / step))
    if on_grid and n_steps < MOST_BARS:
        return np.asarray(points[0] + step * (np.arange(round(n_steps) + 2) - 0.5))
    bars = min(MOST_BARS, max(10, int(2 * len(values) ** (1 / 3)) + 1))
    return np.linspace(points[0], points[-1], bars + 1)


def _cut_lines(
    above: "Axes",
    below: "Axes",
    points: Mapping[str, FloatArray],
    limits: tuple[float, float],
    scale: Scale | None,
) -> None:
    """Draw a row of cut points for each method, and their shadows in the histogram."""
    above.set_xlim(limits)
    for row, cuts in enumerate(points.values()):
        below.hlines(row, *limits, color="0.88", linewidth=6, zorder=1)
        inside = cuts[(cuts > limits[0]) & (cuts < limits[1])]
        if len(points) == 1:
            for cut in inside:
                above.axvline(cut, color="0.2", linewidth=0.8, linestyle=(0, (4, 3)))
        below.plot(
            inside, np.full(len(inside), row), "|", color="0.1", markersize=11,
            markeredgewidth=1.6, zorder=2,
        )  # fmt: skip
        _write(below, row, cuts, limits, scale)
    below.set_ylim(len(points) - 0.4, -0.6)
    below.set_yticks(range(len(points)), [_short(name, 28) for name in points])
    below.tick_params(axis="y", length=0)
    for side in ("left", "top", "right"):
        below.spines[side].set_visible(False)


def _write(
    axes: "Axes",
    row: int,
    cuts: FloatArray,
    limits: tuple[float, float],
    scale: Scale | None,
) -> None:
    """Say at the right how many intervals there are, and write cuts that have room."""
    words = f"{len(cuts) + 1} interval{'s' if len(cuts) else ''}"
    beyond = int(((cuts <= limits[0]) | (cuts >= limits[1])).sum())
    words += f" ({beyond} cut{'s' if beyond > 1 else ''} beyond)" if beyond else ""
    axes.text(1.01, row, words, transform=axes.get_yaxis_transform(), va="center", fontsize=8)
    if len(cuts) > MOST_LABELS:
        return
    ends = np.append(cuts, limits[1])[1:]
    for cut, end in zip(cuts, ends, strict=True):
        text = f"{cut:.4g}" if scale is None else scale.write(float(cut))
        room = 0.0115 * (len(text) + 1) * (limits[1] - limits[0])
        if limits[0] < cut < min(end, limits[1]) - room:
            axes.annotate(
                text, (cut, row), (3, 0), textcoords="offset points", fontsize=7, va="center",
                color="0.25", zorder=3,
            )  # fmt: skip


def _limits(values: FloatArray) -> tuple[float, float]:
    edges = bar_edges(values)
    margin = 0.02 * (edges[-1] - edges[0])
    return float(edges[0] - margin), float(edges[-1] + margin)


def _short(text: str, most: int = 24) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
