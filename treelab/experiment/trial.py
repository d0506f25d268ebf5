"""A trial: one learner, one data set, one fold; and what it gave.

*trial*   which work is to be done; its *key* is made of everything its result depends on.
*record*  what a trial gave: measures, or the error that ended it.
"""

import json
import platform
import tracemalloc
from collections.abc import Callable
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import version
from time import perf_counter

import attrs
import numpy as np

from treelab import __version__
from treelab._typing import BoolArray, FloatArray
from treelab.data.dataset import Dataset
from treelab.experiment.entrants import Entrant
from treelab.experiment.models import Model
from treelab.experiment.sources import Source, folds_of, loaded

MEASURES = ("accuracy", "balanced-accuracy", "log-loss", "leaves", "depth", "seconds", "memory")
"""What can be recorded; `seconds` are those of learning, `memory` its peak in bytes."""

NOISY = ("seconds", "memory")
"""Measures that differ from run to run."""


@attrs.frozen
class Trial:
    """One piece of work.

    Parameters
    ----------
    source, checksum
        The data, and what they must be.
    entrant, fingerprint
        The learner, and what it is.
    seed, repetition, fold, folds
        The test cases are those of one fold of the division of this seed and repetition.
    memory
        Whether the peak of memory is measured, which slows learning down.
    """

    source: Source
    checksum: str
    entrant: Entrant
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
    def data(self) -> str:
        """The name of the data."""
        return self.source.label

    @property
    def learner(self) -> str:
        """The name of the learner."""
        return self.entrant.name


@attrs.frozen
class Record:
    """What a trial gave; `spent` are the seconds of all of it, testing included."""

    values: dict[str, float] = attrs.field(factory=dict)
    error: str | None = None
    spent: float = 0.0
    environment: str = ""


def carry_out(trial: Trial) -> Record:
    """Learn and test; an error ends the trial, not the study."""
    start = perf_counter()
    values: dict[str, float] = {}
    problem = None
    try:
        values = _measured(trial)
    except Exception as error:  # whatever a metric or an estimator of others may raise
        problem = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return Record(values, problem, perf_counter() - start, environment())


def _measured(trial: Trial) -> dict[str, float]:
    data = loaded(trial.source, trial.checksum)
    held = folds_of(trial.source, trial.checksum, trial.folds, trial.seed, trial.repetition)
    train, test = data.take(held != trial.fold), data.take(held == trial.fold)
    measure = _with_memory if trial.memory else _timed
    model, spent = measure(lambda: trial.entrant.maker.fit(train, trial.seed))
    right, shares = model.right(test), _proba(model, test)
    return {
        "accuracy": float(np.average(right, weights=test.weights)),
        "balanced-accuracy": balanced_accuracy(right, test),
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
    tracemalloc.start()
    try:
        model, spent = _timed(fit)
        return model, {**spent, "memory": float(tracemalloc.get_traced_memory()[1])}
    finally:
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


@cache
def environment() -> str:
    """Return the versions that a result was made with."""
    packages = ("numpy", "numba", "scipy", "scikit-learn")
    versions = [f"{package} {version(package)}" for package in packages]
    python = f"Python {platform.python_version()}"
    return ", ".join([f"treelab {__version__}", python, *versions])
