"""`read`: a data set from a file of any known format."""

import os
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path

from treelab.data.dataset import Dataset
from treelab.data.readers.arff import read_arff
from treelab.data.readers.c45 import read_c45
from treelab.data.readers.delimited import read_csv, read_tsv
from treelab.data.readers.keel import read_keel
from treelab.data.readers.parquet import read_parquet
from treelab.data.readers.source import check_file, unpacked
from treelab.data.readers.tab import read_tab
from treelab.data.readers.table import Options
from treelab.errors import ParameterError, UnknownNameError, check_choice, shown, words

__all__ = ["read"]

_FORMATS: dict[str, Callable[[Path, Options], Dataset]] = {
    "csv": read_csv,
    "tsv": read_tsv,
    "arff": read_arff,
    "c45": read_c45,
    "tab": read_tab,
    "keel": read_keel,
    "parquet": read_parquet,
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
}


def read(
    path: str | PathLike[str],
    target: str | None = None,
    *,
    nominal: Iterable[str] = (),
    numeric: Iterable[str] = (),
    missing: Iterable[str] | None = None,
    weights: str | Sequence[float] | None = None,
    header: bool | None = None,
    format: str | None = None,  # noqa: A002  (the word every reader of files uses for it)
    target_is_class: bool = False,
) -> Dataset:
    """Read a data set from a file.

    Parameters
    ----------
    path
        The file: `.csv`, `.txt` (comma, semicolon, tab, bar or space between the fields), `.tsv`,
        `.arff` (Weka), `.names`, `.data` or `.test` (C4.5; the other file of the pair is found
        beside it), `.tab` (Orange), `.dat` (KEEL) or `.parquet`. Text must be UTF-8; it may be
        packed, as in `.csv.gz`.
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
    missing
        The fields that mean "missing". If not given: in delimited text an empty field, `?`, `NA`,
        `N/A`, `NaN`, `nan`, `NULL` and `null` (not `None` or `none`, which are labels in many
        data sets); in other formats what the format says.
    weights
        The column of case weights (which is then no feature), or the weights themselves.
    header
        Whether delimited text begins with a row of names; if not given, its look decides.
        Without names the columns are called x1, x2, ...
    format
        'csv', 'tsv', 'arff', 'c45', 'tab', 'keel' or 'parquet', whatever the suffix.
    target_is_class
        Whether a target of many different numbers is taken for classes all the same; else it is
        refused, unless the file declares its labels.

    Returns
    -------
    Dataset
        The cases, named after the file. A case whose target is missing has class code -1.

    Raises
    ------
    FileFormatError
        If the file is broken; the text says in which line and column.
    """
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"expected the path of a file, got {shown(path)}")
    path = Path(path)
    check_file(path)
    chosen = _format_of(path) if format is None else format
    check_choice("format", chosen, _FORMATS)
    if target is not None and not isinstance(target, str):
        raise ParameterError(f"target must be the name of a column, got {shown(target)}")
    if header not in (True, False, None):
        raise ParameterError(f"header must be True, False or None, got {shown(header)}")
    if header is not None and chosen not in ("csv", "tsv"):
        raise ParameterError(f"header= is for delimited text, not for format {shown(chosen)}")
    if missing is not None and chosen == "parquet":
        raise ParameterError("missing= is for text files; Parquet has its own missing values")
    tokens = None
    if missing is not None:
        tokens = frozenset(word.strip() for word in words("missing", missing))
    kinds = tuple(words("nominal", nominal)), tuple(words("numeric", numeric))
    return _FORMATS[chosen](path, Options(target, *kinds, tokens, weights, header, target_is_class))


def _format_of(path: Path) -> str:
    suffix = unpacked(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise UnknownNameError("file suffix", suffix, _SUFFIXES)
    return _SUFFIXES[suffix]
