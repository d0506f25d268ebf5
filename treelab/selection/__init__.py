"""Ranking of features and selection of feature sets (duch2004)."""

from treelab.selection.rank import rank
from treelab.selection.ranking import Ranking, Rankings

__all__ = ["Ranking", "Rankings", "rank"]
