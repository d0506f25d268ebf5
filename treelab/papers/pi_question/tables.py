"""Tables of the study."""

import numpy as np
from scipy.stats import rankdata

from treelab.evaluate import friedman
from treelab.experiment.report.tables import NONE, Cell, Emphasis, Table
from treelab.experiment.simulation import Answers
from treelab.papers.pi_question.holding_out import ALWAYS, ORACLE, Contest
from treelab.papers.pi_question.table import Finals
from treelab.papers.pi_question.verdicts import lead, short


def contest_table(contest: Contest) -> Table:
    """Return the contestants, the best first."""
    names = sorted(contest.names, key=lambda name: -contest.of(name).mean())
    fair = [k for k, name in enumerate(contest.names) if name != ORACLE]
    ranks = rankdata(-contest.accuracy[:, fair].round(9), axis=1).mean(axis=0)
    of_rank = {contest.names[k]: ranks[place] for place, k in enumerate(fair)}
    best = next(name for name in names if name != ORACLE)
    caption = (
        "Mean accuracy in % over the data sets, in the ten folds of the first repetition, and the "
        "lead over the paper's setting with standard error and Wilcoxon's P. What chooses has not "
        "seen the family of the data; the best setting known afterwards is no contestant, but "
        "shows what could be won."
    )
    heads = ("contestant", "all data", "bundled", "generated", "mean rank", "lead", "P")
    rows = tuple(
        (Cell(name), *_means(contest, name, name == best), _rank(of_rank.get(name)),
         *_lead(contest, name))
        for name in names
    )  # fmt: skip
    return Table(caption, heads, rows)


def _means(contest: Contest, name: str, is_best: bool) -> tuple[Cell, ...]:
    values, kept = contest.of(name), contest.bundled
    emphasis: Emphasis = "best" if is_best else ""
    parts = (values, values[kept], values[~kept])
    return tuple(
        Cell(f"{part.mean():.2f}" if len(part) else NONE, emphasis=emphasis) for part in parts
    )


def _rank(rank: float | None) -> Cell:
    return Cell(NONE if rank is None else f"{rank:.2f}")


def _lead(contest: Contest, name: str) -> tuple[Cell, Cell]:
    if name in (ALWAYS, ORACLE):
        return Cell(NONE), Cell(NONE)
    found = lead(contest, name, ALWAYS)
    return Cell(f"{found.mean:+.2f} ± {found.error:.2f}"), Cell(f"{found.p:.2g}")


def finals_table(finals: Finals) -> Table:
    """Return the finalists and the peers by Friedman's mean rank."""
    found, means = friedman(finals.means), finals.means
    regret = means.max(axis=1, keepdims=True) - means
    worst = [finals.data[k] for k in regret.argmax(axis=0)]
    caption = (
        f"5 x 10-fold, {len(finals.data)} data sets: mean accuracy in %, mean rank (Friedman: P = "
        f"{found.p:.2g}; ranks that differ by {found.critical_difference():.2f} differ by "
        "Nemenyi's test), and regret: what the best of all has more, on average and at worst."
    )
    order = np.argsort(found.ranks, kind="stable")
    rows = tuple(
        (Cell(short(finals.metrics[k])), Cell(f"{means[:, k].mean():.2f}"),
         Cell(f"{found.ranks[k]:.2f}"), Cell(f"{regret[:, k].mean():.2f}"),
         Cell(f"{regret[:, k].max():.1f} ({worst[k]})"))
        for k in order
    )  # fmt: skip
    heads = ("metric", "accuracy", "mean rank", "mean regret", "largest regret")
    return Table(caption, heads, rows)


def by_data_table(contest: Contest) -> Table:
    """Return what every contestant gets on every data set."""
    rows = tuple(
        (Cell(name), *(_of_row(row, k) for k in range(len(row))))
        for name, row in zip(contest.data, contest.accuracy, strict=True)
    )
    caption = "Accuracy in % in the first repetition; the best of a row in bold."
    return Table(caption, ("data", *contest.names), rows)


def _of_row(row: "np.typing.NDArray[np.float64]", k: int) -> Cell:
    emphasis: Emphasis = "best" if row[k] >= row.max() - 1e-9 else ""
    return Cell(f"{row[k]:.1f}", emphasis=emphasis)


def bias_table(answers: Answers) -> Table | None:
    """Return how often irrelevant attributes of each number of values are chosen."""
    found = answers.of("bias")
    if not found:
        return None
    values = found[0][0].settings["values"]
    names = [*(f"V{v}" for v in values), "signal"]
    rows = tuple(
        (Cell(run.varied["metric"]), Cell(run.varied["scenario"]), Cell(str(run.varied["classes"])),
         *(_share(figures.get(f"chosen {name}")) for name in names))
        for run, figures in found
    )  # fmt: skip
    caption = (
        "The experiment of kononenko1995: in what share of the trials an attribute of so many "
        "values is chosen, where none tells anything (irrelevant), or beside one of two values "
        "that tells a little (signal)."
    )
    heads = ("metric", "scenario", "classes", *(f"{v} values" for v in values), "signal")
    return Table(caption, heads, rows)


def _share(share: float | None) -> Cell:
    return Cell(NONE if share is None else f"{100 * share:.0f} %")
