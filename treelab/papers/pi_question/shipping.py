"""The rule that treelab ships, made of the study's answers."""

import csv
from pathlib import Path
from typing import Any

from treelab.choosing import Rule, document_of
from treelab.errors import DataError
from treelab.experiment import Record
from treelab.experiment.simulation import Answers, Simulation
from treelab.papers.pi_question.halving import (
    DEFAULT,
    leaders,
    part_of,
    screened_families,
    settings_of,
)
from treelab.papers.pi_question.singles import best_of_all
from treelab.papers.pi_question.table import finals_of

USUAL = ("gain-ratio-c45", "gain", "relieff")
"""The metrics beside which the best setting of Pi is put; the first comes first where equal."""


def rule_document(answers: Answers) -> dict[str, Any]:
    """Return the rule of all data sets, and what may be chosen: see `treelab.choosing.shipped`."""
    finals = finals_of(answers)
    if finals is None:
        raise DataError("a rule needs at least three data sets that are complete")
    part, names = part_of(answers, "screen"), settings_of(answers)
    found, _, families = screened_families(answers)
    best = [names[k] for k in leaders(found, families, part.settings["keep"])]
    own = [name for name in dict.fromkeys([*best, DEFAULT]) if name in finals.metrics]
    chosen = {"metrics": [*USUAL, best_of_all(finals).name], "pi": own}
    return document_of(Rule(finals.domains()), chosen)


def answers_in(folder: Path, simulation: Simulation) -> Answers:
    """Return the answers that the files of a report hold, those of later stages too."""
    trials = tuple(simulation.trials())
    known: dict[tuple[str, ...], dict[str, float]] = {}
    for part in simulation.parts:
        path = folder / f"answers-{part.name}.csv"
        if path.is_file():
            known |= _figures(path, part.name, tuple(part.over))
    records = {
        run.key: Record(known[place])
        for run in trials
        if (place := (run.part, *map(str, run.varied.values()), str(run.seed))) in known
    }
    answers = Answers(simulation, trials, records)
    longer = answers.following
    return answers if longer is None else answers_in(folder, longer)


def _figures(path: Path, part: str, axes: tuple[str, ...]) -> dict[tuple[str, ...], Any]:
    found = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            place = (part, *(row.pop(axis) for axis in axes), row.pop("seed"))
            if not row.pop("error"):
                found[place] = {name: float(value) for name, value in row.items() if value}
    return found
