"""Scales: how the numbers of a numeric column are written and read.

A column with a scale is numeric in every respect: it is cut, ranked and measured by its numbers.
Only people see what the numbers stand for: dates and times (`treelab.data.moments`), or labels
that have an order.
"""

import math
from typing import Protocol

import attrs
import numpy as np

from treelab._typing import FloatArray

UNKNOWN = math.inf
"""The number of a label that is not on its scale; a case with it stops at the test."""


class Scale(Protocol):
    """What the numbers of a column stand for."""

    @property
    def name(self) -> str:
        """What lies on it: 'ordered', 'date', 'datetime', 'datetime-utc' or 'time'."""

    @property
    def labels(self) -> tuple[str, ...]:
        """All that lies on it, ascending, if that is a list of labels."""

    def write(self, value: float) -> str:
        """Return a number in words."""

    def read(self, text: str) -> float:
        """Return the number of a word; a `ValueError` says what is wrong with it."""

    def down(self, limit: float) -> float:
        """Return the largest number on the scale that is at most the limit."""

    def up(self, limit: float) -> float:
        """Return the smallest number on the scale that is at least the limit."""

    def span(self, low: float, high: float) -> str:
        """Return what lies from one number on the scale to below another, in words."""

    def check(self, values: FloatArray) -> str | None:
        """Say what is wrong with the numbers of a column, NaN for missing, if anything is."""


@attrs.frozen
class Ordered:
    """Labels in their order: the number of a label is its place, from 0.

    >>> size = Ordered(("small", "medium", "large"))
    >>> size.read("medium"), size.write(2.0), size.write(size.down(0.5))
    (1.0, 'large', 'small')
    """

    labels: tuple[str, ...]

    @property
    def name(self) -> str:
        return "ordered"

    def write(self, value: float) -> str:
        on_scale = 0 <= value < len(self.labels) and value == int(value)
        return self.labels[int(value)] if on_scale else f"{value:.12g}"

    def read(self, text: str) -> float:
        return float(self.labels.index(text)) if text in self.labels else UNKNOWN

    def down(self, limit: float) -> float:
        return float(math.floor(limit))

    def up(self, limit: float) -> float:
        return float(math.ceil(limit))

    def span(self, low: float, high: float) -> str:
        """Return the labels by the first and the last of them.

        >>> Ordered(("small", "medium", "large", "huge")).span(1.0, 3.0)
        'medium..large'
        """
        return self.write(low) if high == low + 1 else f"{self.write(low)}..{self.write(high - 1)}"

    def check(self, values: FloatArray) -> str | None:
        """Say which number is no place of a label."""
        last = len(self.labels) - 1
        is_place = (values >= 0) & (values <= last) & (values == np.floor(values))
        wrong = values[~(is_place | np.isnan(values))]
        return f"has the code {wrong[0]:.12g}, which is none of 0 to {last}" if len(wrong) else None


def limit_in_words(scale: Scale, limit: float, closed: bool) -> str:
    """Write a limit so that the same cases lie below it: `<=` and `>` if closed, else `<` and `>=`.

    >>> limit_in_words(Ordered(("small", "medium", "large")), 0.5, closed=False)
    'medium'
    """
    return scale.write(scale.down(limit) if closed else scale.up(limit))
