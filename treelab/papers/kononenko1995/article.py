"""The article."""

from collections import Counter

from treelab import Bias
from treelab.experiment.report.article import Article, Section, Statement, statement_table
from treelab.experiment.report.tables import Cell, Table
from treelab.experiment.simulation import Answers
from treelab.laboratory import comparison_tables
from treelab.laboratory import verdicts as choices
from treelab.papers.kononenko1995 import claims
from treelab.papers.kononenko1995.answers import Found
from treelab.papers.kononenko1995.claims import beside_the_paper
from treelab.papers.kononenko1995.drawings import FIGURES, MORE_FIGURES, drawings
from treelab.papers.kononenko1995.questions import MEASURES
from treelab.papers.kononenko1995.tables import (
    mean_tables,
    printed_table,
    tendency,
    tendency_table,
)


def statements(answers: Answers) -> list[Statement]:
    """Return what the paper says, as far as there are answers to judge it by."""
    return claims.statements(Found(answers))


def to_article(answers: Answers) -> Article:
    """Return what the paper says, what came out, and a verdict on each statement."""
    study, found = answers.study, Found(answers)
    said = claims.statements(found)
    sections = (
        Section("What is claimed, and what came out", summary(found, said)),
        Section("The statements", tables=_told(said, CAPTION)),
        Section("Beside the paper", tables=_told(beside_the_paper(found), BESIDE)),
        _laboratory(answers),
        Section("The figures", FIGURES_TEXT, figures=drawings(found, FIGURES)),
        Section("What the paper tells of without a figure", figures=drawings(found, MORE_FIGURES)),
        Section("Figures in numbers", tables=(printed_table(found), *mean_tables(found))),
        Section("Which way each measure goes", tables=(tendency_table(found),)),
        Section("Notes", notes=study.notes),
        Section("How it was made", facts=tuple(_facts(found))),
    )
    there = tuple(section for section in sections if not section.is_empty)
    return Article(study.title, study.citation, answers.state, there, headline(said))


CAPTION = "Each statement of the paper, the section it stands in, and what this run says to it."
BESIDE = "What the paper does not say, judged in the same way: WE by m-estimates, m = 2."
FIGURES_TEXT = (
    "As in the paper, (a) shows attributes that tell nothing about the class and (b) attributes "
    "that all tell the same, whatever their number of values: an unbiased measure would draw level "
    "lines. Bars are two standard errors long in either direction, mostly shorter than the marks.",
)


LABORATORY = (
    "What the paper leaves out: the metrics of the other papers beside some of its own, and "
    "attributes with missing values or numbers. All attributes stand side by side, and one is "
    "chosen; among noise, a fair metric chooses each as often as the others.",
)


def _laboratory(answers: Answers) -> Section:
    title = "Beside the paper: metrics of the other papers, missing values, numbers"
    if not answers.of("bias"):
        return Section(title)
    found = Bias(answers)
    return Section(title, LABORATORY, comparison_tables(found), facts=tuple(choices(found)))


def _told(said: list[Statement], caption: str) -> tuple[Table, ...]:
    return (statement_table(said, caption),) if said else ()


def headline(said: list[Statement]) -> Table:
    """Return the verdicts in brief."""
    rows = tuple((Cell(s.where), Cell(s.claim), Cell(s.verdict)) for s in said)
    caption = f"Statements of the paper: {_verdicts(said)}"
    return Table(caption, ("section", "statement", "verdict"), rows, is_prose=True)


def summary(found: Found, said: list[Statement]) -> tuple[str, ...]:
    """Return the first section in plain words, with figures of this run."""
    asked = (
        "The paper asks whether the measures that choose attributes in decision trees depend on "
        "the number of an attribute's values, which says nothing about its worth. It draws "
        "attributes of 2 to 40 values, all with the same information or with none, 1,000 times for "
        "600 cases each, and averages its measures. It finds that Gain, J, Gini, Gini' and "
        "Relevance prefer many values, that GainR, 1-D and Relief reject them where they are "
        "informative, that P(chi2) is unbiased but cannot tell good from better, and that the new "
        "measure MDL has the mildest bias."
    )
    came_out = f"Of the statements that can be judged, {_verdicts(said)}"
    return (asked, " ".join([came_out, *_failed(said), *_ways(found)]))


def _verdicts(said: list[Statement]) -> str:
    tally = Counter(statement.verdict for statement in said)
    return (
        f"{tally['holds']} hold, {tally['partly']} hold in part and "
        f"{tally['does not hold']} do not."
    )


def _failed(said: list[Statement]) -> list[str]:
    wrong = [f"'{s.claim}' ({s.where})" for s in said if s.verdict == "does not hold"]
    return [f"What does not hold: {'; '.join(wrong)}."] if wrong else []


def _ways(found: Found) -> list[str]:
    """Say which measures see something in the number of values of an irrelevant attribute."""
    ways = {measure: tendency(found, measure, "irrelevant") for measure in MEASURES}
    told = [
        f"{words}: {', '.join(some)}"
        for way, words in (("rises", "rising"), ("falls", "falling"), ("level", "level"))
        if (some := [measure for measure, found_way in ways.items() if found_way == way])
    ]
    if not told:
        return []
    return [
        "What the measures make of more values that tell nothing, where that is the same for all "
        f"numbers of classes: {'; '.join(told)}."
    ]


def _facts(found: Found) -> list[tuple[str, str]]:
    settings = found.answers.study.parts[0].settings
    return [
        ("Trials", f"{found.trials:,} of {settings['cases']:,} cases each in every cell"),
        ("Cells", f"{len(found.cells)} of {found.n_cells}"),
        ("Made with", "; ".join(found.answers.environments())),
    ]
