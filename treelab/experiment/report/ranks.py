"""The critical-difference diagram: mean ranks on their axis, and a ruler beside them."""

import math
import warnings
from typing import Any

import attrs
from matplotlib.figure import Figure

from treelab.experiment.summary import Summary
from treelab.plots.canvas import new_axes
from treelab.plots.style import INK, WIDTH, colour

RULER = 1.9
"""How high the ruler lies above the axis, in lines of names."""


@attrs.frozen(order=True)
class _Label:
    """A name by its place: of names as such, sets make another order in every process."""

    place: int
    name: str = attrs.field(eq=False)

    def __hash__(self) -> int:
        return self.place

    def __str__(self) -> str:
        return self.name


def critical_difference(summary: Summary) -> tuple[str, Figure] | None:
    """Draw mean ranks; a bar joins learners that do not differ significantly (Demsar 2006)."""
    summary = summary.contest
    if summary.friedman is None or "friedman" not in summary.study.tests:
        return None
    import pandas as pd
    from scikit_posthocs import critical_difference_diagram

    result = summary.friedman
    names = [_Label(place, name) for place, name in enumerate(summary.learners)]
    figure, axes = new_axes(WIDTH, 1.8 + 0.28 * len(names))
    axes.grid(visible=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries below, about each other
        critical_difference_diagram(
            dict(zip(names, result.ranks, strict=True)),
            pd.DataFrame(result.nemenyi(), index=names, columns=names),
            ax=axes,
            alpha=summary.study.alpha,
            label_fmt_left="{label} ({rank:.2f})",
            label_fmt_right="({rank:.2f}) {label}",
            crossbar_props={"color": colour(1), "linewidth": 3, "marker": ""},
            marker_props={"marker": "o", "color": colour(0)},
            elbow_props={"color": INK, "linewidth": 0.8},
        )
    _axis_and_ruler(axes, len(names), result.critical_difference(summary.study.alpha))
    caption = (
        f"Mean ranks over {result.n_data} data sets (Friedman: P = {result.p:.4f}). A bar joins "
        f"learners that Nemenyi's test does not tell apart at {summary.study.alpha:g}: their ranks "
        "differ by less than the critical difference, the length of the ruler."
    )
    return caption, figure


def _axis_and_ruler(axes: Any, n_learners: int, difference: float) -> None:
    """Draw the axis of ranks, from the best one on, and how far apart is far enough."""
    axes.spines["top"].set(visible=True, color=INK, linewidth=1)
    axes.set_xlim(0.9, max(n_learners, math.ceil(1 + difference)) + 0.1)
    axes.set_xticks(range(1, n_learners + 1))
    axes.tick_params(axis="x", direction="out", color=INK)
    ends = [1, 1 + difference]
    axes.plot(ends, [RULER] * 2, color=INK, linewidth=1.5, marker="|", markersize=9)
    words = f"critical difference {difference:.2f}"
    axes.annotate(
        words, (1, RULER), (0, 6), textcoords="offset points", ha="left", va="bottom", color=INK
    )
    axes.annotate(
        "mean rank", (1, 0), (-8, 6), textcoords="offset points", ha="right", va="bottom", color=INK
    )
