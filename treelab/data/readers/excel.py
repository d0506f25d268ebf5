"""Excel workbooks, through python-calamine: one sheet of `file.xlsx::Sheet`, or the first."""

from pathlib import Path
from typing import Any

from treelab.data.dataset import Dataset
from treelab.data.notation import DOUBTFUL, MARKS
from treelab.data.readers.dialect import SAMPLE_COLUMNS, SAMPLE_ROWS, guess_header
from treelab.data.readers.room import Room
from treelab.data.readers.source import Source, check_file
from treelab.data.readers.table import Options
from treelab.data.readers.values import read_values, text_of
from treelab.data.readers.workbook import check_workbook
from treelab.errors import DataError, FileFormatError, MissingExtraError, UnknownNameError

MOST_ROWS, MOST_COLUMNS = 2**20, 2**14
"""No program makes a larger sheet; the cells of one could be far apart, with nothing between."""


def read_excel(path: Path, options: Options) -> Dataset:
    """Read a sheet; its first row holds the names unless it looks like the others."""
    rows = [(line, row) for line, row in _rows(path, options) if not _is_empty(row)]
    if not rows:
        raise FileFormatError(f"{path.name} is empty")
    width = max(map(_width, (row for _, row in rows)))
    texts = [[text_of(value) for value in row[:SAMPLE_COLUMNS]] for _, row in rows[:SAMPLE_ROWS]]
    unquoted = [False] * len(texts)
    missing = options.missing_or(MARKS)
    header = options.header
    if header is None:
        header = guess_header(texts, unquoted, missing | DOUBTFUL)
    names = [f"x{place}" for place in range(1, width + 1)]
    if header:
        names = [text_of(value).strip() for value in rows.pop(0)[1][:width]]
    source = Source(path, b"", options.table)
    return read_values(source, names, [(line, row[:width]) for line, row in rows], options)


def _rows(path: Path, options: Options) -> list[tuple[int, list[Any]]]:
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ModuleNotFoundError:
        raise MissingExtraError("reading Excel", "python-calamine", "excel") from None
    check_file(path)
    check_workbook(path, Room.of(path, options.max_bytes))
    sheet = options.table
    try:
        with CalamineWorkbook.from_path(path) as book:
            names = book.sheet_names
            if sheet is not None and sheet not in names:
                raise UnknownNameError("sheet", sheet, names)
            if not names:
                raise FileFormatError(f"{path.name} has no sheet")
            found = book.get_sheet_by_name(sheet or names[0])
            _check_extent(path, found.height, found.width)
            first = (found.start or (0, 0))[0] + 1
            return list(enumerate(found.to_python(), first))
    except CalamineError:
        raise FileFormatError(f"{path.name} is not an Excel workbook") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error}") from None


def _check_extent(path: Path, rows: int, columns: int) -> None:
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        raise FileFormatError(
            f"{path.name} has a sheet of {rows:,} rows and {columns:,} columns, but no workbook "
            f"has more than {MOST_ROWS:,} and {MOST_COLUMNS:,}"
        )


def _is_empty(row: list[Any]) -> bool:
    # Counting is fast, and nearly all cells of a sheet with cells far apart are empty.
    return row.count("") == len(row) or not any(map(_holds, row))


def _holds(value: object) -> bool:
    return text_of(value).strip() != ""


def _width(row: list[Any]) -> int:
    """Return how many cells there are up to the last that holds something."""
    return next(place for place in range(len(row), 0, -1) if _holds(row[place - 1]))
