"""How large a workbook is once it is unpacked, with all the empty cells of its sheets.

python-calamine makes a table from the first to the last cell of a sheet. One cell in the last row
and column asks for half a terabyte, which ends the process, and nothing can catch that.
"""

import re
import zlib
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import attrs

from treelab.data.readers.encoding import SLICE
from treelab.data.readers.room import Room
from treelab.errors import DataError, FileFormatError

SPACE = b" \t\r\n"
LONGEST = 2**16
"""Of what is left of a slice, an unfinished tag, no more is looked at again."""

# Without spaces: a row, a cell, or the place that one of them says it has.
_MARK = re.compile(rb"""<(?:[\w.-]++:)?(row|c)|r=["']([A-Za-z]{0,7})([0-9]{1,12})["']""")


def check_workbook(path: Path, room: Room) -> None:
    """Raise where the parts of a workbook, or the cells of a sheet, have no room."""
    size = 0
    try:
        with ZipFile(path) as book:
            for part in book.infolist():
                extent, rest = Extent(), b""
                with book.open(part) as content:
                    while some := content.read(SLICE):
                        size += len(some)
                        room.check(size)
                        rest = extent.take(rest + some.translate(None, SPACE))[-LONGEST:]
                room.check_fields(extent.rows, extent.columns, "its cells, with the empty ones,")
    except FileFormatError:
        raise  # it is a ValueError, too
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error, ValueError):
        raise FileFormatError(f"{path.name} is not an Excel workbook") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error}") from None


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
                self.row = int(digits)
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
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number
