"""Rankings of features: bars of scores, or the places several metrics give them."""

from typing import TYPE_CHECKING

import numpy as np

from treelab.plots.canvas import in_style, new_figure, panels
from treelab.plots.style import colour
from treelab.selection import Ranking, Rankings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SHOWN = 40
"""Features beyond these would be too small to read."""


@in_style
def draw_ranking(ranking: Ranking | Rankings) -> "Figure":
    """Draw a ranking as bars, the best on top, or several as lines from metric to metric.

    Parameters
    ----------
    ranking
        What `treelab.rank` found. Bootstrap stability is written beside the bars.
    """
    return _bars(ranking) if isinstance(ranking, Ranking) else _lines(ranking)


def _bars(ranking: Ranking) -> "Figure":
    shown = ranking.features[:MOST_SHOWN]
    figure = new_figure(6.4, 1.2 + 0.24 * len(shown))
    (axes,) = panels(figure, (1.0,))
    scores = np.nan_to_num(ranking.scores[: len(shown)])
    place = np.arange(len(shown))
    axes.barh(place, scores, 0.7, color=colour(0))
    axes.axvline(0, color="0.4", linewidth=0.8)
    axes.set_yticks(place, shown)
    axes.invert_yaxis()
    axes.set_xlabel(ranking.metric)
    axes.set_title("Features, ranked", loc="left")
    if ranking.stability is not None:
        for y, share in enumerate(ranking.stability.kept[: len(shown)]):
            axes.text(
                1.0, y, f" {100 * share:.0f} %", transform=axes.get_yaxis_transform(),
                va="center", fontsize=8, color="0.3",
            )  # fmt: skip
    return figure


def _lines(rankings: Rankings) -> "Figure":
    mean = rankings.ranks.mean(axis=1)
    shown = np.argsort(mean, kind="stable")[:MOST_SHOWN]
    figure = new_figure(3.2 + 1.1 * len(rankings), 1.4 + 0.24 * len(shown))
    (axes,) = panels(figure, (1.0,))
    places = np.arange(len(rankings))
    for number, f in enumerate(shown):
        axes.plot(places, rankings.ranks[f], "o-", color=colour(number), markersize=4)
    first = {f: rankings.ranks[f, 0] for f in shown}
    names = {
        rank: [rankings.features[f] for f in shown if first[f] == rank] for rank in first.values()
    }
    axes.set_yticks(list(names), [", ".join(tied) for tied in names.values()])
    axes.invert_yaxis()
    axes.set_xticks(places, list(rankings))
    axes.set_xlim(-0.2, len(rankings) - 0.8)
    axes.set_title("Places by each metric", loc="left")
    return figure
