"""The article about duch2004."""

from functools import partial

from treelab.experiment.report.article import Article, Drawing, Section, Statement, statement_table
from treelab.experiment.report.tables import Table
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004 import drawings, gaussian_tables, thyroid_tables
from treelab.papers.duch2004.direction_claims import direction_claims
from treelab.papers.duch2004.gaussians import IDEAL_RANKING
from treelab.papers.duch2004.ranking_claims import ranking_claims
from treelab.papers.duch2004.reading import (
    WIDTH,
    counted,
    n_seeds,
    values,
)
from treelab.papers.duch2004.rules import span
from treelab.papers.duch2004.selection_claims import selection_claims
from treelab.papers.duch2004.short import in_short
from treelab.papers.duch2004.thyroid_claims import thyroid_claims


def statements(answers: Answers) -> list[Statement]:
    """Return what the paper says, as far as there are answers to judge it by."""
    claims = (ranking_claims, selection_claims, thyroid_claims, direction_claims)
    return [statement for judge in claims for statement in judge(answers)]


def to_article(answers: Answers) -> Article:
    """Tell what came out, in the order of the paper."""
    said = statements(answers)
    verdicts = statement_table(said, "What the paper says, and what came out.") if said else None
    sections = (
        Section("In short", in_short(answers, said)),
        Section("Statements of the paper", tables=(verdicts,) if verdicts else ()),
        _of_gaussians(answers, "ranking", "Four Gaussians: ranking"),
        _of_gaussians(answers, "selection", "Four Gaussians: greedy selection"),
        _points(answers),
        Section(
            "Four Gaussians: greedy search and all sets",
            tables=(gaussian_tables.greedy_table(answers),) if answers.of("greedy") else (),
        ),
        Section(
            "Four Gaussians: SSV tree",
            tables=(gaussian_tables.tree_table(answers),) if answers.of("tree") else (),
        ),
        _figure_1(answers),
        _table_1(answers),
        _figure_2(answers),
        _further(answers),
        Section("What the paper leaves open, and our choice", notes=answers.study.notes),
        Section("Failures", tuple(f"{q}: {error}" for q, error in answers.failures)),
        Section("Settings", facts=_facts(answers)),
    )
    return Article(
        answers.study.title,
        answers.study.citation,
        answers.state,
        tuple(section for section in sections if not section.is_empty),
        verdicts,
    )


def _of_gaussians(answers: Answers, part: str, title: str) -> Section:
    if not answers.of(part):
        return Section(title)
    cuttings = values(answers, part, "cutting")
    shown: list[Table] = [
        gaussian_tables.rate_table(answers, part, cutting) for cutting in cuttings
    ]
    texts: tuple[str, ...] = ()
    if part == "selection":
        shown.append(gaussian_tables.order_table(answers, cuttings[0]))
    else:
        texts = _chance(answers)
        shown += [gaussian_tables.size_table(answers)] if answers.of("sizes") else []
    drawn = Drawing(
        f"gaussians-{part}",
        f"Share of the data sets in which the {part} is ideal, by index and number of bins.",
        partial(drawings.rate_maps, answers, part),
    )
    return Section(title, texts, tuple(shown), (drawn,))


FIRST = 50


def _chance(answers: Answers) -> tuple[str, ...]:
    """Say how far chance moves the rates of the literal WI."""
    n = n_seeds(answers, "ranking")
    if n < 2 * FIRST:
        return ()
    bins = values(answers, "ranking", "bins")
    found = [
        answers.figures("ranking", "WI joint", cutting=WIDTH, bins=b) == float(IDEAL_RANKING)
        for b in bins
    ]
    blocks = range(0, n - n % FIRST, FIRST)
    first, *others = (span([f[b : b + FIRST].mean() for f in found]) for b in blocks)
    return (
        "Chance moves these rates, and those of all numbers of bins together, for they are of the "
        f"same data sets: by WI read literally {first} of the first {FIRST} data sets are ranked "
        f"ideally with equal-width bins, of the next {FIRST} each {'; '.join(others)}. The "
        "prototype's rates, in brackets, are of 50 data sets of another stream of random numbers "
        "(selection: of 10).",
    )


def _figure_1(answers: Answers) -> Section:
    if not answers.of("information"):
        return Section("Figure 1")
    drawn = Drawing(
        "figure-1",
        "Figure 1: mutual information of each feature of the thyroid data with the class, and its "
        "gain ratio; grey: the nominal features, which are not cut.",
        partial(drawings.information_lines, answers),
    )
    text = (
        "The text says IGR, the caption mutual information, and the citation [8] is of mutual "
        "information divided by the entropy of the class (IGn): the table has all three."
    )
    return Section(
        "Figure 1: information and bins",
        (text,),
        (thyroid_tables.information_table(answers),),
        (drawn,),
    )


def _table_1(answers: Answers) -> Section:
    shown: list[Table] = []
    if answers.of("table"):
        shown += [thyroid_tables.ranking_table(answers), thyroid_tables.agreement_table(answers)]
    if answers.of("bins"):
        shown.append(thyroid_tables.bins_table(answers))
    return Section("Table 1: rankings of the thyroid features", tables=tuple(shown))


def _figure_2(answers: Answers) -> Section:
    title = "Figure 2: accuracy of an SVM"
    parts = [part for part in drawings.OF_SVM if answers.of(part)]
    if not parts:
        return Section(title)
    drawn = Drawing(
        "figure-2",
        "Figure 2: test accuracy of an SVM by the number of features, taken in the order of each "
        "ranking.",
        partial(drawings.accuracy_lines, answers),
    )
    text = (
        "The SVM is trained on the first feature of a ranking, the first two, and so on: along our "
        "rankings, and along those of the paper's Table 1, so that what differs can be told apart."
    )
    shown = tuple(thyroid_tables.accuracy_table(answers, part) for part in parts)
    return Section(title, (text,), shown, (drawn,))


def _points(answers: Answers) -> Section:
    title = "Four Gaussians: selection with few points and many"
    if not answers.of("points"):
        return Section(title)
    drawn = Drawing(
        "gaussians-points",
        f"Share of {counted(answers, 'points', 'data set')} in which greedy selection finds X1, "
        "X2, X3, X4, by the number of points and of equal-width bins.",
        partial(drawings.point_maps, answers),
    )
    text = (
        "Which number of bins is best depends on the number of points and on the index, so authors "
        "with other data disagree about it. More bins part the cases into more cells than there "
        "are points; fewer cannot tell a feature from its noisy copy."
    )
    return Section(title, (text,), figures=(drawn,))


def _further(answers: Answers) -> Section:
    """Show what the paper leaves to further work: searches, ways to cut."""
    shown: list[Table] = []
    if answers.of("directions"):
        shown.append(thyroid_tables.accuracy_table(answers, "directions"))
    if answers.of("cuttings"):
        shown.append(thyroid_tables.cuttings_table(answers))
    return Section("Dropping and adding, entropy and SSV", tables=tuple(shown))


def _facts(answers: Answers) -> tuple[tuple[str, str], ...]:
    facts = [
        (
            part.name,
            f"{part.seeds} seeds; " + "; ".join(f"{k} {v}" for k, v in part.settings.items()),
        )
        for part in answers.study.parts
    ]
    answered = f"{answers.done} of {len(answers.trials)}"
    return (*facts, ("questions", answered), ("made with", "; ".join(answers.environments())))
