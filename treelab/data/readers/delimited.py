"""CSV, TSV and their kin: comma, semicolon, tab, bar or space between the fields."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IntArray
from treelab.data.dataset import Dataset
from treelab.data.dirty import Written
from treelab.data.notation import DOUBTFUL, MARKS, is_number, value_of
from treelab.data.readers.dialect import SAMPLE_COLUMNS, SAMPLE_ROWS, guess_dialect, guess_header
from treelab.data.readers.source import Source, line_at
from treelab.data.readers.table import Attribute, Options, Table
from treelab.errors import FileFormatError
from treelab.kernels import delimited as kernels


def read_csv(path: Path, options: Options, delimiter: str | None = None) -> Dataset:
    """Read delimited text, guessing the delimiter unless it is given."""
    source = Source.open(path, options.encoding)
    names, fields = read_layout(source, options, delimiter)
    attributes = [Attribute(name) for name in names]
    cases = len(fields[0].cells.starts)
    table = Table(source, attributes, fields, cases, names[-1], delimiter=fields[0].delimiter)
    return table.dataset(options)


def read_layout(
    source: Source, options: Options, delimiter: str | None = None
) -> tuple[list[str], Sequence["ByteFields"]]:
    """Return the names of the columns and what is below them."""
    text = np.append(np.frombuffer(source.content, np.uint8), np.uint8(kernels.LF))
    missing = options.missing_or(MARKS)
    dialect, width = guess_dialect(text, options.delimiter or delimiter, options.decimal)
    columns = byte_columns(source, text, dialect, width, missing)
    some = columns[:SAMPLE_COLUMNS]
    sample = range(min(len(columns[0].cells.starts), SAMPLE_ROWS))
    first = [[c.text(row) for c in some] for row in sample]
    quoted = [all(c.is_quoted(row) for c in some) for row in sample]
    header = (
        guess_header(first, quoted, missing | DOUBTFUL)
        if options.header is None
        else options.header
    )
    if not header:
        return [f"x{c.column}" for c in columns], columns
    return [c.name() for c in columns], [c.below() for c in columns]


def read_tsv(path: Path, options: Options) -> Dataset:
    """Read text with tabs between the fields."""
    return read_csv(path, options, "\t")


@attrs.frozen(eq=False)
class ByteFields:
    """One column of a delimited file; its number in the file counts from 1."""

    source: Source
    cells: kernels.Cells
    column: int
    missing: frozenset[str]
    dialect: kernels.Dialect

    @property
    def delimiter(self) -> str:
        return chr(self.dialect.delimiter)

    def below(self) -> "ByteFields":
        """Return the column without its first field."""
        text, starts, ends = self.cells
        return attrs.evolve(self, cells=kernels.Cells(text, starts[1:], ends[1:]))

    def numbers(self) -> tuple[FloatArray, int]:
        return self._settled(kernels.parse_numbers(self.cells, _tokens(self.missing)))

    def written(self, decimal: str, marks: frozenset[str]) -> Written:
        tokens = _tokens(self.missing | marks)
        thousands = "," if decimal == "." else "."
        found = kernels.parse_written(self.cells, tokens, ord(decimal), ord(thousands))
        values, bad = self._settled(found, decimal)
        return Written(values, bad, kernels.count_tokens(self.cells, _tokens(marks)))

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
        codes, firsts = kernels.code_labels(self.cells)
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
        return line_at(self.source.content, int(self.cells.starts[row])), self.column


def byte_columns(
    source: Source,
    text: kernels.Bytes,
    dialect: kernels.Dialect,
    width: int,
    missing: frozenset[str],
) -> Sequence[ByteFields]:
    """Find the fields of a text that has so many columns."""
    # A row is no shorter than its delimiters and its line end, whatever number of lines there is.
    shape = width, min(kernels.count_lines(text), len(text) // width + 1)
    offset = np.int32 if len(text) < 2**31 else np.int64
    starts, ends = np.empty(shape, offset), np.empty(shape, offset)
    outcome = kernels.tokenize(text, dialect, starts, ends)
    if outcome.problem != kernels.FINE:
        raise _broken(source, outcome, width)
    if not outcome.rows:
        raise FileFormatError(f"{source.name} is empty")
    rows = slice(outcome.rows)
    cells = [kernels.Cells(text, starts[n, rows], ends[n, rows]) for n in range(width)]
    return [
        ByteFields(source, each, column, missing, dialect) for column, each in enumerate(cells, 1)
    ]


def _broken(source: Source, outcome: kernels.Outcome, width: int) -> FileFormatError:
    line = line_at(source.content, outcome.position)
    if outcome.problem == kernels.WRONG_WIDTH:
        return source.wrong_width(line, width, outcome.field)
    unclosed = outcome.problem == kernels.UNCLOSED
    what = "this quoted field is never closed" if unclosed else "text follows a closing quote"
    return source.broken(line, what, outcome.field + 1)


@lru_cache(maxsize=8)
def _tokens(words: frozenset[str]) -> kernels.Tokens:
    coded = [word.encode() for word in words]
    ends: AnyArray = np.cumsum([len(word) for word in coded], dtype=np.int64)
    initials = np.zeros(256, dtype=np.bool_)
    initials[[word[0] for word in coded if word]] = True
    return kernels.Tokens(np.frombuffer(b"".join(coded), np.uint8), ends, initials)
