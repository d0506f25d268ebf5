"""duch2004: indices, bins and searches for the ranking and selection of features."""

from treelab.experiment.simulation import Ask
from treelab.papers.duch2004 import gaussians, thyroid
from treelab.papers.duch2004.article import to_article

QUESTIONS: dict[str, Ask] = {
    "ranking": gaussians.ranking,
    "selection": gaussians.selection,
    "sizes": gaussians.ranking,
    "tree": gaussians.tree,
    "information": thyroid.information,
    "table": thyroid.table,
    "bins": thyroid.places,
    "printed": thyroid.printed,
    "soft": thyroid.printed,
}

__all__ = ["QUESTIONS", "to_article"]
