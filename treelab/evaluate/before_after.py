"""What reduced data do to learning: time, accuracy, simplicity (kantardzic2011 3.1)."""

from collections.abc import Callable
from time import process_time
from typing import Any, TypeAlias

import attrs
import numpy as np

from treelab._text import aligned, percent
from treelab.data.dataset import Dataset, is_missing
from treelab.data.learning import fit_of
from treelab.evaluate.crossval import Fit, Fits, cross_validate


def _as_they_are(data: Dataset) -> Dataset:
    return data


@attrs.frozen
class Reduced:
    """Cases to learn from, and what makes cases to predict like them."""

    data: Dataset
    apply: Callable[[Dataset], Dataset] = _as_they_are


Reduce: TypeAlias = Callable[[Dataset], Dataset | Reduced]


@attrs.frozen
class Card:
    """How learning goes: from what, seconds of processor time a tree, accuracy, leaves and depth.

    `values` are the different values of all features together.
    """

    cases: float
    features: float
    values: float
    seconds: float
    accuracy: float
    leaves: float
    depth: float


@attrs.frozen
class BeforeAfter:
    """Learning before and after a reduction; it prints as a table."""

    before: Card
    after: Card

    def __str__(self) -> str:
        rows = [
            [name, shown(getattr(self.before, name)), shown(getattr(self.after, name))]
            for name, shown in SHOWN.items()
        ]
        return aligned([["", "before", "after"], *rows], [False, True, True])


def _count(mean: float) -> str:
    return f"{mean:,.1f}".removesuffix(".0")


SHOWN: dict[str, Callable[[float], str]] = {
    "cases": _count,
    "features": _count,
    "values": _count,
    "seconds": lambda mean: f"{mean:.4f}",
    "accuracy": percent,
    "leaves": lambda mean: f"{mean:.1f}",
    "depth": lambda mean: f"{mean:.1f}",
}


def before_after(
    data: Dataset,
    reduce: Reduce,
    fit: Fit | Fits,
    folds: int = 10,
    seed: int = 0,
) -> BeforeAfter:
    """Cross-validate a learner on data as they are, and on fewer features, cases or values.

    The data are reduced anew on the training cases of each fold, so that the accuracy after it
    is not that of cases that helped to reduce; the time includes the reduction. Tests are on all
    cases of the fold.

    Parameters
    ----------
    data
        The cases.
    reduce
        Returns cases with fewer features or values, or fewer cases; or `Reduced`, where cases to
        predict must be made like them, as with `principal_components`.
    fit
        Makes a tree of a data set: a `Learner`, or a function such as its `fit`.
    folds, seed
        See `cross_validate`.

    Examples
    --------
    >>> import treelab as tl
    >>> iris = tl.load("iris")
    >>> two = lambda data: tl.reduce.features(data, "correlation", k=2).apply(data)
    >>> found = before_after(iris, two, tl.Learner())
    >>> found.before.features, found.after.features
    (4.0, 2.0)
    """
    grow = fit_of(fit, "predict", "n_leaves", "depth")
    before = _card(data, _Timed(grow, _as_they_are), folds, seed)
    return BeforeAfter(before, _card(data, _Timed(grow, reduce), folds, seed))


@attrs.frozen
class _Model:
    """A tree, and what makes cases like those it was grown from."""

    tree: Any
    apply: Callable[[Dataset], Dataset]

    @property
    def n_leaves(self) -> int:
        return int(self.tree.n_leaves)

    @property
    def depth(self) -> int:
        return int(self.tree.depth)

    def predict(self, data: Dataset) -> Any:
        return self.tree.predict(self.apply(data))


class _Timed:
    """Reduces and learns, and adds up what that takes, and of what size the data are."""

    def __init__(self, grow: Callable[[Dataset], Any], reduce: Reduce) -> None:
        self.grow, self.reduce = grow, reduce
        self.seconds, self.trees = 0.0, 0
        self.size = np.zeros(3)

    def __call__(self, data: Dataset) -> Any:
        if not self.trees:
            self._learned(data)  # the first time loads kernels, which is no learning
        begin = process_time()
        tree, reduced = self._learned(data)
        self.seconds += process_time() - begin
        self.size += len(reduced.data), len(reduced.data.features), _n_values(reduced.data)
        self.trees += 1
        return _Model(tree, reduced.apply)

    def _learned(self, data: Dataset) -> tuple[Any, Reduced]:
        given = self.reduce(data)
        reduced = given if isinstance(given, Reduced) else Reduced(given)
        return self.grow(reduced.data), reduced


def _n_values(data: Dataset) -> int:
    """Return how many different values the features have together."""
    return sum(len(np.unique(values[~is_missing(values)])) for values in data.columns)


def _card(data: Dataset, timed: _Timed, folds: int, seed: int) -> Card:
    found = cross_validate(data, timed, folds, seed)
    cases, features, values = (timed.size / timed.trees).tolist()
    seconds = timed.seconds / timed.trees
    return Card(cases, features, values, seconds, found.accuracy, found.leaves, found.depth)
