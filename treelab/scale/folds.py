"""Folds of scanned cases, drawn by what is in a case.

The fold of a case depends on its values, its class and a seed, not on where it lies or when it is
read: it is the same for any partitions, order and engine. So equal cases fall into one fold, and a
case of weight 2 is where two of it would be. Folds are of about the same size, but not stratified.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from math import fsum

import attrs
import numpy as np

from treelab._random import digest
from treelab._typing import AnyArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.data.order import mixed_bits
from treelab.data.readers.table import Options
from treelab.data.schema import Column, Schema
from treelab.errors import DataError
from treelab.scale.facts import exact_sum
from treelab.scale.parts import fitted
from treelab.scale.pieces import Piece, read_piece
from treelab.tree.model import Tree


@attrs.frozen
class Fold:
    """One of several folds: the cases in it, to test by, or all others, to learn from."""

    number: int
    folds: int
    seed: int
    is_test: bool

    def of(self, data: Dataset) -> Dataset:
        """Return the cases that are meant, of those of known class and weight above 0."""
        known = data.take((data.y >= 0) & (data.weights > 0))
        in_it = folds_by_hash(known, self.folds, self.seed) == self.number
        return known.take(in_it == self.is_test)


def folds_by_hash(data: Dataset, folds: int, seed: int) -> IndexArray:
    """Return the fold of each case, by its values and its class.

    >>> import treelab as tl
    >>> fold = folds_by_hash(tl.load("iris"), 3, seed=0)
    >>> np.bincount(fold).tolist()
    [53, 42, 55]
    """
    start = int.from_bytes(digest(seed, "hashed folds")[:8], "little")
    pairs = zip((*data.schema.features, data.schema.target), (*data.columns, data.y), strict=True)
    bits = (_content(column, values) for column, values in pairs)
    # Once more, so that the last column reaches all bits.
    mixed = mixed_bits([mixed_bits(bits, len(data), start)], len(data))
    return (mixed % np.uint64(folds)).astype(np.int64)


def _content(column: Column, values: AnyArray) -> AnyArray:
    """Return what a column holds: numbers as they are, labels by their text, not by their code."""
    if column.labels is None:
        return np.where(np.isnan(values), np.nan, values)  # one NaN, whatever bits it came with
    bits = [int.from_bytes(blake2b(x.encode(), digest_size=8).digest()) for x in column.labels]
    return np.array([*bits, 0], np.uint64)[values]


@attrs.frozen(eq=False)
class FoldPiece:
    """The cases of a partition that are meant by a fold, with the columns of all partitions."""

    piece: Piece
    options: Options
    schema: Schema
    fold: Fold

    @property
    def name(self) -> str:
        return self.piece.name

    def read(self, options: Options) -> Dataset:
        data = self.fold.of(fitted(self.piece, self.options, self.schema))
        return data.select([name for name in data.features if name not in options.drop])


@attrs.frozen(eq=False)
class FoldPieces:
    """Those of all partitions."""

    pieces: Iterable[Piece]
    options: Options
    schema: Schema
    fold: Fold

    def __iter__(self) -> Iterator[FoldPiece]:
        return (FoldPiece(each, self.options, self.schema, self.fold) for each in self.pieces)


@attrs.frozen
class Judged:
    """Numbers whose sums are the weight of the cases predicted rightly, and of all."""

    right: tuple[float, ...]
    all: tuple[float, ...]

    def __add__(self, other: "Judged") -> "Judged":
        return Judged((*self.right, *other.right), (*self.all, *other.all))

    @property
    def accuracy(self) -> float:
        """The share of the cases predicted rightly."""
        if not fsum(self.all):
            raise DataError("a fold drawn by hash has no case at all: ask for fewer folds")
        return fsum(self.right) / fsum(self.all)


def judged(piece: Piece, options: Options, tree: Tree) -> Judged:
    """Test a tree on a partition."""
    data = read_piece(piece, options)
    if data is None or not len(data):
        return Judged((), ())
    right = np.where(tree.predict(data) == data.labels, data.weights, 0.0)
    return Judged(exact_sum(right), exact_sum(data.weights))
