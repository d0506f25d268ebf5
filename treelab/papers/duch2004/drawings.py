"""The pictures of the article; matplotlib is imported only when they are drawn."""

from typing import TYPE_CHECKING, Any

import numpy as np

from treelab.experiment.report.tables import number
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.gaussians import CRITERIA, INDICES, SELECTING
from treelab.papers.duch2004.reading import NUMBERS, curves, rates, rates_by_points, told, values
from treelab.papers.duch2004.years import NUMERIC
from treelab.plots import GREY, WIDTH, colour, in_style, marker, new_figure
from treelab.protocols import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = {1: "age", 17: "TSH", 18: "T3", 19: "TT4", 20: "T4U", 21: "FTI"}
COLOUR_OF = {"kNN": 0, "BA": 1, "IGR": 2, "MI": 5, "SSV BFS": 3, "SSV beam": 4}
MARKER_OF = {"kNN": "o", "BA": "s", "IGR": "D", "MI": "P", "SSV BFS": "^", "SSV beam": "v"}
OF_SVM = {
    "table": "our rankings",
    "printed": "printed rankings",
    "soft": "printed rankings, softer margin",
}
"""The parts with accuracies of an SVM."""

FIGURE_1 = {"MI": "mutual information in bits", "IGR": "gain ratio"}
"""The indices that Figure 1 may show: its caption says the first, the text the second."""

ROWS = 2
"""The maps of points by bins stand in so many rows."""

LIGHT = 0.55
"""Cells of a higher rate are light, so that their figures are dark."""


@in_style
def rate_maps(answers: Answers, part: str) -> "Figure":
    """Draw the rates of all indices as maps, a panel a way to cut."""
    indices = list(CRITERIA if part == "selection" else INDICES)
    cuttings, bins = values(answers, part, "cutting"), values(answers, part, "bins")
    figure, panels = _panels(1, len(cuttings), 1.0 + 0.27 * len(indices))
    for axes, cutting in zip(panels, cuttings, strict=True):
        _map(axes, rates(answers, part, indices, cutting))
        axes.set_title(f"{cutting} bins", fontsize=10)
        axes.set_xticks(range(len(bins)), bins)
        axes.set_xlabel("bins")
    panels[0].set_yticks(range(len(indices)), indices)
    return figure


def _map(axes: Any, found: FloatArray) -> None:
    axes.grid(visible=False)
    axes.imshow(found, cmap="cividis", aspect="auto", vmin=0, vmax=1)
    for (row, column), value in np.ndenumerate(found):
        colour = "black" if value > LIGHT else "white"
        axes.text(column, row, number(value), ha="center", va="center", fontsize=7.5, color=colour)


@in_style
def point_maps(answers: Answers) -> "Figure":
    """Draw where each index selects rightly: points by bins, a panel an index."""
    sizes, bins = values(answers, "points", "points"), values(answers, "points", "bins")
    figure, panels = _panels(ROWS, -(-len(SELECTING) // ROWS), ROWS * (1.0 + 0.25 * len(sizes)))
    for axes, index in zip(panels, SELECTING, strict=False):
        _map(axes, rates_by_points(answers, index))
        axes.set_title(index, fontsize=10)
        axes.set_xticks(range(len(bins)), bins)
        axes.set_yticks(range(len(sizes)), sizes)
        axes.tick_params(labelbottom=True)
    for axes in panels[len(SELECTING) :]:
        axes.set_axis_off()
    figure.supxlabel("bins", fontsize=10)
    figure.supylabel("points for each Gaussian", fontsize=10)
    return figure


@in_style
def information_lines(answers: Answers) -> "Figure":
    """Draw Figure 1: what each feature tells by the number of bins, equal width and SSV."""
    cuttings = values(answers, "information", "cutting")
    figure, panels = _panels(len(FIGURE_1), len(cuttings), 1.0 + 2.6 * len(FIGURE_1), "row")
    places = [(index, cutting) for index in FIGURE_1 for cutting in cuttings]
    for axes, (index, cutting) in zip(panels, places, strict=True):
        _information(axes, answers, index, cutting)
    for row, words in enumerate(FIGURE_1.values()):
        panels[row * len(cuttings)].set_ylabel(words)
    _legend(figure, panels[0], 3)
    return figure


def _information(axes: Any, answers: Answers, index: str, cutting: str) -> None:
    bins = values(answers, "information", "bins")
    for feature in (n for n in NUMBERS if n not in NUMERIC):
        line = [told(answers, index, feature, cutting, b) for b in bins]
        axes.plot(bins, line, color=GREY, linewidth=0.6)
    for i, feature in enumerate(NUMERIC):
        line = [told(answers, index, feature, cutting, b) for b in bins]
        axes.plot(
            bins, line, color=colour(i), marker=marker(i), markersize=4,
            label=f"{feature} {NAMES[feature]}",
        )  # fmt: skip
    axes.set_title(f"{'SSV' if cutting == 'ssv' else cutting} bins", fontsize=10)
    axes.set_xticks(bins, [str(b) if b != 6 else "" for b in bins])
    axes.set_xlabel("bins")


@in_style
def accuracy_lines(answers: Answers) -> "Figure":
    """Draw Figure 2: SVM accuracy by the number of features, our rankings and the printed ones."""
    parts = [part for part in OF_SVM if answers.of(part)]
    figure, panels = _panels(len(parts), 1, 0.6 + 2.7 * len(parts))
    for axes, part in zip(panels, parts, strict=True):
        for method, line in curves(answers, part).items():
            axes.plot(
                NUMBERS, line, label=method, markersize=4, color=colour(COLOUR_OF[method]),
                marker=MARKER_OF[method],
            )  # fmt: skip
        axes.set_title(OF_SVM[part], fontsize=10)
        axes.set_ylabel("accuracy in %")
    panels[-1].set_xticks(NUMBERS[::2])
    panels[-1].set_xlabel("number of features")
    _legend(figure, panels[0], 6)
    return figure


def _panels(
    rows: int, columns: int, height: float, sharey: Any = True
) -> tuple["Figure", list[Any]]:
    """Return panels that share their axes."""
    figure = new_figure(WIDTH, height)
    found = figure.subplots(rows, columns, sharex=rows > 1, sharey=sharey, squeeze=False)
    return figure, list(found.ravel())


def _legend(figure: "Figure", axes: Any, columns: int) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper center", ncols=columns, columnspacing=1.0, fontsize=9
    )
