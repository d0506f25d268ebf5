"""How much of a tree is chance: other trees that are as good, and trees of other samples."""

from treelab.multiplicity.good_trees import Rashomon, RashomonTree
from treelab.multiplicity.rashomon_set import rashomon
from treelab.multiplicity.resampling import stability
from treelab.multiplicity.steadiness import MetricStability, TreeStability

__all__ = [
    "MetricStability",
    "Rashomon",
    "RashomonTree",
    "TreeStability",
    "rashomon",
    "stability",
]
