"""Ranking of features and selection of feature sets (duch2004)."""

from treelab.selection.rank import rank
from treelab.selection.ranking import Ranking, Rankings
from treelab.selection.select import Selection, select
from treelab.selection.wrapper import Wrapper, as_matrix

__all__ = [
    "Ranking",
    "Rankings",
    "Selection",
    "Wrapper",
    "as_matrix",
    "rank",
    "select",
]
