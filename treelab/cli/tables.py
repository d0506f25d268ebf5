"""Data sets as CSV files."""

import csv
import io
from collections.abc import Collection
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from treelab.errors import DataError

if TYPE_CHECKING:
    from treelab._typing import AnyArray
    from treelab.data.dataset import Dataset
    from treelab.data.schema import Column

WEIGHTS = "weight"
"""What weights are called that come from no column."""


def write_data(path: Path, data: "Dataset", weights: str | None = None) -> None:
    """Write a data set as CSV; see `as_csv`."""
    from treelab._files import write_text

    write_text(path, as_csv(data, weights))


def as_csv(data: "Dataset", weights: str | None = None) -> str:
    """Return a data set as CSV, the target last, as it is looked for; what is missing is empty.

    Weights come before it: those of a column under its name, others if they are not all 1.
    """
    columns = {
        column.name: _fields(column, values)
        for column, values in zip(data.schema.features, data.columns, strict=True)
    }
    if weights is not None or (data.weights != 1).any():
        name = _free(weights or WEIGHTS, {*columns, data.target})
        columns[name] = [_number(x) for x in data.weights.tolist()]
    if data.target:
        columns[data.target] = _fields(data.schema.target, data.y)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def _fields(column: "Column", values: "AnyArray") -> list[str]:
    if column.labels is None:
        return [_number(x) for x in values.tolist()]
    _check_labels(column, values)
    words = [*column.labels, ""]
    return [words[x] for x in values.tolist()]


def _check_labels(column: "Column", values: "AnyArray") -> None:
    """Raise if a case has a label that whoever reads the file would take for a missing value."""
    from treelab.data.readers.delimited import MISSING

    used = set(values.tolist())
    for code, label in enumerate(column.labels or ()):
        if label.strip() in MISSING and code in used:
            raise DataError(
                f"column {column.name!r} has the label {label!r}, which in CSV means missing; "
                "rename it in the data"
            )


def _free(name: str, taken: Collection[str]) -> str:
    """Return a name that no column has."""
    while name in taken:
        name += "_"
    return name


def _number(x: float) -> str:
    return "" if isnan(x) else repr(x).removesuffix(".0")
