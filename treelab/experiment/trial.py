"""A trial: one learner, one data set, one fold."""

import json
import tracemalloc
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from time import perf_counter
from typing import ClassVar

import attrs
import numpy as np

from treelab import __version__
from treelab._typing import BoolArray, FloatArray
from treelab.data.dataset import Dataset
from treelab.data.order import by_content
from treelab.evaluate.assessment import Assessment
from treelab.experiment.competitors import Competitor
from treelab.experiment.models import Model
from treelab.experiment.record import Record, recorded
from treelab.experiment.sources import Source, folds_of, loaded

MEASURES = (
    "accuracy", "balanced-accuracy", "macro-f1", "auc", "log-loss", "leaves", "depth", "seconds",
    "memory",
)  # fmt: skip
"""What can be recorded; `seconds` are those of learning, `memory` its peak in bytes.

`macro-f1` is the mean of the classes' F1, `auc` the mean area under the ROC curves of each class
against the others.
"""

NOISY = ("seconds", "memory")
"""Measures that differ from run to run."""


@attrs.frozen
class Trial:
    """One piece of work.

    Parameters
    ----------
    source, checksum
        The data, and what they must be.
    competitor, fingerprint
        The learner, and what it is.
    seed, repetition, fold, folds
        The test cases are those of one fold of the division of this seed and repetition.
    memory
        Whether the peak of memory is measured, which slows learning down.
    """

    table: ClassVar[str] = "trials"

    source: Source
    checksum: str
    competitor: Competitor
    fingerprint: str
    seed: int
    repetition: int
    fold: int
    folds: int
    memory: bool = False

    @cached_property
    def key(self) -> str:
        """The name of the result: another one for other data, learners, folds or versions."""
        parts = [
            __version__, self.checksum, self.fingerprint, self.seed, self.repetition,
            self.fold, self.folds, self.memory,
        ]  # fmt: skip
        return sha256(json.dumps(parts).encode()).hexdigest()

    @property
    def columns(self) -> dict[str, object]:
        """What a store keeps of the trial."""
        names = (
            "data",
            "learner",
            "seed",
            "repetition",
            "fold",
            "folds",
            "checksum",
            "fingerprint",
        )
        return {name: getattr(self, name) for name in names}

    def carry_out(self) -> Record:
        """Learn and test."""
        return recorded(lambda: _measured(self))

    def __str__(self) -> str:
        """Name the trial, counting from 1 as people do."""
        place = f"repetition {self.repetition + 1}, fold {self.fold + 1}"
        return f"{self.learner} on {self.data} ({place}, seed {self.seed})"

    @property
    def data(self) -> str:
        """The name of the data."""
        return self.source.label

    @property
    def learner(self) -> str:
        """The name of the learner."""
        return self.competitor.name


def _measured(trial: Trial) -> dict[str, float]:
    data = loaded(trial.source, trial.checksum)
    held = folds_of(trial.source, trial.checksum, trial.folds, trial.seed, trial.repetition)
    train, test = data.take(held != trial.fold), by_content(data.take(held == trial.fold))
    measure = _with_memory if trial.memory else _timed
    model, spent = measure(lambda: trial.competitor.factory.fit(train, trial.seed))
    codes, shares = model.codes(test), _proba(model, test)
    actual = test.y.astype(np.int64)
    right, found = codes == actual, Assessment(test.classes, actual, codes, test.weights, shares)
    return {
        "accuracy": float(np.average(right, weights=test.weights)),
        "balanced-accuracy": balanced_accuracy(right, test),
        "macro-f1": found.macro_f1,
        "auc": found.mean_auc,
        "log-loss": log_loss(shares, test),
        "leaves": float(model.leaves),
        "depth": float(model.depth),
        **spent,
    }


def _timed(fit: Callable[[], Model]) -> tuple[Model, dict[str, float]]:
    start = perf_counter()
    model = fit()
    return model, {"seconds": perf_counter() - start}


def _with_memory(fit: Callable[[], Model]) -> tuple[Model, dict[str, float]]:
    is_the_users = tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        model, spent = _timed(fit)
        _, peak = tracemalloc.get_traced_memory()
        return model, {**spent, "memory": float(peak - before)}
    finally:
        if not is_the_users:
            tracemalloc.stop()


def _proba(model: Model, test: Dataset) -> FloatArray | None:
    """Return class shares, or None from a classifier that has none."""
    try:
        return model.proba(test)
    except AttributeError:
        return None


def balanced_accuracy(right: BoolArray, test: Dataset) -> float:
    """Return the mean, over the classes of the test cases, of the share predicted rightly."""
    of_class = np.bincount(test.y, test.weights)
    found = np.bincount(test.y, test.weights * right)
    return float((found[of_class > 0] / of_class[of_class > 0]).mean())


def log_loss(shares: FloatArray | None, test: Dataset) -> float:
    """Return the mean of -ln P(class); a share of 0 counts as the least a float tells from 1."""
    if shares is None:
        return np.nan
    least = np.finfo(np.float64).eps
    given = np.clip(shares[np.arange(len(test)), test.y], least, 1 - least)
    return float(np.average(-np.log(given), weights=test.weights))
