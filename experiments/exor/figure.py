"""Draw what four metrics think of the features of EXOR(3, 10, 200), before the first split.

Run it with `python experiments/exor/figure.py [FILE.svg]`; without a file it renews docs/exor.svg.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

import treelab as tl

HERE = Path(__file__).resolve()
PICTURE = HERE.parents[2] / "docs" / "exor.svg"
METRICS = ("gain", "relieff", "contextual-merit", "pi:alpha=1")

# Seen on white and on black: middle grey for words, and no background.
WORDS, RELEVANT, RANDOM = "#7d8590", "#2f81f7", "#a0a7b0"

mpl.use("svg")
mpl.rcParams.update({
    "svg.hashsalt": "exor",  # the same picture is the same file
    "font.size": 9,
    "text.color": WORDS,
    "axes.labelcolor": WORDS,
    "ytick.color": WORDS,
})  # fmt: skip


def main(path: Path = PICTURE) -> None:
    data = tl.make("exor", n=3, m=10, cases=200, seed=0)
    figure, panels = plt.subplots(1, len(METRICS), figsize=(8.4, 3.1), sharey=True)
    for axes, metric in zip(panels, METRICS, strict=True):
        ranking = tl.rank(data, metric)
        draw(axes, metric, {name: ranking[name] for name in data.features})
    figure.tight_layout(w_pad=1.5)
    figure.savefig(path, transparent=True, metadata={"Date": None})
    plt.close(figure)


def draw(axes: Axes, metric: str, scores: dict[str, float]) -> None:
    """Draw a bar a feature, the exclusive-or variables in colour; every panel has its own scale."""
    colours = [RELEVANT if name.startswith("X") else RANDOM for name in scores]
    axes.barh(list(scores), list(scores.values()), color=colours, height=0.72)
    axes.axvline(0, color=WORDS, linewidth=0.8)
    axes.set_title(metric, fontsize=10, fontweight="bold", color=WORDS)
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if not axes.yaxis_inverted():
        axes.invert_yaxis()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
