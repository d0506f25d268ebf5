"""Answers to the questions of a paper that nobody has worked out: for articles and rules."""

import attrs

from treelab.experiment.inquiry import Answers
from treelab.experiment.record import Record


def answered(inquiry, figures):
    """Return `figures(question)` as the answers; None leaves a question open."""
    trials = tuple(inquiry.trials())
    found = {question.key: figures(question) for question in trials}
    return Answers(inquiry, trials, {key: Record(f) for key, f in found.items() if f is not None})


def unanswered(inquiry):
    """Return an inquiry that has not begun."""
    return Answers(inquiry, tuple(inquiry.trials()), {})


def smaller(inquiry, **parts):
    """Return an inquiry with some parts changed: merits={"seeds": 2}."""
    changed = tuple(attrs.evolve(part, **parts.get(part.name, {})) for part in inquiry.parts)
    return attrs.evolve(inquiry, parts=changed)
