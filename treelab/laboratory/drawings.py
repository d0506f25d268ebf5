"""Curves over the number of values, panels side by side as kononenko1995 prints them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from treelab.laboratory.curves import Curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@attrs.frozen
class Panel:
    """A title, and the curves by number of classes."""

    title: str
    curves: Mapping[int, Curve]


def draw_panels(measure: str, panels: Sequence[Panel]) -> "Figure":
    """Draw a measure over the number of values, a curve for each number of classes.

    Bars are two standard errors of the mean long, up and down.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from treelab.experiment.report.figures import STYLE, WIDTH

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 3.0), layout="constrained")
        for place, (axes, panel) in enumerate(
            zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True)
        ):
            _fill(axes, panel, f"({'abcdefghij'[place]}) {panel.title}")
            axes.set_xticks(_ticks(panel, 0.035 * len(panels)))
        figure.axes[0].set_ylabel(measure)
        names = figure.axes[0].get_legend_handles_labels()
        figure.legend(*names, loc="outside upper center", ncols=len(names[1]))
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # found once, not for every file the figure becomes
    return figure


def _fill(axes: Any, panel: Panel, title: str) -> None:
    from treelab.experiment.report.figures import COLOURS, MARKERS

    for place, (classes, curve) in enumerate(panel.curves.items()):
        axes.errorbar(
            curve.values, curve.means, 2 * curve.errors, color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)], markersize=4, linewidth=1.4, capsize=2,
            label=f"{classes} classes",
        )  # fmt: skip
    axes.axhline(0, color=axes.spines["left"].get_edgecolor(), linewidth=0.8)
    axes.set_title(title, fontsize=9)
    axes.set_xlabel("number of values")


def _ticks(panel: Panel, apart: float) -> list[int]:
    """Return the numbers of values, but for those too near to the one before to be read."""
    values = sorted({int(v) for curve in panel.curves.values() for v in curve.values})
    ticks = values[:1]
    for value in values[1:]:
        if value - ticks[-1] >= apart * (values[-1] - values[0]):
            ticks.append(value)
    return ticks
