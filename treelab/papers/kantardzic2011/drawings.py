"""Pictures of the report; matplotlib is loaded when one is drawn."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from treelab import Dataset, load
from treelab.experiment.report.article import Drawing
from treelab.experiment.simulation import Answers
from treelab.papers.kantardzic2011.data import TABLE_3_6
from treelab.papers.kantardzic2011.tables import learned_data
from treelab.papers.kantardzic2011.values import merging
from treelab.plots import GREY, WIDTH, colour, marker, new_axes, new_figure
from treelab.protocols import FloatArray
from treelab.reduce import embedding, principal_components

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def components_drawing() -> Drawing:
    """Draw the iris data on their first two components."""
    caption = (
        "The iris data on their two components (compare Figure 3.4): most of the variance lies "
        "along the first."
    )
    return Drawing("components", caption, _components)


def axes_drawing() -> Drawing:
    """Draw the iris data on two axes, by scaling and by Isomap."""
    caption = (
        "The iris data on two axes that keep their distances: multidimensional scaling of straight "
        "distances, and Isomap, of the lengths of paths between neighbours."
    )
    return Drawing("axes", caption, _axes)


def merging_drawing() -> Drawing:
    """Draw how ChiMerge merges the intervals of Table 3.6."""
    caption = (
        "ChiMerge on Table 3.6, merger by merger from the top: intervals as bars, the cases of "
        "classes 1 (circles) and 2 (squares) in them. Three intervals are left."
    )
    return Drawing("merging", caption, _merging)


def learning_drawing(answers: Answers) -> Drawing:
    """Draw the error by the share of cases learned from."""
    caption = (
        "Error of a tree by the share of the cases it is learned from; dotted: trees that vote."
    )
    return Drawing("learning", caption, lambda: _learning(answers))


def _axes() -> "Figure":
    iris = load("iris")
    figure = new_figure(WIDTH, 3.6)
    methods: dict[Literal["mds", "isomap"], str] = {"mds": "(a) scaling", "isomap": "(b) Isomap"}
    for place, (method, title) in enumerate(methods.items(), 1):
        axes = figure.add_subplot(1, 2, place)
        _scatter(axes, iris, embedding(iris, method).coordinates)
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("axis 1")
        axes.set_aspect("equal", adjustable="datalim")
    figure.axes[0].set_ylabel("axis 2")
    figure.axes[0].legend(fontsize=8)
    return figure


def _scatter(axes: Any, data: Dataset, places: FloatArray) -> None:
    """Draw cases as points, each class in its colour."""
    for code, label in enumerate(data.classes):
        here = places[data.y == code]
        axes.scatter(
            here[:, 0], here[:, 1], s=16, color=colour(code), marker=marker(code), label=label
        )


def _components() -> "Figure":
    iris = load("iris")
    pca = principal_components(iris, 0.95)
    scores = pca.scores(np.column_stack([iris[name] for name in pca.features]))
    figure, axes = new_axes(WIDTH, 4.0)
    _scatter(axes, iris, scores)
    shares = 100 * pca.eigenvalues / pca.eigenvalues.sum()
    axes.set_xlabel(f"component 1 ({shares[0]:.1f} % of the variance)")
    axes.set_ylabel(f"component 2 ({shares[1]:.1f} %)")
    axes.legend(fontsize=8)
    return figure


def _merging() -> "Figure":
    steps = list(merging(TABLE_3_6))
    values, y = TABLE_3_6["F"], TABLE_3_6.y
    figure, axes = new_axes(WIDTH, 3.8)
    for row, (cuts, _) in enumerate(steps):
        ends = [0.0, *cuts, 60.0]
        for low, high in pairwise(ends):
            axes.barh(row, high - low - 0.5, 0.6, low + 0.25, color=GREY, alpha=0.4)
        for code in (0, 1):
            here = values[y == code]
            axes.scatter(
                here, [row] * len(here), s=14, color=colour(code), marker=marker(code), zorder=3
            )
    axes.set_xlim(0, 60)
    axes.set_yticks(range(len(steps)), [str(len(cuts) + 1) for cuts, _ in steps])
    axes.invert_yaxis()
    axes.set_xlabel("F")
    axes.set_ylabel("intervals")
    return figure


def _learning(answers: Answers) -> "Figure":
    figure, axes = new_axes(WIDTH, 3.2)
    sizes = [name for name in answers.of("learning")[0][1] if name.startswith("error at")]
    shares = [float(name.split()[2]) for name in sizes]
    for place, data in enumerate(learned_data(answers)):
        errors = [100 * answers.figures("learning", name, data=data).mean() for name in sizes]
        vote = 100 * answers.figures("learning", "error of the vote", data=data).mean()
        axes.plot(shares, errors, color=colour(place), marker=marker(place), label=data)
        axes.axhline(vote, color=colour(place), linestyle=":")
    axes.set_xticks(shares)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("% of the cases learned from")
    axes.set_ylabel("error, %")
    axes.legend(fontsize=8)
    return figure
