r"""C4.5: classes and attributes in `.names`, cases in `.data` or `.test`.

A name ends at a comma, a colon, a line end or a full stop followed by space; `\` before one of
these makes it part of the name, and `|` starts a comment (Quinlan 1993, appendix).
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from treelab.data.dataset import Dataset
from treelab.data.readers import rows
from treelab.data.readers.rows import Row
from treelab.data.readers.source import Source, check_beside, check_file, unpacked
from treelab.data.readers.table import Attribute, Options
from treelab.errors import DataError, FileFormatError, shown

MISSING = ("?",)
TARGET = "class"
ORDERED = "[ordered]"
"""What comes before labels that have an order, in the files of C5.0, as dates and times do."""
KINDS = {"continuous": "numeric", "discrete": "nominal", "ignore": None}
KINDS |= dict.fromkeys(("date", "time", "timestamp"))

_COMMENT = re.compile(r"(?<!\\)\|.*")
_NAME = re.compile(r"\s*+((?:\\.|\.(?!\s|\Z)|[^\\:,.\n])*+)([:,.\n]|\Z)")
_COMMA = re.compile(r"(?<!\\),")
_STOP = re.compile(r"(?<!\\)\.$")


def read_c45(path: Path, options: Options) -> Dataset:
    """Read a C4.5 pair, given either file of it."""
    how = options.encoding, options.max_bytes
    names = Source.open(_beside(path, ".names"), *how)
    data = Source.open(path if _suffix(path) != ".names" else _beside(path, ".data"), *how)
    classes, *entries = _statements(names)
    attributes = [_attribute(names, entry) for entry in entries]
    target, declared = _target(names, classes, entries)
    data_rows = list(_rows(data, options.missing_or(MISSING)))
    return rows.table(data, [*attributes, *declared], data_rows, target).dataset(options)


@attrs.frozen
class _Entry:
    """One statement of a `.names` file; the classes have no name."""

    line: int
    name: str | None
    values: Sequence[str]


def _suffix(path: Path) -> str:
    return unpacked(path).suffix.lower()


def _beside(path: Path, suffix: str) -> Path:
    """Return the other file of the pair."""
    other = unpacked(path).with_suffix(suffix)
    if _suffix(path) == suffix:
        return path
    check_file(path)
    if not other.exists():
        hint = "; plain delimited text is read with format='csv'" if suffix == ".names" else ""
        raise DataError(f"{path.name} needs {other.name} beside it{hint}")
    check_beside(other)
    return other


def _statements(source: Source) -> list[_Entry]:
    """Return the statements, of which the classes must be the first."""
    entries = list(_entries(source))
    if not entries or entries[0].name is not None:
        line = entries[0].line if entries else 1
        raise source.broken(line, "expected the classes, separated by commas, first")
    return entries


def _entries(source: Source) -> Iterator[_Entry]:
    """Yield the statements: an optional name and a colon, then values with commas between."""
    name: str | None = None
    values: list[str] = []
    for line, word, mark in _words(source):
        if mark == ":":
            if name is not None or values:
                raise source.broken(line, rf"the colon after {shown(word)} must be written '\:'")
            name = word
            continue
        values.append(word)
        if mark != ",":
            yield _Entry(line, name, values)
            name, values = None, []


def _words(source: Source) -> Iterator[tuple[int, str, str]]:
    """Yield each name with its line and the mark that ends it."""
    text = "\n".join(_COMMENT.sub("", line) for line in source.lines())
    if not text.strip():
        raise FileFormatError(f"{source.name} is empty")
    at, line = 0, 1
    while match := _NAME.match(text, at):
        line += text.count("\n", at, match.start(1))
        if match[1]:
            yield line, _clean(match[1]), match[2]
        elif match.end() == len(text):
            return
        line += text.count("\n", match.start(1), match.end())
        at = match.end()
    raise source.broken(line, r"a name ends in '\'")


def _attribute(source: Source, entry: _Entry) -> Attribute | None:
    if entry.name is None:
        got = ", ".join(entry.values)[:40]
        hint = "if the data are plain delimited text, read them with format='csv'"
        raise source.broken(entry.line, f"expected 'name: values', got {got!r}; {hint}")
    kind, *_ = entry.values[0].lower().split()
    if kind == ORDERED:
        labels = [entry.values[0][len(ORDERED) :].strip(), *entry.values[1:]]
        listed = rows.nominal(source, entry.line, entry.name, labels)
        return attrs.evolve(listed, kind="ordered")
    if len(entry.values) > 1 or kind not in KINDS:
        return rows.nominal(source, entry.line, entry.name, entry.values)
    return None if kind == "ignore" else Attribute(entry.name, KINDS[kind])


def _target(
    source: Source, classes: _Entry, entries: Sequence[_Entry]
) -> tuple[str, Sequence[Attribute]]:
    """Return the target and its declaration, unless one of the attributes is named as target."""
    if len(classes.values) == 1 and classes.values[0] in [entry.name for entry in entries]:
        return classes.values[0], ()
    return TARGET, [rows.nominal(source, classes.line, TARGET, classes.values)]


def _rows(source: Source, missing: frozenset[str]) -> Iterator[Row]:
    for line, raw in enumerate(source.lines(), 1):
        if text := _STOP.sub("", _COMMENT.sub("", raw).strip()):
            yield Row(line, rows.known(map(_clean, _COMMA.split(text)), missing))


def _clean(name: str) -> str:
    r"""Fold white space and drop the escapes.

    >>> _clean(r" a\,b   c ")
    'a,b c'
    """
    return re.sub(r"\\(.)", r"\1", " ".join(name.split()))
