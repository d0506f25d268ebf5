"""Pictures of the study: maps of regret, and what choosing is worth."""

from typing import TYPE_CHECKING, Any

import numpy as np

from treelab.evaluate import mean_and_error
from treelab.experiment.report.article import Drawing
from treelab.experiment.simulation import Answers
from treelab.papers.pi_question.halving import mean_by_family, part_of, screened_families
from treelab.papers.pi_question.holding_out import ALWAYS, ORACLE, Contest
from treelab.plots import GREY, colour, new_figure
from treelab.protocols import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FARTHEST = 15.0
"""Points of regret that get the darkest colour."""


SHORT = {"exponential": "exp."}


def map_drawing(answers: Answers) -> Drawing:
    """Draw the mean regret of every setting: theta down, decay and alpha across."""
    caption = (
        "Mean regret of every setting over the families of data, in points: what the best setting "
        "of the data set has more (first look, five folds). Theta: same value and class, same "
        "value and other class, other value and same class, other value and class."
    )
    return Drawing("settings", caption, lambda: _settings(answers))


def data_drawing(answers: Answers) -> Drawing:
    """Draw the regret of every setting on every data set."""
    caption = (
        "Regret of every setting on every data set, in points (first look, five folds): dark is "
        "far from the best. Where a row is of one colour the setting does not matter."
    )
    return Drawing("regret", caption, lambda: _by_data(answers))


def leads_drawing(contest: Contest) -> Drawing:
    """Draw how far contestants are from the paper's setting."""
    caption = (
        "Points of accuracy from the paper's setting, over the data sets: mean, standard error, "
        "and a dot a data set (those beyond 15 points at the border)."
    )
    return Drawing("contest", caption, lambda: _leads(contest))


def regrets(accuracy: FloatArray) -> FloatArray:
    """Return (data set, setting): what the best setting of the data set has more."""
    return np.asarray(accuracy.max(axis=1, keepdims=True) - accuracy)


def _settings(answers: Answers) -> "Figure":
    over = part_of(answers, "screen").over
    found, _, families = screened_families(answers)
    means = mean_by_family(regrets(found), families)
    values = means.reshape(len(over["theta"]), len(over["decay"]))
    figure, axes = _axes(7.2, 1.6 + 0.5 * len(values))
    _image(axes, values)
    limit = _limit(values)
    for (i, j), value in np.ndenumerate(values):
        dark = value > 0.55 * limit
        axes.text(
            j, i, f"{value:.1f}", ha="center", va="center", fontsize=8,
            color="white" if dark else "black",
        )  # fmt: skip
    axes.set_yticks(range(len(values)), [theta.replace("/", "") for theta in over["theta"]])
    axes.set_xticks(range(values.shape[1]), [_label(d) for d in over["decay"]], fontsize=8)
    axes.set_ylabel("theta")
    return figure


def _by_data(answers: Answers) -> "Figure":
    over = part_of(answers, "screen").over
    found, names, _ = screened_families(answers)
    values, n_decays = regrets(found), len(over["decay"])
    figure, axes = _axes(7.6, 1.4 + 0.19 * len(names))
    image = _image(axes, values, FARTHEST)
    axes.set_yticks(range(len(names)), [name.removeprefix("make:") for name in names], fontsize=6.5)
    middles = [n_decays * (k + 0.5) - 0.5 for k in range(len(over["theta"]))]
    axes.set_xticks(middles, [theta.replace("/", "") for theta in over["theta"]])
    for k in range(1, len(over["theta"])):
        axes.axvline(n_decays * k - 0.5, color="white", linewidth=1.5)
    axes.set_xlabel("theta; within each, decay and alpha in the order of the map above")
    bar = figure.colorbar(image, ax=axes, shrink=0.5, extend="max")
    bar.set_label("points")
    return figure


def _leads(contest: Contest) -> "Figure":
    names = [name for name in contest.names if name not in (ALWAYS, ORACLE)]
    apart = np.stack([contest.of(name) - contest.of(ALWAYS) for name in names])
    order = np.argsort(apart.mean(axis=1), kind="stable")
    figure, axes = _axes(6.4, 1.2 + 0.34 * len(names))
    axes.axvline(0, color=GREY, linewidth=1)
    for row, k in enumerate(order):
        dots = np.clip(apart[k], -FARTHEST, FARTHEST)
        axes.plot(dots, np.full(len(dots), row), "o", color=GREY, markersize=3, alpha=0.5)
        mean, error = mean_and_error(apart[k])
        axes.errorbar(mean, row, xerr=error, fmt="o", color=colour(0), capsize=3)
    axes.set_yticks(range(len(names)), [names[k] for k in order])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_xlabel("points above always 1/1/1/1, alpha 0.1")
    return figure


def _axes(width: float, height: float) -> tuple["Figure", Any]:
    figure = new_figure(width, height)
    return figure, figure.subplots()


def _limit(values: FloatArray) -> float:
    return max(float(values.max()), 1e-9)


def _image(axes: Any, values: FloatArray, most: float | None = None) -> Any:
    axes.grid(False)
    return axes.imshow(values, cmap="cividis_r", aspect="auto", vmin=0, vmax=most or _limit(values))


def _label(decay: str) -> str:
    form, _, alpha = decay.partition(":")
    return f"{SHORT.get(form, form)}\n{alpha}"
