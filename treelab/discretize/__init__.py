"""Discretizers: cut points for numeric features, found on the training data only."""

from typing import Any

from treelab._registry import Registry
from treelab.discretize.unsupervised import EqualFrequency, EqualWidth
from treelab.errors import ParameterError
from treelab.protocols import Discretizer

DISCRETIZERS: Registry[Discretizer] = Registry("discretizer", "treelab.discretizers")
DISCRETIZERS.add("equal-width", EqualWidth)
DISCRETIZERS.add("equal-frequency", EqualFrequency)


def discretizer(spec: str | Discretizer, **parameters: Any) -> Discretizer:
    """Return a discretizer by name ('equal-width', 'equal-width:5', ...), or itself.

    Examples
    --------
    >>> import treelab as tl
    >>> coding = tl.discretizer("equal-width", bins=3).fit(tl.load("iris"))
    >>> coding.cuts["petal length"].round(2).tolist()
    [2.97, 4.93]
    """
    if isinstance(spec, str):
        return DISCRETIZERS.make(spec, **parameters)
    if not hasattr(spec, "fit"):
        raise ParameterError(f"expected the name of a discretizer or one with fit, got {spec!r}")
    if parameters:
        raise ParameterError("parameters go with the name of a discretizer, not with one itself")
    return spec
