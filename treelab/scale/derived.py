"""Partitions of cases that are made of those of others: a fold, or other weights."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import TypeAlias

import attrs

from treelab.data.dataset import Dataset
from treelab.data.readers.table import Options
from treelab.data.schema import Schema
from treelab.scale.parts import fitted
from treelab.scale.pieces import Piece

Change: TypeAlias = Callable[[Dataset], Dataset]
"""What becomes of the cases of a partition; it may be sent elsewhere."""


@attrs.frozen(eq=False)
class DerivedPiece:
    """What is made of a partition, with the columns of all partitions."""

    piece: Piece
    options: Options
    schema: Schema
    change: Change

    @property
    def name(self) -> str:
        return self.piece.name

    def read(self, options: Options) -> Dataset:
        data = self.change(fitted(self.piece, self.options, self.schema))
        return data.select([name for name in data.features if name not in options.drop])


@attrs.frozen(eq=False)
class DerivedPieces:
    """Those of all partitions: the same change of each, or one for each."""

    pieces: Iterable[Piece]
    options: Options
    schema: Schema
    change: Change | Sequence[Change]

    def __iter__(self) -> Iterator[DerivedPiece]:
        changes = self.change if isinstance(self.change, Sequence) else repeat(self.change)
        for piece, change in zip(self.pieces, changes, strict=False):  # the latter may have no end
            yield DerivedPiece(piece, self.options, self.schema, change)
