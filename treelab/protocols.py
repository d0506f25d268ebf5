"""Every extension point of treelab on one screen.

*case*       one row of the data.          *node*    a set of cases, with their weights.
*candidate*  a way to part a node: a feature and a partition of its values.
*table*      counts (value, class) of a candidate: one row per branch.
*score*      what a metric says of a candidate; larger is better, NaN = cannot judge.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import attrs
import numpy as np
from numpy.typing import NDArray

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset

Number = TypeVar("Number", bound=np.generic)

Scores: TypeAlias = FloatArray

Formula: TypeAlias = Callable[[FloatArray], FloatArray]
"""Tables (..., value, class) to scores (...): numpy over any leading axes."""


@attrs.frozen(eq=False)
class Runs:
    """Where the candidates of each feature at each node end; those of a run stand together.

    Where a search offers only the best of many ways to split a run's feature, `searched` is how
    many bits it takes to name one of them; it is NaN where the candidates are all there are.
    """

    feature: IndexArray
    node: IndexArray
    ends: IndexArray
    searched: FloatArray | None = None

    @classmethod
    def joined(cls, parts: list["Runs"]) -> "Runs":
        """Return the runs of several blocks, one after the other."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls(*np.empty((3, 0), np.int64))
        ends, before = [], 0
        for part in parts:
            ends.append(part.ends + before)
            before += part.n_candidates
        return cls(
            np.concatenate([part.feature for part in parts]),
            np.concatenate([part.node for part in parts]),
            np.concatenate(ends),
            _joined_bits(parts),
        )

    @property
    def n_candidates(self) -> int:
        return int(self.ends[-1]) if len(self.ends) else 0

    @cached_property
    def lengths(self) -> IndexArray:
        lengths = self.ends.copy()
        lengths[1:] -= self.ends[:-1]
        return lengths

    def spread(self, of_runs: NDArray[Number]) -> NDArray[Number]:
        """Return for each candidate what is given for each run."""
        return np.repeat(of_runs, self.lengths)

    def largest(self, scores: Scores) -> FloatArray:
        """Return the largest score of each run, NaN where none can be judged."""
        best, some = np.full(len(self.ends), np.nan), self.lengths > 0
        if some.any():
            best[some] = np.fmax.reduceat(scores, (self.ends - self.lengths)[some])
        return best


def _joined_bits(parts: list[Runs]) -> FloatArray | None:
    if all(part.searched is None for part in parts):
        return None
    return np.concatenate(
        [
            np.full(len(part.ends), np.nan) if part.searched is None else part.searched
            for part in parts
        ]
    )


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


Ramp: TypeAlias = float | tuple[float, ...]
"""The share of its range by which a numeric feature differs fully: of all, or of each in turn."""


class PairScheme(Protocol):
    """Which pairs of cases count, with what weight; a value that can be hashed."""

    @property
    def ramp(self) -> Ramp | None:
        """Numbers are at distance |a - b| / (ramp * range), at most 1; None: at |a - b|."""
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


@runtime_checkable
class SplitMetric(Protocol):
    """Scores the candidates of a node; any callable of this shape is one.

    A metric with an attribute `by_level = True` promises to judge the candidates of several nodes
    as it would judge them node by node; it is then shown many nodes at once, of which it may use
    what is `Counted` only. An attribute `signed = True` says that by chance scores are on either
    side of 0, so that no ratio to chance means anything; `judges_features = True`, that it returns
    `FeatureScores`, so that it is refused as a cut metric before anything grows.
    """

    def __call__(self, node: NodeView, /) -> Scores | FeatureScores: ...


Closeness: TypeAlias = Literal["exact", "approximate"]


@runtime_checkable
class HasExpectation(SplitMetric, Protocol):
    """A metric that says itself what chance would give it; `Normalized` asks others by trial."""

    @property
    def lower_is_better(self) -> bool:
        """Whether the quantity is better the lower it is."""
        ...

    def quantity(self, node: NodeView, /) -> Scores | FeatureScores:
        """Return the quantity of the paper, for every candidate or feature."""
        ...

    def expected(self, node: NodeView, how: Closeness, /) -> FloatArray | None:
        """Return what chance gives the quantity on average; None where no such formula exists."""
        ...

    def null_samples(self, node: NodeView, rounds: int, /) -> FloatArray:
        """Return (round, candidate or feature): the quantity where chance has dealt again."""
        ...


@runtime_checkable
class Discretizer(Protocol):
    """Finds cut points for numeric features."""

    def fit(self, data: Dataset, /) -> Coding: ...


@runtime_checkable
class Pruner(Protocol):
    """Turns a tree into a smaller one.

    `data` are the cases to prune by, if any; `regrow` grows an unpruned tree on other cases in
    the same way, for pruners that hold cases out or cross-validate. A pruner whose attribute
    `needs_cases` is False looks at neither: then cases that lie elsewhere stay there. So they do
    where `takes_elsewhere` is True: its `data` may be `treelab.tree.prune.dealt.CasesElsewhere`.
    """

    def __call__(
        self, tree: Any, data: Dataset | None = None, regrow: "Regrow | None" = None, /
    ) -> Any: ...


Regrow: TypeAlias = Callable[[Dataset], Any]
