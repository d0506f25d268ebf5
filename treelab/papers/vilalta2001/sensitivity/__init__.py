"""Which of our own choices the deviations from vilalta2001's Table 1 depend on."""

from treelab.experiment.report.article import Article, Section
from treelab.experiment.simulation import Answers, Ask
from treelab.papers.vilalta2001.sensitivity.cells import Found, found_in
from treelab.papers.vilalta2001.sensitivity.questions import cell
from treelab.papers.vilalta2001.sensitivity.tables import (
    deviation_table,
    domain_table,
    variant_table,
)

QUESTIONS: dict[str, Ask] = dict.fromkeys(
    (
        "table",
        "settings",
        "missing",
        "formulas",
        "relief",
        "large",
        "large-relief",
        "large-formulas",
        "thyroid",
    ),
    cell,
)


def to_article(answers: Answers) -> Article:
    """Return the report: each deviation with what explains it, and every choice by itself."""
    study, found = answers.study, found_in(answers)
    has_any = bool(found.deviations())
    sections = (
        Section("In short", sentences(found), (deviation_table(found),) if has_any else ()),
        Section("Every choice", tables=(variant_table(found),) if found.variants else ()),
        Section("The deviations under every choice", tables=(domain_table(found),) * has_any),
        Section("Notes", notes=study.notes),
        Section("Failures", texts=tuple(f"{trial}: {error}" for trial, error in answers.failures)),
    )
    kept = tuple(section for section in sections if not section.is_empty)
    headline = deviation_table(found) if has_any else None
    return Article(study.title, study.citation, answers.state, kept, headline)


def sentences(found: Found) -> tuple[str, ...]:
    """Return how many deviations there are, and how many of them are explained."""
    places = found.deviations()
    if not places:
        return ("No cell that was tried deviates by more than three points.",)
    explained = [place for place in places if found.explaining(place)]
    others = [f"{column} on {data}" for data, column in places if (data, column) not in explained]
    rest = f" Unexplained: {', '.join(others)}." if others else ""
    return (
        f"{len(places)} cells deviate from the paper's table by more than three points. A "
        f"plausible choice, made otherwise, brings {len(explained)} of them near.{rest}",
    )
