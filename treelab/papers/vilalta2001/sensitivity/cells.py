"""The answers as accuracies by cell and variant, and the rules by which a deviation is explained.

*near*       no more than three points from the paper's figure.
*deviation*  a cell that is not near in the table.
*plausible*  a variant under which, of all cells it was tried on, no fewer are near than in the
             table; both by the same repetitions, for fewer of them vary more.
*explains*   a variant does, if it is plausible and brings the cell near.
"""

from collections.abc import Mapping
from typing import TypeAlias

import attrs
import numpy as np

from treelab.experiment.report.tables import NEAR
from treelab.experiment.simulation import Answers
from treelab.protocols import FloatArray

BASE = "as in the table"
Place: TypeAlias = tuple[str, str]
"""A domain and a column."""


@attrs.frozen(eq=False)
class Found:
    """Accuracies in %: `ours` by variant and place, `paper` by place.

    `tried` are means over the repetitions of a variant: in the table, and with the variant.
    """

    ours: Mapping[str, Mapping[Place, float]]
    tried: Mapping[str, Mapping[Place, tuple[float, float]]]
    paper: Mapping[Place, float]

    @property
    def variants(self) -> list[str]:
        return [variant for variant in self.ours if variant != BASE]

    def gap(self, variant: str, place: Place) -> float:
        """Return ours minus the paper's, in points."""
        return self.ours[variant][place] - self.paper[place]

    def is_near(self, variant: str, place: Place) -> bool:
        return abs(self.gap(variant, place)) <= NEAR

    def off(self, variant: str) -> FloatArray:
        """Return how far cells are from the paper's: (place; in the table, with the variant)."""
        gaps = [[a - self.paper[at] for a in both] for at, both in self.tried[variant].items()]
        return np.abs(gaps)

    def n_near(self, variant: str) -> tuple[int, int]:
        """Return how many cells are near: in the table, and with the variant."""
        before, after = (self.off(variant) <= NEAR).sum(axis=0).tolist()
        return before, after

    def is_plausible(self, variant: str) -> bool:
        before, after = self.n_near(variant)
        return after >= before

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
    tried = {
        variant: {at: _means(table[at], found) for at, found in cells.items() if at in table}
        for variant, cells in rounds.items()
    }
    whole = {at: float(np.mean(list(found.values()))) for at, found in table.items()}
    ours = {
        variant: {at: whole[at] + after - before for at, (before, after) in cells.items()}
        for variant, cells in tried.items()
        if cells
    }
    printed = {(row["data"], row["learner"]): float(row["mean"]) for row in answers.study.printed()}
    return Found(ours, tried, printed)


def _means(table: Mapping[int, float], found: Mapping[int, float]) -> tuple[float, float]:
    """Return both means over the repetitions that both have."""
    common = [seed for seed in found if seed in table]
    return float(np.mean([table[s] for s in common])), float(np.mean([found[s] for s in common]))


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
