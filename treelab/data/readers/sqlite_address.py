"""Where an SQLite file is opened, so that nothing is written to it or beside it.

Whoever reads a file in WAL mode makes two more beside it, which stay if he may not write to it. If
its log is there, it holds cases that are not yet in the file: a copy of both is opened. Without a
log the file is opened as one that nobody changes.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import pathname2url

from treelab.data.readers.source import check_beside
from treelab.errors import DataError

READ_VERSION, LOGGED = 19, 2
"""The byte of a file that says how it is read, and what it is in WAL mode."""


@contextmanager
def sqlite_address(path: Path) -> Iterator[str]:
    """Give the address at which an SQLite file can be opened for reading."""
    try:
        log = Path(f"{path.resolve()}-wal")  # SQLite follows links, too
        if not log.exists():
            yield _address(path) + ("&immutable=1" if _is_logged(path) else "")
            return
        check_beside(log)
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "data"
            shutil.copyfile(path, copy)
            shutil.copyfile(log, f"{copy}-wal")
            yield _address(copy)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None


def _address(path: Path) -> str:
    return f"file:{pathname2url(str(path.absolute()))}?mode=ro"


def _is_logged(path: Path) -> bool:
    """Tell whether a file is in WAL mode."""
    with path.open("rb") as file:
        return file.read(READ_VERSION + 1)[READ_VERSION:] == bytes([LOGGED])
