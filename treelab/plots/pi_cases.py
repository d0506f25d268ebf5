"""The four cases of a feature by distance, and what alpha makes of them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from treelab._text import visible
from treelab.metrics.pi_cases import PiCases
from treelab.plots.canvas import in_style, new_figure, panels
from treelab.plots.style import colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CASES = (
    ("same value, same class", 0), ("same value, other class", 5),
    ("other value, same class", 1), ("other value, other class", 4),
)  # fmt: skip
"""Blue speaks for the feature, orange against it."""

ALPHAS = (0.1, 0.3, 1.0)
MOST_ALPHA = 3.0
NAMED = 3
"""So many other features are named."""

LONGEST = 18
"""Characters of a name."""


@in_style
def draw_pi_cases(found: PiCases) -> "Figure":
    """Draw the pairs by distance, what they say of the feature, and its score by alpha.

    Parameters
    ----------
    found
        What `treelab.pi_cases` found.
    """
    figure = new_figure(7.2, 8.4)
    pairs, agreement, scores = panels(figure, (1.1, 1.0, 1.1), share_x=False)
    agreement.sharex(pairs)
    _draw_pairs(pairs, found)
    _draw_agreement(agreement, found)
    _draw_scores(scores, found)
    return figure


def _occurring(found: PiCases) -> Any:
    return np.flatnonzero(found.pairs.sum(axis=1) > 0)


def _draw_pairs(axes: Any, found: PiCases) -> None:
    at = _occurring(found)
    shares = 100 * found.pairs / found.pairs.sum()
    bottom = np.zeros(len(at))
    for case, (name, number) in enumerate(CASES):
        axes.bar(at, shares[at, case], 0.8, bottom=bottom, color=colour(number), label=name)
        bottom = bottom + shares[at, case]
    axes.set_ylim(0, 1.28 * bottom.max())  # room for the legend
    axes.set_ylabel("pairs (%)")
    axes.legend(loc="upper center", frameon=False, fontsize=8, ncols=2)
    axes.set_title(f"Pairs of cases by distance: {visible(found.feature)}", loc="left")


def _draw_agreement(axes: Any, found: PiCases) -> None:
    at = _occurring(found)
    agreed = found.agreement[at]
    colours = [colour(0 if value >= 0 else 5) for value in agreed]
    axes.bar(at, agreed, 0.8, color=colours, alpha=0.45)
    axes.axhline(0, color="0.4", linewidth=0.8)
    x = np.linspace(at.min(), at.max(), 200)
    for alpha, dash in zip(ALPHAS, ("-", "--", ":"), strict=True):
        axes.plot(
            x, 2.0 ** (-alpha * x), dash, color="0.2", linewidth=1.4, label=f"alpha {alpha:g}"
        )
    axes.set_ylim(-1.08, 1.08)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_ylabel("agreement")
    axes.set_xlabel("distance: features on which two cases differ")
    axes.legend(
        loc="lower left", frameon=False, fontsize=8, title="weight 2^(-alpha x)", title_fontsize=8
    )
    axes.set_title("What they say of the feature, and how much they weigh", loc="left")


def _draw_scores(axes: Any, found: PiCases) -> None:
    alphas = np.linspace(0, MOST_ALPHA, 61)
    scores = np.stack([found.mean_scores(alpha) for alpha in alphas], axis=1)
    mine = found.features.index(found.feature)
    for f, line in enumerate(scores):
        if f != mine:
            axes.plot(alphas, line, color="0.75", linewidth=1)
    axes.plot(alphas, scores[mine], color=colour(0), linewidth=2.4)
    others = [f for f in np.argsort(-scores[:, -1], kind="stable") if f != mine][:NAMED]
    for f, y in _apart(scores, [mine, *others], np.ptp(scores) / 16):
        own = f == mine
        axes.annotate(
            _short(found.features[f]), (alphas[-1], y), (6, 0), textcoords="offset points",
            va="center", fontsize=8, color=colour(0) if own else "0.35",
            weight="bold" if own else "normal",
        )  # fmt: skip
    axes.axhline(0, color="0.4", linewidth=0.8)
    axes.set_xlim(0, MOST_ALPHA)
    axes.set_xlabel("alpha: how fast pairs lose weight with distance")
    axes.set_ylabel("score / weight of pairs")
    ranks = ", ".join(f"{found.rank(a)} at {a:g}" for a in (0.0, 0.1, 1.0))
    axes.set_title(f"Score by alpha: of rank {ranks}, of {len(found.features)}", loc="left")


def _short(name: str) -> str:
    """Return a name that leaves the picture its width."""
    text = visible(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}\u2026"


def _apart(scores: Any, features: list[int], room: float) -> list[tuple[int, float]]:
    """Return where the names of features go at the right end, none over another."""
    order = sorted(features, key=lambda f: -scores[f, -1])
    placed: list[tuple[int, float]] = []
    for f in order:
        y = float(scores[f, -1])
        placed.append((f, min(y, placed[-1][1] - room) if placed else y))
    return placed
