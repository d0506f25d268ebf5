"""The folder that files may be read from: nothing outside it, whatever a name or a link says."""

import os
from collections.abc import Iterator
from pathlib import Path

import attrs

from treelab.data.readers import parted, suffixes
from treelab.data.readers.source import unpacked
from treelab.errors import ParameterError, shown

DEEPEST, MOST = 4, 2_000
"""Files are listed so many folders deep, and so many."""

PAIRED = (".names", ".data", ".test")
"""Files that are read together with one of the same name beside them."""

STORES, MODELS = (".sqlite", ".db", ".sqlite3"), (".json",)


def _resolved(path: str | os.PathLike[str]) -> Path:
    return Path(path).resolve()


@attrs.frozen
class Folder:
    """A folder; `root` is where it really is, links followed."""

    root: Path = attrs.field(converter=_resolved)

    def file(self, name: str) -> str:
        """Return the path of a file in the folder, with the table in it if one is named."""
        if not isinstance(name, str) or not name or "\0" in name:
            raise ParameterError(f"a file is named by a text, got {shown(name)}")
        path, table = parted(self.root / name)
        self._check(name, path)
        if unpacked(path).suffix.lower() in PAIRED:
            for suffix in PAIRED:
                self._check(name, path.with_suffix(suffix))
        return str(path) if table is None else f"{path}::{table}"

    def _check(self, name: str, path: Path) -> None:
        """Raise unless a file, if there is one, lies in the folder."""
        try:
            is_within = path.resolve().is_relative_to(self.root) and ".." not in Path(name).parts
        except (OSError, RuntimeError):  # a ring of links
            is_within = False
        if not is_within:
            raise ParameterError(
                f"{shown(name)} is not in the folder that treelab lab was started for"
            )

    def data_files(self) -> list[str]:
        """Return the names of the files that may be data."""
        return [name for name in self._names() if unpacked(Path(name)).suffix.lower() in suffixes()]

    def of_kind(self, kinds: tuple[str, ...]) -> list[str]:
        """Return the names of the files with one of some suffixes."""
        return [name for name in self._names() if Path(name).suffix.lower() in kinds]

    def _names(self) -> list[str]:
        found = []
        for name in self._walk():
            found.append(name)
            if len(found) == MOST:
                break
        return sorted(found)

    def _walk(self) -> Iterator[str]:
        for here, folders, files in os.walk(self.root):
            place = Path(here).relative_to(self.root)
            shallow = len(place.parts) < DEEPEST
            folders[:] = sorted(f for f in folders if shallow and not f.startswith("."))
            for file in sorted(files):
                if not file.startswith(".") and (Path(here) / file).is_file():
                    yield (place / file).as_posix()
