"""Samples judged by what is learned from them: incremental and average sampling.

The learner is any callable that makes, of a data set, a model with `predict`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import AnyArray
from treelab.data.checks import check_dataset, numbers
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.data.learning import fit_of
from treelab.data.order import content_order
from treelab.errors import DataError, ParameterError, check_number, shown
from treelab.reduce.sampling import Sample, random_sample, taken

SHARES = (0.1, 0.2, 0.33, 0.5, 0.67, 1.0)
"""The sizes of the book (kantardzic2011 3.8)."""


class Model(Protocol):
    """What a learner makes."""

    def predict(self, data: Dataset, /) -> Any:
        """Return the class (or number) of each case."""
        ...


Fit = Callable[[Dataset], Model]


class Fits(Protocol):
    """What has such a function, as a `Learner` has."""

    def fit(self, data: Dataset, /) -> Model: ...


@attrs.frozen
class Step:
    """One size that was tried."""

    share: float
    cases: int
    error: float


@attrs.frozen(eq=False)
class LearningCurve:
    """The sizes tried, and the sample after which the error stopped improving."""

    steps: tuple[Step, ...]
    chosen: Step
    sample: Sample


def incremental(
    data: Dataset,
    fit: Fit | Fits,
    *,
    test: Dataset | None = None,
    shares: Sequence[float] = SHARES,
    tolerance: float = 0.0,
    full: bool = False,
    seed: int = 0,
) -> LearningCurve:
    """Learn from more and more cases until the error no longer improves.

    Each sample holds the one before it.

    Parameters
    ----------
    data
        Where to draw from.
    fit
        Makes a model of a data set: a `Learner`, or a function such as its `fit`.
    test
        The cases on which errors are counted; None holds out a third of the data, by class.
    shares
        The sizes to try, ascending shares of the cases.
    tolerance
        An error that falls by no more than this does not improve.
    full
        Whether to try all sizes, for the whole curve; the choice stays the same.
    seed
        For what is held out and drawn.
    """
    check_dataset(data)
    _check_shares(shares)
    check_number("tolerance", tolerance, 0)
    grow = fit_of(fit, "predict")
    rows = np.arange(len(data))
    if test is None:
        if len(data) < 3:
            raise DataError("incremental sampling needs at least 3 cases, or test cases")
        held_out = folds_by_content(data, 3, seed) == 0
        test, rows = data.take(held_out), np.flatnonzero(~held_out)
    check_dataset(test)
    order = _shuffled(data, rows, seed)
    steps: list[Step] = []
    chosen, improving = 0, True
    for share in shares:
        n = max(1, int(share * len(order) + 0.5))
        model = grow(data.take(np.sort(order[:n])))
        steps.append(Step(share, n, error_rate(model, test)))
        if improving and len(steps) > 1:
            improving = steps[-1].error < steps[chosen].error - tolerance
            chosen += improving
        if not improving and not full:
            break
    best = steps[chosen]
    return LearningCurve(tuple(steps), best, taken(data, np.sort(order[: best.cases])))


def error_rate(model: Model, test: Dataset) -> float:
    """Return the share of the weight of test cases that a model gets wrong."""
    known = test.take(test.y >= 0)
    if not known.weights.sum():
        raise DataError("the test cases have no classes, so no error can be counted")
    wrong = np.asarray(model.predict(known)) != known.labels
    return float(known.weights[wrong].sum() / known.weights.sum())


@attrs.frozen(eq=False)
class AverageModel:
    """Models of several samples that vote, or whose numbers are averaged."""

    models: tuple[Model, ...]
    samples: tuple[Sample, ...]

    def predict(self, data: Dataset) -> AnyArray:
        """Return what the models say together of each case."""
        return combined([model.predict(data) for model in self.models])


def average_sampling(
    data: Dataset,
    fit: Fit | Fits,
    *,
    samples: int = 10,
    size: float = 0.5,
    replace: bool = False,
    seed: int = 0,
) -> AverageModel:
    """Learn from several random samples; the models decide together.

    Parameters
    ----------
    data
        Where to draw from.
    fit
        Makes a model of a data set: a `Learner`, or a function such as its `fit`.
    samples
        How many samples to draw.
    size, replace
        How to draw each; see `random_sample`.
    seed
        For the draws.
    """
    check_number("samples", samples, 1, whole=True)
    grow = fit_of(fit, "predict")
    seeds = stream(seed, "average sampling").integers(2**62, size=samples).tolist()
    drawn = tuple(random_sample(data, size, replace=replace, seed=each) for each in seeds)
    return AverageModel(tuple(grow(sample.data) for sample in drawn), drawn)


def combined(predictions: Sequence[Any]) -> AnyArray:
    """Combine the predictions of several models (model, case).

    Numbers are averaged; of labels the most frequent wins, among equals the smallest.

    >>> combined([["a", "b"], ["b", "b"], ["b", "c"]]).tolist()
    ['b', 'b']
    >>> combined([[6], [6.5], [6.7]]).round(9).tolist()
    [6.4]
    """
    try:
        given = np.asarray(predictions)
    except ValueError:
        raise DataError(
            f"predictions must be (model, case), as many of each model, got {shown(predictions)}"
        ) from None
    if given.ndim != 2 or not len(given):
        raise DataError(f"predictions must be (model, case), got shape {given.shape}")
    if given.dtype.kind in "fiu":
        return np.asarray(given.mean(axis=0))
    labels, codes = np.unique(given, return_inverse=True)
    votes = (codes.reshape(given.shape)[:, :, None] == np.arange(len(labels))).sum(axis=0)
    return np.asarray(labels[votes.argmax(axis=1)])


def _check_shares(shares: Sequence[float]) -> None:
    array = numbers("shares", shares)
    inside = (array > 0) & (array <= 1)
    if array.ndim != 1 or not array.size or not inside.all() or np.any(np.diff(array) <= 0):
        raise ParameterError(f"shares must be ascending numbers above 0 up to 1, got {shares!r}")


def _shuffled(data: Dataset, rows: AnyArray, seed: int) -> AnyArray:
    here = data.take(rows)
    chance = stream(seed, "incremental").permutation(len(rows))
    return np.asarray(rows[content_order(here)[chance]])
