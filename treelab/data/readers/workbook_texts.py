"""How long the texts of a sheet are, of which a workbook keeps each once.

Cells hold the number of a text. A hundred kilobytes that twenty thousand cells share are two
gigabytes once the cells are read. Texts and cells are looked at one by one only where a simpler
bound does not do; where the XML is not well-formed, readers may differ, and the worst is assumed.
"""

from array import array
from collections.abc import Callable
from typing import IO, Protocol
from xml.parsers import expat

import attrs

from treelab.data.readers.encoding import SLICE

Opened = Callable[[], IO[bytes]]


class UnclearError(Exception):
    """Programs may read this XML differently."""


class Handler(Protocol):
    """What is done at the tags of a part, and with the text between."""

    def start(self, tag: str, attributes: dict[str, str]) -> None: ...

    def text(self, text: str) -> None: ...

    def end(self, tag: str) -> None: ...


def parse(part: IO[bytes], handler: Handler) -> None:
    """Read the XML of a part; tags have no prefixes."""
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = lambda tag, found: handler.start(tag.rpartition(":")[2], found)
    parser.EndElementHandler = lambda tag: handler.end(tag.rpartition(":")[2])
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = _refuse
    try:
        while some := part.read(SLICE):
            parser.Parse(some)
        parser.Parse(b"", True)
    except (expat.ExpatError, ValueError):
        raise UnclearError from None


def _refuse(*_: object) -> None:
    raise UnclearError


@attrs.define
class Lengths:
    """The lengths of the texts that cells share, by their numbers."""

    known: "array[int]" = attrs.field(factory=lambda: array("Q"))
    is_clear: bool = True
    """Whether all programs give texts the same numbers: some do not count one that says nothing."""
    is_open: bool = False
    is_sound: bool = False
    is_text: bool = False

    def start(self, tag: str, _attributes: dict[str, str]) -> None:
        if tag == "si":
            if self.is_open:
                raise UnclearError
            self.is_open, self.is_text = True, False
            self.known.append(0)
        elif tag == "rPh":
            self.is_sound = True
        elif tag == "t" and not self.is_sound:
            self.is_text = True

    def text(self, text: str) -> None:
        if self.is_open:
            self.known[-1] += len(text)

    def end(self, tag: str) -> None:
        if tag == "rPh":
            self.is_sound = False
        elif tag == "si":
            self.is_clear = self.is_clear and self.is_text
            self.is_open = False


@attrs.define
class Held:
    """How long all texts are that the cells of a sheet share."""

    lengths: "array[int]"
    longest: int
    size: int = 0
    is_shared: bool = False
    number: str | None = None
    """What is read of the number of a text."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "c":
            self.is_shared = attributes.get("t") == "s"
        elif tag == "v" and self.is_shared:
            self.number = ""

    def text(self, text: str) -> None:
        if self.number is not None:
            self.number += text

    def end(self, tag: str) -> None:
        if tag == "v" and self.number is not None:
            self.size += self._length(self.number)
            self.number = None

    def _length(self, number: str) -> int:
        """Return how long a text is; one that cannot be told may be the longest."""
        is_known = number.isdecimal() and len(number) < 12 and int(number) < len(self.lengths)
        return self.lengths[int(number)] if is_known else self.longest


def shared_size(sheet: Opened, cells: int, texts: Opened, size: int, most: int) -> int:
    """Return a bound of how long the texts of a sheet are, as close as it must be.

    Parameters
    ----------
    sheet, texts
        Open the part of the sheet, and the part that has the texts.
    cells
        How many cells share texts, at most.
    size
        How large the part of the texts is.
    most
        No closer bound is needed than one below this.
    """
    if cells * size <= most:
        return cells * size
    lengths = Lengths()
    try:
        with texts() as part:
            parse(part, lengths)
    except UnclearError:
        return cells * size
    longest = max(lengths.known, default=0)
    if cells * longest <= most or not lengths.is_clear:
        return cells * longest
    held = Held(lengths.known, longest)
    try:
        with sheet() as part:
            parse(part, held)
    except UnclearError:
        return cells * longest
    return held.size
