"""Data sets as CSV files that are read again as they were."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING

from treelab.errors import DataError, FileFormatError, shown

if TYPE_CHECKING:
    from treelab._typing import AnyArray
    from treelab.data.dataset import Dataset
    from treelab.data.schema import Column

WEIGHTS = "weight"
"""What weights are called that come from no column."""

_MARKS = re.compile(r"[,\"'\r\n]|^[\s\ufeff]|\s$")
"""What is read otherwise unless quotes are around it."""


def write_data(path: Path, data: "Dataset", weights: str | None = None) -> None:
    """Write a data set as CSV; see `as_csv`."""
    from treelab._files import write_text

    write_text(path, as_csv(data, weights))


def as_csv(data: "Dataset", weights: str | None = None) -> str:
    """Return a data set as CSV, the target last, as it is looked for; what is missing is empty.

    Weights come before it: those of a column under its name, others if they are not all 1.
    """
    # A line of one empty field would be a blank one, which is no case.
    nothing = "" if len(data.features) + bool(data.target) > 1 else '""'
    columns = {}
    for column, values in zip(data.schema.features, data.columns, strict=True):
        _check_numbers(column, values)
        columns[column.name] = _fields(column, values, nothing)
    if weights is not None or (data.weights != 1).any():
        name = free_name(weights or WEIGHTS, {*columns, data.target})
        columns[name] = [_number(x, nothing) for x in data.weights.tolist()]
    if data.target:
        columns[data.target] = _fields(data.schema.target, data.y, nothing)
    return _with_names(columns, len(data))


def _with_names(columns: Mapping[str, Sequence[str]], cases: int) -> str:
    """Put names above columns so that they are found: as they are, or else all in quotes."""
    if "" in columns:
        raise DataError("a column of CSV needs a name, but one is called ''; rename it in the data")
    below = [",".join(fields) for fields in zip(*columns.values(), strict=True)]
    for names in (map(_field, columns), map(_quoted, columns)):
        text = "\n".join([",".join(names), *below, ""])
        if _is_found(text, list(columns), cases):
            return text
    raise DataError(
        "these data cannot be written as CSV, as their names could not be told from their labels; "
        "rename the columns"
    )


def _is_found(text: str, names: Sequence[str], cases: int) -> bool:
    """Tell whether whoever reads the text finds these columns in it, and so many cases."""
    from treelab.data.readers.delimited import read_layout
    from treelab.data.readers.source import Source
    from treelab.data.readers.table import Options

    try:
        found, layout = read_layout(Source(Path(), b""), text.encode(), Options())
        rows = sum(len(columns[0].cells.starts) for _, columns in layout.blocks())
    except UnicodeEncodeError:
        return True  # half a surrogate pair, which no file holds: writing one will tell so
    except FileFormatError:
        return False
    return found == names and rows == cases


def _fields(column: "Column", values: "AnyArray", nothing: str) -> list[str]:
    if not column.has_labels:
        write = repr if column.scale is None else column.scale.write
        return [_number(x, nothing, write) for x in values.tolist()]
    codes = _codes(values)
    _check_labels(column, codes)
    words = [*map(_field, column.words), nothing]
    return [words[code] for code in codes]


def written(data: "Dataset", name: str) -> list[str]:
    """Return a column of a data set, or its target, as CSV has it; the missing is empty."""
    if name == data.target:
        column, values = data.schema.target, data.y
    else:
        place = data.schema.index(name)
        column, values = data.schema.features[place], data.columns[place]
    if column.has_labels:
        return [(*column.words, "")[code] for code in _codes(values)]
    write = repr if column.scale is None else column.scale.write
    return [_number(x, "", write) for x in values.tolist()]


def _codes(values: "AnyArray") -> list[int]:
    """Return the codes of labels, which in an ordered column are floats; -1 is missing."""
    return [-1 if x != x else int(x) for x in values.tolist()]


def _check_labels(column: "Column", codes: Sequence[int]) -> None:
    """Raise if a case has a label that whoever reads the file would take for a missing value."""
    from treelab.data.dirty import is_value
    from treelab.data.notation import DOUBTFUL, MARKS

    used = _used(column, codes)
    certain = [label for label in used if label.strip() not in DOUBTFUL]
    marks = MARKS | DOUBTFUL if all(map(is_value, certain)) else MARKS
    for label in used:
        if label.strip() in marks:
            raise DataError(
                f"column {shown(column.name)} has the label {shown(label)}, which in CSV means "
                "missing; rename it in the data"
            )


def _check_numbers(column: "Column", values: "AnyArray") -> None:
    """Raise if a feature has labels that would be read as numbers, but not all as finite ones."""
    from treelab.data.notation import is_number, is_written_number, number

    labels = _used(column, _codes(values)) if column.has_labels else []
    if not all(map(is_written_number, labels)):
        return
    for label in labels:
        if is_number(label) and not isfinite(number(label)):
            raise DataError(
                f"column {shown(column.name)} has labels that CSV reads as numbers, but "
                f"{shown(label)} is no finite one; rename it in the data"
            )


def _used(column: "Column", codes: Sequence[int]) -> list[str]:
    """Return the labels that some case has."""
    return [column.words[code] for code in sorted(set(codes)) if code >= 0]


def _field(text: str) -> str:
    return _quoted(text) if _MARKS.search(text) else text


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that no column has."""
    while name in taken:
        name += "_"
    return name


def _number(x: float, nothing: str, write: Callable[[float], str] = repr) -> str:
    return nothing if isnan(x) else write(x).removesuffix(".0")
