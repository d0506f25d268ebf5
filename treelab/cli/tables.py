"""Data sets as CSV files."""

import csv
import io
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset


def write_data(path: Path, data: "Dataset") -> None:
    """Write a data set: the features, then the target, then weights if they are not all 1."""
    from treelab._files import write_text

    write_text(path, as_csv(data))


def as_csv(data: "Dataset") -> str:
    """Return a data set as CSV; what is missing is empty."""
    heads, columns = [], []
    for column, values in zip(data.schema.features, data.columns, strict=True):
        heads.append(column.name)
        words = [*column.labels, ""] if column.labels is not None else None
        listed = values.tolist()
        columns.append(
            [_number(x) for x in listed] if words is None else [words[x] for x in listed]
        )
    if data.target:
        heads.append(data.target)
        columns.append(data.labels.tolist())
    if (data.weights != 1).any():
        heads.append("weight")
        columns.append([_number(x) for x in data.weights.tolist()])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue()


def _number(x: float) -> str:
    return "" if isnan(x) else repr(x).removesuffix(".0")
