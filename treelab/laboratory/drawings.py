"""Curves over the number of values, panels side by side as kononenko1995 prints them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from treelab.laboratory.curves import Curve
from treelab.plots.canvas import in_style, new_figure
from treelab.plots.style import WIDTH, colour, marker

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ABREAST = 3
"""Panels that stand side by side at most."""


@attrs.frozen
class Panel:
    """A title, and by number of classes the curves, and mean and error of a numeric attribute."""

    title: str
    curves: Mapping[int, Curve]
    numeric: Mapping[int, tuple[float, float]] = attrs.field(factory=dict)

    @property
    def has_numeric(self) -> bool:
        return any(np.isfinite(mean) for mean, _ in self.numeric.values())


@in_style
def draw_panels(measure: str, panels: Sequence[Panel]) -> "Figure":
    """Draw a measure over the number of values, a curve for each number of classes.

    Bars are two standard errors of the mean long, up and down.
    """
    abreast = min(len(panels), ABREAST)
    rows = -(-len(panels) // abreast)
    figure = new_figure(WIDTH, 0.4 + 2.6 * rows)
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(rows, abreast, place + 1)
        _fill(axes, panel, f"({'abcdefghijklmnop'[place]}) {panel.title}")
        ticks = _ticks(panel, 0.035 * abreast)
        axes.set_xticks(*_labelled(panel, ticks))
        if place % abreast == 0:
            axes.set_ylabel(measure)
    names = figure.axes[0].get_legend_handles_labels()
    figure.legend(*names, loc="outside upper center", ncols=len(names[1]))
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # found once, not for every file the figure becomes
    return figure


def _fill(axes: Any, panel: Panel, title: str) -> None:
    for place, (classes, curve) in enumerate(panel.curves.items()):
        axes.errorbar(
            curve.values, curve.means, 2 * curve.errors, color=colour(place),
            marker=marker(place), markersize=4, linewidth=1.4, capsize=2,
            label=f"{classes} classes",
        )  # fmt: skip
        if panel.has_numeric:
            mean, error = panel.numeric[classes]
            axes.errorbar(
                [_beyond(panel)], [mean], [2 * error], color=colour(place),
                marker=marker(place), markersize=4, capsize=2,
            )  # fmt: skip
    if not _is_far_below_zero(panel):
        axes.axhline(0, color=axes.spines["left"].get_edgecolor(), linewidth=0.8)
    axes.set_title(title, fontsize=9)
    axes.set_xlabel("number of values")


def _is_far_below_zero(panel: Panel) -> bool:
    """Tell whether showing 0 would leave the curves too little room to be told apart."""
    means = np.concatenate([curve.means for curve in panel.curves.values()])
    known = means[np.isfinite(means)]
    return bool(len(known)) and -known.max() > 2 * max(np.ptp(known), 1e-9)


def _beyond(panel: Panel) -> float:
    """Return where a numeric attribute stands: to the right of the most values."""
    return 1.4 * max(float(curve.values.max()) for curve in panel.curves.values())


def _labelled(panel: Panel, ticks: list[int]) -> tuple[list[float], list[str]]:
    if not panel.has_numeric:
        return [float(tick) for tick in ticks], [str(tick) for tick in ticks]
    return [*map(float, ticks), _beyond(panel)], [*map(str, ticks), "num"]


def _ticks(panel: Panel, apart: float) -> list[int]:
    """Return the numbers of values, but for those too near to the one before to be read."""
    values = sorted({int(v) for curve in panel.curves.values() for v in curve.values})
    ticks = values[:1]
    for value in values[1:]:
        if value - ticks[-1] >= apart * (values[-1] - values[0]):
            ticks.append(value)
    return ticks
