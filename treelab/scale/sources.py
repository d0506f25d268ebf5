"""From what the user names to partitions: files, folders, patterns, frames."""

import os
from collections.abc import Callable, Iterable, Iterator
from glob import glob
from pathlib import Path
from typing import Any

import attrs

from treelab.errors import DataError, MissingExtraError, ParameterError, shown
from treelab.scale.pieces import (
    DelayedPiece,
    FragmentPiece,
    FramePiece,
    ParquetPiece,
    Piece,
    TextPiece,
)

PIECE_ROWS = 2**19
"""Row groups of a Parquet file are read together up to about so many rows."""

NOTHING = DataError("there are no partitions: the source gives no frame and no file")


@attrs.frozen(eq=False)
class Replayed:
    """Frames that a function gives anew each time."""

    give: Callable[[], Iterable[Any]]

    def __iter__(self) -> Iterator[Piece]:
        frame = None
        for k, frame in enumerate(self.give()):
            yield _piece_of(frame, k)
        if frame is None:
            raise NOTHING


def pieces_of(source: Any) -> Iterable[Piece]:
    """Return the partitions of a source, which can be gone through again and again."""
    if isinstance(source, str | os.PathLike):
        return [piece for path in _paths(os.fspath(source)) for piece in _pieces_in(path)]
    if hasattr(source, "get_fragments"):
        return _fragments(source)
    if hasattr(source, "to_delayed"):
        parts = source.to_delayed()
        return [DelayedPiece(part, f"partition {k}") for k, part in enumerate(parts)]
    if hasattr(source, "columns") or hasattr(source, "collect_schema"):
        return [FramePiece(source, "the frame")]
    if callable(source):
        return Replayed(source)
    if isinstance(source, Iterable):
        found = [p for k, each in enumerate(source) for p in _pieces_of_each(each, k)]
        if not found:
            raise NOTHING
        return found
    raise ParameterError(
        "expected files, a folder, a pattern such as 'data/*.parquet', a dask.dataframe, an Arrow "
        f"data set, frames or a function that gives them, got {shown(source)}"
    )


def _pieces_of_each(each: Any, number: int) -> list[Piece]:
    if isinstance(each, str | os.PathLike):
        return [piece for path in _paths(os.fspath(each)) for piece in _pieces_in(path)]
    return [_piece_of(each, number)]


def _piece_of(frame: Any, number: int) -> Piece:
    return FramePiece(frame, f"frame {number}")


def _paths(given: str) -> list[Path]:
    path = Path(given)
    if path.is_dir():
        found = _files_in(path)
        if not found:
            raise ParameterError(f"the folder {given!r} holds no data files")
        return found
    if path.exists():
        return [path]
    # Patterns may be absolute, which those of a path may not.
    found = sorted(Path(name) for name in glob(given, recursive=True))  # noqa: PTH207
    if not found:
        raise ParameterError(f"no file matches {given!r}")
    return [file for each in found for file in (_files_in(each) if each.is_dir() else [each])]


def _files_in(folder: Path) -> list[Path]:
    """Return the files below a folder; those of other programs begin with '.' or '_'."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in files if not path.name.startswith((".", "_"))]


def _pieces_in(path: Path) -> list[Piece]:
    return _row_groups(path) if path.suffix.lower() == ".parquet" else [TextPiece(path)]


def _row_groups(path: Path) -> list[Piece]:
    try:
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise MissingExtraError("reading Parquet", "pyarrow", "parquet") from None
    from treelab.data.readers.parquet import problems_of

    with problems_of(path):
        about = parquet.read_metadata(path)
    rows = [about.row_group(k).num_rows for k in range(about.num_row_groups)]
    return [ParquetPiece(path, groups) for groups in _together(rows)] or [ParquetPiece(path, ())]


def _together(rows: list[int]) -> list[tuple[int, ...]]:
    """Return neighbouring row groups that are read together.

    >>> _together([2**18, 2**18, 2**18])
    [(0, 1), (2,)]
    """
    found: list[tuple[int, ...]] = []
    room = 0
    for k, n in enumerate(rows):
        if found and n <= room:
            found[-1] = (*found[-1], k)
        else:
            found.append((k,))
            room = PIECE_ROWS
        room -= n
    return found


def _fragments(source: Any) -> list[Piece]:
    fragments = enumerate(source.get_fragments())
    return [
        FragmentPiece(each, source.schema, getattr(each, "path", f"fragment {k}"))
        for k, each in fragments
    ]
