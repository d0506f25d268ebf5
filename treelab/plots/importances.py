"""How important features are to a tree, as bars."""

from typing import TYPE_CHECKING

import numpy as np

from treelab.explain.importances import Importances
from treelab.plots.canvas import in_style, new_figure, panels
from treelab.plots.ranks import MOST_SHOWN
from treelab.plots.style import colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@in_style
def draw_importances(found: Importances) -> "Figure":
    """Draw a bar for each feature, the most important on top; with the deviation, if there is one.

    Parameters
    ----------
    found
        What `treelab.importances` found.
    """
    shown = found.features[:MOST_SHOWN]
    figure = new_figure(6.4, 1.2 + 0.24 * len(shown))
    (axes,) = panels(figure, (1.0,))
    place, sd = np.arange(len(shown)), found.deviations[: len(shown)]
    spread = None if np.isnan(sd).all() else np.nan_to_num(sd)
    axes.barh(
        place, found.values[: len(shown)], 0.7, color=colour(0), xerr=spread,
        error_kw={"ecolor": "0.35", "elinewidth": 1.0},
    )  # fmt: skip
    axes.axvline(0, color="0.4", linewidth=0.8)
    axes.set_yticks(place, [name if len(name) <= 32 else f"{name[:31]}…" for name in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlabel(found.what)
    more = len(found.features) - len(shown)
    axes.set_title("Importances" + (f" ({more} more features)" if more else ""), loc="left")
    return figure
