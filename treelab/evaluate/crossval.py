"""Cross-validation of anything that makes a tree of data."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Protocol, runtime_checkable

import attrs
import numpy as np

from treelab._markup import Table, notebook_html
from treelab._text import aligned, percent
from treelab._typing import FloatArray
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.data.learning import fit_of
from treelab.data.order import by_content
from treelab.errors import DataError, ParameterError, UnknownNameError, check_function, shown
from treelab.evaluate.assessment import Assessment, assessed
from treelab.tree.model import Tree

Fit = Callable[[Any], Tree]
Test = Callable[[Tree], tuple[float, Assessment | None]]
"""The share of the cases of a fold that a tree predicts rightly, and how, where that is kept."""

Watch = Callable[[Iterable["FoldResult"]], Iterable["FoldResult"]]


class Fits(Protocol):
    """What has such a function, as a `Learner` has."""

    def fit(self, data: Any, /) -> Tree: ...


@runtime_checkable
class Foldable(Protocol):
    """Data that are not in memory, and part themselves into folds: `treelab.scan`."""

    def folded(self, folds: int, seed: int, /) -> Iterator[tuple[Any, Test]]:
        """Return the cases to learn from and what tests a tree on the others, fold by fold."""
        ...


@attrs.frozen
class FoldResult:
    """What one fold gave."""

    accuracy: float
    leaves: int
    depth: int
    assessment: Assessment | None = attrs.field(default=None, eq=False, repr=False)


@attrs.frozen
class CrossValidation:
    """What all folds gave."""

    folds: tuple[FoldResult, ...]

    def of(self, what: str) -> FloatArray:
        """Return 'accuracy', 'leaves' or 'depth' of each fold."""
        known = [field.name for field in attrs.fields(FoldResult) if field.name != "assessment"]
        if what not in known:
            raise UnknownNameError("measure", what, known)
        return np.array([getattr(fold, what) for fold in self.folds], dtype=float)

    @property
    def accuracy(self) -> float:
        """The mean over the folds of the share of test cases predicted rightly."""
        return float(self.of("accuracy").mean())

    @property
    def assessment(self) -> Assessment:
        """How good the predictions of all folds are, each of cases its tree has not seen."""
        found = [fold.assessment for fold in self.folds if fold.assessment is not None]
        if not found:
            raise DataError("these folds have kept no predictions")
        return Assessment.joined(found)

    @property
    def deviation(self) -> float:
        """The standard deviation of the accuracy over the folds."""
        return float(self.of("accuracy").std(ddof=1))

    @property
    def leaves(self) -> float:
        """The mean number of leaves."""
        return float(self.of("leaves").mean())

    @property
    def depth(self) -> float:
        """The mean depth."""
        return float(self.of("depth").mean())

    # For people

    @property
    def heading(self) -> str:
        """What the folds come to."""
        spread = f" ± {100 * self.deviation:.1f}" if len(self.folds) > 1 else ""
        size = f"{self.leaves:.1f} leaves, depth {self.depth:.1f}"
        return f"accuracy {percent(self.accuracy)}{spread} over {len(self.folds)} folds; {size}"

    def _table(self) -> Table:
        rows = [
            [str(place), percent(fold.accuracy), f"{fold.leaves:,}", str(fold.depth)]
            for place, fold in enumerate(self.folds, 1)
        ]
        return ["fold", "accuracy", "leaves", "depth"], rows, [True] * 4

    def __str__(self) -> str:
        heads, rows, to_the_right = self._table()
        return f"{self.heading}\n\n{aligned([heads, *rows], to_the_right)}"

    def __repr__(self) -> str:
        return f"<CrossValidation: {self.heading}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html(self.heading, self._table())


def cross_validate(
    data: Dataset | Foldable, fit: Fit | Fits, folds: int = 10, seed: int = 0, watch: Watch = iter
) -> CrossValidation:
    """Grow a tree on all folds but one, in turn, and test it on that one.

    Parameters
    ----------
    data
        The cases; those of unknown class or without weight are left out. Of scanned data
        (`treelab.scan`), too: the fold of a case is then drawn by what is in it, so that equal
        cases fall into one fold, and folds are neither of the same size nor stratified.
    fit
        Makes a tree of a data set: a `Learner`, or a function such as its `fit`.
    folds
        The number of stratified folds, which do not depend on the order of the cases.
    seed
        For the choice of the folds.
    watch
        Sees the results pass by as they come, for a progress bar.

    Examples
    --------
    >>> import treelab as tl
    >>> result = tl.cross_validate(tl.load("iris"), tl.Learner(metric="gini").fit, folds=5)
    >>> 0.9 < result.accuracy < 1.0
    True
    """
    check_function("watch", watch)
    grow = fit_of(fit, "predict", "n_leaves", "depth")
    if isinstance(data, Foldable):
        parts = data.folded(folds, seed)
    else:
        check_dataset(data)
        parts = _stratified(data, folds, seed)
    seen = watch(_results(parts, grow))
    if not isinstance(seen, Iterable):
        raise ParameterError(f"watch must hand on the results that it sees, got {shown(seen)}")
    return CrossValidation(tuple(seen))


def _stratified(data: Dataset, folds: int, seed: int) -> Iterator[tuple[Dataset, Test]]:
    known = data.usable()
    fold = folds_by_content(known, folds, seed)
    for f in range(folds):
        yield known.take(fold != f), partial(_tested, by_content(known.take(fold == f)))


def _tested(test: Dataset, tree: Tree) -> tuple[float, Assessment]:
    found = assessed(tree, test)
    right = found.actual == found.predicted
    return float(np.average(right, weights=test.weights)), found


def _results(parts: Iterator[tuple[Any, Test]], grow: Fit) -> Iterator[FoldResult]:
    for train, tested in parts:
        tree = grow(train)
        accuracy, found = tested(tree)
        yield FoldResult(accuracy, tree.n_leaves, tree.depth, found)
