"""KEEL `.dat`: declarations as in ARFF, with ranges, and lists of inputs and outputs."""

from collections.abc import Sequence
from pathlib import Path

from treelab.data.dataset import Dataset
from treelab.data.readers import rows
from treelab.data.readers.arff import Header, read_header
from treelab.data.readers.rows import Row
from treelab.data.readers.source import Source
from treelab.data.readers.table import Attribute, Options
from treelab.errors import FileFormatError, UnknownNameError

MISSING = ("?", "<null>")


def read_keel(path: Path, options: Options) -> Dataset:
    """Read a KEEL file; the target is its output, or else the last attribute."""
    source = Source.open(path, options.encoding, options.max_bytes)
    header = read_header(source)
    missing = options.missing_or(MISSING)
    inputs, outputs = _listed(header, "input"), _listed(header, "output")
    if len(outputs) > 1 and options.target is None:
        raise FileFormatError(f"{source.name} has {len(outputs)} outputs: say target=")
    target = outputs[0] if outputs else header.attributes[-1].name
    used = {*inputs, *outputs, target} if inputs else None
    split = ((line, map(str.strip, text.split(","))) for line, text in header.data)
    data = [Row(line, rows.known(fields, missing)) for line, fields in split]
    return rows.table(source, _used(header.attributes, used), data, target).dataset(options)


def _listed(header: Header, word: str) -> list[str]:
    """Return the names after @inputs or @outputs, which some files write in the singular."""
    text = header.others.get(f"{word}s") or header.others.get(word) or ""
    listed = [name.strip() for name in text.split(",") if name.strip()]
    known = [attribute.name for attribute in header.attributes]
    for name in listed:
        if name not in known:
            raise UnknownNameError(word, name, known)
    return listed


def _used(attributes: Sequence[Attribute], names: set[str] | None) -> list[Attribute | None]:
    return [a if names is None or a.name in names else None for a in attributes]
