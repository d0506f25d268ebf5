"""Fewer different numbers: smoothed, rounded, or in words (kantardzic2011 3.6, SPEC 4.6, 4.7)."""

from collections.abc import Callable, Sequence
from functools import partial

import attrs
import numpy as np

from treelab._typing import AnyArray
from treelab.data.checks import check_dataset
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset, is_missing
from treelab.data.schema import Column
from treelab.discretize import discretizer as find_discretizer
from treelab.discretize import smooth
from treelab.discretize.rounding import round_to_power
from treelab.errors import ParameterError, check_choice, check_number
from treelab.protocols import Discretizer

SMOOTHING = ("mean", "median", "mode", "boundaries")
VALUE_METHODS = (*SMOOTHING, "rounding", "labels")
MOST = 100
"""Rounding goes on until no feature has more values: the book's limits are 50 to 100."""


def values(
    data: Dataset,
    method: str = "mean",
    *,
    discretizer: str | Discretizer | None = None,
    most: int = MOST,
    labels: Sequence[str] = (),
) -> Dataset:
    """Return the same cases with fewer different numbers; labels and classes stay.

    Parameters
    ----------
    data
        The cases.
    method
        'mean', 'median', 'mode' or 'boundaries': what stands for the values of a bin; 'rounding':
        to multiples of 10, 100, ... until few values are left; 'labels': a word for each bin.
    discretizer
        Makes the bins; None: of equal frequency, ten of them or one for each label.
    most
        How many values of a feature rounding may leave.
    labels
        The words, from the lowest bin to the highest, such as ('low', 'medium', 'high').

    Examples
    --------
    >>> import treelab as tl
    >>> iris = tl.load("iris").select(["petal length"])
    >>> len(np.unique(values(iris, "median")["petal length"]))
    10
    >>> values(iris, "labels", labels=["short", "middling", "long"]).schema.features[0].labels
    ('short', 'middling', 'long')
    """
    check_dataset(data)
    check_choice("method", method, VALUE_METHODS)
    _check_bins(method, discretizer, labels)
    if method == "rounding":
        check_number("most", most, 1, whole=True)
        return _rounded(data, most)
    if method == "labels":
        return labelling(data, labels, discretizer)(data)
    coding = find_discretizer(discretizer or "equal-frequency:10").fit(data)
    return smooth(data, coding, method)  # type: ignore[arg-type]


def labelling(
    data: Dataset, labels: Sequence[str], discretizer: str | Discretizer | None = None
) -> Callable[[Dataset], Dataset]:
    """Return what puts the words of the bins of some cases in place of the numbers of any."""
    made = find_discretizer(discretizer or f"equal-frequency:{len(labels)}")
    return partial(_named, coding=made.fit(data), labels=labels)


def n_values(column: AnyArray) -> int:
    """Return how many different values a column has, missing ones aside."""
    return len(np.unique(column[~is_missing(column)]))


def _check_bins(method: str, discretizer: object, labels: Sequence[str]) -> None:
    if (method == "labels") != bool(labels):
        raise ParameterError("method 'labels' needs labels, one for each bin, and no other does")
    if method == "rounding" and discretizer is not None:
        raise ParameterError("rounding makes no bins: leave the discretizer out")


def _rounded(data: Dataset, most: int) -> Dataset:
    columns = list(data.columns)
    for f, column in enumerate(data.schema.features):
        if column.is_nominal:
            continue
        rounded, power = columns[f], 1
        while n_values(rounded) > most:
            rounded = round_to_power(columns[f], power)
            power += 1
        columns[f] = rounded
    return Dataset.of(data.schema, columns, data.y, data.weights, data.name, len(data))


def _named(data: Dataset, coding: Coding, labels: Sequence[str]) -> Dataset:
    """Return the bins as labels; a feature of fewer bins takes the first words."""
    for name, cuts in coding.cuts.items():
        if len(cuts) >= len(labels):
            raise ParameterError(
                f"feature {name!r} has {len(cuts) + 1} bins, but there are {len(labels)} labels"
            )
    cut = coding.apply(data)
    columns = tuple(
        Column(column.name, tuple(labels)) if column.name in coding else column
        for column in cut.schema.features
    )
    schema = attrs.evolve(cut.schema, features=columns)
    return Dataset.of(schema, cut.columns, cut.y, cut.weights, cut.name, len(cut))
