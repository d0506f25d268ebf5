"""Weights of classes: what the cases of each class count, beside their own weights."""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any, Literal, TypeAlias

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab._zeros import one_zero
from treelab.data.dataset import Dataset
from treelab.data.weights import is_integral, on_grid, times, unit_of
from treelab.errors import ParameterError, TreelabError, UnknownNameError, check_number, shown

ClassWeight: TypeAlias = Literal["balanced"] | Mapping[Any, float]

BALANCED: Literal["balanced"] = "balanced"


@attrs.frozen
class ClassWeights:
    """The weight of each class by its label; 1 where it says nothing."""

    pairs: tuple[tuple[str, float], ...]

    @property
    def plain(self) -> dict[str, float]:
        """The same as plain data."""
        return dict(self.pairs)


def class_weight(given: Any) -> ClassWeights | Literal["balanced"] | None:
    """Return weights of classes as a value, if they may be such.

    >>> class_weight({"ill": 2})
    ClassWeights(pairs=(('ill', 2.0),))
    """
    if given is None or isinstance(given, ClassWeights):
        return given
    if isinstance(given, str) and given == BALANCED:
        return BALANCED
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"class_weight must be a dictionary, 'balanced' or None, got {shown(given)}"
        )
    for label, weight in given.items():
        check_number(f"class_weight of {label!r}", weight, 0)
    weights = ((str(label), one_zero(float(weight))) for label, weight in given.items())
    return ClassWeights(tuple(weights))


def of_classes(
    given: "ClassWeights | str", classes: Sequence[str], totals: FloatArray
) -> FloatArray:
    """Return the factor of each class, whose cases weigh so much in total."""
    if isinstance(given, ClassWeights):
        return _said(given.plain, classes)
    return _balanced(totals)


def reweighted(data: Dataset, factors: FloatArray) -> Dataset:
    """Return data whose cases count as much more as their class does; the total stays."""
    return multiplied(data, scaled(factors, totals_of(data)))


def multiplied(data: Dataset, factors: FloatArray) -> Dataset:
    """Return data with the weight of each case multiplied by the factor of its class."""
    known, weights = data.y >= 0, data.weights.copy()  # those without a class teach nothing
    weights[known] = data.weights[known] * factors[data.y[known]]
    return data.reweighted(weights)


def scaled(factors: FloatArray, totals: FloatArray) -> FloatArray:
    """Return factors of classes, whose cases weigh so much, that leave the total as it is.

    They are multiples of a unit that is lost in rounding anyway, so that a case of weight 3 weighs
    exactly as much as three cases.

    >>> scaled(np.array([1.0, 3.0]), np.array([2.0, 2.0])).tolist()
    [0.5, 1.5]
    """
    nothing = np.zeros_like(totals)
    found = np.divide(times(totals, factors), totals, out=nothing, where=totals > 0)
    rounded = on_grid(found, unit_of(fsum(totals))) if totals.any() else found
    return np.where(rounded > 0, rounded, found)


def _said(given: Mapping[str, float], classes: Sequence[str]) -> FloatArray:
    """Return the weight of each class.

    A key that is no class is a slip of the pen only where some class has no weight: the training
    cases of a fold may lack a class.
    """
    unknown = [key for key in given if key not in classes]
    if unknown and any(label not in given for label in classes):
        raise unknown_class("class_weight", unknown[0], classes)
    return np.array([given.get(label, 1.0) for label in classes], np.float64)


def unknown_class(where: str, key: object, classes: Sequence[str]) -> TreelabError:
    """Return the error of a label that is no class."""
    return UnknownNameError(f"class in {where}", key, classes)


def totals_of(data: Dataset) -> FloatArray:
    """Return the weight of each class, the same to the last bit for any order of the cases."""
    if is_integral(data.weights):
        return np.asarray(np.bincount(data.y + 1, data.weights, len(data.classes) + 1)[1:], float)
    return np.array([fsum(data.weights[data.y == code]) for code in range(len(data.classes))])


def _balanced(totals: FloatArray) -> FloatArray:
    """Return factors that give all classes that occur the same share of the total weight."""
    occurs = totals > 0
    fair = fsum(totals) / max(int(occurs.sum()), 1)
    return np.asarray(np.divide(fair, totals, out=np.zeros_like(totals), where=occurs))
