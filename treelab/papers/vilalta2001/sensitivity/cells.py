"""The answers as accuracies by cell and variant, and the rules by which a deviation is explained.

*near*       no more than three points from the paper's figure.
*deviation*  a cell that is not near in the table.
*plausible*  a variant under which, of all cells it was tried on, no fewer are near than in the
             table.
*explains*   a variant does, if it is plausible and brings the cell near.
"""

from collections.abc import Mapping
from typing import TypeAlias

import attrs
import numpy as np

from treelab.experiment.report.tables import NEAR
from treelab.experiment.simulation import Answers

BASE = "as in the table"
Place: TypeAlias = tuple[str, str]
"""A domain and a column."""


@attrs.frozen(eq=False)
class Found:
    """Accuracies in %: `ours` by variant and place, `paper` by place."""

    ours: Mapping[str, Mapping[Place, float]]
    paper: Mapping[Place, float]

    @property
    def variants(self) -> list[str]:
        return [variant for variant in self.ours if variant != BASE]

    def gap(self, variant: str, place: Place) -> float:
        """Return ours minus the paper's, in points."""
        return self.ours[variant][place] - self.paper[place]

    def is_near(self, variant: str, place: Place) -> bool:
        return abs(self.gap(variant, place)) <= NEAR

    def n_near(self, variant: str, of: str) -> int:
        """Return how many of the cells that a variant was tried on are near, by another one."""
        return sum(self.is_near(of, place) for place in self.ours[variant])

    def off(self, variant: str, of: str) -> float:
        """Return how far these cells are from the paper's, on average."""
        return float(np.mean([abs(self.gap(of, place)) for place in self.ours[variant]]))

    def is_plausible(self, variant: str) -> bool:
        return self.n_near(variant, variant) >= self.n_near(variant, BASE)

    def deviations(self) -> list[Place]:
        return [place for place in self.ours.get(BASE, {}) if not self.is_near(BASE, place)]

    def bringing_near(self, place: Place) -> list[str]:
        """Return the variants under which a cell is near, the plausible ones first."""
        found = [v for v in self.variants if place in self.ours[v] and self.is_near(v, place)]
        return sorted(found, key=lambda variant: not self.is_plausible(variant))

    def explaining(self, place: Place) -> list[str]:
        return [variant for variant in self.bringing_near(place) if self.is_plausible(variant)]


def found_in(answers: Answers) -> Found:
    """Return the accuracies; a variant's is the table's plus what it changes on the same folds."""
    rounds = _rounds(answers)
    table = rounds.get(BASE, {})
    ours = {
        variant: {at: _mean(found, table[at]) for at, found in cells.items() if at in table}
        for variant, cells in rounds.items()
    }
    printed = {(row["data"], row["learner"]): float(row["mean"]) for row in answers.study.printed()}
    return Found(ours, printed)


def _mean(found: Mapping[int, float], table: Mapping[int, float]) -> float:
    """Return the mean in the table plus the mean difference in the repetitions that both have."""
    changes = [accuracy - table[seed] for seed, accuracy in found.items() if seed in table]
    return float(np.mean(list(table.values())) + np.mean(changes))


def _rounds(answers: Answers) -> dict[str, dict[Place, dict[int, float]]]:
    """Return the accuracies by variant, place and repetition."""
    rounds: dict[str, dict[Place, dict[int, float]]] = {}
    for question in answers.trials:
        record = answers[question]
        if record is not None and record.error is None:
            varied = question.varied
            of_variant = rounds.setdefault(varied["variant"], {})
            of_place = of_variant.setdefault((varied["data"], varied["learner"]), {})
            of_place[question.seed] = record.values["accuracy"]
    return rounds
