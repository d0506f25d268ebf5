"""Folds drawn by what is in a case, so that they can be drawn wherever cases lie.

The fold of a case depends on its values, its class and a seed, not on where it lies or when it is
read. That is all of it where most cases are different. Where they are few, with many copies each,
as of a few nominal features, whole cells of the data would be held out: there the copies of each
are dealt out in turn.
"""

from collections.abc import Sequence
from hashlib import blake2b
from itertools import accumulate

import attrs
import numpy as np
from numpy.typing import NDArray

from treelab._random import digest
from treelab._typing import AnyArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.data.order import mixed_bits
from treelab.data.schema import Column

Keys = NDArray[np.uint64]

MOST_ORDERED = 2**18
"""So many cases, of `MOST_VALUES` values, are put in order in one memory, and dealt by that."""

MOST_VALUES = 2**27

TO_PRUNE = "to prune by"
"""Draws other folds than those of a cross-validation with the same seed."""

FEW_DIFFERENT = 2**16
"""Of so many different cases the copies are dealt out in turn."""


def are_ordered(n_cases: int, n_features: int) -> bool:
    """Tell whether cases to prune by are so few that they are put in order."""
    return n_cases <= MOST_ORDERED and n_cases * n_features <= MOST_VALUES


def pruning_folds(data: Dataset, folds: int, seed: int) -> IndexArray:
    """Return the fold of each case, for pruners that hold cases out: stratified, or by a hash."""
    if are_ordered(len(data), len(data.features)):
        return folds_by_content(data, folds, seed)
    keys = keys_of(data, seed)
    different = few_different(keys)
    if different is None:
        return folds_by_hash(data, folds, seed, TO_PRUNE)
    return Copies.first(different, folds).dealt(keys, folds)


def folds_by_hash(data: Dataset, folds: int, seed: int, *key: object) -> IndexArray:
    """Return the fold of each case, by its values and its class.

    >>> import treelab as tl
    >>> fold = folds_by_hash(tl.load("iris"), 3, seed=0)
    >>> np.bincount(fold).tolist()
    [53, 42, 55]
    """
    return (_hashed(data, seed, *key) % np.uint64(folds)).astype(np.int64)


def keys_of(data: Dataset, seed: int) -> Keys:
    """Return a number for each case, the same for those that are equal, weights included."""
    return mixed_bits([_hashed(data, seed, TO_PRUNE), data.weights], len(data))


def _hashed(data: Dataset, seed: int, *key: object) -> Keys:
    start = int.from_bytes(digest(seed, "hashed folds", *key)[:8], "little")
    pairs = zip((*data.schema.features, data.schema.target), (*data.columns, data.y), strict=True)
    bits = (_content(column, values) for column, values in pairs)
    # Once more, so that the last column reaches all bits.
    return mixed_bits([mixed_bits(bits, len(data), start)], len(data))


def _content(column: Column, values: AnyArray) -> AnyArray:
    """Return what a column holds: numbers as they are, labels by their text, not by their code."""
    if column.labels is None:
        return np.where(np.isnan(values), np.nan, values)  # one NaN, whatever bits it came with
    bits = [int.from_bytes(blake2b(x.encode(), digest_size=8).digest()) for x in column.labels]
    return np.array([*bits, 0], np.uint64)[values]


def few_different(*keys: Keys | None) -> Keys | None:
    """Return the different ones of all keys, in order; None where they are many, or are unknown."""
    if any(each is None for each in keys):
        return None
    found = np.unique(np.concatenate([each for each in keys if each is not None]))
    return found if len(found) <= FEW_DIFFERENT else None


@attrs.frozen(eq=False)
class Copies:
    """Keys of different cases, in order, and the fold that gets the next copy of each."""

    keys: Keys
    following: IndexArray

    @classmethod
    def first(cls, keys: Keys, folds: int) -> "Copies":
        """Return where dealing begins."""
        return cls(keys, (keys % np.uint64(folds)).astype(np.int64))

    @classmethod
    def of_parts(cls, keys: Keys, counts: Sequence[IndexArray], folds: int) -> list["Copies"]:
        """Return where dealing goes on in each part, which holds so many copies of each."""
        begin = cls.first(keys, folds).following
        return [cls(keys, each % folds) for each in accumulate(counts[:-1], np.add, initial=begin)]

    def counted(self, keys: Keys) -> IndexArray:
        """Return how many copies of each are among some."""
        return np.bincount(np.searchsorted(self.keys, keys), minlength=len(self.keys))

    def dealt(self, keys: Keys, folds: int) -> IndexArray:
        """Return the fold of each case."""
        place = np.searchsorted(self.keys, keys)
        order = np.argsort(place, kind="stable")
        begins = np.append(0, np.cumsum(self.counted(keys)))[place[order]]
        number = np.empty(len(keys), np.int64)
        number[order] = np.arange(len(keys)) - begins
        return (self.following[place] + number) % folds
