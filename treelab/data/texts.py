"""Columns of text in frames, which may hold numbers: marks or their notation keep them from it."""

from collections.abc import Sequence

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IntArray
from treelab.data.dirty import DirtyColumn, Written, written_labels
from treelab.data.notation import Marks, is_number
from treelab.data.schema import Column
from treelab.errors import DataError, shown


@attrs.frozen
class Coded:
    """The labels of a column but for those that mean missing, and the code of each case."""

    labels: Sequence[str]
    places: IntArray
    has_marks: bool

    def numbers(self) -> tuple[FloatArray, int]:
        """Say that these are no numbers, as the type of the column says."""
        return np.full(len(self.places), np.nan), 0

    def codes(self) -> tuple[list[str], IntArray]:
        return list(self.labels), self.places

    def written(self, decimal: str, marks: frozenset[str]) -> Written:
        return written_labels(self.labels, self.places, decimal, marks)


class TextColumn(DirtyColumn):
    """A column of text.

    It is numeric where all is numbers but for marks, or in another notation than Python's, which
    is why it came as text. Numbers that came as text without need are labels.
    """

    found: Coded

    @classmethod
    def of(cls, labels: Sequence[str], codes: AnyArray, marks: Marks) -> "TextColumn":
        """Leave out of labels those that mean missing."""
        kept = [label for label in labels if label.strip() not in marks.certain]
        place = {label: code for code, label in enumerate(kept)}
        recode = np.array([*(place.get(label, -1) for label in labels), -1], dtype=np.int32)
        return cls(Coded(kept, recode[codes], len(kept) < len(labels)), marks.doubtful)

    def read(
        self, name: str, as_nominal: bool = False, as_numeric: bool = False
    ) -> tuple[Column, AnyArray]:
        """Return the column as it is meant to be, or as it seems to be meant."""
        labels = Column(name, tuple(self.found.labels)), self.found.places
        if as_nominal:
            return labels
        if found := self.moments():
            return Column(name, scale=found[0]), found[1]
        values, bad = self.numbers()
        if as_numeric and bad >= 0:
            raise DataError(f"column {shown(name)} holds values that are not numbers{self._hint()}")
        if as_numeric or (bad < 0 and self._is_dirty()):
            return Column(name), values
        if doubt := self.doubt():
            doubt.warn(name)
        return labels

    def _is_dirty(self) -> bool:
        """Tell whether something keeps numbers from being such by their type."""
        labels = self.labels()
        is_marked = self.found.has_marks or len(labels) < len(self.found.labels)
        return bool(labels) and (is_marked or not all(map(is_number, labels)))

    def _hint(self) -> str:
        wrong = [label for label in self.labels() if not self.is_settled(label)]
        field = f", such as {shown(wrong[0])}" if wrong else ""
        return f"{field} (missing_marks= names what means missing)"
