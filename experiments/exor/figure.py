"""Draw what four metrics think of the features of EXOR(3, 10, 200), before the first split.

Run it with `python experiments/exor/figure.py [FILE.svg]`; without a file it renews docs/exor.svg.
"""

import sys
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import treelab as tl
from treelab.plots.canvas import in_style, new_figure, save
from treelab.plots.style import GREY, colour

HERE = Path(__file__).resolve()
PICTURE = HERE.parents[2] / "docs" / "exor.svg"
METRICS = ("gain", "relieff", "contextual-merit", "pi:alpha=1")

# Seen on white and on black: middle grey for words, and no background.
WORDS, RELEVANT, RANDOM = GREY, colour(0), colour(7)


def main(path: Path = PICTURE) -> None:
    save(drawn(), path)


@in_style
def drawn() -> Figure:
    data = tl.make("exor", n=3, m=10, cases=200, seed=0)
    figure = new_figure(8.4, 3.1)
    figure.patch.set_visible(False)
    panels = figure.subplots(1, len(METRICS), sharey=True)
    for axes, metric in zip(panels, METRICS, strict=True):
        ranking = tl.rank(data, metric)
        draw(axes, metric, {name: ranking[name] for name in data.features})
    return figure


def draw(axes: Axes, metric: str, scores: dict[str, float]) -> None:
    """Draw a bar a feature, the exclusive-or variables in colour; every panel has its own scale."""
    colours = [RELEVANT if name.startswith("X") else RANDOM for name in scores]
    axes.barh(list(scores), list(scores.values()), color=colours, height=0.72)
    axes.axvline(0, color=WORDS, linewidth=0.8)
    axes.set_title(metric, fontsize=10, fontweight="bold", color=WORDS)
    axes.set_xticks([])
    axes.grid(visible=False)
    axes.tick_params(length=0, labelcolor=WORDS, labelsize=9)
    axes.spines[:].set_visible(False)
    if not axes.yaxis_inverted():
        axes.invert_yaxis()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
