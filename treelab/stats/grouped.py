"""Groupings: every value of a nominal feature that occurs at the node is sent to a branch."""

from collections.abc import Callable, Iterator
from functools import cached_property

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray, IntArray
from treelab.kernels.multiway import find_multiway, multiway_sums, value_maps
from treelab.protocols import Formula, Runs, Scores
from treelab.stats.candidates import Splits, in_batches
from treelab.stats.groupings import EXHAUSTIVE_VALUES, Groupings
from treelab.stats.pools import ROUNDING, Pools
from treelab.stats.sums import SumFormula

BATCH_CELLS = 2**20
"""Tables of groupings are made for about so many cells at a time, to bound memory."""


@attrs.frozen(eq=False)
class Tallies:
    """The counts (node, value, class) of nominal features at nodes from `first_node` on.

    The values of `features[f]` and one for missing are those from `offsets[f]` on. `n_codes` are
    those of all features there are. No node weighs more than `most`; `whole` tells whether all
    counts are whole numbers.
    """

    counts: FloatArray
    features: IndexArray
    offsets: IndexArray
    first_node: int
    n_codes: IndexArray
    most: float
    whole: bool


@attrs.frozen(eq=False)
class MultiwayBlock:
    """A branch for each value: one candidate for each feature at each node.

    The tables have as many rows as values occur, and lie one under the other; see
    `kernels.multiway`.
    """

    cells: FloatArray
    codes: IntArray
    ends: IndexArray
    runs: Runs
    found_in: Tallies

    @classmethod
    def of(
        cls, found_in: Tallies, min_branch: float, missing_branch: bool, lost: FloatArray
    ) -> "MultiwayBlock":
        """Find the candidates; see `find_multiway` for `lost`. The counts are used up."""
        counts, least = found_in.counts, max(min_branch - ROUNDING, 0.0)
        codes, ends, feature, node = find_multiway(
            counts,
            found_in.first_node,
            found_in.features,
            found_in.offsets,
            least,
            missing_branch,
            lost,
        )
        runs = Runs(feature, node, np.arange(1, len(ends) + 1))
        return cls(counts.reshape(-1, counts.shape[2]), codes, ends, runs, found_in)

    def map(self, formula: Formula) -> Scores:
        """Return the formula of every candidate's table."""
        if isinstance(formula, SumFormula) and self.found_in.whole:
            fixed = formula.fixed(int(self.found_in.most))
            if fixed is not None:
                sums = multiway_sums(self.cells, self.ends, formula.needs_shares, fixed)
                return np.asarray(formula.combine(*sums))
        scores = np.empty(len(self.ends))
        for mine, tables in self.batches():
            scores[mine] = in_batches(formula, tables)
        return scores

    def tables(self) -> FloatArray:
        """Return the tables (candidate, branch, class), filled up with empty branches."""
        widest = int(np.diff(self.ends, prepend=0).max(initial=0))
        tables = np.zeros((len(self.ends), widest, self.cells.shape[1]))
        for mine, part in self.batches():
            tables[mine, : part.shape[1]] = part
        return tables

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        feature = self.runs.feature[candidates]
        nothing, n_codes = np.zeros(len(feature), np.int64), self.found_in.n_codes[feature]
        maps = value_maps(self.codes, self.ends, candidates, n_codes)
        return Splits(feature, nothing, nothing, *maps)

    def batches(self) -> Iterator[tuple[IndexArray, FloatArray]]:
        """Yield the candidates of equally many values, with their tables."""
        widths = np.diff(self.ends, prepend=0)
        for width in np.unique(widths):
            mine = np.flatnonzero(widths == width)
            yield mine, self.cells[(self.ends[mine] - width)[:, None] + np.arange(width)]


@attrs.frozen(eq=False)
class GroupingBlock:
    """The groupings of nominal features on which equally many values occur at their nodes.

    `run` is the number of each run among all of the node's or nodes' features, and `codes` the
    codes that occur in it, a rare one standing for all in its pool. `number` counts the groupings
    of the scheme through, run by run.
    """

    parted: FloatArray
    feature: IndexArray
    node: IndexArray
    run: IndexArray
    number: IndexArray
    codes: IndexArray
    scheme: Groupings
    n_codes: IndexArray
    pools: Pools

    @cached_property
    def runs(self) -> Runs:
        lengths = np.bincount(self.number // self.scheme.n, minlength=len(self.feature))
        runs = Runs(self.feature, self.node, np.cumsum(lengths))
        if self.scheme.log2_ways is None:
            return runs
        return attrs.evolve(runs, log2_ways=np.full(len(lengths), self.scheme.log2_ways))

    def map(self, formula: Formula) -> Scores:
        """Return the formula of every candidate's table."""
        return in_batches(formula, self.parted)

    def tables(self) -> FloatArray:
        """Return the tables (candidate, branch, class)."""
        return self.parted

    def batches(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield all candidates, with their tables."""
        yield slice(len(self.parted)), self.parted

    def splits(self, candidates: IndexArray) -> Splits:
        """Return what some candidates do."""
        run, choice = np.divmod(self.number[candidates], self.scheme.n)
        splits = Splits.groupings(self.feature[run], self.n_codes[self.feature[run]])
        for first, r, c in zip(splits.first_map, run.tolist(), choice.tolist(), strict=True):
            splits.maps[first + self.codes[r]] = self.scheme.branches(r, c)
            rare = self.pools.codes(int(self.run[r]))
            splits.maps[first + rare] = splits.maps[first + rare[:1]]
        return splits


def grouping_blocks(
    found_in: Tallies, min_branch: float, choose: Callable[[FloatArray], Groupings], pool: bool
) -> Iterator[GroupingBlock]:
    """Yield the groupings of a scheme, which `choose` gives for tables (part, value, class).

    With `pool`, the rare values of a feature that has too many for all groupings stay together.
    """
    n_nodes, _, n_classes = found_in.counts.shape
    counts = found_in.counts.reshape(-1, n_classes)
    features = np.tile(found_in.features, n_nodes)
    nodes = found_in.first_node + np.repeat(np.arange(n_nodes), len(found_in.features))
    lengths = np.tile(np.diff(found_in.offsets), n_nodes)
    run = np.repeat(np.arange(len(features)), lengths)
    code = np.arange(len(counts)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    pools = Pools.of(counts.sum(axis=1), run, code, pool & (lengths - 1 > EXHAUSTIVE_VALUES)[run])
    counts = pools.join(counts)
    present = counts.sum(axis=1) > 0
    owner, codes = run[present], code[present]
    n_values = np.bincount(owner, minlength=len(features))
    for width in np.unique(n_values[n_values >= 2]):
        here = n_values == width
        mine = here[owner]
        tables = counts[present][mine].reshape(-1, width, n_classes)
        scheme = choose(tables)
        parted = scheme.part(tables)
        number = np.flatnonzero(admissible(parted, min_branch))
        yield GroupingBlock(
            parted[number], features[here], nodes[here], np.flatnonzero(here), number,
            codes[mine].reshape(-1, width), scheme, found_in.n_codes, pools,
        )  # fmt: skip


def admissible(tables: FloatArray, min_branch: float) -> BoolArray:
    """Tell which candidates leave two branches that are not empty and large enough."""
    weights = tables.sum(axis=2)
    large = (weights > 0) & (weights >= min_branch - ROUNDING)
    return np.asarray(large.sum(axis=1) >= 2)
