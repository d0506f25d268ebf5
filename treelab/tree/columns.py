"""The columns of data as a tree reads them, found by name and turned into its own terms."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.data import frames
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset, is_missing
from treelab.data.moments import Moments, converted
from treelab.data.notation import number
from treelab.data.scales import UNKNOWN, Ordered, Scale
from treelab.data.schema import Column
from treelab.errors import DataError, suggestion


def column_of(column: Column, coding: Coding, data: Dataset) -> AnyArray:
    """Return what a tree reads of a column.

    Numbers as they are, codes for nominal and cut features, NaN for missing; a code beyond all
    labels, or infinity, for a label that training did not have.
    """
    check_present(column.name, data.schema.places, data.target)
    given = data.schema.features[data.schema.index(column.name)]
    values = data[column.name]
    if is_missing(values[:1]).all() and is_missing(values).all():
        return np.full(len(values), np.nan)
    if column.is_nominal:
        return _recoded(column, given, values)
    values = _numbers(column, given, values)
    if column.name not in coding:
        return values
    codes = coding.codes(column.name, values)
    codes[values == UNKNOWN] = len(coding.cuts[column.name]) + 1
    return np.where(codes < 0, np.nan, codes)


def check_present(name: str, known: Collection[str], target: str = "") -> None:
    """Raise unless a column is there."""
    if name not in known:
        hint = suggestion(name, known)
        if name == target:
            hint = "it was read as the target; read data without one with target=''"
        raise DataError(f"the tree needs a column {name!r}, which the data do not have: {hint}")


def _numbers(column: Column, given: Column, values: AnyArray) -> FloatArray:
    """Return the numbers of a column on the scale it had in training.

    Plain numbers are days or seconds where the tree has dates or times.
    """
    if column.scale == given.scale and not given.is_nominal:
        return values
    if isinstance(column.scale, Ordered):
        return _recoded(column, given, values)
    if column.scale is None:
        what = "nominal" if given.is_nominal else f"of kind {given.scale and given.scale.name!r}"
        raise DataError(f"column {column.name!r} must be numeric, as in training, but is {what}")
    if given.is_nominal:
        return _read_labels(column, given, values)
    if given.scale is None:
        return values
    return _on_scale(column, given.scale, values)


def _read_labels(column: Column, given: Column, values: AnyArray) -> FloatArray:
    assert column.scale is not None
    used = set(values.tolist())
    try:
        numbers = [
            column.scale.read(label) if code in used else np.nan
            for code, label in enumerate(given.labels or ())
        ]
    except ValueError as error:
        raise DataError(f"column {column.name!r}: {error}") from None
    return np.array([*numbers, np.nan])[values]


def _on_scale(column: Column, given: Scale, values: FloatArray) -> FloatArray:
    numbers = None
    if isinstance(given, Moments) and isinstance(column.scale, Moments):
        numbers = converted(given, values, column.scale)
    if numbers is None:
        wanted = column.scale and column.scale.name
        raise DataError(
            f"column {column.name!r} must be of kind {wanted!r}, as in training, but is of kind "
            f"{given.name!r}"
        )
    return numbers


def _recoded(column: Column, given: Column, values: AnyArray) -> FloatArray:
    """Turn the values of a column into the codes of the tree's labels.

    A number, a date or a truth value is found by what it is, however it is written.
    """
    if given.has_labels and given.words == column.words:
        return np.where(is_missing(values), np.nan, values)
    place: dict[Any, int] = {label: code for code, label in enumerate(column.words)}
    labels: Sequence[Any] = given.words
    if given.has_labels:
        codes = np.where(is_missing(values), -1, values).astype(np.int64)
        if _are_truths(column.words):
            place = {label.lower(): code for label, code in place.items()}
            labels = [label.lower() for label in labels]
    else:
        labels, codes = _numbered(values)
        place = _by_value(place, number if given.scale is None else given.scale.read)
    unknown = column.n_labels if column.is_nominal else UNKNOWN
    recoded = [float(place.get(label, unknown)) for label in labels]
    return np.array([*recoded, np.nan])[codes]


def _are_truths(labels: Sequence[str]) -> bool:
    """Tell whether labels are truth values: a frame writes True where a file has true or TRUE."""
    lower = {label.lower() for label in labels}
    return len(lower) == len(labels) and lower <= {"true", "false"}


def _numbered(values: FloatArray) -> tuple[list[float], IndexArray]:
    """Return the different numbers, and the place of each value among them; -1 for missing."""
    numbers, places = np.unique(values, return_inverse=True)
    return numbers.tolist(), np.where(np.isnan(values), -1, places)


def _by_value(place: dict[str, int], read: Callable[[str], float]) -> dict[Any, int]:
    """Return the codes by the number that a label such as '01' stands for; '1' comes before it."""
    numbers: dict[Any, int] = {}
    for label, code in place.items():
        try:
            value: Any = read(label)
        except ValueError:
            value = label
        if value not in numbers or frames.label_of(value) == label:
            numbers[value] = code
    return numbers
