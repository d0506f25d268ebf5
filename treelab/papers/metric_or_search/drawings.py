"""The picture of the study: what each metric has under each search."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treelab.evaluate import mean_and_error
from treelab.experiment.report.article import Drawing
from treelab.papers.metric_or_search.cells import Cells
from treelab.plots import GREY, INK, WIDTH, colour, marker, new_figure
from treelab.protocols import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LABELS = {"accuracy": "points", "log2 leaves": "log2 leaves"}


def metrics_drawing(tables: Sequence[Cells], name: str) -> Drawing:
    """Draw the metrics down, a line a search, a panel a size of trees."""
    what = "Accuracy" if tables[0].measure == "accuracy" else "The logarithm of the leaves"
    caption = (
        f"{what} of each metric under each search, less the mean of all cells of the data set: "
        "mean and standard error over the data sets. The straighter a line, the less the metric "
        "matters."
    )
    if any(cells.has_optimal for cells in tables):
        caption += " The dashed line with its band are the optimal trees."
    return Drawing(name, caption, lambda: _drawn(tables))


def _drawn(tables: Sequence[Cells]) -> "Figure":
    height = 1.5 + 0.36 * len(tables[0].metrics)
    figure = new_figure(max(WIDTH, 2.6 * len(tables)), height)
    panels = figure.subplots(1, len(tables), sharey=True, sharex=True, squeeze=False)[0]
    for axes, cells in zip(panels, tables, strict=True):
        _panel(axes, cells)
    panels[0].set_yticks(range(len(tables[0].metrics)), tables[0].metrics)
    panels[0].set_ylim(len(tables[0].metrics) - 0.4, -0.6)
    handles, labels = panels[-1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def _panel(axes: Any, cells: Cells) -> None:
    apart, optimal = deviations(cells)
    axes.axvline(0, color=GREY, linewidth=1)
    if cells.has_optimal:
        mean, error = mean_and_error(optimal)
        axes.axvspan(mean - error, mean + error, color=GREY, alpha=0.2, linewidth=0)
        axes.axvline(mean, color=INK, linestyle="--", linewidth=1, label="optimal")
    rows = np.arange(len(cells.metrics))
    for place, search in enumerate(cells.searches):
        here = apart[:, :, place]
        errors = [mean_and_error(column)[1] for column in here.T]
        axes.errorbar(
            here.mean(axis=0), rows + 0.2 * (place - 1), xerr=errors, color=colour(place),
            marker=marker(place), markersize=4, linewidth=0.8, elinewidth=1.2, label=search,
        )  # fmt: skip
    axes.set_title(cells.size, fontsize=10)
    axes.set_xlabel(LABELS[cells.measure])


def deviations(cells: Cells) -> tuple[FloatArray, FloatArray]:
    """Return cells and optimal trees less the mean of the data set's cells."""
    means = cells.values.mean(axis=(1, 2))
    return cells.values - means[:, None, None], cells.optimal - means
