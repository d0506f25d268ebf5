"""Orange `.tab`: names, types and flags in three rows, or in one row with prefixes."""

import csv
import io
import re
from collections.abc import Sequence
from itertools import dropwhile, zip_longest
from pathlib import Path

import attrs

from treelab.data.dataset import Dataset
from treelab.data.readers import rows
from treelab.data.readers.rows import Row
from treelab.data.readers.source import Source
from treelab.data.readers.table import Attribute, Options
from treelab.errors import FileFormatError, shown

MISSING = ("", "?", ".", "~", "NA", "nan")
KINDS: dict[str, str | None] = {
    **dict.fromkeys(("c", "continuous", "n", "numeric"), "numeric"),
    **dict.fromkeys(("d", "discrete", "categorical"), "nominal"),
    **dict.fromkeys(("s", "string", "text"), "nominal"),
    **dict.fromkeys(("t", "time"), None),
}
ROLES = {
    **dict.fromkeys(("c", "class"), "class"),
    **dict.fromkeys(("m", "meta", "i", "ignore"), "skip"),
    **dict.fromkeys(("w", "weight"), "weight"),
}

_PREFIX = re.compile(r"([cmiw]?)([CDSNT]?)#(.*)")
_VALUE = re.compile(r"(?:\\.|[^\\\s])+")


@attrs.frozen
class _Head:
    """The head of one column."""

    attribute: Attribute
    role: str = ""


def read_tab(path: Path, options: Options) -> Dataset:
    """Read an Orange table; without a column flagged as class the target is the last."""
    source = Source.open(path, options.encoding, options.max_bytes)
    records = _records(source)
    three = len(records) > 2 and _is_kinds(records[1][1]) and _is_flags(records[2][1])
    height = 3 if three else 1
    heads = _heads(source, [fields for _, fields in records[:height]])
    missing = options.missing_or(MISSING)
    cases = [(line, fields) for line, fields in records[height:] if any(fields)]
    data = [Row(line, rows.known(fields, missing)) for line, fields in cases]
    attributes = [None if head.role == "skip" else head.attribute for head in heads]
    last = next((a.name for a in reversed(attributes) if a is not None), "")
    target = _flagged(source, heads, "class") or last
    weights = _flagged(source, heads, "weight")
    return rows.table(source, attributes, data, target, weights).dataset(options)


def _records(source: Source) -> list[tuple[int, list[str]]]:
    """Return the rows from the first that is not blank, with the line each begins on."""
    reader = csv.reader(
        io.StringIO(source.content.decode(), newline=""), delimiter="\t", strict=True
    )
    records, line = [], 1
    try:
        for fields in reader:
            records.append((line, [field.strip() for field in fields]))
            line = reader.line_num + 1
    except csv.Error as error:
        raise source.broken(line, str(error)) from None
    begun = list(dropwhile(lambda record: not any(record[1]), records))
    if not begun:
        raise FileFormatError(f"{source.name} is empty")
    return begun


def _is_kinds(fields: Sequence[str]) -> bool:
    """Tell whether a row holds types: most are known words, or lists of values."""
    words = [field.lower() for field in fields if field and " " not in field]
    known = sum(word in KINDS for word in words)
    return any(fields) and 2 * known >= len(words)


def _is_flags(fields: Sequence[str]) -> bool:
    """Tell whether a row holds flags; words like 'key=value' are Orange's own."""
    words = [word.lower() for field in fields for word in field.split()]
    return all(word in ROLES or "=" in word for word in words)


def _heads(source: Source, header: Sequence[Sequence[str]]) -> list[_Head]:
    width = len(header[0])
    for fields in header[1:]:
        if len(fields) > width:
            raise FileFormatError(f"{source.name}: there are more types or flags than names")
    if len(header) == 1:
        return [_prefixed(name) for name in header[0]]
    return [_described(source, *parts) for parts in zip_longest(*header, fillvalue="")]


def _described(source: Source, name: str, kind: str, flags: str) -> _Head:
    roles = [ROLES[word.lower()] for word in flags.split() if word.lower() in ROLES]
    role = roles[0] if roles else ""
    if not kind or kind.lower() in KINDS:
        return _Head(Attribute(name, KINDS.get(kind.lower())), role)
    if " " not in kind:
        raise source.broken(
            2,
            f"column {shown(name)}: expected a type or a list of values, got {shown(kind)}",
        )
    labels = [re.sub(r"\\(.)", r"\1", value) for value in _VALUE.findall(kind)]
    return _Head(rows.nominal(source, 2, name, labels), role)


def _prefixed(name: str) -> _Head:
    match = _PREFIX.fullmatch(name)
    if match is None:
        return _Head(Attribute(name))
    return _Head(Attribute(match[3], KINDS.get(match[2].lower())), ROLES.get(match[1], ""))


def _flagged(source: Source, heads: Sequence[_Head], role: str) -> str | None:
    """Return the one column of a role."""
    names = [head.attribute.name for head in heads if head.role == role]
    if len(names) > 1:
        raise FileFormatError(f"{source.name} flags {len(names)} columns as {role}, expected one")
    return names[0] if names else None
