"""Tables of values of any type, as programs and databases hold them."""

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any

from treelab.data.dataset import Dataset
from treelab.data.labels import label_of
from treelab.data.notation import MARKS
from treelab.data.readers import rows
from treelab.data.readers.rows import Row
from treelab.data.readers.source import Source
from treelab.data.readers.table import Attribute, Options
from treelab.errors import FileFormatError


def read_values(
    source: Source,
    names: Sequence[str],
    data: Iterable[tuple[int, Sequence[Any]]],
    options: Options,
) -> Dataset:
    """Read rows of values, each with its number, as fields that say what they are.

    Their types say no more than their texts: numbers are often kept as text.
    """
    if not names:
        raise FileFormatError(f"{source.name} has no columns")
    missing = options.missing_or(MARKS)
    read = [Row(line, rows.known(map(_field, values), missing)) for line, values in data]
    attributes = [Attribute(name) for name in names]
    return rows.table(source, attributes, read, names[-1]).dataset(options)


def text_of(value: object) -> str:
    """Write a value as a field, nothing as the empty one."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    return label_of(value)


def _field(value: object) -> str:
    return text_of(value).strip()
