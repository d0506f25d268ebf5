"""`View`: the node as a metric sees it, each statistic computed at most once."""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import attrs
import numpy as np

from treelab._random import digest, stream
from treelab._typing import CodeArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded, Kind
from treelab.kernels.counts import class_counts, value_counts
from treelab.kernels.cuts import ROUNDING, CutLimits
from treelab.kernels.groupings import Ranks
from treelab.protocols import PairScheme
from treelab.stats.candidates import CutBlock
from treelab.stats.cases import Cases, Keys, Span, share_out
from treelab.stats.grouped import BATCH_CELLS, GroupingBlock, MultiwayBlock, Tallies, ranks_of
from treelab.stats.pairing import PairCases
from treelab.stats.spread import mean_distances
from treelab.stats.tables import Block, BlockTables

HowToSplit = Literal["auto", "multiway", "binary", "subset"]
Way = Literal["cut", "multiway", "binary", "subset"]

HOW_TO_SPLIT: dict[HowToSplit, dict[Kind, Way]] = {
    "auto": {"numeric": "cut", "interval": "multiway", "nominal": "subset"},
    "multiway": {"numeric": "cut", "interval": "multiway", "nominal": "multiway"},
    "binary": {"numeric": "cut", "interval": "cut", "nominal": "binary"},
    "subset": {"numeric": "cut", "interval": "cut", "nominal": "subset"},
}
"""What `splits` means for each kind of feature."""

MOST_COPIES = 2**22
"""Where whole weights stand for more cases than this, a case is permuted as a whole."""

MOST_COUNTED = 2**53
"""Weights of a larger sum count nothing: a case more would not change it."""

MOST_PLACES = 2**21
"""About so many values are judged together."""

FEW_BRANCHES = 128
"""The numbers of so many branches fit into a byte."""

FEW_CODES = 256
"""Features of so many codes are tallied anew at every node; the others stay sorted."""


@attrs.frozen(eq=False)
class Family:
    """Features that are grouped in the same way, with their numbers of codes (missing not one)."""

    how: Way
    features: IndexArray
    n_codes: IndexArray
    coded: Coded

    @cached_property
    def offsets(self) -> IndexArray:
        """Where the codes of each feature, and one for missing, start in a tall table."""
        return np.concatenate([[0], np.cumsum(self.n_codes + 1)])

    @cached_property
    def by_case(self) -> CodeArray:
        """The codes (case, feature), that of missing being the one behind the last."""
        codes = self.coded.codes[self.features].T
        return np.ascontiguousarray(np.minimum(codes, self.n_codes.astype(codes.dtype)))


@attrs.frozen(eq=False)
class Space:
    """What is common to all nodes of a growing tree: coded data and the kinds of splits.

    With `missing_is_value`, missing values get a branch of their own. A candidate leaves at least
    two branches of `min_branch` cases. `n_training` is the weight of all cases to learn from, also
    where `coded` comes to hold those of one node only.
    """

    coded: Coded
    splits: HowToSplit = "auto"
    missing_is_value: bool = False
    min_branch: float = 0.0
    seed: int = 0
    n_training: float = attrs.field()

    @n_training.default
    def _weight_of_all(self) -> float:
        return float(self.coded.weights[self.coded.to_learn_from].sum())

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The features that are grouped, sorted by how."""
        return tuple(
            Family(
                way,
                np.flatnonzero(self._ways == way),
                self.n_codes[self._ways == way],
                self.coded,
            )
            for way in dict.fromkeys(self._ways)
            if way != "cut"
        )

    @cached_property
    def few_branches(self) -> bool:
        """Whether no split can have so many branches that their numbers do not fit into a byte."""
        return bool((self.n_codes[self._ways != "cut"] < FEW_BRANCHES).all())

    @cached_property
    def kept_sorted(self) -> IndexArray:
        """The features that are cut and have many codes."""
        return np.flatnonzero((self._ways == "cut") & (self.n_codes > FEW_CODES))

    @cached_property
    def tallied(self) -> IndexArray:
        """The features that are cut and have few codes."""
        return np.flatnonzero((self._ways == "cut") & (self.n_codes <= FEW_CODES))

    @cached_property
    def kept_limits(self) -> CutLimits:
        return self._limits(self.kept_sorted)

    @cached_property
    def tallied_limits(self) -> CutLimits:
        return self._limits(self.tallied)

    def _limits(self, features: IndexArray) -> CutLimits:
        """Return what cuts of some features must keep to."""
        axes, nothing = [self.coded.axes[f] for f in features], np.empty(0, np.int64)
        least, rule = max(self.min_branch - ROUNDING, 0.0), self.coded.cuts
        share, most = rule.side_share / max(self.coded.n_classes, 1), float(rule.side_most)
        if not rule.apart:
            return CutLimits(least, share, most, nothing, nothing)
        firsts = np.cumsum([0, *(axis.n_codes for axis in axes)])
        follows = np.concatenate([nothing, *(axis.follows(rule) for axis in axes)])
        return CutLimits(least, share, most, follows, firsts)

    @cached_property
    def n_codes(self) -> IndexArray:
        return np.array([axis.n_codes for axis in self.coded.axes], dtype=np.int64)

    @cached_property
    def n_values(self) -> IndexArray:
        """The number of labels or intervals of each feature, used or not; 0 for a numeric one."""
        is_numeric = [axis.kind == "numeric" for axis in self.coded.axes]
        return np.where(is_numeric, 0, self.n_codes)

    @cached_property
    def _ways(self) -> IndexArray:
        ways = HOW_TO_SPLIT[self.splits]
        return np.array([ways[axis.kind] for axis in self.coded.axes], dtype=object)


@attrs.frozen(eq=False)
class Lineage:
    """Where some nodes come from.

    They are the children `nodes` of the nodes `above`: child i is branch `branch[i]` of node
    `parent[i]`.
    """

    above: "Lineage | None" = None
    parent: IndexArray = attrs.field(factory=lambda: np.zeros(1, np.int64))
    branch: IndexArray = attrs.field(factory=lambda: np.zeros(1, np.int64))
    nodes: IndexArray = attrs.field(factory=lambda: np.zeros(1, np.int64))

    def only(self, nodes: IndexArray) -> "Lineage":
        """Return where some of the nodes come from."""
        return Lineage(self.above, self.parent, self.branch, self.nodes[nodes])

    def path(self, node: int) -> bytes:
        """Return what stands for the branches that lead to a node."""
        if self.above is None:
            return b""
        child = self.nodes[node]
        return digest(self.above.path(int(self.parent[child])), int(self.branch[child]))


@attrs.frozen(eq=False)
class Level:
    """Some nodes side by side, to be judged at once.

    The cases of node k are the places `starts[k]` to `stops[k]` of `cases`; its classes weigh
    `class_counts[k]`. `ranks` are those of nominal values, by how they are grouped and the first
    node of a batch: nodes that share them have the same candidates.
    """

    space: Space
    cases: Cases
    starts: IndexArray
    stops: IndexArray
    class_counts: FloatArray
    lineage: Lineage = attrs.field(factory=Lineage)
    ranks: dict[tuple[Way, int], Ranks] = attrs.field(factory=dict)

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def root(cls, space: Space) -> "Level":
        """Return the level of one node: all cases of known class whose weight is not 0."""
        rows = space.coded.to_learn_from
        return cls.of(space, rows, space.coded.weights[rows])

    @classmethod
    def of(
        cls, space: Space, rows: IndexArray, weights: FloatArray, lineage: Lineage | None = None
    ) -> "Level":
        """Return the level of one node: some rows of the data, with weights of their own."""
        coded = space.coded
        counts = class_counts(coded.y, rows, weights, coded.n_classes)[None, :]
        cases = Cases.of(coded, rows, weights, space.kept_sorted)
        places = np.array([0]), np.array([len(rows)])
        return cls(space, cases, *places, counts, lineage or Lineage())

    def node(self, k: int) -> "View":
        """Return the view of one node."""
        return View(self.only(np.array([k])))

    def only(self, nodes: IndexArray) -> "Level":
        """Return the level of some of the nodes."""
        if len(nodes) == len(self):
            return self
        where = self.starts[nodes], self.stops[nodes], self.class_counts[nodes]
        return Level(self.space, self.cases, *where, self.lineage.only(nodes))

    @property
    def without_tables(self) -> "Level":
        """The same nodes made anew: what was counted is not needed again."""
        where = self.starts, self.stops, self.class_counts
        return Level(self.space, self.cases, *where, self.lineage)

    def parts(self) -> list[IndexArray]:
        """Return the nodes in parts that are judged one after the other, to bound memory."""
        if len(self.cases.rows) * len(self.space.tallied) <= MOST_PLACES:
            return [np.arange(len(self))]
        places = np.cumsum(self.stops - self.starts) * len(self.space.tallied)
        part = (places - 1) // MOST_PLACES
        return np.split(np.arange(len(self)), np.flatnonzero(np.diff(part)) + 1)

    @cached_property
    def sizes(self) -> FloatArray:
        """The weight of each node."""
        return np.asarray(self.class_counts.sum(axis=1))

    @property
    def n_training(self) -> float:
        return self.space.n_training

    @property
    def n_values(self) -> IndexArray:
        return self.space.n_values

    @cached_property
    def counts(self) -> BlockTables:
        lost = np.zeros((len(self), len(self.space.coded.axes)))
        blocks = (*self._cut_blocks(lost), *self._grouping_blocks(lost))
        known = 1.0 - lost / self.sizes[:, None] if np.count_nonzero(lost) else None
        return BlockTables(blocks, known, self.class_counts)

    def _cut_blocks(self, lost: FloatArray) -> Iterator[CutBlock]:
        space, cases, where = self.space, self.cases, (self.starts, self.stops)
        found_in = []
        if len(cases.kept.features):
            found_in.append((Keys.kept(cases, *where), space.kept_limits))
        if len(space.tallied):
            keys = Keys.tallied(space.coded, space.tallied, cases, *where)
            found_in.append((keys, space.tallied_limits))
        for keys, limits in found_in:
            block = CutBlock.of(keys, cases, self.class_counts, limits, space.missing_is_value)
            if not space.missing_is_value and block.cuts.missing.any():
                lost[:, keys.sorted.features] = block.cuts.missing.sum(axis=2).T
            yield block

    def _grouping_blocks(self, lost: FloatArray) -> Iterator[Block]:
        for family in self.space.families:
            step = max(1, BATCH_CELLS // (int(family.offsets[-1]) * self.space.coded.n_classes))
            for first in range(0, len(self), step):
                nodes = slice(first, first + step)
                yield from self._groupings(family, self._tallies(family, nodes), lost[nodes])

    def _tallies(self, family: Family, nodes: slice) -> Tallies:
        space, cases = self.space, self.cases
        counted = cases.at(self.starts[nodes], self.stops[nodes])
        counts = np.zeros((len(counted.starts), int(family.offsets[-1]), space.coded.n_classes))

        def count(span: Span) -> None:
            value_counts(family.by_case, family.offsets, counted, span, counts)

        # Four values are counted in the time that one takes to be sorted or scored.
        share_out(count, len(family.features), len(cases.rows) // 4)
        return Tallies(
            counts, family.features, family.offsets, nodes.start, space.n_codes,
            float(self.sizes.max(initial=0.0)), cases.whole,
        )  # fmt: skip

    def _groupings(self, family: Family, tallies: Tallies, lost: FloatArray) -> Iterator[Block]:
        least, is_value = self.space.min_branch, self.space.missing_is_value
        if family.how == "multiway":
            yield MultiwayBlock.of(tallies, least, is_value, lost)
            return
        if not is_value:
            last = family.offsets[1:] - 1
            lost[:, family.features] = tallies.counts[:, last].sum(axis=2)
        yield GroupingBlock.of(tallies, self._ranks(family, tallies), least)

    def _ranks(self, family: Family, tallies: Tallies) -> Ranks:
        key = family.how, tallies.first_node
        if key not in self.ranks:
            is_value = self.space.missing_is_value
            self.ranks[key] = ranks_of(tallies, family.how == "subset", is_value)
        return self.ranks[key]


@attrs.frozen(eq=False)
class View:
    """One node: what a metric sees.

    `level` has this node only. `scaled` is what pairs of cases need but for their classes;
    relabelled views share it.
    """

    level: Level
    scaled: dict[tuple[float | None, int], PairCases] = attrs.field(factory=dict)
    _pair_tables: dict[PairScheme, FloatArray] = attrs.field(factory=dict, init=False)

    @classmethod
    def root(cls, space: Space) -> "View":
        """Return the view of all cases whose class is known and whose weight is not 0."""
        return cls(Level.root(space))

    @property
    def space(self) -> Space:
        return self.level.space

    @cached_property
    def rows(self) -> IndexArray:
        """The rows of the node's cases."""
        return self.level.cases.rows[self._places].astype(np.int64)

    @cached_property
    def weights(self) -> FloatArray:
        """The weights of the node's cases."""
        cases = self.level.cases
        if not len(cases.weights):
            return np.ones(len(self.rows))
        return np.asarray(cases.weights[cases.ids[self._places]])

    @property
    def labels(self) -> IntArray:
        return self.level.cases.labels[self._places]

    @property
    def _places(self) -> slice:
        return slice(int(self.level.starts[0]), int(self.level.stops[0]))

    @property
    def class_counts(self) -> FloatArray:
        return np.asarray(self.level.class_counts[0])

    @property
    def sizes(self) -> FloatArray:
        return self.level.sizes

    @property
    def n_training(self) -> float:
        return self.space.n_training

    @property
    def n_values(self) -> IndexArray:
        return self.space.n_values

    @property
    def counts(self) -> BlockTables:
        return self.level.counts

    @cached_property
    def units(self) -> "View":
        coded, copies = self.space.coded, copies_of(self.weights)
        rows, weights = np.repeat(self.rows, copies), np.repeat(self.weights / copies, copies)
        # Cases of the same content are interchangeable; the order of the rows is forgotten.
        order = np.lexsort((coded.y[rows], weights, *coded.codes[:, rows]))
        space = attrs.evolve(self.space, coded=coded.take(rows[order]))
        level = Level.of(space, np.arange(len(rows)), weights[order], self.level.lineage)
        _ = self.counts  # the groupings this node's own classes have led to
        return View(attrs.evolve(level, ranks=self.level.ranks))

    def relabelled(self, labels: IntArray) -> "View":
        level, places = self.level, self._places
        n_classes = self.space.coded.n_classes
        counts = class_counts(labels, np.arange(len(labels)), self.weights, n_classes)[None, :]
        cases = level.cases.relabelled(places.start, places.stop, labels)
        _ = self.counts  # the groupings this node's own classes have led to
        return View(attrs.evolve(level, cases=cases, class_counts=counts), self.scaled)

    def dealt(self, labels: IntArray) -> Level:
        space, n, places = self.space, labels.shape[1], np.arange(labels.shape[1])
        alone = Cases.of(space.coded, self.rows, self.weights, space.kept_sorted)
        n_classes, starts = space.coded.n_classes, np.arange(len(labels)) * n
        counts = np.stack([class_counts(deal, places, self.weights, n_classes) for deal in labels])
        lineage = self.level.lineage.only(np.zeros(len(labels), np.int64))
        return Level(space, alone.dealt(labels), starts, starts + n, counts, lineage)

    def shuffled(self, feature: int, order: IndexArray) -> "View":
        codes = self.space.coded.codes[feature].copy()
        codes[self.rows] = codes[self.rows[order]]
        space = attrs.evolve(self.space, coded=self.space.coded.with_codes(feature, codes))
        return View(Level.of(space, self.rows, self.weights, self.level.lineage))

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

    def mean_distances(self, scheme: PairScheme) -> FloatArray:
        return mean_distances(self._pair_cases(scheme))

    def _pair_cases(self, scheme: PairScheme) -> PairCases:
        scale = scheme.ramp, scheme.bins
        if scale not in self.scaled:
            self.scaled[scale] = PairCases.of(self.space.coded, self.rows, self.weights, *scale)
        return attrs.evolve(self.scaled[scale].relabelled(self.labels), rng=self.rng)

    def rng(self, key: str) -> np.random.Generator:
        return stream(self.space.seed, self.level.lineage.path(0), key)


def copies_of(weights: FloatArray, most: int = MOST_COPIES) -> IndexArray:
    """Return how many cases each weight stands for: itself if whole, else one of that weight."""
    copies = np.where(weights == np.floor(weights), weights, 1.0)
    return np.asarray(copies if copies.sum() <= most else np.ones_like(weights), np.int64)


def n_cases(weights: FloatArray) -> int:
    """Return how many cases weights above 0 stand for; no copies are made, so many are allowed."""
    return int(copies_of(weights, MOST_COUNTED).sum())
