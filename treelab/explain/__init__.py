"""Why a tree is as it is: what every metric says of every candidate at a node."""

from treelab.explain.importances import Importances, importances
from treelab.explain.question import why
from treelab.explain.report import Option, Verdict, Why

__all__ = ["Importances", "Option", "Verdict", "Why", "importances", "why"]
