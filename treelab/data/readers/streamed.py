"""The columns of delimited text, read block by block into arrays of their own.

Numbers until a field is none, then labels. What is asked for beyond that (numbers in another
notation, labels of a column that is numbers) takes another pass, in which it is read for all
columns that may be asked for it.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import attrs
import numpy as np

from treelab._typing import FloatArray, IntArray
from treelab.data.dirty import Written
from treelab.data.readers.blocks import Layout
from treelab.data.readers.bytefields import ByteFields


class Growing(Protocol):
    """What is read of a column, growing by blocks."""

    def take(self, row: int, fields: ByteFields) -> bool:
        """Read the fields from some row on; tell whether to go on."""

    def close(self, rows: int) -> None:
        """Let go of room that was not needed."""


@attrs.define(eq=False)
class Numbers:
    """The numbers of a column, and the first row without one, or -1."""

    values: FloatArray
    bad: int = -1

    def take(self, row: int, fields: ByteFields) -> bool:
        return self._take(row, *fields.numbers())

    def _take(self, row: int, values: FloatArray, bad: int) -> bool:
        self.values[row : row + len(values)] = values
        self.bad = row + bad if bad >= 0 else -1
        return bad < 0

    def close(self, rows: int) -> None:
        self.values.resize(rows if self.bad < 0 else 0, refcheck=False)


@attrs.define(eq=False)
class WrittenNumbers(Numbers):
    """The numbers of a column in a notation, some marks meaning missing, too."""

    decimal: str = "."
    marks: frozenset[str] = frozenset()
    n_marks: int = 0

    def take(self, row: int, fields: ByteFields) -> bool:
        found = fields.written(self.decimal, self.marks)
        self.n_marks += found.marks
        return self._take(row, found.numbers, found.bad)

    @property
    def written(self) -> Written:
        return Written(self.values, self.bad, self.n_marks)


@attrs.define(eq=False)
class Labels:
    """The labels of a column in the order in which they occur, and the code of each field."""

    codes: IntArray
    known: dict[str, int] = attrs.field(factory=dict)

    def take(self, row: int, fields: ByteFields) -> bool:
        labels, codes = fields.codes()
        places = [self.known.setdefault(label, len(self.known)) for label in labels]
        self.codes[row : row + len(codes)] = np.array([*places, -1], np.int32)[codes]
        return True

    def close(self, rows: int) -> None:
        self.codes.resize(rows, refcheck=False)


@attrs.define(eq=False)
class Stream:
    """What is known of the columns of a text, by their places.

    Parameters
    ----------
    layout
        How the text is laid out.
    room
        No text has more rows than lines.
    rows
        The number of cases.
    numbers, labels, written
        What was read of the columns.
    head
        The first block.
    """

    layout: Layout
    room: int
    rows: int = 0
    numbers: dict[int, Numbers] = attrs.field(factory=dict)
    labels: dict[int, Labels] = attrs.field(factory=dict)
    written: dict[tuple[str, frozenset[str]], dict[int, WrittenNumbers]] = attrs.field(factory=dict)
    head: Sequence[ByteFields] = ()

    @classmethod
    def of(cls, layout: Layout, labelled: Collection[int]) -> "Stream":
        """Read all columns, some of them as labels in any case."""
        stream = cls(layout, layout.most_rows())
        stream.labels = {place: stream._new_labels() for place in labelled}
        others = [place for place in range(layout.width) if place not in stream.labels]
        stream.numbers = {place: stream._new_numbers() for place in others}
        for row, columns in layout.blocks():
            stream.head = stream.head or columns
            stream.rows = row + len(columns[0].cells.starts)
            for place, fields in enumerate(columns):
                stream._take(place, row, fields)
        stream._close([*stream.numbers.values(), *stream.labels.values()])
        return stream

    def _take(self, place: int, row: int, fields: ByteFields) -> None:
        number = self.numbers.get(place)
        if number is not None and number.bad < 0 and not number.take(row, fields) and row == 0:
            self.labels[place] = self._new_labels()
        if place in self.labels:
            self.labels[place].take(row, fields)

    def _new_numbers(self) -> Numbers:
        return Numbers(np.empty(self.room))

    def _new_labels(self) -> Labels:
        return Labels(np.empty(self.room, np.int32))

    def _close(self, read: Collection[Growing]) -> None:
        for each in read:
            each.close(self.rows)

    def fields(self) -> list["StreamedFields"]:
        """Return the columns."""
        return [StreamedFields(self, place) for place in range(self.layout.width)]

    def read_again(self, wanted: Mapping[int, Growing]) -> None:
        """Read something else of some columns."""
        going = dict(wanted)
        for row, columns in self.layout.blocks():
            going = {at: each for at, each in going.items() if each.take(row, columns[at])}
            if not going:
                break
        self._close(wanted.values())

    def numbers_of(self, place: int) -> Numbers:
        if place not in self.numbers:
            new = {at: self._new_numbers() for at in self.labels.keys() - self.numbers.keys()}
            self.read_again(new)
            self.numbers |= new
        return self.numbers[place]

    def labels_of(self, place: int) -> Labels:
        if place not in self.labels:
            late = {at for at, number in self.numbers.items() if number.bad >= 0}
            new = {at: self._new_labels() for at in {place, *late} - self.labels.keys()}
            self.read_again(new)
            self.labels |= new
        return self.labels[place]

    def written_of(self, place: int, decimal: str, marks: frozenset[str]) -> Written:
        """Return a column in a notation; most that are none show it in the first block."""
        first = self.head[place].written(decimal, marks)
        if first.bad >= 0 or len(first.numbers) == self.rows:
            return first
        known = self.written.setdefault((decimal, marks), {})
        if place not in known:
            new = {at: self._new_written(decimal, marks) for at in self._like(place)}
            self.read_again(new)
            known |= new
        return known[place].written

    def _like(self, place: int) -> list[int]:
        """Return the columns that are numbers as Python writes them, or those that are not."""
        if place not in self.numbers:
            return [place]
        is_plain = self.numbers[place].bad < 0
        return [at for at, number in self.numbers.items() if (number.bad < 0) == is_plain]

    def _new_written(self, decimal: str, marks: frozenset[str]) -> WrittenNumbers:
        return WrittenNumbers(np.empty(self.room), decimal=decimal, marks=marks)

    def field(self, place: int, row: int) -> tuple[ByteFields, int]:
        """Return where a field is, to say what is wrong with it."""
        for first, columns in self.layout.blocks():
            if row < first + len(columns[0].cells.starts):
                return columns[place], row - first
        raise IndexError(row)


@attrs.frozen(eq=False)
class StreamedFields:
    """One column."""

    stream: Stream
    at: int

    def numbers(self) -> tuple[FloatArray, int]:
        found = self.stream.numbers_of(self.at)
        return found.values, found.bad

    def codes(self) -> tuple[list[str], IntArray]:
        found = self.stream.labels_of(self.at)
        return list(found.known), found.codes

    def written(self, decimal: str, marks: frozenset[str]) -> Written:
        return self.stream.written_of(self.at, decimal, marks)

    def text(self, row: int) -> str:
        fields, own = self.stream.field(self.at, row)
        return fields.text(own)

    def place(self, row: int) -> tuple[int, int]:
        fields, own = self.stream.field(self.at, row)
        return fields.place(own)
