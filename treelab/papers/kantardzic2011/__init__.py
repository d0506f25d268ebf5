"""Kantardzic 2011, the chapter on data reduction: every example and every problem with a number."""

from treelab.experiment.report.article import Article, Drawing, Section, statement_table
from treelab.experiment.report.tables import Table
from treelab.experiment.simulation import Answers, Ask
from treelab.papers.kantardzic2011.book import Line, lines
from treelab.papers.kantardzic2011.cases import draws, learning, sizes
from treelab.papers.kantardzic2011.claims import statements
from treelab.papers.kantardzic2011.drawings import (
    axes_drawing,
    components_drawing,
    learning_drawing,
    merging_drawing,
)
from treelab.papers.kantardzic2011.features import (
    components,
    correlation,
    entropy,
    means,
    relief_weights,
)
from treelab.papers.kantardzic2011.outcomes import axes, outcome
from treelab.papers.kantardzic2011.tables import (
    TOPICS,
    draws_table,
    learning_table,
    overview,
    topic_table,
)
from treelab.papers.kantardzic2011.trial_tables import trial_tables
from treelab.papers.kantardzic2011.trials import asked_cases, card, portion
from treelab.papers.kantardzic2011.values import bins, chimerge, rounding

QUESTIONS: dict[str, Ask] = {
    "means": means,
    "correlation": correlation,
    "outcome": outcome,
    "axes": axes,
    "relief": relief_weights,
    "entropy": entropy,
    "components": components,
    "bins": bins,
    "rounding": rounding,
    "chimerge": chimerge,
    "sampling": sizes,
    "draws": draws,
    "learning": learning,
    "asked": asked_cases,
    "portion": portion,
    "card": card,
}


def to_article(answers: Answers) -> Article:
    """Return the report: in short, a section for each topic, what else the chapter has."""
    study, found = answers.study, lines(answers)
    topics = [_topic(answers, name, found) for name in TOPICS]
    sections = (
        _in_short(answers, found),
        *topics,
        Section("What the book says without figures", tables=trial_tables(answers)),
        Section("Notes", notes=study.notes),
        Section("Failures", texts=tuple(f"{trial}: {error}" for trial, error in answers.failures)),
    )
    kept = tuple(section for section in sections if not section.is_empty)
    return Article(study.title, study.citation, answers.state, kept, overview(found))


def _in_short(answers: Answers, found: list[Line]) -> Section:
    printed = [line for line in found if line.book]
    same = [line for line in printed if line.verdict == "as printed"]
    differing = [line for line in printed if line.verdict == "differs"]
    text = (
        "The chapter explains how to reduce data, fewer features, fewer values, fewer cases, by "
        "small worked examples, and sets problems. All of them are worked out here by treelab's "
        f"own functions. Of {len(printed)} figures the book prints, {len(same)} come out as "
        f"printed and {len(differing)} do not"
    )
    text += f": {', '.join(line.figure for line in differing)}." if differing else "."
    text += (
        f" Another {len(found) - len(printed)} figures answer problems, or complete an example, "
        "for which the book gives none. Numbers such as E19 count the errata of the chapter."
    )
    said = statement_table(statements(answers), "What the chapter concludes, and what came out.")
    return Section("In short", (text,), (overview(found), said))


def _topic(answers: Answers, name: str, found: list[Line]) -> Section:
    mine = [line for line in found if line.topic == name]
    tables: list[Table] = []
    drawings: list[Drawing] = []
    if mine:
        tables.append(topic_table(mine, "Ours is bold where it is as printed."))
    if name == "axes" and mine:
        drawings.append(axes_drawing())
    if name == "components" and mine:
        drawings.append(components_drawing())
    if name == "chimerge" and mine:
        drawings.append(merging_drawing())
    if name == "sampling" and answers.of("draws"):
        tables.append(draws_table(answers))
    if name == "sampling" and answers.of("learning"):
        tables.append(learning_table(answers))
        drawings.append(learning_drawing(answers))
    return Section(TOPICS[name], tables=tuple(tables), figures=tuple(drawings))
