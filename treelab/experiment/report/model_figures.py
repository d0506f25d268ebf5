"""Figures of how good a tree is: mistakes, ROC, precision, calibration, importances."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from treelab._typing import FloatArray
from treelab.evaluate import Assessment
from treelab.explain import Importances
from treelab.plots.canvas import new_axes
from treelab.plots.style import GREY, WIDTH, colour

FEW = 8
"""So many classes get a curve of their own, those with most cases."""

BINS = 10
"""So many intervals of probabilities are compared with what came true."""

MOST_SHOWN = 25
"""So many features get a bar."""


def confusion(found: Assessment) -> Figure:
    """Draw the share of each class that is taken for each class, with the cases in the cells."""
    n = len(found.classes)
    figure, axes = new_axes(max(3.4, 2.2 + 0.5 * n), max(2.6, 1.5 + 0.4 * n))
    axes.grid(visible=False)
    cases = np.where(found.cases > 0, found.cases, 1.0)
    shares = found.confusion / cases[:, None]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    if n <= 15:
        for (i, j), weight in np.ndenumerate(found.confusion):
            ink = "white" if shares[i, j] > 0.6 else "#1b1e22"
            axes.text(j, i, f"{weight:,.4g}", ha="center", va="center", fontsize=8, color=ink)
    names = [_short(label, 16) for label in found.classes]
    level = n <= 6 and max(map(len, names)) * n <= 24
    axes.set_xticks(range(n), names, rotation=0 if level else 45, ha="center" if level else "right")
    axes.set_yticks(range(n), names)
    axes.set_xlabel("predicted")
    axes.set_ylabel("actual")
    return figure


def roc(found: Assessment) -> Figure:
    """Draw which share of a class is found at the price of which share of the others."""
    figure, axes = new_axes(WIDTH * 0.72, WIDTH * 0.68)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle="--")
    for k in _shown(found):
        right, wrong = found.curve(k)
        label = f"{_short(found.classes[k])} ({found.auc(k):.2f})"
        axes.plot(wrong / wrong[-1], right / right[-1], color=colour(k), label=label)
    return _finished(figure, axes, "share of the others", "share found", "class (area)")


def precision_recall(found: Assessment) -> Figure:
    """Draw how precise the predictions of a class are at each share of it that is found."""
    figure, axes = new_axes(WIDTH * 0.72, WIDTH * 0.68)
    for k in _shown(found):
        right, wrong = found.curve(k)
        precise = right[1:] / (right[1:] + wrong[1:])
        steps = np.append(precise[:1], precise)
        axes.plot(
            right / right[-1], steps, drawstyle="steps-pre", color=colour(k),
            label=_short(found.classes[k]),
        )  # fmt: skip
        base = right[-1] / (right[-1] + wrong[-1])
        axes.axhline(base, color=colour(k), linewidth=0.8, linestyle=":")
    return _finished(figure, axes, "recall", "precision", "class")


def calibration(found: Assessment) -> Figure:
    """Draw how often what was said with some probability came true."""
    said, came = _said(found)
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    weight = np.bincount(bins, found.weights, minlength=BINS)
    some = weight > 0
    mean_said = np.bincount(bins, found.weights * said, minlength=BINS)[some] / weight[some]
    mean_came = np.bincount(bins, found.weights * came, minlength=BINS)[some] / weight[some]
    figure, axes = new_axes(WIDTH * 0.72, WIDTH * 0.68)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle="--")
    axes.plot(mean_said, mean_came, color=colour(0), linewidth=1)
    sizes = 20 + 180 * weight[some] / weight.max()
    axes.scatter(mean_said, mean_came, s=sizes, color=colour(0), edgecolors="none", alpha=0.9)
    return _finished(figure, axes, "said", "came true", "")


def bars(found: Importances) -> Figure:
    """Draw a bar for each feature, the most important on top."""
    shown = [k for k in range(len(found.features)) if found.values[k] > 0][:MOST_SHOWN] or [0]
    figure, axes = new_axes(WIDTH * 0.8, 0.9 + 0.28 * len(shown))
    axes.barh(range(len(shown)), found.values[shown], 0.65, color=colour(0))
    axes.set_yticks(range(len(shown)), [_short(found.features[k], 26) for k in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlabel(found.what)
    return figure


def _said(found: Assessment) -> tuple[FloatArray, FloatArray]:
    """Return the probability that was said of something, and whether it came true.

    Of two classes that the case is of the second one; of more, that the prediction is right.
    """
    assert found.probabilities is not None
    if len(found.classes) == 2:
        return found.probabilities[:, 1], (found.actual == 1).astype(float)
    rows = np.arange(len(found.actual))
    right = found.actual == found.predicted
    return found.probabilities[rows, found.predicted], right.astype(float)


def _shown(found: Assessment) -> list[int]:
    """Return the classes that get a curve: of two the second, else those with most cases."""
    there = [k for k, n in enumerate(found.cases) if 0 < n < found.cases.sum()]
    if len(found.classes) == 2:
        return there[-1:]
    return sorted(sorted(there, key=lambda k: -found.cases[k])[:FEW])


def _finished(figure: Figure, axes: Any, across: str, up: str, legend: str) -> Figure:
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    if legend and axes.get_legend_handles_labels()[0]:
        axes.legend(title=legend, fontsize=8, title_fontsize=8)
    return figure


def _short(text: str, most: int = 20) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
