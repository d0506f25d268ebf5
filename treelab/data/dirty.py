"""Columns whose kind nobody declares: whether they are numbers, and what is doubtful about it.

A column that is not wholly numbers may be one in another notation, or one with marks for missing
that would be labels elsewhere. What cannot be decided is read as labels, and warned of.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count
from typing import NamedTuple, Protocol

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IntArray
from treelab.data.notation import (
    DECIMALS,
    USUAL,
    common_decimal,
    is_written_number,
    share_of_numbers,
    value_of,
)
from treelab.errors import DataWarning, shown

ALMOST, SEVERAL, GLANCE = 0.9, 10, 50
"""A column is doubted where this part of its fields are numbers, so many of them different;
so many labels are looked at first."""

MANY = 6
"""So many columns are named in one sentence."""


class Found(Protocol):
    """A column as it is first read."""

    def numbers(self) -> tuple[FloatArray, int]:
        """Return the numbers (NaN is missing) and the first row without one, or -1."""

    def codes(self) -> tuple[list[str], IntArray]:
        """Return the labels in any order, and the code of each field (-1 is missing)."""


@attrs.frozen(eq=False, slots=False)
class DirtyColumn:
    """A column that may be one of numbers, however they are written.

    Parameters
    ----------
    found
        The column as it is first read.
    doubtful
        Marks that mean missing among numbers only.
    decimal
        The notation of all columns, where it is known.
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

    def codes(self) -> tuple[list[str], IntArray]:
        """Return the labels in any order, and the code of each field (-1 is missing)."""
        return self._coded

    def numbers(self) -> tuple[FloatArray, int]:
        """Return the numbers (NaN is missing) and the first row without one, or -1."""
        if self.is_plain and self.decimal != ",":
            return self._plain
        labels, codes = self._coded
        values = [
            np.nan if self._is_mark(each) else value_of(each, self.decimal) for each in labels
        ]
        is_wrong = _of_cases([value is None for value in values], codes)
        if is_wrong.any() or self._is_mostly_marks():
            return self._plain[0], int(is_wrong.argmax()) if self.is_plain else self._plain[1]
        return np.array([*values, np.nan], dtype=float)[codes], -1

    @property
    def is_plain(self) -> bool:
        """Whether every field is a number as Python writes it."""
        return self._plain[1] < 0

    @property
    def has_points(self) -> bool:
        """Whether there is a point in some field."""
        return any("." in label for label in self.labels())

    @property
    def is_numbers(self) -> bool:
        """Whether every field is a number in some notation."""
        return all(map(is_written_number, self.labels()))

    def labels(self) -> list[str]:
        """Return the labels that do not mean missing among numbers."""
        return [label for label in self._coded[0] if not self._is_mark(label)]

    def doubt(self) -> "Doubt | None":
        """Return what is doubtful about a column that is read as labels, if anything is."""
        labels = self.labels()
        first = labels[:GLANCE]
        if not first or 2 * sum(map(is_written_number, first)) < len(first):
            return None
        counts = dict(zip(self._coded[0], self._counts(), strict=True))
        share, decimal = max(
            (share_of_numbers(labels, [counts[label] for label in labels], decimal), decimal)
            for decimal in ([self.decimal] if self.decimal else DECIMALS)
        )
        numbers = [value_of(label, decimal) is not None for label in labels]
        if share < 1 and (share < ALMOST or sum(numbers) < SEVERAL):
            return None
        is_right = numbers if share < 1 else list(map(self.is_settled, labels))
        return None if all(is_right) else Doubt(labels[is_right.index(False)], share)

    def _counts(self) -> list[int]:
        labels, codes = self._coded
        return [int(n) for n in np.bincount(codes[codes >= 0], minlength=len(labels))]

    def is_settled(self, label: str) -> bool:
        """Tell whether a label is a number in the notation of the column."""
        return value_of(label, self.decimal) is not None

    def _is_mark(self, label: str) -> bool:
        return label.strip() in self.doubtful

    def _is_mostly_marks(self) -> bool:
        labels, codes = self._coded
        is_mark = _of_cases([self._is_mark(label) for label in labels], codes)
        return bool(2 * is_mark.sum() > (codes >= 0).sum())


class Doubt(NamedTuple):
    """The first label of a column that keeps it from being numeric, and the share of numbers."""

    label: str
    share: float

    def warn(self, name: str) -> None:
        """Say what is doubtful about a column, and which option settles it."""
        column, field = shown(name), shown(self.label)
        if self.share == 1:
            why = f"because {field} may have a decimal comma, or a mark between thousands"
            option = "decimal=',' or decimal='.' (--decimal) makes it numeric"
        else:
            why = f"although {self.share:.1%} of it are numbers, because {field} is none"
            option = f"missing_marks=[{USUAL!r}, {field}] (--missing-marks) makes that missing"
        keep = f"nominal=[{column}] (--nominal) keeps it so"
        warn(f"column {column} is read as labels {why}: {option}, {keep}")


def warn_of_points(name: str) -> None:
    """Say that points are taken for marks between thousands."""
    warn(
        f"column {shown(name)} is read with points between thousands, as other columns have "
        "decimal commas: decimal=',' (--decimal) says that this is right"
    )


def agreed_decimal(
    columns: Iterable[DirtyColumn], decimal: str | None, is_point_certain: bool = False
) -> str | None:
    """Return the notation of all columns: the one that is given, or else the one they agree on.

    In `1.234` the point may separate thousands, unless it is certain to be that of decimals.
    """
    if decimal is not None:
        return decimal
    columns = list(columns)
    unsure = [column for column in columns if not column.is_plain and column.is_numbers]
    if not unsure:
        return None
    plain = [column for column in columns if column.is_plain]
    agreed = common_decimal([column.labels for column in (*unsure, *plain)])
    is_against = is_point_certain and agreed == "," and any(column.has_points for column in plain)
    return None if is_against else agreed


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the names of columns; one that occurs again gets a number, and is warned of.

    >>> distinct_names(["a", "b"])
    ['a', 'b']
    """
    taken, numbers, found = set(names), dict[str, Iterator[int]](), list[str]()
    for name in names:
        if name in numbers:
            found.append(
                next(f"{name} ({n})" for n in numbers[name] if f"{name} ({n})" not in taken)
            )
            taken.add(found[-1])
        else:
            numbers[name] = count(2)
            found.append(name)
    again = [new for name, new in zip(names, found, strict=True) if new != name]
    if again:
        listed = ", ".join(map(shown, again[:MANY])) + (", ..." if len(again) > MANY else "")
        warn(
            f"a name occurs on more than one column, which are read as {listed}: "
            "drop= (--drop) leaves out what is not wanted"
        )
    return found


def warn(sentence: str) -> None:
    """Warn of data that may not be what they seem."""
    warnings.warn(sentence, DataWarning, stacklevel=2)


def _of_cases(of_labels: Sequence[bool], codes: IntArray) -> BoolArray:
    return np.array([*of_labels, False])[codes]
