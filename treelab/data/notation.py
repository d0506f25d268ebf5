"""Numbers as people write them: `8,440.05`, `1.234,5`, `1 234`, `173,5`; and marks for "missing".

Whether a comma separates thousands or decimals is decided for all columns together: by those that
can be read in one way only, if these agree with each other.
"""

import re
from collections.abc import Iterable, Sequence
from string import whitespace

import attrs

from treelab.errors import ParameterError, shown, words

MARKS = frozenset(
    ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A", "#NA")
)
"""What means missing wherever it stands in text."""

DOUBTFUL = frozenset(
    ("-", "--", ".", "..", "*", "None", "NONE", "na", "n.a.", "N.A.", "NAN", "Null", "nil",
     "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!")
)  # fmt: skip
"""What means missing among numbers only: elsewhere it may be a label."""

USUAL = "usual"
"""In a list of marks this word stands for those that would be used without the list."""

DECIMALS = (".", ",")
GAPS = " \u00a0\u202f'\u2019"
"""What separates thousands in either notation: spaces and the apostrophes of Switzerland."""


def _written(decimal: str, thousands: str) -> re.Pattern[str]:
    groups = "|".join(rf"[1-9]\d{{0,2}}(?:{mark}\d{{3}})+" for mark in (thousands, *GAPS))
    point = re.escape(decimal)
    return re.compile(
        rf"([+-]?)(?:({groups}|\d+)(?:{point}(\d*))?|{point}(\d+))((?:[eE][+-]?\d+)?)", re.ASCII
    )


_WRITTEN = {".": _written(".", ","), ",": _written(",", r"\.")}
_NO_DIGIT = re.compile(r"\D")


def check_decimal(decimal: object) -> None:
    """Raise unless a decimal mark is one, or None."""
    if decimal is not None and decimal not in DECIMALS:
        raise ParameterError(f"decimal must be '.' or ',', got {shown(decimal)}")


@attrs.frozen
class Marks:
    """What means missing: everywhere, and among numbers only."""

    certain: frozenset[str] = MARKS
    doubtful: frozenset[str] = DOUBTFUL

    @classmethod
    def of(cls, given: Iterable[object] | None, usual: Iterable[str] = MARKS) -> "Marks":
        """Return the marks that are given, or else the usual ones of a format."""
        if given is None:
            return cls(frozenset(usual))
        marks = frozenset(word.strip() for word in words("missing_marks", given))
        if USUAL not in marks:
            return cls(marks, frozenset())
        return cls(marks - {USUAL} | frozenset(usual))

    def but(self, labels: Iterable[str]) -> "Marks":
        """Return the marks without those that are known to be labels."""
        return attrs.evolve(self, certain=self.certain.difference(labels))


def number(text: str) -> float:
    """Return `float(text)`, but take neither 1_000 nor digits of other scripts for a number.

    >>> number("1e3")
    1000.0
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"{shown(text)} is not a number")
    return float(text)


def is_number(text: str) -> bool:
    """Tell whether a text is a number."""
    try:
        number(text)
    except ValueError:
        return False
    return True


def value_of(text: str, decimal: str | None = None) -> float | None:
    """Return the number that a text is in a notation, or None.

    Without a notation it is what `float` makes of it, or what both notations agree on.

    >>> value_of("1.234,5", ","), value_of("8,440.05", "."), value_of("1 234"), value_of("1,234")
    (1234.5, 8440.05, 1234.0, None)
    """
    text = text.strip(whitespace)
    if decimal is not None:
        return _read(text, decimal)
    if is_number(text):
        return number(text)
    point, comma = (_read(text, mark) for mark in DECIMALS)
    return point if point == comma else None


def is_written_number(text: str) -> bool:
    """Tell whether a text is a number in some notation."""
    text = text.strip(whitespace)
    return is_number(text) or any(_read(text, decimal) is not None for decimal in DECIMALS)


def share_of_numbers(labels: Sequence[str], counts: Sequence[int], decimal: str) -> float:
    """Return which part of the fields are numbers in a notation; so many have each label."""
    pairs = zip(labels, counts, strict=True)
    numbers = sum(count for label, count in pairs if value_of(label, decimal) is not None)
    return numbers / max(sum(counts), 1)


def _read(text: str, decimal: str) -> float | None:
    match = _WRITTEN[decimal].fullmatch(text)
    if match is None:
        # Infinite numbers are written alike in both.
        return number(text) if text[-1:].isalpha() and is_number(text) else None
    sign, whole, part, fraction, exponent = match.groups()
    digits = _NO_DIGIT.sub("", whole or "0")
    return float(f"{sign}{digits}.{part or fraction or '0'}{exponent}")
