"""Guess how a delimited text file is written, from its first rows."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treelab.data.dirty import is_value
from treelab.errors import ParameterError, shown
from treelab.kernels.cells import LF, SPACE, Bytes
from treelab.kernels.delimited import Dialect, row_widths

DELIMITERS, OTHERS = ",;\t|", ";\t|"
SAMPLE_ROWS = 100
SAMPLE_COLUMNS = 1000
SAMPLE_BYTES = 1 << 24
NAMED = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";", "bar": "|"}
"""Delimiters that are hard to write on a command line, by name."""

_SINGLE_QUOTED = re.compile(rb"(?:^|[,;\t| ])'[^'\r\n]*'(?:[,;\t| \r]|$)", re.MULTILINE)
_INSIDE_NUMBER = re.compile(rb"(?<=\d),(?=\d)")


def named_delimiter(given: object) -> str | None:
    """Return the character that a delimiter is, given as such or by name."""
    if given is None:
        return None
    mark = NAMED.get(given, given) if isinstance(given, str) else ""
    if len(mark) != 1 or not mark.isascii() or mark.isalnum() or mark in "\"'\r\n":
        names = ", ".join(name for name in NAMED if name.isalpha())
        raise ParameterError(
            f"delimiter must be one character such as ';', or {names}, got {shown(given)}"
        )
    return mark


class Candidate(NamedTuple):
    """Which part of the rows is as wide as the first with a delimiter, and that width."""

    share: float
    fields: int
    dialect: Dialect

    @property
    def found(self) -> tuple[Dialect, int]:
        return self.dialect, self.fields


def guess_dialect(
    text: Bytes, delimiter: str | None = None, decimal: str | None = None
) -> tuple[Dialect, int]:
    """Return how fields are told apart, and how many the first row has.

    The delimiter is the one that cuts most rows into as many fields as the first; a space only if
    the first row has none of the others, and most rows agree. A comma is none where it is known to
    be the decimal mark, or may be and another delimiter does as well.
    """
    sample = _first_lines(text)
    quote = _guess_quote(sample.tobytes())
    if delimiter is not None:
        return _best(sample, quote, delimiter).found
    if decimal == "," or _has_decimal_commas(sample.tobytes()):
        other = _best(sample, quote, OTHERS)
        if other.share == 1:
            return other.found
    return _best(sample, quote, DELIMITERS).found


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
    if not all(map(is_value, below)):
        return 0
    return -1 if is_value(name) else int(bool(below))


def _has_decimal_commas(sample: bytes) -> bool:
    """Tell whether each comma stands between digits, as in 1,5;2,5."""
    return sample.count(b",") == len(_INSIDE_NUMBER.findall(sample)) > 0


def _best(sample: Bytes, quote: int, marks: str) -> Candidate:
    """Return the best of some delimiters, or the space where the first row has none of them."""
    candidates = [_candidate(sample, ord(mark), quote) for mark in marks]
    if len(marks) > 1 and all(candidate.fields < 2 for candidate in candidates):
        spaced = _candidate(sample, SPACE, quote)
        candidates += [spaced] if spaced.share > 0.5 else []
    return max(candidates, key=lambda candidate: candidate[:2])


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


def _candidate(sample: Bytes, delimiter: int, quote: int) -> Candidate:
    dialect = Dialect(delimiter, quote, _skips_space(sample.tobytes(), delimiter))
    widths = row_widths(sample.copy(), dialect, SAMPLE_ROWS)
    first = int(widths[0]) if len(widths) else 1
    share = float(np.mean(widths == first)) if first > 1 else 0.0
    return Candidate(share, max(first, 1), dialect)


def _skips_space(sample: bytes, delimiter: int) -> bool:
    """Tell whether each delimiter below the first line is followed by a space."""
    mark = bytes([delimiter])
    below = sample.partition(b"\n")[2]
    return delimiter == SPACE or 0 < below.count(mark) == below.count(mark + b" ")
