"""How large a workbook is once it is unpacked, with all the empty cells of its sheets.

python-calamine makes a table from the first to the last cell of a sheet. One cell in the last row
and column asks for half a terabyte, which ends the process, and nothing can catch that.
"""

import re
import struct
import zlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import attrs

from treelab.data.readers.encoding import SLICE
from treelab.data.readers.room import Room
from treelab.data.readers.workbook_texts import shared_size
from treelab.errors import DataError, FileFormatError

PACKED = (ZIP_STORED, ZIP_DEFLATED)
"""How parts may be packed, in any workbook that a program writes."""
SHARED = (b'="s"', b"='s'")
"""What a cell has that shares a text with others, and perhaps something else, without spaces."""
TEXT = (b"<si", b":si")
"""How a text begins that cells share, and perhaps something else."""
SPACE = b" \t\r\n"
BROKEN = (BadZipFile, zlib.error, struct.error)
LONGEST = 2**16
"""Of what is left of a slice, an unfinished tag, no more is looked at again."""

FAR = 12
"""So many letters or digits stand for more than 2**32, which is where calamine begins anew at 0."""

# Without spaces: a row, a cell, or the place that one of them says it has.
_MARK = re.compile(rb"""<(?:[\w.-]++:)?(row|c)|(?<=[cw"'])r=["']([A-Za-z]*+)([0-9]++)["']""")


def check_workbook(path: Path, room: Room) -> None:
    """Raise where the parts of a workbook, its cells, or the texts they share have no room."""
    try:
        with ZipFile(path) as book:
            parts, size = [], 0
            for info in book.infolist():
                if info.compress_type not in PACKED:
                    raise BadZipFile
                parts.append(_looked_at(book, info, size, room))
                size += parts[-1].size
            _check_texts(book, parts, size, room)
    except FileFormatError:
        raise  # it is a ValueError, too
    except (*BROKEN, NotImplementedError, RuntimeError, EOFError, ValueError):
        raise FileFormatError(f"{path.name} is not an Excel workbook") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error}") from None


@attrs.frozen
class Part:
    """What is found in a part of a workbook."""

    info: ZipInfo
    size: int
    cells: int
    """So many cells share texts, at most."""
    has_texts: bool
    """Whether it may have the texts that cells share."""


def _looked_at(book: ZipFile, info: ZipInfo, before: int, room: Room) -> Part:
    """Return what is in a part, if there is room for it and for all cells of the sheet it is."""
    extent, rest = Extent(), b""
    size, cells, has_texts = 0, 0, False
    with book.open(info) as content:
        while some := content.read(SLICE):
            size += len(some)
            room.check(before + size)
            text = rest + some.translate(None, SPACE)
            cells += sum(map(text.count, SHARED))
            has_texts = has_texts or any(tag in text for tag in TEXT)
            rest = extent.take(text)[-LONGEST:]
    room.check_fields(extent.rows, extent.columns, "its cells, with the empty ones,")
    return Part(info, size, cells, has_texts)


def _check_texts(book: ZipFile, parts: Sequence[Part], size: int, room: Room) -> None:
    """Raise where the texts of a sheet have no room, each as often as a cell holds it."""
    for texts in (part for part in parts if part.has_texts):
        for sheet in parts:
            shared = shared_size(
                partial(book.open, sheet.info), sheet.cells,
                partial(book.open, texts.info), texts.size, room.most - size,
            )  # fmt: skip
            room.check(size + shared, ", for its cells share long texts")


@attrs.define
class Extent:
    """The last row and column of a sheet, as its cells are read; both may be too large.

    A cell that does not say where it is follows the one before it.
    """

    rows: int = 0
    columns: int = 0
    row: int = 0
    column: int = 0

    def take(self, text: bytes) -> bytes:
        """Read a part of a sheet; return the end, which may be only half a tag."""
        for tag, letters, digits in _MARK.findall(text):
            if tag == b"row":
                self.row, self.column = self.row + 1, 0
            elif tag:
                self.column += 1
            else:
                self.row = int(digits.lstrip(b"0")[:FAR] or b"0")
                self.column = _number(letters) or self.column
            self.rows = max(self.rows, self.row)
            self.columns = max(self.columns, self.column)
        return text[max(text.rfind(b"<"), 0) :]


def _number(letters: bytes) -> int:
    """Return the number of a column: 1 of A, 28 of AB.

    >>> _number(b"AB"), _number(b"")
    (28, 0)
    """
    number = 0
    for letter in letters[:FAR].upper():
        number = 26 * number + letter - 64
    return number
