"""Parquet, through pyarrow, a column at a time: the data set is all that is in memory for long."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from treelab.data.dataset import Dataset
from treelab.data.doubts import distinct_names
from treelab.data.frames import read_columns
from treelab.data.notation import Marks
from treelab.data.readers.room import CELL, Room
from treelab.data.readers.source import check_file, texts_of
from treelab.data.readers.table import Options
from treelab.errors import DataError, FileFormatError, MissingExtraError, NoCasesError, shown

TEXTS = {
    "string": "string",
    "large_string": "large_string",
    "string_view": "string",
    "binary": "binary",
    "large_binary": "large_binary",
    "binary_view": "binary",
}
"""Types of columns of text, and what each is made of its different texts."""
FEW = 64
"""So many rows are read at a time where one text is written out for every row."""


@attrs.frozen
class StoredColumns(Mapping[str, Any]):
    """The columns of a Parquet file by name; each is read when it is asked for, every time."""

    file: Any
    path: Path
    own: Mapping[str, tuple[str, int]]
    """The name in the file, and how many columns of that name come before."""
    groups: tuple[int, ...]
    """The row groups that are read."""
    kinds: Mapping[str, Any]
    """Their types."""
    room: Room
    fields: int
    """So many bytes all fields take, without the texts."""
    texts: dict[str, int] = attrs.field(factory=dict, init=False)
    """So many bytes the texts of the columns take that have been read."""

    def __getitem__(self, name: str) -> Any:
        import narwhals as nw
        import pyarrow as pa

        kind = self.kinds[name]
        self.texts[name] = 0
        with problems_of(self.path), texts_of(self.path):
            parts = []
            for part in self._parts(name):
                self.texts[name] += text_size(part, kind)
                self.room.check(self.fields + sum(self.texts.values()))
                parts.append(part)
            column = pa.chunked_array(parts, None if parts else kind)
            if str(kind) in TEXTS:
                column = column.cast(TEXTS[str(kind)])
        return nw.from_native(column, series_only=True)

    def _parts(self, name: str) -> Iterator[Any]:
        """Give a column a row group at a time: what a file says of its sizes may be wrong."""
        own, before = self.own[name]
        for group in self.groups:
            rows = max(self.file.metadata.row_group(group).num_rows, 1)
            for batch in self.file.iter_batches(
                min(FEW, rows) if is_written_out(self.kinds[name]) else rows,
                row_groups=[group], columns=[own], use_threads=False,
            ):  # and whatever begins with that name and a point  # fmt: skip
                same = [at for at, name in enumerate(batch.schema.names) if name == own]
                yield batch.column(same[before])

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
        texts = [field.name for field in schema if str(field.type) in TEXTS]
        file = parquet.ParquetFile(path, pre_buffer=False, read_dictionary=texts)
    names = distinct_names(own)
    kept = [name for name in names if name not in options.drop]
    target = (kept[-1] if kept else "") if options.target is None else options.target
    options.check(names, target, options.weights)
    places = {name: (own[at], own[:at].count(own[at])) for at, name in enumerate(names)}
    is_whole = groups is None
    groups = tuple(range(file.num_row_groups) if groups is None else groups)
    rows = sum(file.metadata.row_group(group).num_rows for group in groups)
    if is_whole and not rows:
        raise NoCasesError(f"{path.name} holds no cases")
    room.check_fields(rows, len(kept))
    stored = {name: places[name] for name in kept}
    opened = {own for own, _ in stored.values()}
    check_flat(schema, opened)
    kinds = {name: schema.field(names.index(name)).type for name in kept}
    fields = rows * sum(map(field_size, kinds.values()))
    room.check(fields)
    room.check(claimed(file.metadata, groups))
    with texts_of(path):
        parts = read_columns(
            StoredColumns(file, path, stored, groups, kinds, room, fields),
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


def check_flat(schema: Any, names: Collection[str]) -> None:
    """Raise if a column holds lists or records, of which one row may hold a million."""
    from pyarrow import types

    for field in schema:
        if is_read(field.name, names) and types.is_nested(stored_kind(field.type)):
            what = "holds lists or records, which make no labels"
            raise DataError(f"column {shown(field.name)} {what}")


def is_read(path: str, names: Collection[str]) -> bool:
    """Tell whether pyarrow reads a column when it is asked for others: up to any point."""
    ends = [at for at, sign in enumerate(path) if sign == "."]
    return any(path[:end] in names for end in (*ends, len(path)))


def claimed(metadata: Any, groups: Sequence[int]) -> int:
    """Return how many bytes row groups take when they are unpacked, as the file itself says.

    Columns that are dropped count as well: asked of a column that is damaged, pyarrow ends the
    process.
    """
    return sum(metadata.row_group(group).total_byte_size for group in groups)


def stored_kind(kind: Any) -> Any:
    """Return the type that a column is stored as."""
    return getattr(kind, "storage_type", kind)


def is_written_out(kind: Any) -> bool:
    """Tell whether a column is one of texts that pyarrow cannot read as numbers of texts."""
    return str(stored_kind(kind)) in TEXTS and str(kind) not in TEXTS


def field_size(kind: Any) -> int:
    """Return how many bytes a field takes, without its text."""
    from pyarrow import types

    kind = stored_kind(kind)
    return max(CELL, kind.byte_width if types.is_fixed_size_binary(kind) else 0)


def text_size(part: Any, kind: Any) -> int:
    """Return how many bytes the texts of a part of a column take, once written out if they will be.

    Those of categories never are.
    """
    from pyarrow import compute as pc
    from pyarrow import types

    if is_written_out(kind):
        return int(part.nbytes)
    if not types.is_dictionary(part.type):
        return 0
    if str(kind) not in TEXTS:
        return int(part.dictionary.nbytes)
    lengths = pc.binary_length(part.dictionary).cast("int64")
    return max(pc.sum(lengths.take(part.indices)).as_py() or 0, pc.sum(lengths).as_py() or 0)


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
