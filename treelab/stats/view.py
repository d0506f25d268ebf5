"""`View`: the node as a metric sees it, each statistic computed at most once."""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import attrs
import numpy as np

from treelab._random import digest, stream
from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import Coded, Kind
from treelab.kernels.counts import class_counts, cut_tables, value_counts
from treelab.protocols import PairScheme
from treelab.stats.candidates import Block, CutBlock, admissible, grouping_blocks
from treelab.stats.groupings import SplitKind
from treelab.stats.pairing import PairCases
from treelab.stats.tables import BATCH_CELLS, BlockTables

Splits = Literal["auto", "multiway", "binary", "subset"]

HOW_TO_SPLIT: dict[Splits, dict[Kind, SplitKind | Literal["cut"]]] = {
    "auto": {"numeric": "cut", "interval": "multiway", "nominal": "subset"},
    "multiway": {"numeric": "cut", "interval": "multiway", "nominal": "multiway"},
    "binary": {"numeric": "cut", "interval": "cut", "nominal": "binary"},
    "subset": {"numeric": "cut", "interval": "cut", "nominal": "subset"},
}
"""What `splits` means for each kind of feature."""


@attrs.frozen(eq=False)
class Family:
    """Features that are split in the same way, with their numbers of codes (missing not one)."""

    how: SplitKind | Literal["cut"]
    features: IndexArray
    n_codes: IndexArray

    @cached_property
    def offsets(self) -> IndexArray:
        """Where the codes of each feature, and one for missing, start in a tall table."""
        return np.concatenate([[0], np.cumsum(self.n_codes + 1)])


@attrs.frozen(eq=False)
class Space:
    """What is common to all nodes of a growing tree: coded data and the kinds of splits.

    With `missing_is_value`, missing values get a branch of their own. A candidate leaves at least
    two branches of `min_branch` cases.
    """

    coded: Coded
    splits: Splits = "auto"
    missing_is_value: bool = False
    min_branch: float = 0.0
    seed: int = 0

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The features, sorted by how they are split."""
        ways = HOW_TO_SPLIT[self.splits]
        how = np.array([ways[axis.kind] for axis in self.coded.axes], dtype=object)
        n_codes = np.array([axis.n_codes for axis in self.coded.axes], dtype=np.int64)
        return tuple(
            Family(way, np.flatnonzero(how == way), n_codes[how == way])
            for way in dict.fromkeys(how)
        )


@attrs.frozen(eq=False)
class View:
    """A node: some cases with their weights. `path` stands for the branches that lead to it."""

    space: Space
    rows: IndexArray
    weights: FloatArray
    path: bytes = b""
    _pair_tables: dict[PairScheme, FloatArray] = attrs.field(factory=dict, init=False)
    _scaled: dict[tuple[float | None, int], PairCases] = attrs.field(factory=dict, init=False)

    @classmethod
    def root(cls, space: Space) -> "View":
        """Return the view of all cases whose class is known and whose weight is not 0."""
        rows = np.flatnonzero((space.coded.weights > 0) & (space.coded.y >= 0))
        return cls(space, rows, space.coded.weights[rows])

    def child(self, branch: int, rows: IndexArray, weights: FloatArray) -> "View":
        """Return the view of a branch."""
        return View(self.space, rows, weights, digest(self.path, branch))

    @cached_property
    def class_counts(self) -> FloatArray:
        coded = self.space.coded
        return class_counts(coded.y, self.rows, self.weights, coded.n_classes)

    @cached_property
    def counts(self) -> BlockTables:
        known = np.ones(len(self.space.coded.axes))
        blocks: list[Block] = []
        for family in self.space.families:
            make = self._cut_blocks if family.how == "cut" else self._grouping_blocks
            blocks.extend(admissible(block, self.space.min_branch) for block in make(family, known))
        return BlockTables(tuple(blocks), known, self.space.coded.n_classes)

    def pairs(self, scheme: PairScheme) -> FloatArray:
        if scheme not in self._pair_tables:
            self._pair_tables[scheme] = scheme.tables(self._pair_cases(scheme))
        return self._pair_tables[scheme]

    def value_shares(self, scheme: PairScheme) -> FloatArray:
        cases = self._pair_cases(scheme)
        shares = np.zeros((cases.value.shape[1], cases.n_values))
        for f, place in enumerate(cases.value.T):
            shares[f] = np.bincount(place, cases.weights, minlength=cases.n_values)
        return np.asarray(shares / cases.weights.sum())

    def _pair_cases(self, scheme: PairScheme) -> PairCases:
        scale = scheme.ramp, scheme.bins
        if scale not in self._scaled:
            cases = PairCases.of(self.space.coded, self.rows, self.weights, *scale)
            self._scaled[scale] = attrs.evolve(cases, rng=self.rng)
        return self._scaled[scale]

    def rng(self, key: str) -> np.random.Generator:
        return stream(self.space.seed, self.path, key)

    def _cut_blocks(self, family: Family, known: FloatArray) -> Iterator[Block]:
        for part in _batches(family, len(self.rows)):
            yield self._cut_block(part, known)

    def _cut_block(self, family: Family, known: FloatArray) -> CutBlock:
        coded = self.space.coded
        tables, sides, starts, missing = cut_tables(
            coded.codes,
            family.features,
            family.n_codes,
            coded.y,
            self.rows,
            self.weights,
            coded.n_classes,
            3 if self.space.missing_is_value else 2,
        )
        if not self.space.missing_is_value:
            known[family.features] = self._known_share(missing.sum(axis=1))
        elif not missing.any():
            tables = tables[:, :2]
        return CutBlock(tables, np.repeat(family.features, np.diff(starts)), sides)

    def _grouping_blocks(self, family: Family, known: FloatArray) -> Iterator[Block]:
        coded = self.space.coded
        counts = value_counts(
            coded.codes,
            family.features,
            family.offsets,
            coded.y,
            self.rows,
            self.weights,
            coded.n_classes,
        )
        if not self.space.missing_is_value:
            last = family.offsets[1:] - 1
            known[family.features] = self._known_share(counts[last].sum(axis=1))
            counts[last] = 0.0
        assert family.how != "cut"
        yield from grouping_blocks(counts, family.features, family.offsets, family.how)

    def _known_share(self, missing: FloatArray) -> FloatArray:
        return np.asarray(1.0 - missing / self.class_counts.sum())


def _batches(family: Family, n_cases: int) -> Iterator[Family]:
    """Part a family of cut features so that the tables of a part do not fill the memory."""
    per_feature = max(1, min(n_cases, int(family.n_codes.max(initial=1))))
    step = max(1, BATCH_CELLS // (8 * per_feature))
    for start in range(0, len(family.features), step):
        part = slice(start, start + step)
        yield Family(family.how, family.features[part], family.n_codes[part])
