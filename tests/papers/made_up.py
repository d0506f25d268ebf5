"""Answers to the questions of a paper that nobody has worked out: for articles and rules."""

import csv

import attrs

from treelab.experiment.record import Record
from treelab.experiment.simulation import Answers


def answered(simulation, figures):
    """Return `figures(question)` as the answers; None leaves a question open."""
    trials = tuple(simulation.trials())
    found = {question.key: figures(question) for question in trials}
    return Answers(
        simulation, trials, {key: Record(f) for key, f in found.items() if f is not None}
    )


def unanswered(simulation):
    """Return a simulation that has not begun."""
    return Answers(simulation, tuple(simulation.trials()), {})


def smaller(simulation, **parts):
    """Return a simulation with some parts changed: merits={"seeds": 2}."""
    changed = tuple(attrs.evolve(part, **parts.get(part.name, {})) for part in simulation.parts)
    return attrs.evolve(simulation, parts=changed)


def committed_answers(paper):
    """Return the figures of every question, in order, as the committed report keeps them."""
    found = {}
    for part in paper.parts:
        path = paper.folder / "report" / f"answers-{part.name}.csv"
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                place = part.name, *(row.pop(axis) for axis in part.over), row.pop("seed")
                assert row.pop("error") == ""
                found[place] = {name: float(value) for name, value in row.items() if value}
    places = {(q.part, *map(str, q.varied.values()), str(q.seed)): q for q in paper.trials()}
    assert found.keys() == places.keys()
    return [(question, found[place]) for place, question in places.items()]
