"""Formats that declare their columns: rows of text fields, checked against the declaration."""

from collections import Counter
from collections.abc import Iterable, Sequence

import attrs
import numpy as np

from treelab._typing import FloatArray, IntArray
from treelab.data.dirty import Written, written_labels
from treelab.data.notation import number
from treelab.data.readers.source import Source
from treelab.data.readers.table import Attribute, Table
from treelab.errors import shown


@attrs.frozen
class Row:
    """The fields of one row, None for a missing one, and the line they are on."""

    line: int
    fields: Sequence[str | None]


@attrs.frozen
class RowFields:
    """One column of the rows; its number in the file counts from 1."""

    rows: Sequence[Row]
    column: int

    @property
    def _texts(self) -> list[str | None]:
        return [row.fields[self.column - 1] for row in self.rows]

    def numbers(self) -> tuple[FloatArray, int]:
        values = np.full(len(self.rows), np.nan)
        for row, text in enumerate(self._texts):
            if text is None:
                continue
            try:
                values[row] = number(text)
            except ValueError:
                return values, row
        return values, -1

    def codes(self) -> tuple[list[str], IntArray]:
        known: dict[str, int] = {}
        codes = [-1 if t is None else known.setdefault(t, len(known)) for t in self._texts]
        return list(known), np.array(codes, dtype=np.int32)

    def written(self, decimal: str, marks: frozenset[str]) -> Written:
        return written_labels(*self.codes(), decimal, marks)

    def text(self, row: int) -> str:
        return str(self._texts[row])

    def place(self, row: int) -> tuple[int, int]:
        return self.rows[row].line, self.column


def known(fields: Iterable[str], missing: frozenset[str]) -> list[str | None]:
    """Put None for each field that means missing."""
    return [None if field in missing else field for field in fields]


def table(
    source: Source,
    attributes: Sequence[Attribute | None],
    rows: Sequence[Row],
    target: str,
    weights: str | FloatArray | None = None,
) -> Table:
    """Put declared columns and rows together; a column declared as None is left out."""
    for row in rows:
        if len(row.fields) != len(attributes):
            raise source.wrong_width(row.line, len(attributes), len(row.fields))
    kept = [(a, RowFields(rows, n)) for n, a in enumerate(attributes, 1) if a is not None]
    declared, fields = [a for a, _ in kept], [f for _, f in kept]
    return Table(source, declared, fields, len(rows), target, weights)


def nominal(source: Source, line: int, name: str, labels: Sequence[str]) -> Attribute:
    """Declare a nominal column with its labels, which must differ."""
    for label, times in Counter(labels).items():
        if times > 1:
            raise source.broken(line, f"label {shown(label)} of {shown(name)} is declared twice")
    return Attribute(name, "nominal", tuple(labels))
