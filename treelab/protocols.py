"""Every extension point of treelab on one screen.

*case*       one row of the data.          *node*    a set of cases, with their weights.
*candidate*  a way to part a node: a feature and a partition of its values.
*table*      counts (value, class) of a candidate: one row per branch.
*score*      what a metric says of a candidate; larger is better, NaN = cannot judge.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, runtime_checkable

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset

Scores: TypeAlias = FloatArray

Formula: TypeAlias = Callable[[FloatArray], FloatArray]
"""Tables (..., value, class) to scores (...): numpy over any leading axes."""


class CountTables(Protocol):
    """The contingency tables of all candidates of a node, made on first use."""

    @property
    def feature(self) -> IndexArray:
        """The number of each candidate's feature."""
        ...

    @property
    def known(self) -> FloatArray:
        """The share of the node's weight whose value of the candidate's feature is known."""
        ...

    def __len__(self) -> int: ...

    def map(self, formula: Formula, /) -> Scores:
        """Return the formula of every candidate's table."""
        ...


class PairScheme(Protocol):
    """Which pairs of cases count, with what weight; a value that can be hashed."""

    @property
    def ramp(self) -> float | None:
        """Numbers are at distance |a - b| / (ramp * range), at most 1; None: at |a - b|."""
        ...

    @property
    def bins(self) -> int:
        """Cut numbers into so many intervals first; 0: keep them."""
        ...

    def tables(self, pairs: Any, /) -> FloatArray:
        """Return pair tables (feature, value of i, class of i, differs, other class).

        `pairs` is a `treelab.stats.pairing.PairCases`; its `empty_tables()` are of that shape.
        """
        ...


@attrs.frozen(eq=False)
class FeatureScores:
    """What a metric returns that judges features as a whole; the builder then finds the cut."""

    values: FloatArray


class NodeView(Protocol):
    """What a metric sees of a node."""

    @property
    def class_counts(self) -> FloatArray:
        """The weight of each class at the node."""
        ...

    @property
    def counts(self) -> CountTables:
        """The tables of all candidates."""
        ...

    def pairs(self, scheme: PairScheme, /) -> FloatArray:
        """Return the pair tables of a scheme."""
        ...

    def value_shares(self, scheme: PairScheme, /) -> FloatArray:
        """Return the share of each value of each feature, as the pair tables count them."""
        ...

    def rng(self, key: str, /) -> np.random.Generator:
        """Return a random stream that depends on the seed, the node's path and the key only."""
        ...


@runtime_checkable
class SplitMetric(Protocol):
    """Scores the candidates of a node; any callable of this shape is one."""

    def __call__(self, node: NodeView, /) -> Scores | FeatureScores: ...


@runtime_checkable
class Discretizer(Protocol):
    """Finds cut points for numeric features."""

    def fit(self, data: Dataset, /) -> Coding: ...


@runtime_checkable
class Pruner(Protocol):
    """Turns a tree into a smaller one.

    `data` are the cases to prune by, if any; `regrow` grows an unpruned tree on other cases in
    the same way, for pruners that hold cases out or cross-validate.
    """

    def __call__(
        self, tree: Any, data: Dataset | None = None, regrow: "Regrow | None" = None, /
    ) -> Any: ...


Regrow: TypeAlias = Callable[[Dataset], Any]
