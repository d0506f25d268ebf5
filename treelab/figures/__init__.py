"""Pictures, with matplotlib (the extra `report`)."""

from treelab.figures.canvas import save
from treelab.figures.curve import draw_learning_curve
from treelab.figures.cuts import draw_cuts
from treelab.figures.embedding import draw_embedding
from treelab.figures.importances import draw_importances
from treelab.figures.pi_cases import draw_pi_cases
from treelab.figures.ranks import draw_ranking
from treelab.figures.regions import Regions, regions
from treelab.figures.scree import draw_scree

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
