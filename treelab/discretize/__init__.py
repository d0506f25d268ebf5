"""Discretizers: cut points for numeric features, found on the training data only."""

from collections.abc import Mapping
from typing import Any

from treelab._registry import Registry, Spec
from treelab.discretize.bins import Bins
from treelab.discretize.chimerge import Chi2Merge, ChiMerge, interval_chi2
from treelab.discretize.given import Cuts
from treelab.discretize.greedy import Greedy
from treelab.discretize.moves import Borders, Move, border_moves
from treelab.discretize.rounding import Rounding, round_to_power
from treelab.discretize.smoothing import smooth
from treelab.discretize.splitting import KononenkoMdl, Mdlp, Ssv
from treelab.discretize.unsupervised import EqualFrequency, EqualWidth
from treelab.errors import ParameterError
from treelab.metrics.registry import METRICS
from treelab.protocols import Discretizer
from treelab.stats.bins import By, bin_error, representatives

DISCRETIZERS: Registry[Discretizer] = Registry("discretizer", "treelab.discretizers", METRICS)
DISCRETIZERS.add("equal-width", EqualWidth)
DISCRETIZERS.add("equal-frequency", EqualFrequency)
DISCRETIZERS.add("chimerge", ChiMerge)
DISCRETIZERS.add("chi2-merge", Chi2Merge)
DISCRETIZERS.add("ssv", Ssv)
DISCRETIZERS.add("mdlp", Mdlp)
DISCRETIZERS.add("kononenko-mdl", KononenkoMdl)
DISCRETIZERS.add("greedy", Greedy)
DISCRETIZERS.add("bins", Bins)
DISCRETIZERS.add("rounding", Rounding)
DISCRETIZERS.add("cuts", Cuts)

__all__ = [
    "DISCRETIZERS",
    "Borders",
    "By",
    "Cuts",
    "Move",
    "bin_error",
    "border_moves",
    "discretizer",
    "discretizer_names",
    "interval_chi2",
    "representatives",
    "round_to_power",
    "smooth",
]


def discretizer(spec: Spec | Discretizer, **parameters: Any) -> Discretizer:
    """Return a discretizer by name ('equal-width', 'equal-width:5', ...), or itself.

    Examples
    --------
    >>> import treelab as tl
    >>> coding = tl.discretizer("mdlp").fit(tl.load("iris"))
    >>> coding.cuts["petal width"].round(2).tolist()
    [0.8, 1.75]
    >>> print(coding)
    sepal length  < 5.55 | 5.55..6.15 | >= 6.15
    sepal width   < 2.95 | 2.95..3.35 | >= 3.35
    petal length  < 2.45 | 2.45..4.75 | >= 4.75
    petal width   < 0.8 | 0.8..1.75 | >= 1.75
    """
    if isinstance(spec, str | Mapping):
        return DISCRETIZERS.make(spec, **parameters)
    if hasattr(spec, "transform"):
        raise ParameterError(
            "a scikit-learn transformer cannot stand in for a discretizer; give its method instead"
        )
    if not hasattr(spec, "fit"):
        raise ParameterError(f"expected the name of a discretizer or one with fit, got {spec!r}")
    if parameters:
        raise ParameterError("parameters go with the name of a discretizer, not with one itself")
    return spec


def discretizer_names() -> list[str]:
    """Return the names of all discretizers, sorted."""
    return DISCRETIZERS.names()
