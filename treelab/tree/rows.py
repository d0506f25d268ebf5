"""Cases that are given as plain Python or numpy: dictionaries, a list of them, arrays, one row."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treelab._typing import AnyArray
from treelab.data.frames import Feature
from treelab.data.labels import coded, is_null
from treelab.data.schema import Column
from treelab.errors import DataError, shown
from treelab.tree.columns import check_present

if TYPE_CHECKING:
    from treelab.tree.model import Tree


def plain_columns(tree: "Tree", data: Any) -> tuple[dict[int, Feature], int] | None:
    """Return the columns that a tree tests and the number of cases; None for what is no such thing.

    A dictionary and a pandas Series are a case by the names of the features, where None and NaN are
    missing; an array has the features in the order of the tree, and one of a single axis is a case.
    """
    table = _table(tree, data)
    if table is None:
        return None
    features = tree.schema.features
    return {at: _column(features[at], [row[at] for row in table]) for at in tree.tested}, len(table)


def _table(tree: "Tree", data: Any) -> list[list[Any]] | None:
    if isinstance(data, np.ndarray):
        return _of_array(tree, data)
    if isinstance(data, Mapping):
        return [_of_mapping(tree, data)] if not _has_columns(data) else None
    if hasattr(data, "to_dict") and hasattr(data, "index") and not hasattr(data, "columns"):
        return [_of_mapping(tree, data.to_dict())]  # a row of a frame of pandas
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _of_sequence(tree, data)
    return None


def _has_columns(data: Mapping[Any, Any]) -> bool:
    """Tell whether a dictionary holds whole columns, as a frame does."""
    return any(isinstance(value, list | tuple | np.ndarray) for value in data.values())


def _of_sequence(tree: "Tree", data: Sequence[Any]) -> list[list[Any]]:
    if all(isinstance(row, Mapping) for row in data):
        return [_of_mapping(tree, row) for row in data]
    if all(isinstance(row, list | tuple | np.ndarray) for row in data):
        return [_checked_row(tree, list(row)) for row in data]
    return [_checked_row(tree, list(data))]


def _of_mapping(tree: "Tree", case: Mapping[Any, Any]) -> list[Any]:
    named = {str(name): value for name, value in case.items()}
    for name in tree.features:
        check_present(name, named)
    return [named[name] for name in tree.features]


def _of_array(tree: "Tree", data: AnyArray) -> list[list[Any]]:
    if data.ndim == 1:
        return [_checked_row(tree, data.tolist())]
    if data.ndim != 2:
        raise DataError(f"expected an array (case, feature), got one of shape {data.shape}")
    if len(data):
        _checked_row(tree, data[0].tolist())
    return [list(row) for row in data.tolist()]


def _checked_row(tree: "Tree", row: list[Any]) -> list[Any]:
    n = len(tree.features)
    if len(row) != n:
        names = ", ".join(tree.features[:6]) + (", ..." if n > 6 else "")
        raise DataError(
            f"a case must have {n} values, one for each feature of the tree ({names}), "
            f"got {len(row)}: {shown(row)}"
        )
    return row


def _column(column: Column, values: list[Any]) -> Feature:
    """Read the values of a feature, dates and labels by how they are written."""
    if column.has_labels or column.scale is not None:
        labels, codes = coded(values)
        return Column(column.name, labels), codes
    numbers = [np.nan if is_null(value) else value for value in values]
    try:
        return Column(column.name), np.array(numbers, np.float64)
    except (TypeError, ValueError):
        wrong = next(value for value in numbers if not _is_number(value))
        raise DataError(
            f"column {column.name!r} must be numeric, as in training, got {shown(wrong)}"
        ) from None


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
