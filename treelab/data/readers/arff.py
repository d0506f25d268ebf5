"""ARFF, the format of Weka: declared attributes, then dense or sparse rows."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs
import numpy as np

from treelab.data.dataset import Dataset
from treelab.data.notation import is_number
from treelab.data.readers import rows
from treelab.data.readers.dense import dense_fields, start_of_data
from treelab.data.readers.room import Room
from treelab.data.readers.rows import Row
from treelab.data.readers.source import Source
from treelab.data.readers.table import Attribute, Options, Table
from treelab.errors import FileFormatError, shown

MISSING = ("?",)
NUMERIC = ("numeric", "real", "integer")
LONGEST = 20

_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
# What is not quoted ends at a comma, or at a % after a space. Nothing in it is tried twice.
_BARE = r"""(?!['"])((?:[^,%\s]++|(?<!\s)%|\s++(?![,%]|$))*+)"""
_VALUE = rf"""(?:{_QUOTED}|{_BARE})\s*+(,|(?:(?<=\s)%.*)?$)"""
_FIELD = re.compile(rf"\s*+{_VALUE}")
_INDEXED = re.compile(rf"\s*+(\d+)\s++{_VALUE}")
_ATTRIBUTE = re.compile(rf"(?:{_QUOTED}|([^\s{{]+))\s*(.*)")
_LABELS = re.compile(r"\{(.*)\}\s*(?:%.*)?$")
_SPARSE = re.compile(r"\{(.*)\}$")
_WEIGHT = re.compile(r",\s*\{\s*([^{},\s]+)\s*\}$")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


@attrs.frozen
class Header:
    """What stands above the data: the attributes, and the other @-lines by keyword."""

    attributes: Sequence[Attribute]
    others: Mapping[str, str]
    data: Sequence[tuple[int, str]]


def read_arff(path: Path, options: Options) -> Dataset:
    """Read an ARFF file; the target is the attribute 'class', or else the last one."""
    source = Source.open(path, options.encoding, options.max_bytes)
    missing = options.missing_or(MISSING)
    table = _dense(source, missing) or _any(source, missing, options.max_bytes)
    return table.dataset(options)


def _dense(source: Source, missing: frozenset[str]) -> Table | None:
    """Find the fields as those of CSV, if the data can be read so."""
    start = start_of_data(source.content)
    if start < 0:
        return None
    header = read_header(attrs.evolve(source, content=source.content[:start]))
    fields = dense_fields(source, start, len(header.attributes), missing)
    if header.data or fields is None:
        return None
    cases = len(fields[0].cells.starts)
    return Table(source, header.attributes, fields, cases, _target(header), np.ones(cases))


def _any(source: Source, missing: frozenset[str], max_bytes: int | None = None) -> Table:
    """Read row by row."""
    header = read_header(source)
    read = _Rows(source, header.attributes, missing)
    sparse = sum(text.startswith("{") for _, text in header.data)  # three bytes long, or more
    room = Room.of(source.path, max_bytes)
    room.check_fields(sparse, len(header.attributes), "its sparse rows")
    pairs = [read.row(line, text) for line, text in header.data]
    weights = np.array([weight for _, weight in pairs])
    data = [row for row, _ in pairs]
    return rows.table(source, header.attributes, data, _target(header), weights)


def _target(header: Header) -> str:
    names = [attribute.name for attribute in header.attributes]
    return next((name for name in names if name.lower() == "class"), names[-1])


def read_header(source: Source) -> Header:
    """Read the declarations of an ARFF or KEEL file, and leave its data lines as they are."""
    attributes: list[Attribute] = []
    others: dict[str, str] = {}
    lines = _lines(source)
    for line, text in lines:
        keyword, _, rest = text.partition(" ")
        match keyword.lower():
            case "@data":
                return _header(source, attributes, others, lines)
            case "@attribute":
                attributes.append(_attribute(source, line, rest.strip()))
            case word if word.startswith("@"):
                others[word[1:]] = rest.strip()
            case _:
                raise source.broken(line, f"expected @attribute or @data, got {text[:40]!r}")
    raise FileFormatError(f"{source.name} has no line @data")


def split(source: Source, line: int, text: str) -> list[tuple[str, bool]]:
    """Return the comma-separated fields, and whether each is quoted."""
    return [_unquoted(match.groups()) for match in _matches(_FIELD, source, line, text)]


def _header(
    source: Source,
    attributes: Sequence[Attribute],
    others: Mapping[str, str],
    data: Iterable[tuple[int, str]],
) -> Header:
    if not attributes:
        raise FileFormatError(f"{source.name} declares no @attribute")
    return Header(attributes, others, list(data))


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for line, text in enumerate(map(str.strip, source.lines()), 1):
        if text and not text.startswith("%"):
            yield line, re.sub(r"^(@\w+)\s+", r"\1 ", text)


def _attribute(source: Source, line: int, text: str) -> Attribute:
    match = _ATTRIBUTE.match(text)
    if match is None:
        raise source.broken(line, "expected a name and a type after @attribute")
    name, kind = _unquoted(match.groups())[0], match[4]
    if labels := _LABELS.match(kind):
        listed = [text for text, _ in split(source, line, labels[1])]
        return rows.nominal(source, line, name, listed)
    word = re.split(r"[\s\[]", kind.lower())[0]
    if word in NUMERIC:
        return Attribute(name, "numeric")
    if word == "date":  # in any format: what is no ISO date makes labels
        return Attribute(name)
    if word == "string":
        return Attribute(name, "nominal")
    raise source.broken(
        line, f"attribute {shown(name)} has type {shown(kind)}, which cannot be read"
    )


def _matches(
    pattern: re.Pattern[str], source: Source, line: int, text: str
) -> Iterator[re.Match[str]]:
    """Match one field after the other until no comma follows."""
    at, column, comma = 0, 1, True
    while comma:
        match = pattern.match(text, at)
        if match is None:
            raise source.broken(line, f"cannot read {text[at : at + 40].strip()!r}", column)
        yield match
        at, column, comma = match.end(), column + 1, match[match.re.groups] == ","


def _unquoted(groups: Sequence[str | None]) -> tuple[str, bool]:
    single, double, bare = groups[:3]
    inside = double if single is None else single
    if inside is None:
        return str(bare), False
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), inside), True


@attrs.frozen
class _Rows:
    """Reads data lines."""

    source: Source
    attributes: Sequence[Attribute]
    missing: frozenset[str]

    def row(self, line: int, text: str) -> tuple[Row, float]:
        """Return the fields of a line and its weight."""
        weight = _WEIGHT.search(text)
        if weight is None:
            return self._fields(line, text), 1.0
        if not is_number(weight[1]):
            raise self.source.broken(line, f"the weight {shown(weight[1])} is not a number")
        return self._fields(line, text[: weight.start()]), float(weight[1])

    def _fields(self, line: int, text: str) -> Row:
        if sparse := _SPARSE.match(text):
            return self._sparse(line, sparse[1])
        return Row(line, [self._known(*field) for field in split(self.source, line, text)])

    def _sparse(self, line: int, text: str) -> Row:
        fields = [_omitted(attribute) for attribute in self.attributes]
        for match in _matches(_INDEXED, self.source, line, text) if text.strip() else ():
            # Python reads no number of thousands of digits.
            index = int(match[1].lstrip("0")[:LONGEST] or 0)
            if index >= len(fields):
                what = f"there is no attribute {shown(index)}; the last is {len(fields) - 1}"
                raise self.source.broken(line, what, len(fields) + 1)
            fields[index] = self._known(*_unquoted(match.groups()[1:]))
        return Row(line, fields)

    def _known(self, text: str, quoted: bool) -> str | None:
        return None if text in self.missing and not quoted else text


def _omitted(attribute: Attribute) -> str | None:
    """Return what a sparse row means by leaving an attribute out; for free text, missing."""
    if attribute.kind == "numeric":
        return "0"
    return attribute.labels[0] if attribute.labels else None
