"""The answers as curves over the number of values."""

from collections.abc import Iterator
from functools import cached_property

import attrs
import numpy as np

from treelab.experiment.simulation import Answers
from treelab.laboratory import SCENARIOS, Curve

PART = "measures"
Place = tuple[str, int, int]
"""A scenario, a number of classes and a number of values."""


@attrs.frozen(eq=False)
class Found:
    """What is answered of the part `measures`."""

    answers: Answers

    @cached_property
    def cells(self) -> dict[Place, dict[str, float]]:
        """The figures of every place that is answered."""
        return {
            (q.varied["scenario"], q.varied["classes"], q.varied["values"]): figures
            for q, figures in self.answers.of(PART)
        }

    @cached_property
    def scenarios(self) -> list[str]:
        """The scenarios of which something is answered, in their usual order."""
        answered = {place[0] for place in self.cells}
        return [name for name in SCENARIOS if name in answered]

    def classes(self, scenario: str) -> list[int]:
        """Return the numbers of classes of which something is answered."""
        return sorted({c for name, c, _ in self.cells if name == scenario})

    def values(self, scenario: str, classes: int) -> list[int]:
        """Return the numbers of values that are answered."""
        return sorted(v for name, c, v in self.cells if (name, c) == (scenario, classes))

    @property
    def trials(self) -> int:
        """The number of trials behind every mean."""
        return int(self.answers.study.parts[0].settings["trials"])

    @property
    def n_cells(self) -> int:
        """How many cells there are, answered or not."""
        return sum(1 for _ in self.answers.study.parts[0].combinations())

    def figure(self, name: str, place: Place) -> float:
        """Return a figure; NaN where it is not answered."""
        return self.cells.get(place, {}).get(name, np.nan)

    def curve(self, measure: str, scenario: str, classes: int) -> Curve:
        """Return the means of a measure at the numbers of values that are answered."""
        values = self.values(scenario, classes)
        cells = [self.cells[scenario, classes, v] for v in values]
        return Curve(
            np.array(values, float),
            np.array([cell[measure] for cell in cells]),
            np.array([cell[f"{measure} error"] for cell in cells]),
        )

    def curves(
        self, measures: tuple[str, ...], scenarios: tuple[str, ...] = ()
    ) -> Iterator["Seen"]:
        """Yield the curves of at least three points, in some scenarios or in all."""
        for scenario in scenarios or self.scenarios:
            for classes in self.classes(scenario):
                if len(self.values(scenario, classes)) >= 3:
                    for measure in measures:
                        curve = self.curve(measure, scenario, classes)
                        yield Seen(measure, scenario, classes, curve)


@attrs.frozen(eq=False)
class Seen:
    """A curve, and what it is of."""

    measure: str
    scenario: str
    classes: int
    curve: Curve

    def __str__(self) -> str:
        return f"{self.measure} {self.scenario} C = {self.classes}"
