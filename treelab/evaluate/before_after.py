"""What fewer features do to learning: time, accuracy, simplicity (kantardzic2011 3.1)."""

from collections.abc import Callable
from time import process_time
from typing import Any, TypeAlias

import attrs

from treelab._text import aligned, percent
from treelab.data.dataset import Dataset
from treelab.data.learning import fit_of
from treelab.evaluate.crossval import Fit, Fits, cross_validate
from treelab.tree.model import Tree

Reduce: TypeAlias = Callable[[Dataset], Dataset]


@attrs.frozen
class Card:
    """How learning goes: seconds of processor time a tree, accuracy, leaves and depth."""

    features: float
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


SHOWN: dict[str, Callable[[float], str]] = {
    "features": lambda mean: f"{mean:.1f}".removesuffix(".0"),
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
    """Cross-validate a learner on data as they are, and with features left out.

    The features are chosen anew on the training cases of each fold, so that the accuracy after it
    is not that of cases that helped to choose; the time includes the choice.

    Parameters
    ----------
    data
        The cases.
    reduce
        Returns cases with fewer features, as `treelab.reduce.features(...).apply` does.
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
    before = _card(data, _Timed(grow, lambda cases: cases), folds, seed)
    return BeforeAfter(before, _card(data, _Timed(grow, reduce), folds, seed))


class _Timed:
    """Reduces and learns, and adds up what that takes."""

    def __init__(
        self, grow: Callable[[Dataset], Any], reduce: Callable[[Dataset], Dataset]
    ) -> None:
        self.grow, self.reduce = grow, reduce
        self.seconds, self.features, self.trees = 0.0, 0, 0

    def __call__(self, data: Dataset) -> Tree:
        begin = process_time()
        reduced = self.reduce(data)
        tree: Tree = self.grow(reduced)
        self.seconds += process_time() - begin
        self.features += len(reduced.features)
        self.trees += 1
        return tree


def _card(data: Dataset, timed: _Timed, folds: int, seed: int) -> Card:
    found = cross_validate(data, timed, folds, seed)
    n = timed.trees
    return Card(timed.features / n, timed.seconds / n, found.accuracy, found.leaves, found.depth)
