"""How steady the trees of metrics are, in a picture."""

from typing import TYPE_CHECKING, Any

import numpy as np

from treelab._typing import FloatArray
from treelab.multiplicity.steadiness import MetricStability, TreeStability
from treelab.plots.canvas import in_style, new_figure
from treelab.plots.style import colour
from treelab.writers.look import printable, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS = ("same root", "same features", "same predictions", "leaves")


@in_style
def draw_stability(found: TreeStability) -> "Figure":
    """Draw a row of dots for each metric: means over the samples, and the middle 80 % of them."""
    names = [shortened(printable(name), 30) for name in found]
    figure = new_figure(8.6, 1.2 + 0.32 * len(names))
    panels = figure.subplots(1, len(PANELS), sharey=True)
    for number, (axes, title) in enumerate(zip(panels, PANELS, strict=True)):
        for y, each in enumerate(found.values()):
            _dot(axes, y, number, each)
        axes.set_title(title, loc="left", fontsize=10)
        axes.grid(axis="x", color="0.9")
        axes.tick_params(labelsize=9)
        axes.set_axisbelow(True)
    for axes in panels[:-1]:
        axes.set_xlim(-0.04, 1.04)
        axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    panels[-1].set_xlim(left=0)
    panels[0].set_yticks(np.arange(len(names)), names)
    panels[0].set_ylim(len(names) - 0.5, -0.5)
    figure.supxlabel(
        f"{found.samples:,} bootstrap samples: mean, 10th to 90th percentile; "
        "ring: leaves of the tree of all cases",
        fontsize=8, color="0.35",
    )  # fmt: skip
    return figure


def _dot(axes: Any, y: int, panel: int, each: MetricStability) -> None:
    values = _samples(each)[panel]
    if panel:  # a share of yes and no has no spread of its own
        axes.plot(np.quantile(values, [0.1, 0.9]), [y, y], color=colour(panel), alpha=0.45, lw=3)
    axes.plot(values.mean(), y, "o", color=colour(panel), markersize=6, clip_on=False)
    if panel == len(PANELS) - 1:
        axes.plot(each.tree.n_leaves, y, "o", mfc="none", mec="0.3", markersize=9)


def _samples(each: MetricStability) -> tuple[FloatArray, ...]:
    same_root = np.array([root == each.root for root in each.sample_roots], float)
    return same_root, each.jaccard, each.agreement, each.leaves.astype(float)
