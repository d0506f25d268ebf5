"""`BlockTables`: the tables of all candidates of a node, kept in blocks of one shape."""

from collections.abc import Iterator
from functools import cached_property

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.errors import DataError
from treelab.protocols import Formula, Scores
from treelab.stats.candidates import Block, Cut, Grouping

BATCH_CELLS = 2**21
"""A formula sees tables of about so many cells at a time, to bound memory."""


@attrs.frozen(eq=False)
class BlockTables:
    """The contingency tables of a node's candidates (see `protocols.CountTables`).

    Blocks keep tables of different numbers of branches apart, so that one feature with a
    thousand values does not widen every other table. `numpy.asarray(tables)` pads them to one
    array (candidate, value, class) for the curious; an empty row changes no metric.
    """

    blocks: tuple[Block, ...]
    feature_known: FloatArray
    n_classes: int

    def __len__(self) -> int:
        return sum(len(block.tables) for block in self.blocks)

    @cached_property
    def feature(self) -> IndexArray:
        parts = [block.feature for block in self.blocks]
        return np.concatenate([np.empty(0, np.int64), *parts])

    @cached_property
    def known(self) -> FloatArray:
        return self.feature_known[self.feature]

    def map(self, formula: Formula) -> Scores:
        """Return the formula of every candidate's table."""
        parts = [_checked(formula(batch), batch) for batch in self._batches()]
        return np.concatenate([np.empty(0), *parts])

    def split(self, candidate: int) -> Cut | Grouping:
        """Return what a candidate does."""
        for block in self.blocks:
            if candidate < len(block.tables):
                return block.split(candidate)
            candidate -= len(block.tables)
        raise IndexError(candidate)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> AnyArray:
        width = max((block.tables.shape[1] for block in self.blocks), default=0)
        padded = np.zeros((len(self), width, self.n_classes))
        start = 0
        for block in self.blocks:
            stop = start + len(block.tables)
            padded[start:stop, : block.tables.shape[1]] = block.tables
            start = stop
        return padded

    def _batches(self) -> Iterator[FloatArray]:
        """Yield the tables in order, neighbours of one shape joined up to the batch size."""
        waiting: list[FloatArray] = []
        for block in self.blocks:
            cells = sum(tables.size for tables in waiting)
            changed = waiting and waiting[0].shape[1:] != block.tables.shape[1:]
            if changed or cells > BATCH_CELLS:
                yield _joined(waiting)
                waiting = []
            waiting.append(block.tables)
        if waiting:
            yield _joined(waiting)


def _joined(tables: list[FloatArray]) -> FloatArray:
    return tables[0] if len(tables) == 1 else np.concatenate(tables)


def _checked(scores: AnyArray, tables: FloatArray) -> Scores:
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != (len(tables),):
        raise DataError(
            f"a formula must return one score per table: expected shape ({len(tables)},) for "
            f"tables of shape {tables.shape}, got {scores.shape}"
        )
    return scores
