"""Cross-validation of anything that makes a tree of data."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.data.learning import fit_of
from treelab.data.order import by_content
from treelab.errors import DataError, ParameterError, UnknownNameError, check_function, shown
from treelab.evaluate.assessment import Assessment, assessed
from treelab.tree.model import Tree

Fit = Callable[[Dataset], Tree]
Watch = Callable[[Iterable["FoldResult"]], Iterable["FoldResult"]]


class Fits(Protocol):
    """What has such a function, as a `Learner` has."""

    def fit(self, data: Dataset, /) -> Tree: ...


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


def cross_validate(
    data: Dataset, fit: Fit | Fits, folds: int = 10, seed: int = 0, watch: Watch = iter
) -> CrossValidation:
    """Grow a tree on all folds but one, in turn, and test it on that one.

    Parameters
    ----------
    data
        The cases; those of unknown class or without weight are left out.
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
    check_dataset(data)
    check_function("watch", watch)
    grow = fit_of(fit, "predict", "n_leaves", "depth")
    known = data.take((data.y >= 0) & (data.weights > 0))
    fold = folds_by_content(known, folds, seed)
    parts = ((known.take(fold != f), by_content(known.take(fold == f))) for f in range(folds))
    seen = watch(_results(parts, grow))
    if not isinstance(seen, Iterable):
        raise ParameterError(f"watch must hand on the results that it sees, got {shown(seen)}")
    return CrossValidation(tuple(seen))


def _results(parts: Iterator[tuple[Dataset, Dataset]], grow: Fit) -> Iterator[FoldResult]:
    for train, test in parts:
        tree = grow(train)
        found = assessed(tree, test)
        right = found.actual == found.predicted
        accuracy = float(np.average(right, weights=test.weights))
        yield FoldResult(accuracy, tree.n_leaves, tree.depth, found)
