"""ARFF data that are CSV as well: no sparse rows, weights, comments behind fields or escapes.

Whatever may be read in another way is left to `treelab.data.readers.arff`, which is slower.
"""

import re
from collections.abc import Sequence

import numpy as np

from treelab.data.readers.bytefields import ByteFields, find_fields
from treelab.data.readers.source import Source
from treelab.kernels import delimited
from treelab.kernels.cells import CR, LF, Bytes, trim_bare

SINGLE, DOUBLE = b"'", b'"'

_START = re.compile(rb"(?:^|[\r\n]) *@data(?:[ \t][^\r\n]*)?(?=[\r\n]|$)", re.IGNORECASE)
_ANYTHING = re.compile(rb"[^\r\n]+")
_COMMENT = re.compile(rb"(?<=[\r\n])%[^\r\n]*")
_SPECIAL = b"%\\{}" + bytes(byte for byte in range(32) if byte not in b"\r\n")
_WIDE_SPACE = re.compile(r"[^\S \r\n]")


def start_of_data(content: bytes) -> int:
    """Return where the line @data of an ARFF file ends, or -1."""
    match = _START.search(content)
    return -1 if match is None else match.end()


def dense_fields(
    source: Source, start: int, width: int, missing: frozenset[str]
) -> Sequence[ByteFields] | None:
    """Return the columns of the data from a place on, or None where they are no plain CSV."""
    data = source.content[start:]
    data = _COMMENT.sub(_blank, data) if b"%" in data else data
    quote = SINGLE if SINGLE in data else DOUBLE
    if not _is_plain(data, quote, missing):
        return None
    above = _ANYTHING.sub(_blank, source.content[:start])  # every field keeps its place
    text = np.frombuffer(above + data + b"\n", np.uint8).copy()
    dialect = delimited.Dialect(ord(","), ord(quote), skip_space=True)
    outcome, cells = find_fields(text, dialect, width)
    if outcome.problem != delimited.FINE or not outcome.rows:
        return None  # the other road says what is wrong
    fields = [
        ByteFields(source.content, each, column, missing, dialect)
        for column, each in enumerate(cells, 1)
    ]
    if _spans_lines(text, fields):
        return None
    for column in fields:
        trim_bare(column.cells, dialect.quote)
    return fields


def _is_plain(data: bytes, quote: bytes, missing: frozenset[str]) -> bool:
    """Tell whether fields are parted, quoted and trimmed in CSV as in ARFF."""
    has_both = SINGLE in data and DOUBLE in data
    if has_both or 2 * quote in data or len(data.translate(None, _SPECIAL)) < len(data):
        return False
    if not data.isascii() and _WIDE_SPACE.search(data.decode()):
        return False
    marks = b"|".join(re.escape(mark.encode()) for mark in missing)
    return quote not in data or not re.search(quote + rb"\s*(?:" + marks + rb")\s*" + quote, data)


def _spans_lines(text: Bytes, fields: Sequence[ByteFields]) -> bool:
    """Tell whether a line ends inside of a row, in quotes."""
    ends = np.flatnonzero((text == LF) | (text == CR))
    first, last = fields[0].cells.starts, fields[-1].cells.ends
    return bool((np.searchsorted(ends, first) != np.searchsorted(ends, last)).any())


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])
