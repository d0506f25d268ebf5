"""`Source`: a text file in memory, and the sentences that say where it is broken."""

import gzip
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO, FileIO
from pathlib import Path
from typing import BinaryIO

import attrs

from treelab._files import is_file
from treelab.data.readers.encoding import (
    BOM,
    SLICE,
    WIDE,
    Content,
    NotTextError,
    as_utf8,
    check_utf8,
)
from treelab.data.readers.room import Room
from treelab.errors import DataError, FileFormatError


@attrs.frozen
class Source:
    """The bytes of a text file: unpacked, known to be UTF-8, without byte order mark."""

    path: Path
    content: bytes = attrs.field(repr=False)
    table: str | None = None

    @classmethod
    def open(
        cls, path: Path, encoding: str | None = None, max_bytes: int | None = None
    ) -> "Source":
        content = read_bytes(path, max_bytes)
        try:
            return cls(path, as_utf8(content, encoding))
        except NotTextError as problem:
            line = line_at(content, problem.position)
            raise cls(path, content).broken(line, str(problem)) from None

    @property
    def name(self) -> str:
        return "standard input" if is_standard_input(self.path) else self.path.name

    @property
    def stem(self) -> str:
        """The name of the data: that of the table, or of the file without '.csv' or '.csv.gz'."""
        if self.table is not None:
            return self.table
        return "stdin" if is_standard_input(self.path) else unpacked(self.path).stem

    def lines(self) -> list[str]:
        """Return the lines, whatever ends them."""
        return re.split(r"\r\n|\r|\n", self.content.decode())

    def broken(self, line: int, what: str, column: int | None = None) -> FileFormatError:
        """Return the error that says what is wrong where; lines and columns count from 1."""
        place = "" if column is None else f", column {column}"
        return FileFormatError(f"{self.name}, line {line}{place}: {what}")

    def wrong_width(self, line: int, expected: int, got: int) -> FileFormatError:
        """Return the error for a row with too few or too many fields."""
        column = min(got, expected + 1)
        return self.broken(line, f"expected {_fields(expected)}, got {got}", column)


@attrs.frozen
class StoredBytes:
    """The bytes of a file without its byte order mark, read when they are asked for."""

    path: Path
    start: int
    state: tuple[int, ...]
    """What tells the file from a later one: its number, size and time."""

    @classmethod
    def of(cls, path: Path) -> "StoredBytes":
        with path.open("rb", buffering=0) as file:
            return cls(path, len(BOM) if file.read(len(BOM)) == BOM else 0, _state(file))

    def __len__(self) -> int:
        return self.state[1] - self.start

    def __getitem__(self, part: slice) -> bytes:
        first, last, _ = part.indices(len(self))
        size = max(last - first, 0)
        with self.path.open("rb", buffering=0) as file:
            file.seek(self.start + first)
            found = file.read(size)
            if len(found) < size or _state(file) != self.state:
                raise DataError(f"{self.path} has changed while it was read")
        return found


def _state(file: FileIO) -> tuple[int, ...]:
    found = os.fstat(file.fileno())
    return found.st_ino, found.st_size, found.st_mtime_ns


def text_of(
    path: Path, encoding: str | None, max_bytes: int | None = None
) -> tuple[Source, Content]:
    """Return a text file, not yet read where it can be read by parts, and what it holds."""
    is_stored = encoding is None and is_file(path) and unpacked(path) == path
    if not is_stored or _begins_wide(path):
        source = Source.open(path, encoding, max_bytes)
        return source, source.content
    try:
        content = StoredBytes.of(path)
        Room.of(path, max_bytes).check(len(content))
        check_utf8(content)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None
    except NotTextError as problem:
        raise Source(path, b"").broken(line_at(content, problem.position), str(problem)) from None
    return Source(path, b""), content


def _begins_wide(path: Path) -> bool:
    """Tell whether a file begins with the mark of UTF-16 or UTF-32."""
    check_file(path)
    try:
        with path.open("rb") as file:
            return file.read(4).startswith(tuple(WIDE))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None


def unpacked(path: Path) -> Path:
    """Return the path without '.gz'."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def read_bytes(path: Path, max_bytes: int | None = None) -> bytes:
    """Return what is in a file, unpacked if its name ends in '.gz'; '-' is standard input."""
    if is_standard_input(path):
        return _standard_input(max_bytes)
    check_file(path)
    try:
        room = Room.of(path, max_bytes)
        room.check(path.stat().st_size)
        content = _read_at_most(path, room.most + 1)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None
    room.check(len(content))
    return content if unpacked(path) == path else _gunzip(path, content, room)


def _read_at_most(path: Path, most: int) -> bytes:
    """Return what a file holds, or its beginning; the size of a device or a pipe is not known."""
    with path.open("rb") as file:
        if is_file(path) and (size := path.stat().st_size):
            return file.read(min(size, most))
        content = bytearray()
        while len(content) < most and (some := file.read(min(SLICE, most - len(content)))):
            content += some
    return bytes(content)


def is_standard_input(path: Path) -> bool:
    """Tell whether a path stands for what is given to the program."""
    return str(path) == "-"


def _standard_input(max_bytes: int | None) -> bytes:
    try:
        content = _all_of(
            getattr(sys.stdin, "buffer", BytesIO()), -1 if max_bytes is None else max_bytes + 1
        )
    except (OSError, ValueError) as error:  # a folder, or closed
        raise DataError(f"cannot read standard input: {error}") from None
    if max_bytes is not None:
        Room("standard input", max_bytes).check(len(content))
    return content


@lru_cache(maxsize=1)
def _all_of(stream: BinaryIO, most: int) -> bytes:
    """Return what a stream holds; it can be read once, but may be asked for again."""
    return stream.read(most)


def check_file(path: Path) -> None:
    """Raise unless there is such a file."""
    if is_standard_input(path):
        return
    try:
        is_folder, exists = path.is_dir(), path.exists()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None
    if is_folder:
        raise DataError(f"{path} is a directory, expected a file")
    if not exists:
        raise DataError(f"there is no file {path}")


def check_beside(path: Path) -> None:
    """Raise unless a file that nobody named, only another beside it, is an ordinary one.

    A device may have no end, and a pipe may keep whoever reads it waiting for ever.
    """
    if not is_file(path):
        raise DataError(f"{path} is not an ordinary file")


@contextmanager
def texts_of(path: Path) -> Iterator[None]:
    """Say in one sentence that a file holds texts that are none."""
    try:
        yield
    except UnicodeDecodeError:
        raise FileFormatError(f"{path.name} holds text that is not UTF-8") from None


def line_at(content: Content, position: int) -> int:
    """Return the number of the line a byte is on; CR LF, CR and LF each end a line."""
    line = 1
    for start in range(0, position, SLICE):
        end = min(start + SLICE, position)
        some = content[start : min(end + 1, position)]  # CR LF may be parted by the slices
        line += some.count(b"\n", 0, end - start)
        if b"\r" in some:
            line += some.count(b"\r", 0, end - start) - some.count(b"\r\n")
    return line


def _gunzip(path: Path, content: bytes, room: Room) -> bytes:
    try:
        with gzip.open(BytesIO(content)) as file:
            text = file.read(room.most + 1)
    except (OSError, EOFError, zlib.error):
        raise FileFormatError(f"{path.name} is not a whole gzip file") from None
    room.check(len(text))
    return text


def _fields(count: int) -> str:
    return f"{count} field{'' if count == 1 else 's'}"
