"""Text in any encoding as UTF-8."""

from codecs import getincrementaldecoder
from encodings.aliases import aliases
from io import BytesIO, TextIOWrapper
from typing import Protocol

from treelab.errors import ParameterError, UnknownNameError, shown

BOM = b"\xef\xbb\xbf"
WIDE = {b"\xff\xfe\x00\x00": "utf-32", b"\x00\x00\xfe\xff": "utf-32"}
WIDE |= {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""Marks at the beginning that say in which encoding a file is; the longer come first."""

NO_FILES = {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "rot_13"}
NO_FILES |= {name for name in aliases.values() if name.endswith("_codec")}
"""Encodings of names, of programs and of bytes, not of files."""


HINT = "; encoding= (--encoding) says what it is, such as latin-1"
SLICE = 2**22
"""So many bytes are looked at a time."""


class Content(Protocol):
    """Bytes in memory or in a file."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> bytes: ...


class NotTextError(ValueError):
    """A byte at some place is no text."""

    def __init__(self, position: int, what: str) -> None:
        self.position = position
        super().__init__(what)


def as_utf8(content: bytes, encoding: str | None = None) -> bytes:
    """Return the bytes of a text file as UTF-8 without byte order mark.

    Without an encoding they must be UTF-8, or begin with the mark of UTF-16 or UTF-32.
    """
    if encoding is None:
        encoding = next((name for mark, name in WIDE.items() if content.startswith(mark)), None)
    if encoding is not None:
        return _recoded(content, encoding).removeprefix(BOM)
    content = content.removeprefix(BOM)
    check_utf8(content)
    return content


def check_utf8(content: Content) -> None:
    """Raise unless bytes are UTF-8; no more than a slice of them is looked at a time."""
    decoder = getincrementaldecoder("utf-8")()
    for start in range(0, len(content), SLICE):
        some = content[start : start + SLICE]
        pending = len(decoder.getstate()[0])
        if some.isascii() and not pending:
            continue
        try:
            decoder.decode(some, final=start + len(some) == len(content))
        except UnicodeDecodeError as error:
            place = start - pending + error.start
            raise _wrong_byte(content, place, "UTF-8", HINT) from None


def check_encoding(encoding: object) -> None:
    """Raise unless Python knows an encoding of text by this name."""
    if encoding is None:
        return
    if not isinstance(encoding, str):
        raise ParameterError(f"encoding must be a name such as 'latin-1', got {shown(encoding)}")
    known = {*(set(aliases.values()) - NO_FILES), "latin-1", "utf-8", "utf-16"}
    try:
        TextIOWrapper(BytesIO(), encoding)
    except (LookupError, ValueError):
        raise UnknownNameError("encoding", encoding, sorted(known)) from None
    if encoding.lower().replace("-", "_") in NO_FILES:
        raise UnknownNameError("encoding", encoding, sorted(known))


def _recoded(content: bytes, encoding: str) -> bytes:
    try:
        return _decoded(content, encoding).encode()
    except UnicodeEncodeError:
        raise NotTextError(0, f"this is not {encoding} text") from None


def _decoded(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise _wrong_byte(content, error.start, encoding) from None
    except UnicodeError as error:
        raise NotTextError(0, f"this is not {encoding} text: {error}") from None


def _wrong_byte(content: Content, place: int, encoding: str, hint: str = "") -> NotTextError:
    byte = content[place : place + 1] or b"\0"
    return NotTextError(place, f"byte 0x{byte[0]:02x} is not {encoding} text{hint}")
