"""Tables of the report: a topic each, the book's figures beside ours."""

from collections.abc import Sequence

import numpy as np

from treelab.experiment.report.tables import Cell, Emphasis, Table, number
from treelab.experiment.simulation import Answers
from treelab.papers.kantardzic2011.book import Line

TOPICS = {
    "means": "3.2.1 Means and variances",
    "correlation": "3.2.1 Correlation and DM",
    "outcome": "3.2.1 A numeric outcome",
    "axes": "3.2.2 Scaling and Isomap",
    "relief": "3.3 Relief",
    "entropy": "3.4 Entropy ranking",
    "components": "3.5 Principal components",
    "bins": "3.6 Bins",
    "rounding": "3.6 Rounding",
    "chimerge": "3.7 ChiMerge",
    "sampling": "3.8 Fewer cases",
}


def topic_table(lines: Sequence[Line], caption: str) -> Table:
    """Return what, where, the book's figure, ours, and what is to be said about it."""
    rows = [
        (Cell(line.figure), Cell(line.where), Cell(line.shown), _ours(line), Cell(line.remark))
        for line in lines
    ]
    return Table(caption, ("what", "where", "book", "ours", "remark"), tuple(rows), is_prose=True)


def _ours(line: Line) -> Cell:
    emphasis: dict[str, Emphasis] = {"as printed": "best", "differs": "far"}
    return Cell(line.text, emphasis=emphasis.get(line.verdict, ""))


def overview(lines: Sequence[Line]) -> Table:
    """Return how many figures of each topic are as printed."""
    rows = []
    for topic, title in TOPICS.items():
        mine = [line for line in lines if line.topic == topic]
        if mine:
            counts = [_count(mine, v) for v in ("as printed", "differs", "no figure")]
            rows.append((Cell(title), *map(Cell, counts)))
    whole = [_count(lines, v) for v in ("as printed", "differs", "no figure")]
    rows.append((Cell("all"), *map(Cell, whole)))
    return Table(
        "How many figures are as printed, within a unit of the last digit; which differ; and for "
        "how many the book gives none.",
        ("topic", "as printed", "differ", "not in the book"),
        tuple(rows),
        n_totals=1,
    )


def _count(lines: Sequence[Line], verdict: str) -> str:
    return str(sum(line.verdict == verdict for line in lines))


def draws_table(answers: Answers) -> Table:
    """Return how many draws inverse sampling takes, expected and found."""
    found = answers.figures("draws", "draws")
    expected = answers.figures("sampling", "expected draws")
    aim = float(expected[0]) if len(expected) else np.nan
    cells = [str(len(found)), number(float(found.mean())), number(aim)]
    return Table(
        "Inverse sampling until two of five rare cases among twenty are drawn.",
        ("samples", "mean number of draws", "expected"),
        (tuple(map(Cell, cells)),),
    )


def learning_table(answers: Answers) -> Table:
    """Return the errors of trees learned from parts of the cases."""
    names = learned_data(answers)
    figures, runs = list(answers.of("learning")[0][1]), len(answers.of("learning", data=names[0]))
    rows = [
        (Cell(figure), *(Cell(_share(answers, figure, name)) for name in names))
        for figure in figures
    ]
    return Table(
        "Incremental sampling by the book's pattern of shares: error of a tree in % of a third of "
        f"the cases held out, mean of {runs} runs; the share after which the error stops falling; "
        "and average sampling: trees of random halves that vote.",
        ("", *names),
        tuple(rows),
    )


def learned_data(answers: Answers) -> list[str]:
    """Return the data sets that trees have been learned from."""
    return list(dict.fromkeys(question.varied["data"] for question, _ in answers.of("learning")))


def _share(answers: Answers, figure: str, name: str) -> str:
    return number(100 * float(answers.figures("learning", figure, data=name).mean()), 1)
