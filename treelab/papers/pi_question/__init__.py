"""Which Pi, and can the data choose it? vilalta2001's open questions, on many data sets."""

from treelab.experiment.report.article import Article, Section
from treelab.experiment.simulation import Answers, Ask
from treelab.papers.pi_question.drawings import data_drawing, leads_drawing, map_drawing
from treelab.papers.pi_question.halving import finals, screened_families
from treelab.papers.pi_question.holding_out import Contest, contest
from treelab.papers.pi_question.questions import biased, described, judged, nested, screened
from treelab.papers.pi_question.singles import best_of_all
from treelab.papers.pi_question.table import Finals, finals_of
from treelab.papers.pi_question.tables import (
    bias_table,
    by_data_table,
    contest_table,
    finals_table,
)
from treelab.papers.pi_question.verdicts import (
    choice_sentence,
    headline_sentence,
    metrics_sentence,
    promise_sentence,
    single_sentence,
)

QUESTIONS: dict[str, Ask] = {
    "screen": screened,
    "peers": judged,
    "meta": described,
    "bias": biased,
    "finals": judged,
    "nested": nested,
}
FOLLOWING = finals
"""What is asked once these are answered: the finals of those that lead."""


def to_article(answers: Answers) -> Article:
    """Return the report: the answer, the protocol, then what it rests on."""
    study, found = answers.study, finals_of(answers)
    played = None if found is None else contest(found)
    sections = (
        _answer(found, played),
        Section("Protocol, fixed before the results", notes=study.notes),
        _contest(played),
        _finals(found),
        _maps(answers),
        _bias(answers),
        _by_data(played),
        Section("Failures", texts=tuple(f"{trial}: {error}" for trial, error in answers.failures)),
    )
    headline = None if played is None else contest_table(played)
    kept = tuple(section for section in sections if not section.is_empty)
    return Article(study.title, study.citation, answers.state, kept, headline)


def _answer(found: Finals | None, played: Contest | None) -> Section:
    if found is None or played is None:
        return Section("The answer", ("No three data sets are complete yet.",))
    texts = (
        single_sentence(found, best_of_all(found)),
        choice_sentence(played),
        headline_sentence(played),
        metrics_sentence(found, played),
        promise_sentence(found, played),
    )
    return Section("The answer", texts)


def _contest(played: Contest | None) -> Section:
    title = "Choosing, each data set being held out with its family"
    if played is None:
        return Section(title)
    return Section(title, tables=(contest_table(played),), figures=(leads_drawing(played),))


def _finals(found: Finals | None) -> Section:
    title = "The finals"
    return Section(title) if found is None else Section(title, tables=(finals_table(found),))


def _maps(answers: Answers) -> Section:
    title = "Maps of regret"
    if not screened_families(answers)[1]:
        return Section(title)
    return Section(title, figures=(map_drawing(answers), data_drawing(answers)))


def _bias(answers: Answers) -> Section:
    title, table = "The number of values, and normalized Pi", bias_table(answers)
    return Section(title) if table is None else Section(title, tables=(table,))


def _by_data(played: Contest | None) -> Section:
    title = "By data set"
    return Section(title) if played is None else Section(title, tables=(by_data_table(played),))
