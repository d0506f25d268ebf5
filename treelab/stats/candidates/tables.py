"""`BlockTables`: the tables of all candidates of a node, kept in blocks of one kind."""

from collections.abc import Iterator
from functools import cached_property

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.kernels.argbest import first_best
from treelab.kernels.ties import TIE
from treelab.protocols import Formula, Runs, Scores
from treelab.stats.candidates.blocks import Block, scores_of
from treelab.stats.candidates.splits import Splits
from treelab.stats.formulas.uninformed import uninformed


@attrs.frozen(eq=False)
class BlockTables:
    """The contingency tables of a node's candidates (see `protocols.CountTables`).

    Blocks keep tables of different numbers of branches apart, so that one feature with a
    thousand values does not widen every other table; the tables of cuts are not even made
    before somebody wants them. `numpy.asarray(tables)` pads them to one array
    (candidate, value, class) for the curious; an empty row changes no metric.

    `known_shares` is (node, feature), or None where everything is known; `class_counts` is (node,
    class).
    """

    blocks: tuple[Block, ...]
    known_shares: FloatArray | None
    class_counts: FloatArray

    def __len__(self) -> int:
        return self.runs.n_candidates

    @cached_property
    def runs(self) -> Runs:
        """The candidates of each feature at each node."""
        return Runs.joined([block.runs for block in self.blocks])

    @cached_property
    def feature(self) -> IndexArray:
        return self.runs.spread(self.runs.feature)

    @cached_property
    def node(self) -> IndexArray:
        return self.runs.spread(self.runs.node)

    @cached_property
    def known(self) -> FloatArray:
        return self.runs.spread(self.known_of_runs)

    @property
    def known_of_runs(self) -> FloatArray:
        runs = self.runs
        if self.known_shares is None:
            return np.ones(len(runs.ends))
        return self.known_shares[runs.node, runs.feature]

    @property
    def all_known(self) -> bool:
        return self.known_shares is None

    def map(self, formula: Formula) -> Scores:
        """Return the formula of every candidate's table."""
        parts = [scores_of(formula, block) for block in self.blocks]
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts, axis=-1) if parts else np.empty(0)

    def uninformed(self, formula: Formula) -> tuple[Scores, Scores]:
        """Return the formula of tables without information: of the known cases, and of all."""
        of_known, of_all = np.zeros((2, len(self)))
        for candidates, tables in self._batches():
            class_counts = self.class_counts[self.node[candidates]]
            of_known[candidates], of_all[candidates] = uninformed(formula, tables, class_counts)
        return of_known, of_all

    def _batches(self) -> Iterator[tuple[IndexArray, FloatArray]]:
        """Yield the candidates whose feature is unknown for some cases, with their tables."""
        first = 0
        for block in self.blocks:
            numbers = first + np.arange(block.runs.n_candidates)
            for mine, tables in block.batches():
                lost = self.known[numbers[mine]] < 1.0
                yield numbers[mine][lost], tables[lost]
            first += len(numbers)

    def best(self, scores: Scores) -> IndexArray:
        """Return the best candidate of every node, -1 where none can be judged.

        Among equals it is that of the lowest feature, then the first.
        """
        runs = self.runs
        return first_best(scores, runs.feature, runs.node, runs.ends, len(self.class_counts), TIE)

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        if len(self.blocks) == 1:
            return self.blocks[0].splits(candidates)
        parts, first = [], 0
        for block in self.blocks:
            n = block.runs.n_candidates
            mine = ((candidates >= first) & (candidates < first + n)).nonzero()[0]
            if len(mine) == len(candidates):
                return block.splits(candidates - first)
            if len(mine):
                parts.append((mine, block.splits(candidates[mine] - first)))
            first += n
        return Splits.placed(parts, len(candidates))

    def __array__(self, dtype: object = None, copy: bool | None = None) -> AnyArray:
        tables = [block.tables() for block in self.blocks]
        width = max((part.shape[1] for part in tables), default=0)
        padded = np.zeros((len(self), width, self.class_counts.shape[1]))
        start = 0
        for part in tables:
            padded[start : start + len(part), : part.shape[1]] = part
            start += len(part)
        return padded


def tables_of(class_counts: FloatArray, blocks: tuple[Block, ...], lost: FloatArray) -> BlockTables:
    """Return the tables of nodes, of whose weights some are `lost` (node, feature) as missing."""
    known = None
    if np.count_nonzero(lost):
        known = 1.0 - lost / class_counts.sum(axis=1)[:, None]
    return BlockTables(blocks, known, class_counts)
