"""Does the metric still matter once the search is good? Metrics x searches on bundled data."""

from collections.abc import Sequence

from treelab.experiment.report.article import Article, Drawing, Section
from treelab.experiment.simulation import Answers, Ask
from treelab.papers.metric_or_search.cells import MEASURES, UNUSUAL, Cells, cells, proven, sizes
from treelab.papers.metric_or_search.drawings import metrics_drawing
from treelab.papers.metric_or_search.tables import (
    answer_table,
    means_table,
    optimal_table,
    tests_table,
    variance_table,
    within_table,
)
from treelab.papers.metric_or_search.trees import optimal, searched
from treelab.papers.metric_or_search.variance import variance_sources
from treelab.papers.metric_or_search.verdicts import (
    Decomposed,
    answers_in_words,
    optimal_sentence,
    search_sentence,
    usual_sentences,
    variance_sentence,
    weight_sentence,
)

QUESTIONS: dict[str, Ask] = {"grid": searched, "optimal": optimal}

ANSWERS = (
    "What the metric is worth under each search. The metrics differ by: the largest mean less the "
    "smallest, with its standard error, in points of accuracy or % of the leaves. P: Friedman's "
    "test of the metrics (Holm). Spread: the standard deviation over the metrics within a data "
    "set, in points or log2 leaves; P of change: Wilcoxon's test of the spread against greedy "
    "search (Holm)."
)


def to_article(answers: Answers) -> Article:
    """Return the report: the answer, the protocol, then what it rests on."""
    study = answers.study
    tables = _tables(answers)
    sections = (
        *_sections(answers, tables),
        Section("Failures", texts=tuple(f"{trial}: {error}" for trial, error in answers.failures)),
    )
    headline = answer_table(tables, ANSWERS) if tables else None
    kept = tuple(section for section in sections if not section.is_empty)
    return Article(study.title, study.citation, answers.state, kept, headline)


def _tables(answers: Answers) -> list[Cells]:
    """Return the cells of every measure and size that there are."""
    wanted = [(measure, size) for measure in MEASURES for size in sizes(answers)]
    found = (cells(answers, *each) for each in wanted)
    return [each for each in found if each is not None]


def _sections(answers: Answers, tables: Sequence[Cells]) -> tuple[Section, ...]:
    protocol = Section("Protocol, fixed before the results", notes=answers.study.notes)
    if not tables:
        return (Section("The answer", ("No data set is complete yet.",)), protocol)
    found = [(each, variance_sources(each.values)) for each in tables]
    return (
        Section(
            "The answer",
            (*answers_in_words(tables), *usual_sentences(tables), *_weights(found)),
        ),
        protocol,
        _metrics(tables),
        _variance(found),
        _optimal(answers, tables),
        _usual(tables),
        _means(tables),
    )


def _metrics(tables: Sequence[Cells]) -> Section:
    texts = tuple(map(search_sentence, tables))
    shown = (answer_table(tables, ANSWERS),)
    return Section("The metrics under each search", texts, shown, _drawings(tables))


def _drawings(tables: Sequence[Cells]) -> tuple[Drawing, ...]:
    return tuple(
        metrics_drawing(of_measure, name)
        for measure, name in MEASURES.items()
        if (of_measure := _of(tables, measure))
    )


def _of(tables: Sequence[Cells], measure: str) -> list[Cells]:
    return [each for each in tables if each.measure == measure]


def _weights(found: Sequence[Decomposed]) -> list[str]:
    grouped = ([each for each in found if each[0].measure == measure] for measure in MEASURES)
    return [weight_sentence(of_measure) for of_measure in grouped if of_measure]


def _variance(found: Sequence[Decomposed]) -> Section:
    texts = tuple(variance_sentence(*each) for each in found)
    shown = (variance_table(found), within_table(found), tests_table(found))
    return Section("Where the variance lies", texts, shown)


def _optimal(answers: Answers, tables: Sequence[Cells]) -> Section:
    title = "Beside the optimal trees"
    texts, rows = [], []
    for accuracy in _of(tables, "accuracy"):
        leaves = cells(answers, "log2 leaves", accuracy.size)
        cost = cells(answers, "training cost", accuracy.size)
        if accuracy.has_optimal and leaves is not None and cost is not None:
            texts.append(optimal_sentence(accuracy, leaves, proven(answers, accuracy.size)))
            rows.append((accuracy, leaves, cost))
    return Section(title, tuple(texts), (optimal_table(rows),)) if rows else Section(title)


def _usual(tables: Sequence[Cells]) -> Section:
    usual = [each.without(UNUSUAL) for each in tables]
    caption = f"As above, without the metrics {' and '.join(UNUSUAL)}."
    title = "Without the unusual metrics"
    return Section(title, tables=(answer_table(usual, caption),))


def _means(tables: Sequence[Cells]) -> Section:
    captions = {
        "accuracy": "Accuracy in %, mean over the data sets; the best of a column in bold.",
        "log2 leaves": "Leaves, geometric mean over the data sets; the fewest in bold.",
    }
    found = [(_of(tables, measure), caption) for measure, caption in captions.items()]
    return Section("Means", tables=tuple(means_table(*each) for each in found if each[0]))
