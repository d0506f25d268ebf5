"""The columns of data as a tree reads them, found by name and turned into its own terms."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data.coding import Coding, found_among
from treelab.data.dataset import is_missing
from treelab.data.labels import label_of
from treelab.data.moments import Moments, conversion
from treelab.data.notation import number
from treelab.data.scales import UNKNOWN, Ordered, Scale
from treelab.data.schema import Column
from treelab.errors import DataError, suggestion

Terms = Callable[[AnyArray], AnyArray]
"""Turns values of a column, as many as one likes, into the tree's terms."""


class TreeColumn(NamedTuple):
    """A column of data, and how the tree reads its values.

    Numbers as they are, codes for nominal and cut features, NaN for missing; a code beyond all
    labels, or infinity, for a label that training did not have.
    """

    values: AnyArray
    terms: Terms | None = None

    def part(self, rows: slice) -> AnyArray:
        """Return some cases in the tree's terms."""
        values = self.values[rows]
        return values if self.terms is None else self.terms(values)


def column_of(column: Column, coding: Coding, given: Column, values: AnyArray) -> TreeColumn:
    """Return what a tree reads of a column that is given as another column of the same name."""
    if is_missing(values[:1]).all() and is_missing(values).all():
        return TreeColumn(np.broadcast_to(np.nan, len(values)))
    if column.is_nominal:
        return TreeColumn(values, _recoding(column, given))
    terms = _numbering(column, given, values)
    if column.name not in coding:
        return TreeColumn(values, terms)
    return TreeColumn(values, _cutting(column.name, coding, terms))


def check_present(name: str, known: Collection[str], target: str = "") -> None:
    """Raise unless a column is there."""
    if name not in known:
        hint = suggestion(name, known)
        if name == target:
            hint = "it was read as the target; read data without one with target=''"
        raise DataError(f"the tree needs a column {name!r}, which the data do not have: {hint}")


def _cutting(name: str, coding: Coding, terms: Terms | None) -> Terms:
    """Return how to find the interval of numbers; one beyond all for a label that is not known."""
    unknown = len(coding.cuts[name]) + 1

    def cut(values: AnyArray) -> FloatArray:
        numbers = values if terms is None else terms(values)
        codes = coding.codes(name, numbers)
        return np.where(codes < 0, np.nan, np.where(numbers == UNKNOWN, unknown, codes))

    return cut


def _numbering(column: Column, given: Column, values: AnyArray) -> Terms | None:
    """Return how to find the numbers of a column on the scale it had in training.

    Plain numbers are days or seconds where the tree has dates or times.
    """
    if column.scale == given.scale and not given.is_nominal:
        return None
    if isinstance(column.scale, Ordered):
        return _recoding(column, given)
    if column.scale is None:
        what = "nominal" if given.is_nominal else f"of kind {given.scale and given.scale.name!r}"
        raise DataError(f"column {column.name!r} must be numeric, as in training, but is {what}")
    if given.is_nominal:
        return _reading(column, given, values)
    return None if given.scale is None else _rescaling(column, given.scale)


def _reading(column: Column, given: Column, codes: AnyArray) -> Terms:
    """Return how to read labels as dates or times; those that do not occur need not be any."""
    assert column.scale is not None
    is_used = np.zeros(given.n_labels + 1, bool)
    is_used[codes] = True
    try:
        numbers = [
            column.scale.read(label) if used else np.nan
            for label, used in zip(given.labels or (), is_used, strict=False)
        ]
    except ValueError as error:
        raise DataError(f"column {column.name!r}: {error}") from None
    return np.array([*numbers, np.nan]).take


def _rescaling(column: Column, given: Scale) -> Terms:
    scale, found = column.scale, None
    if isinstance(given, Moments) and isinstance(scale, Moments):
        found = conversion(given, scale)
    if found is None:
        raise DataError(
            f"column {column.name!r} must be of kind {scale and scale.name!r}, as in training, but "
            f"is of kind {given.name!r}"
        )
    return found


def _recoding(column: Column, given: Column) -> Terms:
    """Return how to turn the values of a column into the codes of the tree's labels.

    A number, a date or a truth value is found by what it is, however it is written.
    """
    place = {label: code for code, label in enumerate(column.words)}
    unknown = column.n_labels if column.is_nominal else UNKNOWN
    if not given.has_labels:
        read = number if given.scale is None else given.scale.read
        return _finding(_by_value(place, read), unknown)
    labels: Sequence[str] = given.words
    if given.words != column.words and _are_truths(column.words):
        place = {label.lower(): code for label, code in place.items()}
        labels = [label.lower() for label in labels]
    codes = np.array([*(float(place.get(label, unknown)) for label in labels), np.nan])
    if given.is_nominal:
        return lambda some: codes[some]
    return lambda some: codes[np.where(np.isnan(some), -1, some).astype(np.int64)]


def _are_truths(labels: Sequence[str]) -> bool:
    """Tell whether labels are truth values: a frame writes True where a file has true or TRUE."""
    lower = {label.lower() for label in labels}
    return len(lower) == len(labels) and lower <= {"true", "false"}


def _finding(place: dict[Any, int], unknown: float) -> Terms:
    """Return how to find numbers among those that labels stand for."""
    numbers = sorted(value for value in place if isinstance(value, float) and value == value)
    known = np.array([*numbers, np.inf])  # which nothing in a column is
    codes = np.array([*(place[value] for value in numbers), unknown, np.nan])

    def find(values: AnyArray) -> FloatArray:
        found = found_among(values, known[:-1])
        is_wrong = (found >= 0) & (known[found] != values)
        return codes[np.where(is_wrong, len(numbers), found)]

    return find


def _by_value(place: dict[str, int], read: Callable[[str], float]) -> dict[Any, int]:
    """Return the codes by the number that a label such as '01' stands for; '1' comes before it."""
    numbers: dict[Any, int] = {}
    for label, code in place.items():
        try:
            value: Any = read(label)
        except ValueError:
            value = label
        if value not in numbers or label_of(value) == label:
            numbers[value] = code
    return numbers
