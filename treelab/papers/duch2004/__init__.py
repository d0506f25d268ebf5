"""duch2004: indices, bins and searches for the ranking and selection of features."""

from treelab.experiment.simulation import Ask
from treelab.papers.duch2004 import directions, gaussians, thyroid
from treelab.papers.duch2004.article import statements, to_article

QUESTIONS: dict[str, Ask] = {
    "ranking": gaussians.ranking,
    "selection": gaussians.selection,
    "sizes": gaussians.ranking,
    "points": gaussians.points,
    "greedy": gaussians.greedy,
    "estimators": gaussians.estimates,
    "tree": gaussians.tree,
    "information": thyroid.information,
    "table": thyroid.table,
    "bins": thyroid.places,
    "beta": thyroid.table,
    "directions": thyroid.table,
    "cuttings": directions.cuttings,
    "classes": directions.classes,
    "weights": directions.weights,
    "printed": thyroid.printed,
    "soft": thyroid.printed,
}

__all__ = ["QUESTIONS", "statements", "to_article"]
