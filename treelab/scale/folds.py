"""Folds of scanned cases, drawn by what is in a case.

The fold of a case depends on its values, its class and a seed, not on where it lies or when it is
read: it is the same for any partitions, order and engine. So equal cases fall into one fold, and a
case of weight 2 is where two of it would be. Folds are of about the same size, but not stratified.
"""

from math import fsum

import attrs
import numpy as np

from treelab.data.dataset import Dataset
from treelab.data.hashed_folds import Copies, folds_by_hash, keys_of
from treelab.data.readers.table import Options
from treelab.errors import DataError
from treelab.scale.facts import exact_sum
from treelab.scale.pieces import Piece, read_piece
from treelab.tree.model import Tree


@attrs.frozen(eq=False)
class Fold:
    """One of several folds: the cases in it, to test by, or all others, to learn from.

    Folds of the same number and seed but another `key` are others; `copies` says how equal cases
    are dealt out, if they are.
    """

    number: int
    folds: int
    seed: int
    is_test: bool
    key: tuple[str, ...] = ()
    copies: Copies | None = None

    def __call__(self, data: Dataset) -> Dataset:
        """Return the cases that are meant, of those of known class and weight above 0."""
        known = known_in(data)
        if self.copies is None:
            fold = folds_by_hash(known, self.folds, self.seed, *self.key)
        else:
            fold = self.copies.dealt(keys_of(known, self.seed), self.folds)
        return known.take((fold == self.number) == self.is_test)


def known_in(data: Dataset) -> Dataset:
    """Return the cases of known class and weight above 0."""
    return data.take((data.y >= 0) & (data.weights > 0))


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
