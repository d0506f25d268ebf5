"""Parquet, through pyarrow, a column at a time: the data set is all that is in memory for long."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from treelab.data.dataset import Dataset
from treelab.data.doubts import distinct_names
from treelab.data.frames import read_columns
from treelab.data.notation import Marks
from treelab.data.readers.room import Room
from treelab.data.readers.source import check_file, texts_of
from treelab.data.readers.table import Options
from treelab.errors import DataError, FileFormatError, MissingExtraError, NoCasesError

TEXTS = ("string", "large_string", "binary", "large_binary")


@attrs.frozen
class StoredColumns(Mapping[str, Any]):
    """The columns of a Parquet file by name; each is read when it is asked for, every time."""

    file: Any
    path: Path
    own: Mapping[str, tuple[str, int]]
    """The name in the file, and how many columns of that name come before."""
    groups: tuple[int, ...]
    """The row groups that are read."""
    texts: Mapping[str, Any]
    """The types of the columns of text, which are read as numbers of different texts."""
    room: Room

    def __getitem__(self, name: str) -> Any:
        import narwhals as nw

        own, before = self.own[name]
        with problems_of(self.path), texts_of(self.path):
            found = self.file.read_row_groups(
                self.groups, columns=[own], use_threads=False
            )  # and whatever begins with that name and a point
            same = [at for at, name in enumerate(found.column_names) if name == own]
            column = written_out(found.column(same[before]), self.texts.get(own), self.room)
        return nw.from_native(column, series_only=True)

    def __contains__(self, name: object) -> bool:
        return name in self.own  # without reading it

    def __iter__(self) -> Iterator[str]:
        return iter(self.own)

    def __len__(self) -> int:
        return len(self.own)


def read_parquet(path: Path, options: Options, groups: Sequence[int] | None = None) -> Dataset:
    """Read a Parquet file, or some of its row groups.

    The target is its last column unless said otherwise.
    """
    try:
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise MissingExtraError("reading Parquet", "pyarrow", "parquet") from None
    check_file(path)
    room = Room.of(path, options.max_bytes)
    with problems_of(path), texts_of(path):
        # The file of one path is read as it is; a data set of several would refuse equal names.
        # Read ahead, or by threads, more than a column would be in memory.
        schema = parquet.read_schema(path)
        own = schema.names
        texts = {field.name: field.type for field in schema if str(field.type) in TEXTS}
        file = parquet.ParquetFile(path, pre_buffer=False, read_dictionary=[*texts])
    names = distinct_names(own)
    kept = [name for name in names if name not in options.drop]
    target = (kept[-1] if kept else "") if options.target is None else options.target
    options.check(names, target, options.weights)
    places = {name: (own[at], own[:at].count(own[at])) for at, name in enumerate(names)}
    if groups is None and not file.metadata.num_rows:
        raise NoCasesError(f"{path.name} holds no cases")
    groups = tuple(range(file.num_row_groups) if groups is None else groups)
    rows = sum(file.metadata.row_group(group).num_rows for group in groups)
    room.check_fields(rows, len(kept))
    stored = {name: places[name] for name in kept}
    with texts_of(path):
        parts = read_columns(
            StoredColumns(file, path, stored, groups, texts, room),
            rows,
            target or None,
            options.weights,
            options.nominal,
            options.numeric,
            Marks.of(options.missing_marks),
            options.decimal,
            options.target_is_class,
        )
    return Dataset.of(*parts, name=path.stem)


def written_out(column: Any, kind: Any, room: Room) -> Any:
    """Return a column of texts, if they have room: one of them may be there a million times."""
    from pyarrow import compute as pc

    if kind is None:
        return column
    size = 0
    for chunk in column.chunks:
        lengths = pc.binary_length(chunk.dictionary).cast("int64")
        size += pc.sum(lengths.take(chunk.indices)).as_py() or 0
        room.check(size)
    return column.cast(kind)


@contextmanager
def problems_of(path: Path) -> Iterator[None]:
    """Say what is wrong with a file in one sentence."""
    from pyarrow import ArrowException, ArrowInvalid

    try:
        yield
    except ArrowInvalid:
        raise FileFormatError(f"{path.name} is not a Parquet file") from None
    except (OSError, ArrowException) as error:
        raise DataError(f"cannot read {path}: {error}") from None
