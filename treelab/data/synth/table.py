"""From arrays to a data set: named columns, a class, and the words a user may give lists in."""

from collections.abc import Iterable, Sequence
from typing import Any

from treelab._typing import AnyArray
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema

BITS = ("0", "1")

Part = tuple[Column, AnyArray]


def numbered(
    prefix: str, rows: Iterable[AnyArray], labels: tuple[str, ...] | None = None
) -> list[Part]:
    """Return a column for each row, named X1, X2, ... after the prefix; numeric without labels."""
    return [(Column(f"{prefix}{place}", labels), row) for place, row in enumerate(rows, 1)]


def counted(number: int) -> tuple[str, ...]:
    """Return the labels '1' to 'number'."""
    return tuple(str(place) for place in range(1, number + 1))


def together(name: str, parts: Sequence[Part], y: AnyArray, classes: tuple[str, ...]) -> Dataset:
    """Return the data of some columns and a target called 'class'."""
    schema = Schema(tuple(column for column, _ in parts), Column("class", classes))
    return Dataset.of(schema, [values for _, values in parts], y, name=name)


def several(given: Any) -> list[Any]:
    """Return a list that may be given as a sequence, as one thing or as words: 'X3+R1'."""
    if isinstance(given, str):
        return [word.strip() for word in given.split("+") if word.strip()]
    if isinstance(given, Iterable):
        return list(given)
    return [] if given is None else [given]
