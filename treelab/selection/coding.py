"""The data as ranking and selection see them: cases of known class, and a code for each value."""

from math import inf

import attrs
import numpy as np

from treelab.data.checks import check_target
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.discretize import discretizer as find_discretizer
from treelab.errors import DataError, ParameterError, UnknownNameError, check_number
from treelab.protocols import Discretizer


def usable(data: Dataset) -> Dataset:
    """Return the cases of known class whose weight is not 0, or say why there are none."""
    check_target(data)
    if not data.features:
        raise DataError("the data have no features")
    known = data.usable()
    if not len(known):
        raise DataError("there must be at least one case with a known class and weight above 0")
    return known


def against_rest(data: Dataset, label: str) -> Dataset:
    """Return the data with two classes: the given one, and all others together."""
    check_target(data)
    if label not in data.classes:
        raise UnknownNameError("class", label, data.classes)
    known = data.y >= 0
    y = np.where(known, data.y != data.classes.index(label), -1)
    target = attrs.evolve(data.schema.target, labels=(label, f"not {label}"))
    schema = attrs.evolve(data.schema, target=target)
    return Dataset.of(schema, data.columns, y, data.weights, data.name, len(data))


def fitted(data: Dataset, discretizer: str | Discretizer | None) -> Coding:
    """Return the cut points a discretizer finds; none without one."""
    return Coding() if discretizer is None else find_discretizer(discretizer).fit(data)


def check_all_cut(data: Dataset, coding: Coding) -> None:
    """Raise unless every feature has values to be counted: no number is left uncut."""
    for column in data.schema.features:
        if not column.is_nominal and column.name not in coding:
            raise ParameterError(
                f"feature {column.name!r} is numeric, but its values are to be counted: "
                "give a discretizer, such as 'ssv:8'"
            )


def only_codes(coded: Coded) -> Coded:
    """Return codes without an order, however they were made: every code a value of its own."""
    return attrs.evolve(coded, axes=tuple(attrs.evolve(a, kind="nominal") for a in coded.axes))


def check_seed(seed: int) -> None:
    """Raise unless a seed is a whole number."""
    check_number("seed", seed, -inf, whole=True)


def check_row(case: int, data: Dataset) -> int:
    """Return the place of a case, or say which there are."""
    if isinstance(case, bool) or not isinstance(case, int | np.integer):
        raise ParameterError(f"case must be the number of a row, got {case!r}")
    if not -len(data) <= case < len(data):
        raise ParameterError(
            f"case must be a row below {len(data)}, the number of cases, got {case}"
        )
    return int(case) % len(data)
