"""Pictures, with matplotlib (the extra `report`), and the style and palette of all of them."""

from treelab.plots.canvas import in_style, new_axes, new_figure, save
from treelab.plots.curve import draw_learning_curve
from treelab.plots.cuts import draw_cuts
from treelab.plots.embedding import draw_embedding
from treelab.plots.importances import draw_importances
from treelab.plots.pi_cases import draw_pi_cases
from treelab.plots.ranks import draw_ranking
from treelab.plots.regions import Regions, regions
from treelab.plots.scree import draw_scree
from treelab.plots.style import GREY, INK, WIDTH, colour, colours, marker

__all__ = [
    "GREY",
    "INK",
    "WIDTH",
    "Regions",
    "colour",
    "colours",
    "draw_cuts",
    "draw_embedding",
    "draw_importances",
    "draw_learning_curve",
    "draw_pi_cases",
    "draw_ranking",
    "draw_scree",
    "in_style",
    "marker",
    "new_axes",
    "new_figure",
    "regions",
    "save",
]
