"""Figures of a study, drawn with matplotlib (extra `report`).

Lines and letters are drawn in one ink, which a page may replace by its own colour of text.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

from treelab._files import file_names
from treelab._typing import FloatArray
from treelab.experiment.report.article import Drawing
from treelab.experiment.report.page import GLYPHS
from treelab.experiment.report.ranks import critical_difference
from treelab.experiment.report.tables import MANY
from treelab.experiment.summary import Summary
from treelab.plots.canvas import in_style, new_axes, picture
from treelab.plots.style import GREY, INK, STYLE, WIDTH, colour, marker


def figures(summary: Summary) -> Iterator[tuple[str, str, Figure]]:
    """Yield name, caption and figure of all that the results allow."""
    makers: list[tuple[str, Callable[[Summary], tuple[str, Figure] | None]]] = [
        ("differences", differences),
        ("critical-difference", critical_difference),
        ("paper", beside_paper),
        ("leaves", lambda s: spread(s, "leaves", "leaves")),
        ("seconds", lambda s: spread(s, "seconds", "seconds of learning")),
    ]
    with mpl.rc_context(STYLE):
        if summary.study.grid is not None:
            names = file_names(summary.data)
            for row, name in enumerate(summary.data):
                if summary.complete[row]:
                    caption = f"Accuracy in % on {name}."
                    yield f"map-{names[row]}", caption, heat_map(summary, row)
            return
        for name, make in makers:
            made = make(summary)
            if made is not None:
                yield name, *made


def differences(summary: Summary) -> tuple[str, Figure] | None:
    """Draw how far each learner lies from the mean of its row."""
    rows = np.flatnonzero(summary.complete)
    if not len(rows) or len(summary.learners) < 2:
        return None
    values = summary.accuracy[rows]
    apart = values - values.mean(axis=1, keepdims=True)
    names = [summary.data[row] for row in rows]
    caption = "Accuracy of each learner minus the mean of all learners on that data set, in points."
    if len(summary.learners) > MANY:
        return caption, _matrix(apart, names, summary.learners)
    figure, axes = new_axes(WIDTH, 1.4 + 0.34 * len(rows))
    axes.axvline(0, color=GREY, linewidth=1)
    for i, learner in enumerate(summary.learners):
        _dots(axes, i, apart[:, i], np.arange(len(rows)), learner)
    _rows_down(axes, names)
    axes.set_xlabel("points above the mean of the row")
    _legend(axes)
    return caption, figure


def beside_paper(summary: Summary) -> tuple[str, Figure] | None:
    """Draw our accuracy minus the paper's."""
    paper = summary.study.paper
    if paper is None:
        return None
    columns = [n for n in summary.learners if any(n == name for _, name in paper.expected)]
    figure, axes = new_axes(WIDTH, 1.4 + 0.34 * len(summary.data))
    axes.axvspan(-3, 3, color=GREY, alpha=0.15, linewidth=0)
    axes.axvline(0, color=GREY, linewidth=1)
    for i, learner in enumerate(columns):
        column = summary.accuracy[:, summary.learners.index(learner)]
        theirs = [paper.expected.get((name, learner), (np.nan, None))[0] for name in summary.data]
        _dots(axes, i, column - theirs, np.arange(len(summary.data)), learner)
    _rows_down(axes, summary.data)
    axes.set_xlabel("ours minus the paper's, in points")
    _legend(axes)
    return "Our accuracy minus the paper's; the band is three points wide on either side.", figure


class _Plain(LogFormatter):
    """Writes those numbers that a logarithmic axis has room for; usually powers are mathematics."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return f"{x:g}" if super().__call__(x, pos) else ""


def spread(summary: Summary, measure: str, label: str) -> tuple[str, Figure] | None:
    """Draw a measure of every learner: a dot a data set, a line at the median."""
    if measure not in summary.study.record:
        return None
    values = summary.mean(measure)
    drawn = [i for i in range(len(summary.learners)) if (values[:, i] > 0).any()]
    if not drawn:
        return None
    figure, axes = new_axes(WIDTH, 1.0 + 0.34 * len(drawn))
    for place, i in enumerate(drawn):
        known = values[:, i][values[:, i] > 0]
        _dots(axes, i, known, np.full(len(known), place), None)
        axes.plot([np.median(known)] * 2, [place - 0.3, place + 0.3], color=INK, linewidth=1.5)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(_Plain())
    axes.xaxis.set_minor_formatter(_Plain())
    _rows_down(axes, [summary.learners[i] for i in drawn])
    axes.set_xlabel(label)
    return f"{label.capitalize()}: a dot for each data set, a line at the median.", figure


def heat_map(summary: Summary, row: int) -> Figure:
    """Draw a data set's accuracy over the first two axes of a grid."""
    grid = summary.study.grid
    assert grid is not None
    shape = tuple(map(len, grid.labels))
    values = summary.accuracy[row].reshape(shape)
    if len(shape) == 1:
        return _matrix(values[None, :], [""], grid.labels[0], "", grid.axes[0])
    # The best over the further axes, if there are any.
    values = values.reshape(*shape[:2], -1).max(axis=2)
    return _matrix(values, grid.labels[0], grid.labels[1], *grid.axes[:2])


def _matrix(
    values: FloatArray, rows: Any, columns: Any, down: str = "", across: str = ""
) -> Figure:
    """Draw a matrix with its figures in the cells."""
    figure, axes = new_axes(1.8 + 0.55 * len(columns), 1.4 + 0.3 * len(rows))
    axes.grid(visible=False)
    image = axes.imshow(values, cmap="cividis", aspect="auto")
    middle = (values.min() + values.max()) / 2
    for (i, j), value in np.ndenumerate(values):
        axes.text(
            j, i, f"{value:.1f}", ha="center", va="center", fontsize=7,
            color="black" if value > middle else "white",
        )  # fmt: skip
    axes.set_xticks(range(len(columns)), columns, rotation=0 if _fit(columns) else 90)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xlabel(across)
    axes.set_ylabel(down)
    figure.colorbar(image, ax=axes, shrink=0.8)
    return figure


def _fit(labels: Any) -> bool:
    """Tell whether the labels of columns have room side by side."""
    return len(labels) <= 8 and max(map(len, labels), default=0) <= 7


def _dots(axes: Any, i: int, x: FloatArray, y: Any, label: str | None) -> None:
    axes.scatter(
        x, y, s=34, label=label, color=colour(i), marker=marker(i),
        edgecolors="none", alpha=0.9,
    )  # fmt: skip


def _rows_down(axes: Any, names: list[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def _legend(axes: Any) -> None:
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)


@in_style
def drawn(drawing: Drawing) -> Figure:
    """Return the figure of a drawing, in the style of all figures."""
    assert drawing.draw is not None
    return drawing.draw()


def png(figure: Figure) -> bytes:
    """Return a figure as a PNG file."""
    return picture(figure, "png")


def svg(figure: Figure) -> str:
    """Return a figure as an SVG file, the same bytes for the same figure."""
    return picture(figure, "svg").decode()


def for_page(text: str, name: str) -> str:
    """Return an SVG for a page: in the page's ink, on its paper, with names of its own."""
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    text = text.replace("fill: #ffffff", "fill: none", 1)  # the paper is drawn first
    # Two figures in one page must not share the names of clips and marks; glyphs they may.
    opening = rf'(id="|href="#|url\(#)(?!{GLYPHS})'
    return re.sub(opening, rf"\g<1>{name}-", text).replace(" \n", " ")
