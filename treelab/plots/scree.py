"""How much of the variance each principal component has."""

from typing import TYPE_CHECKING

import numpy as np

from treelab.plots.canvas import in_style, new_figure, panels
from treelab.plots.style import colour
from treelab.reduce.components import PrincipalComponents

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SHOWN = 30
"""Components beyond these have next to no variance left to show."""


@in_style
def draw_scree(pca: PrincipalComponents) -> "Figure":
    """Draw the share of the variance of each component and of all up to it.

    Parameters
    ----------
    pca
        What `treelab.reduce.principal_components` found.
    """
    figure = new_figure(6.4, 3.6)
    (axes,) = panels(figure, (1.0,))
    shown = min(len(pca.eigenvalues), MOST_SHOWN)
    number = np.arange(1, shown + 1)
    share = (pca.eigenvalues / pca.eigenvalues.sum())[:shown]
    kept = number <= pca.kept
    axes.bar(number[kept], share[kept], 0.7, color=colour(0), label=f"kept ({pca.kept})")
    if not kept.all():
        axes.bar(number[~kept], share[~kept], 0.7, color="0.8", label="left out")
    axes.plot(number, pca.ratios[:shown], "o-", color=colour(5), markersize=4, label="together")
    axes.axhline(pca.retain, color="0.4", linewidth=0.8, linestyle=(0, (4, 3)))
    axes.text(
        1.0, pca.retain, f" {pca.retain:.4g}", transform=axes.get_yaxis_transform(),
        va="center", fontsize=8, color="0.3",
    )  # fmt: skip
    axes.set_xticks(number if shown <= 15 else number[:: shown // 10 + 1])
    axes.set_ylim(0, 1.05)
    axes.set_xlim(0.4, shown + 0.6)
    axes.set_xlabel("component")
    axes.set_ylabel("share of the variance")
    axes.set_title("Principal components", loc="left")
    axes.legend(loc="center right", frameon=False, fontsize=8)
    return figure
