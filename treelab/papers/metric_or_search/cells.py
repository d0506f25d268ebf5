"""The answers of the study as arrays, of the data sets that are complete."""

import attrs
import numpy as np

from treelab.experiment.simulation import Answers, Part
from treelab.protocols import FloatArray

MEASURES = {"accuracy": "accuracy", "log2 leaves": "leaves"}
"""What is measured, and what it is called."""

UNUSUAL = ("accuracy", "relieff")
"""The metric that is not strictly concave, and the one of pairs: chosen before any result."""

_SCALES = {"accuracy": 100.0}


@attrs.frozen(eq=False)
class Cells:
    """A measure in trees of one size: `values` (data set, metric, search), `optimal` (data set).

    `optimal` is NaN where there is no such tree.
    """

    measure: str
    size: str
    data: tuple[str, ...]
    metrics: tuple[str, ...]
    searches: tuple[str, ...]
    values: FloatArray
    optimal: FloatArray

    @property
    def name(self) -> str:
        return f"{MEASURES.get(self.measure, self.measure)}, {self.size}"

    @property
    def has_optimal(self) -> bool:
        return bool(np.isfinite(self.optimal).all())

    def without(self, metrics: tuple[str, ...]) -> "Cells":
        """Return the cells of the other metrics."""
        kept = [place for place, name in enumerate(self.metrics) if name not in metrics]
        names = tuple(self.metrics[place] for place in kept)
        return attrs.evolve(self, metrics=names, values=self.values[:, kept])


def sizes(answers: Answers) -> tuple[str, ...]:
    """Return the sizes of trees that were asked for."""
    return tuple(_part(answers, "grid").over["size"])


def cells(answers: Answers, measure: str, size: str) -> Cells | None:
    """Return the cells of the complete data sets; None if there are fewer than two."""
    over = _part(answers, "grid").over
    axes = {name: tuple(over[name]) for name in ("data", "metric", "search")}
    values = _filled(answers, "grid", measure, size, axes)
    optimal = _filled(answers, "optimal", measure, size, {"data": axes["data"]})
    complete = np.isfinite(values).all(axis=(1, 2))
    if size in _part(answers, "optimal").over["size"]:
        complete &= np.isfinite(optimal)
    if complete.sum() < 2:
        return None
    data = tuple(np.array(axes["data"])[complete].tolist())
    scale = _SCALES.get(measure, 1.0)
    return Cells(
        measure, size, data, axes["metric"], axes["search"],
        scale * values[complete], scale * optimal[complete],
    )  # fmt: skip


def proven(answers: Answers, size: str) -> float:
    """Return the share of the optimal trees that are proven to be so."""
    return float(answers.figures("optimal", "proven", size=size).mean())


def _filled(
    answers: Answers, part: str, measure: str, size: str, axes: dict[str, tuple[str, ...]]
) -> FloatArray:
    values = np.full([len(levels) for levels in axes.values()], np.nan)
    for question, figures in answers.of(part, size=size):
        place = tuple(levels.index(question.varied[name]) for name, levels in axes.items())
        values[place] = figures[measure]
    return values


def _part(answers: Answers, name: str) -> Part:
    return next(part for part in answers.study.parts if part.name == name)
