"""Tables as values: heads and rows of cells, before they become Markdown, LaTeX or HTML."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import attrs
import numpy as np

from treelab.experiment.study import OF_ONE_SET, Check, Paper
from treelab.experiment.summary import Summary, Tested

Emphasis = Literal["", "best", "far"]
NONE = "\u2013"
"""What stands where there is no figure."""

NEAR = 3.0
"""Points: a reproduction that is no further off is near the paper's figure."""


TEST_NAMES = {
    "t": "t-test over the repetitions",
    "corrected-t": "corrected resampled t-test",
    "wilcoxon": "Wilcoxon's test",
    "sign": "sign test",
    "nemenyi": "Nemenyi's test",
}
"""What a test is called in a sentence."""


@attrs.frozen
class Cell:
    """What a cell says; `mark` is a star, set before the figure as the paper does."""

    text: str
    mark: bool = False
    emphasis: Emphasis = ""


@attrs.frozen
class Table:
    """A table whose first column names the rows; the last `n_totals` rows sum up.

    `is_prose`: its cells hold sentences, to be set from the left and broken into lines.
    """

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_totals: int = 0
    is_prose: bool = False


def accuracy_table(summary: Summary) -> Table:
    """Return accuracies as vilalta2001 prints them: mean (deviation), best bold, star left."""
    rows = [
        _row(name, [_accuracy(summary, row, column) for column in range(len(summary.learners))])
        for row, name in enumerate(summary.data)
    ]
    paper = summary.study.paper
    if paper is not None:
        rows += [_row(n, [Cell("unavailable")] * len(summary.learners)) for n in paper.unavailable]
    totals = _totals(summary)
    heads = ("data", *summary.learners)
    return _upright(Table(_accuracy_caption(summary), heads, (*rows, *totals), len(totals)))


def _upright(table: Table) -> Table:
    """Return a table that is not too wide: many learners go down, not across."""
    if len(table.heads) - 1 <= MANY:
        return table
    lines = [tuple(map(Cell, table.heads)), *table.rows]
    heads, *rows = zip(*lines, strict=True)
    return Table(table.caption, ("learner", *(cell.text for cell in heads[1:])), tuple(rows))


def _accuracy_caption(summary: Summary) -> str:
    study = summary.study
    rounds = len(study.rounds())
    times = f"{rounds} x " if rounds > 1 else ""
    text = f"Accuracy in %, {times}{study.folds}-fold cross-validation"
    if rounds > 1:
        text += f" (standard deviation over the {rounds} repetitions)"
    text += "; the best on a data set in bold"
    contest = summary.contest
    if study.marking_test and contest.marked.any():
        text += (
            f", with * where it beats the second best significantly (two-sided "
            f"{TEST_NAMES[study.marking_test]}, {study.alpha:g})"
        )
    apart = [name for name in summary.learners if name not in contest.learners]
    return f"{text}. {' and '.join(apart)}: apart, not in the contest." if apart else f"{text}."


def _accuracy(summary: Summary, row: int, column: int) -> Cell:
    text = number(summary.accuracy[row, column])
    if np.isfinite(summary.deviation[row, column]):
        text += f" ({number(summary.deviation[row, column])})"
    name, contest = summary.learners[column], summary.contest
    if name not in contest.learners:
        return Cell(text)
    place = row, contest.learners.index(name)
    return Cell(text, bool(contest.marked[place]), "best" if contest.best[place] else "")


def _totals(summary: Summary) -> list[tuple[Cell, ...]]:
    contest = summary.contest
    totals = [
        _row("average", [Cell(number(mean)) for mean in summary.averages()]),
        _row("only best on", _of_contest(summary, map(str, contest.n_best()))),
    ]
    if contest.friedman is not None:
        totals.append(_row("mean rank", _of_contest(summary, map(number, contest.friedman.ranks))))
    return totals


def _of_contest(summary: Summary, texts: Iterable[str]) -> list[Cell]:
    """Return a cell for each learner: what those in the contest have, a dash for the others."""
    found = dict(zip(summary.contest.learners, texts, strict=True))
    return [Cell(found.get(name, NONE)) for name in summary.learners]


def measure_table(summary: Summary, measure: str, unit: str = "") -> Table:
    """Return the means of any measure."""
    scale, digits = (100.0, 2) if measure == "balanced-accuracy" else (1.0, DIGITS.get(measure, 2))
    values = scale * summary.mean(measure)
    rows = [
        _row(name, [Cell(number(v, digits)) for v in values[row]])
        for row, name in enumerate(summary.data)
    ]
    known = values[np.isfinite(values).all(axis=1)]
    if len(known):
        rows.append(_row("average", [Cell(number(v, digits)) for v in known.mean(axis=0)]))
    caption = f"{measure.capitalize().replace('-', ' ')}{unit}, mean of all folds."
    return _upright(Table(caption, ("data", *summary.learners), tuple(rows), int(len(known) > 0)))


DIGITS = {"leaves": 1, "depth": 1, "seconds": 4, "log-loss": 3, "auc": 3, "macro-f1": 3}


def paper_table(summary: Summary, paper: Paper) -> Table:
    """Return ours, the paper's and the difference for every cell that the paper has."""
    columns = [name for name in summary.learners if any(n == name for _, n in paper.expected)]
    heads = ["data"]
    for name in columns:
        heads += [name, "paper", "diff."]
    rows = [_beside(summary, paper, name, columns) for name in summary.data]
    rows += [_only_paper(paper, name, columns) for name in paper.unavailable]
    totals = [_average_beside(summary, paper, columns)]
    return Table(
        "Our accuracy, the paper's, and the difference, in % and points. "
        "The averages are over the data sets that both have.",
        tuple(heads),
        tuple(rows + totals),
        n_totals=1,
    )


def _beside(summary: Summary, paper: Paper, name: str, columns: list[str]) -> tuple[Cell, ...]:
    cells = []
    for column in columns:
        ours = summary.accuracy_of(name, column)
        theirs = paper.expected.get((name, column), (np.nan, None))[0]
        starred = (name, column) in paper.marked
        cells += [Cell(number(ours)), Cell(number(theirs), starred), difference(ours - theirs)]
    return _row(name, cells)


def _only_paper(paper: Paper, name: str, columns: list[str]) -> tuple[Cell, ...]:
    cells = []
    for column in columns:
        theirs = paper.expected.get((name, column), (np.nan, None))[0]
        cells += [Cell("n/a"), Cell(number(theirs)), Cell(NONE)]
    return _row(name, cells)


def _average_beside(summary: Summary, paper: Paper, columns: list[str]) -> tuple[Cell, ...]:
    cells = []
    for column in columns:
        ours = summary.accuracy[:, summary.learners.index(column)]
        theirs = np.array(
            [paper.expected.get((n, column), (np.nan, None))[0] for n in summary.data]
        )
        both = np.isfinite(ours) & np.isfinite(theirs)
        pair = (ours[both].mean(), theirs[both].mean()) if both.any() else (np.nan, np.nan)
        cells += [Cell(number(pair[0])), Cell(number(pair[1])), difference(pair[0] - pair[1])]
    return _row("average", cells)


def duel_table(summary: Summary) -> Table | None:
    """Return the best against the second best on each data set, by every test."""
    summary = summary.contest
    made = {tested.test for tested in summary.tested}
    tests = [test for test in summary.study.tests if test in OF_ONE_SET and test in made]
    if not tests or len(summary.learners) < 2:
        return None
    rows = [
        row
        for name in np.array(summary.data)[summary.complete]
        if (row := _duel(summary, str(name), tests))
    ]
    heads = {"t": "t: P", "corrected-t": "corrected t: P", "bayes": "worse / equal / better, %"}
    return Table(
        "The best against the second best on each data set, by the t-test paired over the "
        "repetitions (t), the t-test corrected for overlapping training folds, and the Bayesian "
        "correlated t-test: the chances that it is worse, equal in practice (accuracies that "
        f"differ by at most {_points(100 * summary.study.rope)}) or better.{_dashes(rows)}",
        ("data", "best", "second", "points", *(heads[test] for test in tests)),
        tuple(rows),
    )


def _duel(summary: Summary, name: str, tests: list[str]) -> tuple[Cell, ...]:
    row = summary.data.index(name)
    second, first = np.argsort(summary.accuracy[row], kind="stable")[-2:]
    a, b = summary.learners[first], summary.learners[second]
    found = {t.test: t for t in summary.tested if t.scope == name and {t.first, t.second} == {a, b}}
    gap = summary.accuracy[row, first] - summary.accuracy[row, second]
    cells = [Cell(a), Cell(b), Cell(number(gap))]
    return _row(name, cells + [_verdict(found.get(test), a, summary) for test in tests])


def _dashes(rows: Sequence[Sequence[Cell]]) -> str:
    """Say what a dash means if there is one."""
    if all(cell.text != NONE for row in rows for cell in row):
        return ""
    return " No P-value: there are too few results, or all of them differ by the same amount."


def _verdict(tested: Tested | None, best: str, summary: Summary) -> Cell:
    if tested is None:
        return Cell(NONE)
    if tested.belief is not None:
        chances = tested.belief if tested.first == best else tested.belief[::-1]
        return Cell(" / ".join(f"{100 * chance:.0f}" for chance in chances))
    # The plain t-test finds differences too easily: its figures stand out only if asked for.
    is_trusted = tested.test in ("corrected-t", summary.study.marking_test)
    return _p_value(tested.p, summary.study.alpha if is_trusted else 0.0)


def _p_value(p: float | None, alpha: float) -> Cell:
    """Write a P-value, those below alpha in bold; a test that cannot be made has none."""
    return Cell(NONE) if p is None else Cell(f"{p:.4f}", emphasis="best" if p < alpha else "")


def overall_table(summary: Summary) -> Table | None:
    """Return the tests over all data sets, a line for each pair of learners."""
    summary = summary.contest
    over = [t for t in summary.tested if t.scope == "all"]
    if not over or len(summary.learners) > MANY:
        return None
    tests = list(dict.fromkeys(t.test for t in over))
    found = {(t.test, t.first, t.second): t for t in over}
    pairs = list(dict.fromkeys((t.first, t.second) for t in over))
    rows = []
    for first, second in pairs:
        i, j = summary.learners.index(first), summary.learners.index(second)
        cells = [Cell(summary.wins(i, j))]
        for test in tests:
            t = found[test, first, second]
            cells.append(_p_value(t.corrected_p, summary.study.alpha))
        rows.append(_row(f"{first} {NONE} {second}", cells))
    heads = [f"{t} P" if t == "nemenyi" else f"{t} P (Holm)" for t in tests]
    return Table(
        "Pairs of learners over all data sets: wins/ties/losses of the first, and P-values "
        "(Holm: corrected for all pairs; Nemenyi's test is by itself), those below "
        f"{summary.study.alpha:g} in bold.",
        ("pair", "w/t/l", *heads),
        tuple(rows),
    )


MANY = 12
"""With more learners than this, pairs and points are too many to print one by one."""


def checks(summary: Summary, paper: Paper) -> list[str]:
    """Return how many cells of all are near the paper's, and whether those that should be are."""
    return [_nearness(summary, paper), *(_check(summary, paper, check) for check in paper.checks)]


def deviations(summary: Summary, paper: Paper) -> dict[tuple[str, str], float]:
    """Return ours minus the paper's, in points, for every cell that both have."""
    gaps = {place: _gap(summary, paper, *place) for place in paper.expected}
    return {place: gap for place, gap in gaps.items() if np.isfinite(gap)}


def _nearness(summary: Summary, paper: Paper) -> str:
    gaps = deviations(summary, paper)
    return f"{_inside('all ', gaps, NEAR)}{_outside(gaps, NEAR)}."


def _check(summary: Summary, paper: Paper, check: Check) -> str:
    wanted = [(data, learner) for data in check.data for learner in check.learners]
    found = deviations(summary, paper)
    gaps = {place: found[place] for place in wanted if place in found}
    what = f"{', '.join(check.learners)} on {', '.join(check.data)}"
    if not gaps:
        return f"{what}: none is among these results."
    missing = len(wanted) - len(gaps)
    rest = f" ({missing} more are not among these results)" if missing else ""
    return f"{what}: {_inside('', gaps, check.within)}{rest}{_outside(gaps, check.within)}."


def _inside(which: str, gaps: Mapping[tuple[str, str], float], within: float) -> str:
    inside = sum(abs(gap) <= within for gap in gaps.values())
    return f"{inside} of {which}{len(gaps)} cells lie within {within:g} points of the paper"


def _outside(gaps: Mapping[tuple[str, str], float], within: float) -> str:
    far = [f"{n} on {d} ({gap:+.2f})" for (d, n), gap in gaps.items() if abs(gap) > within]
    return f"; outside: {'; '.join(far)}" if far else ""


def _gap(summary: Summary, paper: Paper, data: str, learner: str) -> float:
    """Return ours minus the paper's; NaN where either is missing."""
    ours = summary.accuracy_of(data, learner)
    return ours - paper.expected.get((data, learner), (np.nan, None))[0]


def difference(points: float) -> Cell:
    """Write a difference; more than three points stand out."""
    if not np.isfinite(points):
        return Cell(NONE)
    return Cell(f"{points:+.2f}", emphasis="far" if abs(points) > NEAR else "")


def _points(value: float) -> str:
    return f"{value:g} point{'' if value == 1 else 's'}"


def number(value: float, digits: int = 2) -> str:
    """Write a figure, or a dash for none."""
    return f"{value:.{digits}f}" if np.isfinite(value) else NONE


def _row(name: str, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    return (Cell(name), *cells)
