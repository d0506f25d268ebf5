"""Files that are never half-written.

A file is written aside, flushed to the disk and renamed into place, so whoever looks sees the old
file or the new one, also after a crash or a power cut in between.

*links*        are followed: a link stays a link, and the file it points to is replaced. A second
               (hard) name of that file keeps the old content.
*permissions*  are those of the file that is replaced, and so is the owner where the system allows
               it. A file or folder that may not be written to is refused, although renaming could
               replace a write-protected file.
*leftovers*    there are none, whatever fails; only a process that is killed outright (-9) in the
               very moment may leave a hidden file `.treelab-...` in the folder.
"""

import errno
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from itertools import chain, count
from pathlib import Path
from uuid import uuid4

from treelab.errors import ParameterError, TreelabError, shown

LONGEST = 50
"""So many characters of a label go into the name of a file: systems take 255 bytes."""

LARGEST = 2**30
"""So many characters of a text are read, where it may come from anywhere."""
_PIECE = 2**20

_NOT_PLAIN = re.compile(r"^\.|[^\w.-]")


def file_names(labels: Iterable[str]) -> list[str]:
    """Return a name for a file of each label: it leads to no other folder, and no two are the same.

    >>> file_names(["iris", "cars/2020", "Cars 2020", "../iris"])
    ['iris', 'cars_2020', 'Cars_2020-2', '_._iris']
    """
    names: list[str] = []
    taken: set[str] = set()
    for label in labels:
        plain = _NOT_PLAIN.sub("_", label[:LONGEST]) or "_"
        possible = chain([plain], (f"{plain}-{number}" for number in count(2)))
        # Some systems take capitals for small letters.
        names.append(next(name for name in possible if name.casefold() not in taken))
        taken.add(names[-1].casefold())
    return names


def is_file(path: str | os.PathLike[str]) -> bool:
    """Tell whether there is such a plain file; a name that no file can have is none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # too long, or behind a door that is closed
        return False


def check_plain(path: Path) -> None:
    """Raise an error of the system where there is a pipe, a device or a folder, not a file."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a plain file")


def named_path(path: str | os.PathLike[str]) -> Path:
    """Return a path by its name, or say that this is none."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"a file is named by a text or a path, got {shown(path)}")
    return Path(path)


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """Return a text, from a pipe as well; a device that never ends is an error of the system."""
    pieces: list[str] = []
    with path.open(encoding=encoding) as file:
        while piece := file.read(_PIECE):
            pieces.append(piece)
            if len(pieces) * _PIECE > LARGEST:
                raise OSError(errno.EFBIG, f"it holds more than {LARGEST:,} characters")
    return "".join(pieces)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file as a whole or not at all."""
    try:
        content = text.encode()
    except UnicodeEncodeError:
        what = "it would hold half a surrogate pair, which is no text"
        raise TreelabError(f"cannot write {path}: {what}") from None
    write_bytes(path, content)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file as a whole or not at all."""
    check_writable(path)
    target = Path(path).resolve()
    aside = target.with_name(f".treelab-{uuid4().hex}")  # short, whatever the name it stands for
    try:
        try:
            _write(aside, content, target)
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise TreelabError(f"cannot write {path}: {error.strerror or error}") from None
    _flush_folder(target.parent)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise if it can be told beforehand that a file cannot be written."""
    name = named_path(path)
    try:
        problem = _problem(name.resolve(), name.parent)
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links; a name with a NUL
        raise TreelabError(f"cannot write {os.fspath(path)!r}: {error}") from None
    if problem:
        raise TreelabError(f"cannot write {path}: {problem}")


def _problem(path: Path, folder: Path) -> str:
    """Return what keeps a file from being written; nothing if it seems possible."""
    if path.is_symlink():  # though links were followed: from Python 3.13 on, a circle is no error
        return "links lead in a circle"
    if path.exists() and not path.is_file():
        return "it is not a plain file"
    if not path.parent.is_dir():
        return f"there is no folder {folder}"
    if path.exists() and not may_write(path):
        return "it is write-protected"
    if not may_write(path.parent):
        return f"the folder {folder} is write-protected"
    return ""


def may_write(path: Path) -> bool:
    """Tell whether the system lets us change a file, or make files in a folder."""
    wanted = os.W_OK | (os.X_OK if path.is_dir() else 0)
    return os.access(path, wanted, effective_ids=os.access in os.supports_effective_ids)


def _write(aside: Path, content: bytes, target: Path) -> None:
    """Write a new file that will replace another, whose content may be nobody else's business."""
    old = target.stat() if target.exists() else None
    opener = partial(os.open, mode=0o666 if old is None else 0o600)
    with open(aside, "xb", opener=opener) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if old is not None:
        _take_over(aside, old)


def _take_over(aside: Path, old: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(PermissionError):  # only the system's keeper may give files away
            os.chown(aside, old.st_uid, old.st_gid)
    aside.chmod(old.st_mode & 0o777)


def _flush_folder(folder: Path) -> None:
    """Let a new name reach the disk, where folders can be flushed; the file is there already."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
