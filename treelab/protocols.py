"""Every extension point of treelab on one screen.

*case*       one row of the data.          *node*    a set of cases, with their weights.
*candidate*  a way to part a node: a feature and a partition of its values.
*table*      counts (value, class) of a candidate: one row per branch.
*score*      what a metric says of a candidate; larger is better, NaN = cannot judge.

What a metric is shown of a node is `NodeView`, in `treelab.views`. A `Formula` of tables becomes a
metric by `treelab.formula`, a `PairScheme` with a formula of pair tables by `treelab.from_pairs`.
"""

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from treelab._typing import BoolArray, FloatArray, IndexArray, IntArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.views import (
    Counted,
    CountTables,
    FeatureScores,
    Formula,
    NodeView,
    NodeViews,
    PairScheme,
    Ramp,
    Runs,
    Scores,
)

__all__ = [
    "BoolArray", "Closeness", "CountTables", "Counted", "Discretizer", "FeatureScores",
    "FloatArray", "Formula", "HasExpectation", "IndexArray", "IntArray", "NodeView", "NodeViews",
    "PairScheme", "Pruner", "Ramp", "Regrow", "Runs", "Scores", "SplitMetric",
]  # fmt: skip

Closeness: TypeAlias = Literal["exact", "approximate"]
Regrow: TypeAlias = Callable[[Dataset], Any]


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


@runtime_checkable
class HasExpectation(SplitMetric, Protocol):
    """A metric that says itself what chance would give it; `Normalized` asks others by trial."""

    @property
    def lower_is_better(self) -> bool:
        """Whether the quantity is better the lower it is."""

    def quantity(self, node: NodeView, /) -> Scores | FeatureScores:
        """Return the quantity of the paper, for every candidate or feature."""

    def expected(self, node: NodeView, how: Closeness, /) -> FloatArray | None:
        """Return what chance gives the quantity on average; None where no such formula exists."""

    def null_samples(self, node: NodeView, rounds: int, /) -> FloatArray:
        """Return (round, candidate or feature): the quantity where chance has dealt again."""


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
    Where `holds_out` is True, its `data` may be a `treelab.tree.prune.held.Foldable`.
    """

    def __call__(
        self, tree: Any, data: Dataset | None = None, regrow: Regrow | None = None, /
    ) -> Any: ...
