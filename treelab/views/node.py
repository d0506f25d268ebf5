"""What a metric sees of a node: class counts, tables of candidates, pairs of cases."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.views.runs import Runs

Scores: TypeAlias = FloatArray

Formula: TypeAlias = Callable[[FloatArray], FloatArray]
"""Tables (..., value, class) to scores (...): numpy over any leading axes."""

Ramp: TypeAlias = float | tuple[float, ...]
"""The share of its range by which a numeric feature differs fully: of all, or of each in turn."""


class PairScheme(Protocol):
    """Which pairs of cases count, with what weight; a value that can be hashed."""

    @property
    def ramp(self) -> Ramp | None:
        """Numbers are at distance ``|a - b| / (ramp * range)``, at most 1; None: at ``|a - b|``."""
        ...

    @property
    def bins(self) -> int:
        """Cut numbers into so many intervals first; 0: keep them."""
        ...

    def tables(self, pairs: Any, /) -> FloatArray:
        """Return pair tables (feature, value of i, class of i, differs, other class).

        `pairs` is a `stats.pairs.pairing.PairCases`; its `empty_tables()` are of that shape.
        """
        ...


class CountTables(Protocol):
    """The contingency tables of all candidates of a node, made on first use."""

    @property
    def feature(self) -> IndexArray:
        """The number of each candidate's feature."""
        ...

    @property
    def node(self) -> IndexArray:
        """The number of each candidate's node: 0, but for metrics that judge several at once."""
        ...

    @property
    def runs(self) -> Runs:
        """The candidates of each feature at each node."""
        ...

    @property
    def known(self) -> FloatArray:
        """The share of the node's weight whose value of the candidate's feature is known."""
        ...

    @property
    def known_of_runs(self) -> FloatArray:
        """The same for each run."""
        ...

    @property
    def all_known(self) -> bool:
        """Whether no value is missing, so that `known` is 1 everywhere."""
        ...

    def __len__(self) -> int: ...

    def map(self, formula: Formula, /) -> Scores:
        """Return the formula of every candidate's table.

        Both scores (which, candidate) where it gives two: see `stats.formulas.sums`.
        """
        ...

    def uninformed(self, formula: Formula, /) -> tuple[Scores, Scores]:
        """Return the formula of tables without information: of the known cases, and of all.

        In such tables every class takes the branches of a candidate in the proportions of its
        known cases (SPEC 12.1). 0 and 0 where everything is known.
        """
        ...


@attrs.frozen(eq=False)
class FeatureScores:
    """What a metric returns that judges features as a whole; the builder then finds the cut."""

    values: FloatArray


class Counted(Protocol):
    """What a metric sees of a node, or of several that it judges at once."""

    @property
    def class_counts(self) -> FloatArray:
        """The weight of each class at the node; of several (node, class)."""
        ...

    @property
    def sizes(self) -> FloatArray:
        """The weight of each node."""
        ...

    @property
    def n_training(self) -> float:
        """The weight of all training cases, of which the node has a part."""
        ...

    @property
    def n_values(self) -> IndexArray:
        """The number of labels or intervals of each feature, used or not; 0 for a numeric one."""
        ...

    @property
    def counts(self) -> CountTables:
        """The tables of all candidates."""
        ...


class NodeView(Counted, Protocol):
    """What a metric sees of a node."""

    def pairs(self, scheme: PairScheme, /) -> FloatArray:
        """Return the pair tables of a scheme."""
        ...

    def value_shares(self, scheme: PairScheme, /) -> FloatArray:
        """Return the share of each value of each feature, as the pair tables count them."""
        ...

    def mean_distances(self, scheme: PairScheme, /) -> FloatArray:
        """Return the mean distance of two cases on each feature, as the pair tables measure it."""
        ...

    def rng(self, key: str, /) -> np.random.Generator:
        """Return a random stream that depends on the seed, the node's path and the key only."""
        ...

    @property
    def labels(self) -> IntArray:
        """The class of each case."""
        ...

    @property
    def units(self) -> "NodeView":
        """The same node, a case of weight 2 being two cases, in an order of their content."""
        ...

    def relabelled(self, labels: IntArray, /) -> "NodeView":
        """Return the same cases and candidates with other classes; what needs none is shared."""
        ...

    def dealt(self, labels: IntArray, /) -> "NodeViews":
        """Return nodes of the same cases side by side, one for each row of labels (node, case).

        Their candidates are those their own classes lead to: groups of values are looked for again.
        """
        ...

    def shuffled(self, feature: int, order: IndexArray, /) -> "NodeView":
        """Return the same cases, the values of one feature dealt out in another order."""
        ...


class NodeViews(Counted, Protocol):
    """Several nodes side by side."""

    def __len__(self) -> int: ...

    def node(self, k: int, /) -> NodeView:
        """Return one of the nodes."""
        ...
