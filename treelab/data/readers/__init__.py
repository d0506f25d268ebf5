"""`read`: a data set from a file of any known format."""

import os
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path

from treelab._files import is_file
from treelab.data.dataset import Dataset
from treelab.data.notation import check_decimal
from treelab.data.readers.arff import read_arff
from treelab.data.readers.c45 import read_c45
from treelab.data.readers.database import read_duckdb, read_sqlite
from treelab.data.readers.delimited import read_csv, read_tsv
from treelab.data.readers.dialect import named_delimiter
from treelab.data.readers.encoding import check_encoding
from treelab.data.readers.excel import read_excel
from treelab.data.readers.keel import read_keel
from treelab.data.readers.parquet import read_parquet
from treelab.data.readers.room import check_max_bytes
from treelab.data.readers.source import check_file, is_standard_input, unpacked
from treelab.data.readers.tab import read_tab
from treelab.data.readers.table import Options
from treelab.errors import ParameterError, UnknownNameError, check_choice, shown, words

__all__ = ["is_data_file", "parted", "read", "suffixes"]

_FORMATS: dict[str, Callable[[Path, Options], Dataset]] = {
    "csv": read_csv,
    "tsv": read_tsv,
    "arff": read_arff,
    "c45": read_c45,
    "tab": read_tab,
    "keel": read_keel,
    "parquet": read_parquet,
    "excel": read_excel,
    "sqlite": read_sqlite,
    "duckdb": read_duckdb,
}
_SUFFIXES = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".arff": "arff",
    ".names": "c45",
    ".data": "c45",
    ".test": "c45",
    ".tab": "tab",
    ".dat": "keel",
    ".parquet": "parquet",
    ".xlsx": "excel",
    ".db": "sqlite",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".duckdb": "duckdb",
}
_DELIMITED, _TABLES = ("csv", "tsv"), ("excel", "sqlite", "duckdb")
_ONLY = {
    "header": (*_DELIMITED, "excel"),
    "delimiter": _DELIMITED,
    "encoding": (*_DELIMITED, "arff", "c45", "tab", "keel"),
    "table": _TABLES,
}
"""The formats for which an option means something."""

BETWEEN = "::"
"""Stands between a file and the table or sheet in it."""


def read(
    path: str | PathLike[str],
    target: str | None = None,
    *,
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    weights: str | Sequence[float] | None = None,
    drop: Iterable[str] = (),
    missing_marks: Iterable[object] | None = None,
    decimal: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    format: str | None = None,  # noqa: A002  (the word every reader of files uses for it)
    target_is_class: bool = False,
    max_bytes: int | None = None,
) -> Dataset:
    """Read a data set from a file.

    Parameters
    ----------
    path
        The file: `.csv`, `.txt` (comma, semicolon, tab, bar or space between the fields), `.tsv`,
        `.arff` (Weka), `.names`, `.data` or `.test` (C4.5; the other file of the pair is found
        beside it), `.tab` (Orange), `.dat` (KEEL), `.parquet`, `.xlsx` (the first sheet, or
        `file.xlsx::Sheet`), `.db`, `.sqlite`, `.sqlite3` or `.duckdb` (the only table, or
        `file.db::table`). Text may be packed, as in `.csv.gz`. '-' is standard input, delimited
        text unless `format` says otherwise.
    target
        The column to predict, which is always nominal. If not given: the one the file declares,
        or else the last column. The empty string: none, every column is a feature.
    nominal, numeric
        Columns whose kind is to be as said. Else a column is what the file declares; a file that
        declares nothing has numeric columns where every field is a number, and nominal ones,
        with labels in natural order, where one is not. ISO dates (2024-03-01), date-times
        (2024-03-01 10:30, T between and a zone allowed) and times (10:30) are numbers too, of days
        or seconds, that are shown as what they are (`treelab.data.moments`); said to be nominal,
        they are labels.
    weights
        The column of case weights (which is then no feature), or the weights themselves.
    drop
        Columns to leave out.
    missing_marks
        The fields that mean "missing". If not given: in files that declare no columns an empty
        field, `?`, `NA`, `N/A`, `n/a`, `NaN`, `nan`, `NULL`, `null`, `<NA>`, `#N/A` and `#NA`;
        and among numbers or dates also what may be a label elsewhere, such as `-`, `.`, `None` or
        `#DIV/0!`; in other formats what the format says. The word 'usual' in the list stands for
        all these.
    decimal
        The decimal mark, '.' or ','; the other one may separate thousands, as a space may. If not
        given, all columns decide together: `1.234,5` or `173,5` in one of them means a decimal
        comma for all, unless `8,440.05` or `0.5` stands in another; what they leave open, such as
        `1,234` alone, is read as labels with a `DataWarning`.
    delimiter
        The character between the fields of delimited text; if not given, its look decides.
    encoding
        The encoding of a text file. If not given: UTF-8, or what its byte order mark says.
    header
        Whether delimited text or a sheet begins with a row of names; if not given, its look
        decides. Without names the columns are called x1, x2, ...
    format
        'csv', 'tsv', 'arff', 'c45', 'tab', 'keel', 'parquet', 'excel', 'sqlite' or 'duckdb',
        whatever the suffix.
    target_is_class
        Whether a target of many different numbers is taken for classes all the same; else it is
        refused, unless the file declares its labels.
    max_bytes
        What is in the file may take so many bytes when it is unpacked; see SECURITY.md for what
        counts. If not given: 1 GiB, or a hundred times the size of the file, if that is more.

    Returns
    -------
    Dataset
        The cases, named after the file. A case whose target is missing has class code -1.

    Raises
    ------
    FileFormatError
        If the file is broken; the text says in which line and column.

    Warns
    -----
    DataWarning
        Where a column may not be what it seems: almost all numbers, a comma that may be that of
        decimals or of thousands, a name that occurs twice. It names the option that settles it.
    """
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"expected the path of a file, got {shown(path)}")
    path, table = parted(path)
    check_file(path)
    chosen = _format_of(path) if format is None else format
    check_choice("format", chosen, _FORMATS)
    if is_standard_input(path) and chosen in (*_TABLES, "parquet", "c45"):
        raise ParameterError(f"format {shown(chosen)} cannot be read from standard input")
    _check_types(target, header)
    check_decimal(decimal)
    check_encoding(encoding)
    check_max_bytes(max_bytes)
    options = Options(
        target, tuple(words("nominal", nominal)), tuple(words("numeric", numeric)), weights,
        tuple(words("drop", drop)),
        None if missing_marks is None else tuple(words("missing_marks", missing_marks)),
        decimal, named_delimiter(delimiter), encoding, header, target_is_class, table, max_bytes,
    )  # fmt: skip
    _check_meaning(chosen, options)
    return _FORMATS[chosen](path, options)


def parted(path: str | PathLike[str]) -> tuple[Path, str | None]:
    """Return the file and the table in it of `file.db::table`; a file of that very name is one."""
    name, between, table = os.fspath(path).partition(BETWEEN)
    return (Path(name), table) if between and not is_file(path) else (Path(path), None)


def is_data_file(given: str | PathLike[str]) -> bool:
    """Tell whether there is such a file, or such a file with a table; or standard input."""
    path, _ = parted(given)
    return is_standard_input(path) or is_file(path)


def suffixes() -> tuple[str, ...]:
    """Return the ends of the names of files that `read` takes for data; text may be packed."""
    return tuple(_SUFFIXES)


def _check_types(target: object, header: object) -> None:
    if target is not None and not isinstance(target, str):
        raise ParameterError(f"target must be the name of a column, got {shown(target)}")
    if header not in (True, False, None):
        raise ParameterError(f"header must be True, False or None, got {shown(header)}")


def _check_meaning(chosen: str, options: Options) -> None:
    """Raise where an option means nothing for a format."""
    for name, formats in _ONLY.items():
        if getattr(options, name) is not None and chosen not in formats:
            what = f"{BETWEEN}TABLE" if name == "table" else f"{name}= (--{_FLAGS.get(name, name)})"
            listed = ", ".join(formats)
            raise ParameterError(f"{what} is for {listed} files, not for format {shown(chosen)}")


_FLAGS = {"header": "no-header"}


def _format_of(path: Path) -> str:
    if is_standard_input(path):
        return "csv"
    suffix = unpacked(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise UnknownNameError("file suffix", suffix, _SUFFIXES)
    return _SUFFIXES[suffix]
