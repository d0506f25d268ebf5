"""`Bias`: what `bias` found."""

from collections.abc import Iterator
from functools import cached_property
from os import PathLike
from typing import Any

import attrs
import numpy as np

from treelab._markup import Table, notebook_html
from treelab._text import aligned
from treelab.data.frames_out import frame_of
from treelab.errors import UnknownNameError
from treelab.experiment.report import write_report
from treelab.experiment.simulation import Answers, Part
from treelab.laboratory.curves import Curve, Tendency
from treelab.laboratory.draws import NUMERIC, SIGNAL
from treelab.laboratory.judging import p_equal

PART = "bias"
NOTHING = "nothing is answered"
Place = tuple[str, str, int]
"""A metric, a scenario and a number of classes."""


@attrs.frozen(eq=False)
class Bias:
    """Means, standard errors and choices of every metric in every scenario."""

    answers: Answers

    @cached_property
    def places(self) -> dict[Place, dict[str, float]]:
        """The figures by metric, scenario and number of classes."""
        return {
            (q.varied["metric"], q.varied["scenario"], q.varied["classes"]): figures
            for q, figures in self.answers.of(PART)
        }

    @cached_property
    def part(self) -> Part:
        """The part of the study that is answered."""
        return next(part for part in self.answers.study.parts if part.name == PART)

    @property
    def metrics(self) -> list[str]:
        """The metrics, in the order they were given."""
        return list(self.part.over["metric"])

    @property
    def scenarios(self) -> list[str]:
        """The scenarios, in the order they were given."""
        return list(self.part.over["scenario"])

    @property
    def values(self) -> list[int]:
        """The numbers of values."""
        return list(self.part.settings["values"])

    def classes(self, metric: str, scenario: str) -> list[int]:
        """Return the numbers of classes that are answered."""
        return [c for m, s, c in self.places if (m, s) == (metric, scenario)]

    def _at(self, metric: str, scenario: str, classes: int) -> dict[str, float]:
        place = metric, scenario, classes
        if place not in self.places:
            raise UnknownNameError("answer", ", ".join(map(str, place)), self._names())
        return self.places[place]

    def _names(self) -> list[str]:
        return [", ".join(map(str, place)) for place in self.places]

    def curve(self, metric: str, scenario: str, classes: int) -> Curve:
        """Return means and standard errors by the number of values."""
        told = self._at(metric, scenario, classes)
        means, errors = (
            np.array([told[f"{what} V{v}"] for v in self.values], float)
            for what in ("mean", "error")
        )
        return Curve(np.array(self.values, float), means, errors)

    def tendency(self, metric: str, scenario: str, classes: int) -> Tendency:
        """Return which way the mean goes as values become more."""
        return self.curve(metric, scenario, classes).tendency

    def chosen(self, metric: str, classes: int, scenario: str = "irrelevant") -> dict[str, float]:
        """Return in what share of the trials each attribute is chosen; equals share a choice."""
        told = self._at(metric, scenario, classes)
        names = [*(f"V{v}" for v in self.values), NUMERIC, SIGNAL]
        return {name: told[f"chosen {name}"] for name in names if f"chosen {name}" in told}

    def p_equal(self, metric: str, classes: int, scenario: str = "irrelevant") -> float:
        """Return how likely such choices are if all attributes are chosen equally often."""
        shares = np.array(list(self.chosen(metric, classes, scenario).values()))
        return p_equal(shares, self._at(metric, scenario, classes)["trials"])

    def above_signal(self, metric: str, classes: int, scenario: str = SIGNAL) -> dict[str, float]:
        """Return in what share of the trials each noise attribute scores above the signal."""
        told = self._at(metric, scenario, classes)
        names = [*(f"V{v}" for v in self.values), NUMERIC]
        return {name: told[f"above {name}"] for name in names if f"above {name}" in told}

    def numeric(self, metric: str, scenario: str, classes: int) -> tuple[float, float]:
        """Return mean and standard error of the numeric attribute; NaN where there is none."""
        told = self._at(metric, scenario, classes)
        return told.get(f"mean {NUMERIC}", np.nan), told.get(f"error {NUMERIC}", np.nan)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for every metric, scenario, number of classes and attribute."""
        for (metric, scenario, classes), told in self.places.items():
            for name in self.chosen(metric, classes, scenario):
                yield {
                    "metric": metric, "scenario": scenario, "classes": classes, "attribute": name,
                    "mean": told[f"mean {name}"], "error": told[f"error {name}"],
                    "chosen": told[f"chosen {name}"], "trials": int(told["trials"]),
                }  # fmt: skip

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the rows as a frame of the given library: 'pandas', 'polars' or 'pyarrow'."""
        rows = list(self.rows())
        return frame_of({key: np.array([row[key] for row in rows]) for key in rows[0]}, backend)

    def write(self, folder: str | PathLike[str]) -> None:
        """Write the report with its figures into a folder."""
        write_report(self.answers, folder)

    def _table(self) -> Table | None:
        table = self.answers.study.to_article(self.answers).headline
        if table is None:
            return None
        rows = [[cell.text for cell in row] for row in table.rows]
        return table.heads, rows, [False, *[True] * (len(table.heads) - 1)]

    def __str__(self) -> str:
        table = self._table()
        if table is None:
            return NOTHING
        heads, rows, to_the_right = table
        return aligned([heads, *rows], to_the_right)

    def __repr__(self) -> str:
        return f"<Bias of {', '.join(self.metrics)}; {', '.join(self.scenarios)}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        table = self._table()
        return notebook_html(NOTHING) if table is None else notebook_html("", table)
