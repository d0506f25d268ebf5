"""Pictures of the report; matplotlib is loaded when one is drawn."""

from typing import TYPE_CHECKING, Any

import numpy as np

from treelab.experiment.report.article import Drawing
from treelab.experiment.simulation import Answers
from treelab.papers.hong1996.answers import bias_means, bias_values, rates, ratios
from treelab.papers.hong1996.merits import CASES, JUDGES
from treelab.plots import GREY, WIDTH, colour, marker, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS = {
    "as they are": (("Gini", "noise"), ("gain", "noise"), ("gain ratio", "noise")),
    "over their expectation": (("nGini", "noise"), ("nH", "noise"), ("nH", "split")),
}


def contest_drawing(answers: Answers) -> Drawing:
    """Draw how far the worst X is above the best R."""
    caption = (
        "The least merit of X1-X3 over the largest of R1-R10, a dot for each draw; right of 1 the "
        "ranking succeeds. The line is the median."
    )
    return Drawing("contest", caption, lambda: _contest(answers))


def bias_drawing(answers: Answers) -> Drawing:
    """Draw what measures give for noise of few and many values."""
    caption = (
        "What measures give for noise by its number of values, from two to an identifier, mean "
        "over all draws; and, dotted, the normalized entropy of a bit whose values are split."
    )
    return Drawing("bias", caption, lambda: _bias(answers))


def _contest(answers: Answers) -> "Figure":
    cases = [case for case in CASES if (case, JUDGES[0]) in rates(answers)]
    figure, rows = _panels(WIDTH, 1.35 * len(cases) + 0.5, len(cases), 1)
    for axes, case in zip(rows, cases, strict=True):
        axes.axvline(1, color=GREY, linewidth=1)
        for place, measure in enumerate(JUDGES):
            values = np.sort(ratios(answers, "merits", measure, case=case))
            heights = place + 0.5 * _spread(len(values))
            axes.scatter(values, heights, s=7, color=colour(place), alpha=0.5, edgecolors="none")
            axes.plot(2 * [np.median(values)], [place - 0.36, place + 0.36], color=colour(place))
        axes.set_yticks(range(len(JUDGES)), JUDGES)
        axes.set_ylim(len(JUDGES) - 0.4, -0.6)
        axes.set_title(f"case {case}", loc="left", fontsize=10)
    rows[-1].set_xlabel("least X / largest R")
    return figure


def _spread(n: int) -> Any:
    """Return heights that keep neighbouring dots apart, the same in every run."""
    return (np.arange(n) * 0.618034) % 1 - 0.5


def _bias(answers: Answers) -> "Figure":
    values = bias_values(answers)
    figure, panels = _panels(WIDTH, 3.2, 1, 2)
    for axes, (title, lines) in zip(panels, PANELS.items(), strict=True):
        for place, (measure, feature) in enumerate(lines):
            axes.plot(
                values, bias_means(answers, measure, feature), label=_label(measure, feature),
                color=colour(place), marker=marker(place), markersize=4,
                linestyle="-" if feature == "noise" else ":",
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_xticks(values, [str(v) for v in values], fontsize=8)
        axes.minorticks_off()
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("values")
        axes.legend(fontsize=8)
    panels[1].set_ylim(0.8, 1.05)
    return figure


def _label(measure: str, feature: str) -> str:
    return measure if feature == "noise" else f"{measure}, split bit"


def _panels(width: float, height: float, rows: int, columns: int) -> tuple["Figure", Any]:
    figure = new_figure(width, height)
    return figure, np.atleast_1d(figure.subplots(rows, columns, sharex=columns == 1))
