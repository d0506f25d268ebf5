"""Guess how a delimited text file is written, from its first rows."""

import re
from collections.abc import Sequence

import numpy as np

from treelab.data.moments import is_moment
from treelab.data.readers.table import is_number
from treelab.kernels.delimited import LF, SPACE, Bytes, Dialect, row_widths

DELIMITERS = ",;\t|"
SAMPLE_ROWS = 100
SAMPLE_COLUMNS = 1000
SAMPLE_BYTES = 1 << 24

_SINGLE_QUOTED = re.compile(rb"(?:^|[,;\t| ])'[^'\r\n]*'(?:[,;\t| \r]|$)", re.MULTILINE)


def guess_dialect(text: Bytes, delimiter: str | None = None) -> tuple[Dialect, int]:
    """Return how fields are told apart, and how many the first row has.

    The delimiter is the one that cuts most rows into as many fields as the first; a space only if
    the first row has none of the others, and most rows agree.
    """
    sample = _first_lines(text)
    quote = _guess_quote(sample.tobytes())
    marks = DELIMITERS if delimiter is None else delimiter
    candidates = [_candidate(sample, ord(mark), quote) for mark in marks]
    if delimiter is None and all(fields < 2 for _, fields, _ in candidates):
        spaced = _candidate(sample, SPACE, quote)
        candidates += [spaced] if spaced[0] > 0.5 else []
    _, fields, dialect = max(candidates, key=lambda candidate: candidate[:2])
    return dialect, fields


def guess_header(
    rows: Sequence[Sequence[str]], quoted: Sequence[bool], missing: frozenset[str]
) -> bool:
    """Tell whether the first of these rows holds names.

    It does if it is the only one that is wholly in quotes. Else columns of numbers, or of dates and
    times, decide it: a name above them is none. Without any, the row holds no names if most of its
    fields are met again below.
    """
    if len(rows) > 1 and quoted[0] and not any(quoted[1:]):
        return True
    votes, again = 0, 0
    for name, *rest in zip(*rows, strict=True):
        below = [field for field in rest if field.strip() not in missing]
        votes += 0 if name.strip() in missing else _vote(name, below)
        again += name in below
    return votes > 0 if votes else 2 * again <= len(rows[0])


def _vote(name: str, below: Sequence[str]) -> int:
    if not all(map(_is_value, below)):
        return 0
    return -1 if _is_value(name) else int(bool(below))


def _is_value(text: str) -> bool:
    return is_number(text) or is_moment(text.strip())


def _first_lines(text: Bytes) -> Bytes:
    """Return a copy of whole lines from the start, as reading them may change them."""
    head = text[:SAMPLE_BYTES]
    feeds = np.flatnonzero(head == LF)[:SAMPLE_ROWS]
    end = feeds[-1] + 1 if len(feeds) else len(head)
    sample = head[:end].copy()
    return sample if sample[-1] == LF else np.append(sample, np.uint8(LF))


def _guess_quote(sample: bytes) -> int:
    single = b'"' not in sample and _SINGLE_QUOTED.search(sample)
    return ord("'") if single else ord('"')


def _candidate(sample: Bytes, delimiter: int, quote: int) -> tuple[float, int, Dialect]:
    """Return which part of the rows is as wide as the first, that width, and the dialect."""
    dialect = Dialect(delimiter, quote, _skips_space(sample.tobytes(), delimiter))
    widths = row_widths(sample.copy(), dialect, SAMPLE_ROWS)
    first = int(widths[0]) if len(widths) else 1
    return (float(np.mean(widths == first)) if first > 1 else 0.0), max(first, 1), dialect


def _skips_space(sample: bytes, delimiter: int) -> bool:
    """Tell whether each delimiter below the first line is followed by a space."""
    mark = bytes([delimiter])
    below = sample.partition(b"\n")[2]
    return delimiter == SPACE or 0 < below.count(mark) == below.count(mark + b" ")
