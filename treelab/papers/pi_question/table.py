"""The answers of the finals as arrays, of the data sets that are complete."""

from collections.abc import Mapping

import attrs
import numpy as np

from treelab.characteristics import FORMULAS
from treelab.choosing import Domain
from treelab.experiment.simulation import Answers
from treelab.papers.pi_question.halving import family_of, part_of, portfolios
from treelab.papers.pi_question.questions import GENERATED
from treelab.protocols import BoolArray, FloatArray


@attrs.frozen(eq=False)
class Finals:
    """What metrics gave on data sets, accuracies in %.

    Attributes
    ----------
    data, families
        The data sets, and what each is held out with.
    metrics, peers
        All metrics, and those that are no settings of Pi.
    accuracy
        (data set, metric, repetition, fold); NaN in repetitions that are still to be made.
    meta, parts
        The characteristics of each data set, and of the training part of each fold of the first
        repetition: (data set), (data set, fold).
    portfolios
        The settings that may be chosen for a data set: what led on others.
    nested
        (pi or all, data set, fold): the metric that inner folds choose, in the first repetition.
    """

    data: tuple[str, ...]
    families: tuple[str, ...]
    metrics: tuple[str, ...]
    peers: tuple[str, ...]
    accuracy: FloatArray
    meta: tuple[Mapping[str, float], ...]
    parts: tuple[tuple[Mapping[str, float], ...], ...]
    portfolios: Mapping[str, tuple[str, ...]]
    nested: FloatArray

    @property
    def means(self) -> FloatArray:
        """(data set, metric): the mean over folds and those repetitions that are done."""
        return np.asarray(np.nanmean(self.accuracy, axis=(2, 3)))

    @property
    def settings(self) -> tuple[str, ...]:
        """The metrics that are settings of Pi."""
        return tuple(name for name in self.metrics if name not in self.peers)

    @property
    def bundled(self) -> BoolArray:
        """Which data sets are bundled, not made to order."""
        return np.array([not name.startswith(GENERATED) for name in self.data])

    def first(self, data: int, metric: str) -> FloatArray:
        """Return the accuracies of a metric in the folds of the first repetition."""
        return np.asarray(self.accuracy[data, self.metrics.index(metric), 0])

    def domains(self) -> tuple[Domain, ...]:
        """Return what a rule may learn from."""
        return tuple(
            Domain(
                name, self.families[place], self.meta[place],
                dict(zip(self.metrics, self.means[place].tolist(), strict=True)),
            )
            for place, name in enumerate(self.data)
        )  # fmt: skip


def finals_of(answers: Answers) -> Finals | None:
    """Return the finals; None as long as there are not three complete data sets."""
    names = {part.name for part in answers.study.parts}
    if not {"finals", "nested"} <= names:
        return None
    first, peers, last = (part_of(answers, name) for name in ("screen", "peers", "finals"))
    data = tuple(first.over["data"])
    metrics = (*peers.over["metric"], *last.over["metric"])
    n_folds = peers.settings["folds"]
    accuracy = np.full((len(data), len(metrics), peers.seeds, n_folds), np.nan)
    for part in ("peers", "finals"):
        for run, figures in answers.of(part):
            place = data.index(run.varied["data"]), metrics.index(run.varied["metric"]), run.seed
            accuracy[place] = [100 * figures[f"accuracy {k}"] for k in range(n_folds)]
    nested, meta = _nested(answers, data, n_folds), _meta(answers)
    # What is compared fold by fold is the first repetition; the others make means more exact.
    complete = np.isfinite(accuracy[:, :, 0]).all(axis=(1, 2)) & np.isfinite(nested).all(
        axis=(0, 2)
    )
    kept = [k for k in np.flatnonzero(complete).tolist() if data[k] in meta]
    if len(kept) < 3:
        return None
    chosen = tuple(data[k] for k in kept)
    return Finals(
        chosen, tuple(family_of(name, first.settings["families"]) for name in chosen),
        metrics, tuple(peers.over["metric"]), accuracy[kept],
        tuple(_named(meta[name], "whole") for name in chosen),
        tuple(tuple(_named(meta[name], f"fold {k}") for k in range(n_folds)) for name in chosen),
        portfolios(answers), nested[:, kept],
    )  # fmt: skip


def _nested(answers: Answers, data: tuple[str, ...], n_folds: int) -> FloatArray:
    found = np.full((2, len(data), n_folds), np.nan)
    for run, figures in answers.of("nested"):
        if run.seed == 0:
            for place, name in enumerate(("pi", "all")):
                values = [100 * figures[f"{name} {k}"] for k in range(n_folds)]
                found[place, data.index(run.varied["data"])] = values
    return found


def _meta(answers: Answers) -> dict[str, Mapping[str, float]]:
    return {run.varied["data"]: figures for run, figures in answers.of("meta") if run.seed == 0}


def _named(figures: Mapping[str, float], of: str) -> dict[str, float]:
    return {name: figures[f"{of} {name}"] for name in FORMULAS}
