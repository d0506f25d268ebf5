"""`OneNode`: what every view of a single node has, wherever the cases lie."""

from abc import ABC, abstractmethod

import numpy as np

from treelab._random import stream
from treelab._typing import FloatArray, IndexArray
from treelab.protocols import PairScheme
from treelab.stats.candidates.tables import BlockTables
from treelab.stats.pairs.pairing import PairCases
from treelab.stats.pairs.spread import mean_distances, value_shares
from treelab.stats.stores.context import SplitContext
from treelab.stats.stores.nodes import Lineage, NodeBatch


class OneNode(ABC):
    """The facts of a node that its `batch`, which has this node only, knows without the cases.

    Where the cases are that pairs are made of, `_pair_cases` of the view knows.
    """

    __slots__ = ()
    batch: NodeBatch

    @property
    def context(self) -> SplitContext:
        return self.batch.context

    @property
    def class_counts(self) -> FloatArray:
        return np.asarray(self.batch.class_counts[0])

    @property
    def lineage(self) -> Lineage:
        return self.batch.lineage

    @property
    def sizes(self) -> FloatArray:
        return self.batch.sizes

    @property
    def n_training(self) -> float:
        return self.batch.n_training

    @property
    def n_values(self) -> IndexArray:
        return self.batch.n_values

    @property
    def counts(self) -> BlockTables:
        return self.batch.counts

    def value_shares(self, scheme: PairScheme) -> FloatArray:
        return value_shares(self._pair_cases(scheme))

    def mean_distances(self, scheme: PairScheme) -> FloatArray:
        return mean_distances(self._pair_cases(scheme))

    @abstractmethod
    def _pair_cases(self, scheme: PairScheme, /) -> PairCases:
        """Return the cases of the node as a scheme of pairs takes them."""

    def rng(self, key: str) -> np.random.Generator:
        return stream(self.context.seed, self.batch.lineage.path(0), key)
