"""Cases on the first two axes of an embedding."""

from typing import TYPE_CHECKING

from treelab.data.dataset import Dataset
from treelab.errors import DataError
from treelab.plots.canvas import in_style, new_figure, panels
from treelab.plots.style import colour, marker
from treelab.reduce.embedding import Embedding

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLES = {"mds": "Multidimensional scaling", "isomap": "Isomap"}


@in_style
def draw_embedding(found: Embedding, data: Dataset) -> "Figure":
    """Draw where the cases lie on the first two axes, each class in its colour.

    Parameters
    ----------
    found
        What `treelab.reduce.embedding` found.
    data
        The cases it was made of.
    """
    if found.coordinates.shape[1] < 2:
        raise DataError("a picture needs two axes, the embedding has one")
    figure = new_figure(6.4, 4.4)
    (axes,) = panels(figure, (1.0,))
    groups = [(label, data.y == code) for code, label in enumerate(data.classes)]
    for place, (label, here) in enumerate([*groups, ("no class", data.y < 0)]):
        if here.any():
            x, y = found.coordinates[here, 0], found.coordinates[here, 1]
            axes.scatter(x, y, s=16, color=colour(place), marker=marker(place), label=label)
    axes.set_xlabel("axis 1")
    axes.set_ylabel("axis 2")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(f"{TITLES[found.method]}, residual variance {found.residual:.3f}", loc="left")
    axes.legend(frameon=False, fontsize=8)
    return figure
