"""`Piece`: one partition of the data, which is read when it is needed and not kept.

Pieces are small and can be sent elsewhere; those of frames hold the frame.
"""

from pathlib import Path
from typing import Any, Protocol

import attrs

from treelab.data.dataset import Dataset
from treelab.data.frames import by_name, eager, read_columns
from treelab.data.notation import Marks
from treelab.data.readers import read
from treelab.data.readers.parquet import read_parquet
from treelab.data.readers.table import Options
from treelab.errors import (
    DataError,
    MismatchError,
    NoCasesError,
    ParameterError,
    TreelabError,
    UnknownNameError,
)


class Piece(Protocol):
    """One partition."""

    @property
    def name(self) -> str:
        """What it is called in sentences about it."""

    def read(self, options: Options) -> Dataset | None:
        """Return its cases; None where it has neither cases nor columns."""


@attrs.frozen
class TextPiece:
    """A file of any format that `treelab.read` knows."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    def read(self, options: Options) -> Dataset | None:
        said = attrs.asdict(options, filter=lambda field, _: field.name != "table")
        try:
            return read(self.path, **said)
        except NoCasesError:
            return None


@attrs.frozen
class ParquetPiece:
    """Some row groups of a Parquet file."""

    path: Path
    groups: tuple[int, ...]

    @property
    def name(self) -> str:
        return str(self.path)

    def read(self, options: Options) -> Dataset:
        return read_parquet(self.path, options, self.groups)


@attrs.frozen(eq=False)
class FramePiece:
    """A frame of any library that narwhals knows, or a data set."""

    frame: Any
    name: str

    def read(self, options: Options) -> Dataset:
        series = by_name(eager(self.frame))
        names = list(series)
        target = options.target or ""
        options.check(names, target, options.weights)
        kept = {name: series[name] for name in names if name not in options.drop}
        parts = read_columns(
            kept, len(eager(self.frame)), target or None, options.weights, options.nominal,
            options.numeric, Marks.of(options.missing_marks), options.decimal,
            options.target_is_class,
        )  # fmt: skip
        return Dataset.of(*parts, name=self.name)


@attrs.frozen(eq=False)
class DatasetPiece:
    """Cases that have been read already."""

    data: Dataset
    name: str

    def read(self, options: Options) -> Dataset:
        return self.data.select([n for n in self.data.features if n not in options.drop])


@attrs.frozen(eq=False)
class FragmentPiece:
    """A fragment of an Arrow data set, with the columns of the whole."""

    fragment: Any
    schema: Any
    name: str

    def read(self, options: Options) -> Dataset:
        return FramePiece(self.fragment.to_table(schema=self.schema), self.name).read(options)


@attrs.frozen(eq=False)
class DelayedPiece:
    """A partition of a `dask.dataframe`."""

    delayed: Any
    name: str

    def read(self, options: Options) -> Dataset:
        frame = self.delayed.compute(scheduler="synchronous")
        return FramePiece(frame, self.name).read(options)


def read_piece(piece: Piece, options: Options) -> Dataset | None:
    """Read a partition; what goes wrong names it."""
    try:
        # Whether many numbers are classes can be judged of all partitions only.
        return piece.read(attrs.evolve(options, target_is_class=True))
    except (TreelabError, OSError) as error:
        is_call = isinstance(error, ParameterError | UnknownNameError)
        kind = MismatchError if is_call else DataError
        raise kind(_named(str(error), piece.name)) from None


def _named(text: str, piece: str) -> str:
    """Return a sentence with the whole name of a partition, of which it may have the last part.

    >>> _named("a.csv is empty", "data/1/a.csv"), _named("no numbers", "data/1/a.csv")
    ('data/1/a.csv is empty', 'data/1/a.csv: no numbers')
    """
    file = Path(piece).name
    if piece in text:
        return text
    return text.replace(file, piece, 1) if file and file in text else f"{piece}: {text}"
