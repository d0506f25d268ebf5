"""How many values columns have that have very many: a range of keys after the other, exactly."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from treelab.data.readers.table import Options
from treelab.kernels.digits import Keys
from treelab.scale.axes import Description, only_columns
from treelab.scale.keys import BITS, keys_of
from treelab.scale.pieces import Piece, read_piece
from treelab.scale.summaries import FIRST, Digits
from treelab.stats.stores.engine import Engine

AT_A_TIME = 2**24
"""About so many values are sorted in a pass over the data."""


class KeyRange(NamedTuple):
    """Values of a column whose keys begin with digits from `first` to `last`."""

    name: str
    first: int
    last: int


def counted_distinct(
    engine: Engine, pieces: Iterable[Piece], found: Description, names: Sequence[str]
) -> dict[str, int]:
    """Return the number of different values of columns of very many, in several passes."""
    counts = dict.fromkeys(names, 0)
    for ranges in passes(found, names):
        options = only_columns(found.options, found.schema, {each.name for each in ranges})
        keys = engine.total(_joined, keys_in, engine.deal(pieces), common=(options, tuple(ranges)))
        for each, distinct in zip(ranges, keys, strict=True):
            counts[each.name] += len(distinct)
    return counts


def passes(found: Description, names: Sequence[str]) -> list[list[KeyRange]]:
    """Return the ranges of keys that are looked at together."""
    result: list[list[KeyRange]] = []
    room = 0.0
    for name in names:
        digits = found.numbers[name]
        assert isinstance(digits, Digits)
        below = np.cumsum(digits.mass) * (found.n_cases / found.total)
        first = 0
        while first < len(below):
            start = below[first - 1] if first else 0.0
            last = max(first, int(np.searchsorted(below, start + AT_A_TIME, side="right")) - 1)
            size = below[last] - start
            if size > room:
                result.append([])
                room = AT_A_TIME
            room -= size
            result[-1].append(KeyRange(name, first, last))
            first = last + 1
    return result


def keys_in(piece: Piece, options: Options, ranges: tuple[KeyRange, ...]) -> list[Keys]:
    """Return the different keys of a partition in some ranges."""
    data = read_piece(piece, options)
    if data is None:
        return [np.empty(0, np.uint64) for _ in ranges]
    shift, result = np.uint64(BITS - FIRST), []
    for name, first, last in ranges:
        values = data[name]
        keys = keys_of(values[~np.isnan(values)])
        digit = keys >> shift
        result.append(np.unique(keys[(digit >= first) & (digit <= last)]))
    return result


def _joined(one: list[Keys], other: list[Keys]) -> list[Keys]:
    return [np.unique(np.concatenate(each)) for each in zip(one, other, strict=True)]
