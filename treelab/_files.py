"""Files that are never half-written."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from treelab.errors import TreelabError


def is_file(path: str | os.PathLike[str]) -> bool:
    """Tell whether there is such a plain file; a name that no file can have is none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # too long, or behind a door that is closed
        return False


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file as a whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file aside, flush it to the disk, then rename it into place.

    Whoever looks sees the old file or the new one, also after a crash in between.
    """
    path = _resolved(path)
    if path.exists() and not path.is_file():
        raise TreelabError(f"cannot write {path}: it is not a plain file")
    aside = None
    try:
        with NamedTemporaryFile(
            "wb", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            aside = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        aside.chmod(_mode(path))
        aside.replace(path)
    except OSError as error:
        raise TreelabError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        if aside is not None:
            aside.unlink(missing_ok=True)


def _resolved(path: str | os.PathLike[str]) -> Path:
    """Follow links, so that a link stays one."""
    try:
        return Path(path).resolve()
    except (OSError, ValueError) as error:  # a circle of links; a name with a NUL
        raise TreelabError(f"cannot write {os.fspath(path)!r}: {error}") from None


def _mode(path: Path) -> int:
    """Return the mode of the file that is replaced, or the one a new file would have."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
