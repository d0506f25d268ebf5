"""Columns of delimited text as bytes: where their fields are, and what they spell."""

from functools import lru_cache

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IntArray
from treelab.data.dirty import Written
from treelab.data.notation import is_number, value_of
from treelab.data.readers.encoding import Content
from treelab.data.readers.source import Source, line_at
from treelab.errors import FileFormatError
from treelab.kernels import delimited, numerals, text_labels
from treelab.kernels.cells import Bytes, Cells, Tokens, count_tokens


@attrs.frozen(eq=False)
class ByteFields:
    """One column of a delimited file, or of a block of it that begins at some byte.

    Its number in the file counts from 1.
    """

    content: Content
    cells: Cells
    column: int
    missing: frozenset[str]
    dialect: delimited.Dialect
    start: int = 0

    def numbers(self) -> tuple[FloatArray, int]:
        return self._settled(numerals.parse_numbers(self.cells, _tokens(self.missing)))

    def written(self, decimal: str, marks: frozenset[str]) -> Written:
        tokens = _tokens(self.missing | marks)
        thousands = "," if decimal == "." else "."
        found = numerals.parse_written(self.cells, tokens, ord(decimal), ord(thousands))
        values, bad = self._settled(found, decimal)
        n_marks = 0 if bad >= 0 else count_tokens(self.cells, _tokens(marks))
        return Written(values, bad, n_marks)

    def _settled(
        self, found: tuple[FloatArray, AnyArray, int], decimal: str | None = None
    ) -> tuple[FloatArray, int]:
        """Return numbers, and the first row without one, once the slow ones are read, too."""
        values, unsettled, bad = found
        for row in np.flatnonzero(unsettled).tolist():
            text = self.text(row)
            value = value_of(text, decimal) if decimal or is_number(text) else None
            if value is None:
                return values, row
            values[row] = value
        return values, bad

    def codes(self) -> tuple[list[str], IntArray]:
        codes, firsts = text_labels.code_labels(self.cells)
        found = [self.text(row) for row in firsts.tolist()]
        labels = [label for label in found if label.strip() not in self.missing]
        known = {label: code for code, label in enumerate(labels)}
        recode = np.array([known.get(label, -1) for label in found], dtype=np.int32)
        return labels, recode[codes]

    def text(self, row: int) -> str:
        text, starts, ends = self.cells
        return text[starts[row] : ends[row]].tobytes().decode()

    def is_quoted(self, row: int) -> bool:
        """Tell whether a field is in quotes: before any other is a delimiter, or a line end."""
        text, start = self.cells.text, self.cells.starts[row]
        return bool(start > 0 and text[start - 1] == self.dialect.quote)

    def name(self) -> str:
        """Return the first field as a name; spaces around it are part of it only in quotes."""
        return self.text(0) if self.is_quoted(0) else self.text(0).strip()

    def place(self, row: int) -> tuple[int, int]:
        return line_at(self.content, self.start + int(self.cells.starts[row])), self.column


def find_fields(
    text: Bytes, dialect: delimited.Dialect, width: int
) -> tuple[delimited.Outcome, list[Cells]]:
    """Find the fields of a text that has so many columns, as far as it is right."""
    # A row is no shorter than its delimiters and its line end, whatever number of lines there is.
    shape = width, min(delimited.count_lines(text), len(text) // width + 1)
    offset = np.int32 if len(text) < 2**31 else np.int64
    starts, ends = np.empty(shape, offset), np.empty(shape, offset)
    outcome = delimited.tokenize(text, dialect, starts, ends)
    rows = slice(outcome.rows)
    return outcome, [Cells(text, starts[n, rows], ends[n, rows]) for n in range(width)]


def broken(
    source: Source, content: Content, outcome: delimited.Outcome, width: int, start: int = 0
) -> FileFormatError:
    """Return the error that says what is wrong in a text that begins at some byte."""
    line = line_at(content, start + outcome.position)
    if outcome.problem == delimited.WRONG_WIDTH:
        return source.wrong_width(line, width, outcome.field)
    unclosed = outcome.problem == delimited.UNCLOSED
    what = "this quoted field is never closed" if unclosed else "text follows a closing quote"
    return source.broken(line, what, outcome.field + 1)


@lru_cache(maxsize=8)
def _tokens(words: frozenset[str]) -> Tokens:
    coded = [word.encode() for word in words]
    ends: AnyArray = np.cumsum([len(word) for word in coded], dtype=np.int64)
    initials = np.zeros(256, dtype=np.bool_)
    initials[[word[0] for word in coded if word]] = True
    return Tokens(np.frombuffer(b"".join(coded), np.uint8), ends, initials)
