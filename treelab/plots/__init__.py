"""Pictures, with matplotlib (the extra `report`)."""

from treelab.plots.canvas import save
from treelab.plots.curve import draw_learning_curve
from treelab.plots.cuts import draw_cuts
from treelab.plots.embedding import draw_embedding
from treelab.plots.importances import draw_importances
from treelab.plots.pi_cases import draw_pi_cases
from treelab.plots.ranks import draw_ranking
from treelab.plots.regions import Regions, regions
from treelab.plots.scree import draw_scree

__all__ = [
    "Regions",
    "draw_cuts",
    "draw_embedding",
    "draw_importances",
    "draw_learning_curve",
    "draw_pi_cases",
    "draw_ranking",
    "draw_scree",
    "regions",
    "save",
]
