"""`InMemoryNode`: a node as a metric sees it, each statistic computed at most once."""

from functools import cached_property
from typing import TYPE_CHECKING

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.kernels.counts import class_counts
from treelab.protocols import PairScheme, Ramp
from treelab.stats.pairs.pairing import PairCases
from treelab.stats.stores.cases import NodeCases, Places
from treelab.stats.stores.gathering import Draw, NodeRows, most_cases
from treelab.stats.stores.nodes import NodeBatch
from treelab.stats.stores.one_node import OneNode

if TYPE_CHECKING:
    from treelab.stats.stores.in_memory import InMemoryStore

MOST_COPIES = 2**22
"""Where whole weights stand for more cases than this, a case is permuted as a whole."""

MOST_COUNTED = 2**53
"""Weights of a larger sum count nothing: a case more would not change it."""


@attrs.frozen(eq=False)
class InMemoryNode(OneNode):
    """One node: what a metric sees.

    `batch` has this node only. `scaled` is what pairs of cases need but for their classes;
    relabelled views share it.
    """

    store: "InMemoryStore"
    batch: NodeBatch
    scaled: dict[tuple[Ramp | None, int], PairCases] = attrs.field(factory=dict)
    _pair_tables: dict[PairScheme, FloatArray] = attrs.field(factory=dict, init=False)
    _drawn: dict[PairScheme, PairCases] = attrs.field(factory=dict, init=False)

    @property
    def coded(self) -> Coded:
        """The data the node's cases are rows of."""
        return self.store.coded

    @property
    def _cases(self) -> NodeCases:
        cases: NodeCases = self.batch.where.cases
        return cases

    @cached_property
    def rows(self) -> IndexArray:
        """The rows of the node's cases."""
        return self._cases.rows[self._places].astype(np.int64)

    @cached_property
    def weights(self) -> FloatArray:
        """The weights of the node's cases."""
        cases = self._cases
        if not len(cases.weights):
            return np.ones(len(self.rows))
        return np.asarray(cases.weights[cases.ids[self._places]])

    @property
    def labels(self) -> IntArray:
        return self._cases.labels[self._places]

    @property
    def _places(self) -> slice:
        return slice(int(self.batch.where.starts[0]), int(self.batch.where.stops[0]))

    @cached_property
    def units(self) -> "InMemoryNode":
        coded, copies = self.coded, copies_of(self.weights)
        each = self.weights / np.maximum(copies, 1)  # rounding may have left a case no weight
        rows, weights = np.repeat(self.rows, copies), np.repeat(each, copies)
        # Cases of the same content are interchangeable; the order of the rows is forgotten.
        order = np.lexsort((coded.y[rows], weights, *coded.codes[:, rows]))
        node = self._of(coded.take(rows[order]), np.arange(len(rows)), weights[order])
        _ = self.counts  # the groupings this node's own classes have led to
        return attrs.evolve(node, batch=attrs.evolve(node.batch, ranks=self.batch.ranks))

    def relabelled(self, labels: IntArray) -> "InMemoryNode":
        batch, places = self.batch, self._places
        _ = self.counts  # the groupings this node's own classes have led to
        cases = self._cases.relabelled(places.start, places.stop, labels)
        where = attrs.evolve(batch.where, cases=cases)
        counts = self._class_counts(labels)[None, :]
        relabelled = attrs.evolve(batch, class_counts=counts, where=where)
        return InMemoryNode(self.store, relabelled, self.scaled)

    def dealt(self, labels: IntArray) -> NodeBatch:
        n, starts = labels.shape[1], np.arange(len(labels)) * labels.shape[1]
        context = self.context
        alone = NodeCases.of(self.coded, self.rows, self.weights, context, context.presorted)
        counts = np.stack([self._class_counts(deal) for deal in labels])
        where = Places(alone.dealt(labels), starts, starts + n)
        lineage = self.batch.lineage.only(np.zeros(len(labels), np.int64))
        return NodeBatch(self.store, counts, where, lineage)

    def _class_counts(self, labels: IntArray) -> FloatArray:
        return class_counts(labels, np.arange(len(labels)), self.weights, self.coded.n_classes)

    def shuffled(self, feature: int, order: IndexArray) -> "InMemoryNode":
        codes = self.coded.codes[feature].copy()
        codes[self.rows] = codes[self.rows[order]]
        return self._of(self.coded.with_codes(feature, codes), self.rows, self.weights)

    def _of(self, coded: Coded, rows: IndexArray, weights: FloatArray) -> "InMemoryNode":
        """Return the node of the same path with some rows of other data."""
        store = attrs.evolve(self.store, coded=coded)
        return InMemoryNode(store, store.node_of(rows, weights, self.batch.lineage))

    def pairs(self, scheme: PairScheme) -> FloatArray:
        if scheme not in self._pair_tables:
            self._pair_tables[scheme] = scheme.tables(self._pair_cases(scheme))
        return self._pair_tables[scheme]

    def _pair_cases(self, scheme: PairScheme) -> PairCases:
        draw = Draw.of(float(self.sizes[0]), most_cases(scheme), self.rng)
        if draw.most is not None:
            return self._drawn_cases(scheme, draw)
        scale = scheme.ramp, scheme.bins
        if scale not in self.scaled:
            self.scaled[scale] = PairCases.of(self.coded, self.rows, self.weights, *scale)
        return attrs.evolve(self.scaled[scale].relabelled(self.labels), rng=self.rng)

    def _drawn_cases(self, scheme: PairScheme, draw: Draw) -> PairCases:
        """Return what pairs of a large node are made of."""
        if scheme not in self._drawn:
            rows = draw(NodeRows.of(self.coded, self.rows, self.labels, self.weights))
            self._drawn[scheme] = rows.pair_cases(self.context, scheme, self.rng)
        return self._drawn[scheme]


def copies_of(weights: FloatArray, most: int = MOST_COPIES) -> IndexArray:
    """Return how many cases each weight stands for: itself if whole, else one of that weight."""
    copies = np.where(weights == np.floor(weights), weights, 1.0)
    return np.asarray(copies if copies.sum() <= most else np.ones_like(weights), np.int64)


def n_cases(weights: FloatArray) -> int:
    """Return how many cases weights above 0 stand for; no copies are made, so many are allowed."""
    return int(copies_of(weights, MOST_COUNTED).sum())
