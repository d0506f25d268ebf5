"""Columns whose kind nobody declares: whether they are numbers, and what is doubtful about it.

A column that is not wholly numbers may be one in another notation, or one with marks for missing
that would be labels elsewhere. What cannot be decided is read as labels, and warned of.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import attrs
import numpy as np

from treelab._typing import FloatArray, IntArray
from treelab.data.doubts import Doubt
from treelab.data.moments import Moments, is_moment, recognised
from treelab.data.notation import (
    DECIMALS,
    is_written_number,
    share_of_numbers,
    value_of,
)

ALMOST, SEVERAL, GLANCE = 0.9, 10, 50
"""A column is doubted where this part of its fields are numbers, so many of them different;
so many labels are looked at first."""


class Written(NamedTuple):
    """A column read in a notation: numbers, the first row without one or -1, and marks among them.

    A number is NaN where the field is missing.
    """

    numbers: FloatArray
    bad: int
    marks: int

    @property
    def fits(self) -> bool:
        """Whether these are numbers, and not mostly marks for missing ones."""
        return self.bad < 0 and self.marks <= int(np.count_nonzero(~np.isnan(self.numbers)))


class Found(Protocol):
    """A column as it is first read."""

    def numbers(self) -> tuple[FloatArray, int]:
        """Return the numbers (NaN is missing) and the first row without one, or -1."""

    def codes(self) -> tuple[list[str], IntArray]:
        """Return the labels in any order, and the code of each field (-1 is missing)."""

    def written(self, decimal: str, marks: frozenset[str]) -> Written:
        """Return the numbers in a notation, some marks meaning missing, too."""


def written_labels(
    labels: Sequence[str], codes: IntArray, decimal: str, marks: frozenset[str]
) -> Written:
    """Read a column in a notation by its labels."""
    is_mark = np.array([*(label.strip() in marks for label in labels), False])[codes]
    values = [np.nan if label.strip() in marks else value_of(label, decimal) for label in labels]
    is_wrong = np.array([*(value is None for value in values), False])[codes]
    bad = int(is_wrong.argmax()) if is_wrong.any() else -1
    return Written(np.array([*values, np.nan], dtype=float)[codes], bad, int(is_mark.sum()))


def moments_among(
    labels: Sequence[str], codes: IntArray, marks: frozenset[str] = frozenset()
) -> tuple[Moments, FloatArray] | None:
    """Return the scale of dates or times and the number of each field, some marks meaning missing.

    None where not all are such, or most are marks.
    """
    is_mark = np.array([label.strip() in marks for label in labels], dtype=bool)
    found = recognised([label for label, mark in zip(labels, is_mark, strict=True) if not mark])
    if found is None:
        return None
    scale, numbers = found
    values = np.full(len(labels) + 1, np.nan)
    values[:-1][~is_mark] = numbers
    written = Written(values[codes], -1, int(np.append(is_mark, False)[codes].sum()))
    return (scale, written.numbers) if written.fits else None


def is_value(text: str) -> bool:
    """Tell whether a text is a number in some notation, or a date or time."""
    return is_written_number(text) or _is_date(text)


def _is_date(text: str) -> bool:
    return is_moment(text.strip())


@attrs.define(eq=False, slots=False)
class DirtyColumn:
    """A column that may be one of numbers, however they are written.

    Parameters
    ----------
    found
        The column as it is first read.
    doubtful
        Marks that mean missing among numbers only.
    decimal
        The notation of all columns, once it is known.
    """

    found: Found
    doubtful: frozenset[str] = frozenset()
    decimal: str | None = None

    @cached_property
    def _plain(self) -> tuple[FloatArray, int]:
        return self.found.numbers()

    @cached_property
    def _coded(self) -> tuple[list[str], IntArray]:
        return self.found.codes()

    @cached_property
    def _written(self) -> dict[str, Written]:
        """The column in those notations in which it fits."""
        read = {decimal: self.found.written(decimal, self.doubtful) for decimal in DECIMALS}
        return {decimal: written for decimal, written in read.items() if written.fits}

    def codes(self) -> tuple[list[str], IntArray]:
        """Return the labels in any order, and the code of each field (-1 is missing)."""
        return self._coded

    def numbers(self) -> tuple[FloatArray, int]:
        """Return the numbers (NaN is missing) and the first row without one, or -1."""
        if self.is_plain and self.decimal != ",":
            return self._plain
        if self.decimal in self._written:
            return self._written[self.decimal].numbers, -1
        if self.decimal is None and self._is_alike():
            return self._written["."].numbers, -1
        bad = self.found.written(",", self.doubtful).bad if self.is_plain else self._plain[1]
        return self._plain[0], bad

    @property
    def is_plain(self) -> bool:
        """Whether every field is a number as Python writes it."""
        return self._plain[1] < 0

    @property
    def vote(self) -> str | None:
        """The only notation in which the column is numbers, if there is one."""
        return next(iter(self._written)) if len(self._written) == 1 else None

    @property
    def is_unsure(self) -> bool:
        """Whether the column is numbers only in a notation that is not Python's, or with marks."""
        return not self.is_plain and len(self._written) > 0

    @property
    def has_points(self) -> bool:
        """Whether a point stands between thousands if the notation has decimal commas."""
        return self.is_plain and "," in self._written and not self._is_alike()

    def _is_alike(self) -> bool:
        """Tell whether both notations give the same numbers."""
        if len(self._written) < 2:
            return False
        one, other = (written.numbers for written in self._written.values())
        return bool(np.array_equal(one, other, equal_nan=True))

    def moments(self) -> tuple[Moments, FloatArray] | None:
        """Return the scale and the numbers of dates or times; None where they are none."""
        return moments_among(*self._coded, self.doubtful)

    def labels(self) -> list[str]:
        """Return the labels that do not mean missing among numbers."""
        return [label for label in self._coded[0] if not self._is_mark(label)]

    def doubt(self) -> Doubt | None:
        """Return what is doubtful about a column that is read as labels, if anything is."""
        if self._seems(_is_date):
            return self._almost_moments()
        return self._almost_numbers() if self._seems(is_written_number) else None

    def _seems(self, is_such: Callable[[str], bool]) -> bool:
        """Tell whether half of the first labels are numbers, or dates."""
        first = self.labels()[:GLANCE]
        return bool(first) and 2 * sum(map(is_such, first)) >= len(first)

    def _almost_moments(self) -> Doubt | None:
        labels, counts = self.labels(), self._counts()
        is_right = list(map(_is_date, labels))
        share = float(np.dot(is_right, counts)) / sum(counts)
        if share < ALMOST or sum(is_right) < SEVERAL or all(is_right):
            return None
        return Doubt(labels[is_right.index(False)], share, "dates or times")

    def _almost_numbers(self) -> Doubt | None:
        labels, counts = self.labels(), self._counts()
        share, decimal = max(
            (share_of_numbers(labels, counts, decimal), decimal)
            for decimal in ([self.decimal] if self.decimal else DECIMALS)
        )
        numbers = [value_of(label, decimal) is not None for label in labels]
        if share < 1 and (share < ALMOST or sum(numbers) < SEVERAL):
            return None
        is_right = numbers if share < 1 else list(map(self.is_settled, labels))
        return None if all(is_right) else Doubt(labels[is_right.index(False)], share)

    def _counts(self) -> list[int]:
        """Return how many fields have each of the labels that do not mean missing."""
        labels, codes = self._coded
        counts = np.bincount(codes[codes >= 0], minlength=len(labels)).tolist()
        pairs = zip(labels, counts, strict=True)
        return [n for label, n in pairs if not self._is_mark(label)]

    def is_settled(self, label: str) -> bool:
        """Tell whether a label is a number in the notation of the column."""
        return value_of(label, self.decimal) is not None

    def _is_mark(self, label: str) -> bool:
        return label.strip() in self.doubtful


def settle(
    columns: Sequence[DirtyColumn], decimal: str | None, is_point_certain: bool = False
) -> None:
    """Give all columns one notation: the one that is said, or else the one they agree on.

    Columns that are numbers in one notation only vote for it. Without a vote, or where votes
    differ, there is none. In `1.234` the point may separate thousands, unless it is certain not to.
    """
    if decimal is None and any(column.is_unsure for column in columns):
        decimal = _agreed(columns, is_point_certain)
    for column in columns:
        column.decimal = decimal


def _agreed(columns: Sequence[DirtyColumn], is_point_certain: bool) -> str | None:
    votes = {column.vote for column in columns} - {None}
    agreed = votes.pop() if len(votes) == 1 else None
    if agreed == "," and is_point_certain and any(column.has_points for column in columns):
        return None
    return agreed
