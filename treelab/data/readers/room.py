"""`Room`: how much a file may hold, for a small one can stand for more than any memory has.

Text is packed a thousandfold by gzip; a column of one value takes a few bytes in Parquet and DuckDB
files, and so do a sparse row of ARFF and the empty cells of a sheet.
"""

from pathlib import Path

import attrs

from treelab.errors import FileFormatError, check_number

ROOM, PACKING = 2**30, 100
"""What is in a file may take so many bytes, or so many times the file's own size."""
CELL = 8
"""So many bytes a field takes, at least, where it is not written out."""


@attrs.frozen
class Room:
    """How many bytes what is in a file may take when it is unpacked."""

    name: str
    most: int

    @classmethod
    def of(cls, path: Path, max_bytes: int | None) -> "Room":
        """Return the room of a file: what the user says, or else a generous one."""
        if max_bytes is not None:
            return cls(path.name, max_bytes)
        size = path.stat().st_size if path.is_file() else 0
        return cls(path.name, max(ROOM, PACKING * size))

    def check(self, size: int, what: str = "") -> None:
        """Raise if there is not so much room."""
        if size > self.most:
            raise FileFormatError(
                f"{self.name} holds more than {self.most:,} bytes when it is unpacked{what}: "
                "max_bytes= (--max-bytes) says how many may be read"
            )

    def check_fields(self, rows: int, columns: int, what: str = "its rows") -> None:
        """Raise if there is no room for so many fields."""
        fields = rows * columns
        self.check(fields * CELL, f", for {what} stand for {fields:,} fields")


def check_max_bytes(max_bytes: object) -> None:
    """Raise unless it is a number of bytes, or nothing is said."""
    if max_bytes is not None:
        check_number("max_bytes", max_bytes, 1, whole=True)
