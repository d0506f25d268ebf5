"""Files that are never half-written."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from treelab.errors import TreelabError


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a file aside, flush it to the disk, then rename it into place.

    Whoever looks sees the old file or the new one, also after a crash in between.
    """
    path = Path(path).resolve()  # through a link, so that the link stays one
    if path.exists() and not path.is_file():
        raise TreelabError(f"cannot write {path}: it is not a plain file")
    aside = None
    try:
        with NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            aside = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        _like_a_plain_file(aside)
        aside.replace(path)
    except OSError as error:
        raise TreelabError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        if aside is not None:
            aside.unlink(missing_ok=True)


def _like_a_plain_file(path: Path) -> None:
    """Give a temporary file, which is private, the mode the user's umask asks for."""
    umask = os.umask(0)
    os.umask(umask)
    path.chmod(0o666 & ~umask)
