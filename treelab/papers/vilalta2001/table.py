"""What section 5.2 says of Table 1, and by which rules the table, made anew, is judged.

Everything is counted in the paper's five columns, on the domains that have results; where the
paper gives a number, it is counted again from its printed figures on the same domains. Of two
conditions of a statement, one alone makes it hold in part.

*best*          the highest accuracy as printed, alone.
*significantly* by the test that sets the stars: two-sided, at the study's level.
*on average*    over the domains.
"""

from collections.abc import Sequence

import numpy as np

from treelab.evaluate import holm, wilcoxon
from treelab.experiment import Paper, Summary
from treelab.experiment.report.article import Statement, judged
from treelab.protocols import FloatArray

PURITY, DISCRIMINATION, PI = ("Gini", "Info Gain"), ("C. Merit", "Relief"), "Pi"
STANDARD = (*PURITY, *DISCRIMINATION)
COLUMNS = (*STANDARD, PI)
WHERE = "section 5.2"


def statements(summary: Summary) -> list[Statement]:
    """Return the paper's statements, if there are results of its five columns."""
    paper, five = summary.study.paper, summary.of(COLUMNS)
    if paper is None or len(five.learners) < len(COLUMNS) or not five.complete.any():
        return []
    return [
        _purity(five),
        _best(five, paper),
        _significantly(five, paper),
        _on_average(five),
        _not_significantly(five, paper),
        _comparable(five),
    ]


def _purity(five: Summary) -> Statement:
    means = _averages(five)
    pairs = [(p, d) for p in PURITY for d in DISCRIMINATION]
    return Statement(
        WHERE, "Purity-based metrics are, on average, slightly better than discrimination-based",
        judged(means[p] > means[d] for p, d in pairs), _listed(means, STANDARD),
    )  # fmt: skip


def _best(five: Summary, paper: Paper) -> Statement:
    """Pi wins as often as in the paper; no other metric wins more often than Pi."""
    counts = dict(zip(five.learners, five.n_best(), strict=True))
    ours, theirs = _won(five), _printed_best(five, paper)
    others = max(counts[name] for name in STANDARD)
    return Statement(
        WHERE, "Pi is best on eight of the eighteen domains",
        judged([len(ours) >= len(theirs), len(ours) >= others]),
        f"best alone on {_sets(ours)}, of {_n_sets(five)}; the paper's Pi on {_sets(theirs)} of "
        f"them; no other metric on more than {others}",
    )  # fmt: skip


def _significantly(five: Summary, paper: Paper) -> Statement:
    """Pi has as many stars as in the paper; it has any."""
    column = five.learners.index(PI)
    ours = _names(five, five.marked[:, column] & five.complete)
    theirs = [name for name in _complete(five) if (name, PI) in paper.marked]
    return Statement(
        WHERE, "Pi beats the second best significantly on four of these",
        judged([len(ours) >= len(theirs), bool(ours)]),
        f"significantly on {_sets(ours)}; the paper's Pi on {_sets(theirs)}",
    )  # fmt: skip


def _on_average(five: Summary) -> Statement:
    means = _averages(five)
    return Statement(
        WHERE, "Pi is, on average, better than the other metrics",
        judged(means[PI] > means[name] for name in STANDARD), _listed(means, COLUMNS),
    )  # fmt: skip


def _not_significantly(five: Summary, paper: Paper) -> Statement:
    """Wilcoxon's test over the domains, with Holm's correction for the four comparisons."""
    shown = np.round(five.accuracy[five.complete], 2)
    ours = _against_pi({name: shown[:, five.learners.index(name)] for name in COLUMNS})
    sets = _complete(five)
    theirs = _against_pi(
        {name: np.array([paper.expected[data, name][0] for data in sets]) for name in COLUMNS}
    )
    return Statement(
        WHERE, "These differences of Pi's average are not significant",
        judged(p >= five.study.alpha for p in ours.values()),
        f"P of Wilcoxon's test over the domains, Holm's correction: {_ps(ours)}; by the printed "
        f"figures: {_ps(theirs)}",
    )  # fmt: skip


def _against_pi(scores: dict[str, FloatArray]) -> dict[str, float]:
    found = [wilcoxon(scores[PI], scores[name]).p for name in STANDARD]
    return dict(zip(STANDARD, holm(found).tolist(), strict=True))


def _ps(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {p:.2g}" for name, p in found.items())


def _comparable(five: Summary) -> Statement:
    """On a domain, Pi is no more than the study's difference in practice below the best other."""
    pi, best = _beside_best(five)
    rope = 100 * five.study.rope
    near = pi >= best - rope
    return Statement(
        "sections 1, 6", "Pi is comparable to the best of the standard metrics",
        judged(near.tolist()),
        f"no more than {rope:g} point below the best of the four on {near.sum()} of "
        f"{_n_sets(five)}; on average {(pi - best).mean():+.2f} points",
    )  # fmt: skip


def _beside_best(five: Summary) -> tuple[FloatArray, FloatArray]:
    scores = five.accuracy[five.complete]
    others = [five.learners.index(name) for name in STANDARD]
    return scores[:, five.learners.index(PI)], scores[:, others].max(axis=1)


def _averages(five: Summary) -> dict[str, float]:
    return dict(zip(five.learners, five.averages().tolist(), strict=True))


def _listed(means: dict[str, float], names: Sequence[str]) -> str:
    return "averages: " + ", ".join(f"{name} {means[name]:.2f} %" for name in names)


def _complete(five: Summary) -> list[str]:
    return _names(five, five.complete)


def _names(five: Summary, chosen: np.ndarray) -> list[str]:
    return [name for name, is_chosen in zip(five.data, chosen, strict=True) if is_chosen]


def _won(five: Summary) -> list[str]:
    """Return the domains on which Pi alone prints the highest accuracy."""
    alone = five.best[:, five.learners.index(PI)] & (five.best.sum(axis=1) == 1)
    return _names(five, alone & five.complete)


def _printed_best(five: Summary, paper: Paper) -> list[str]:
    return [name for name in _complete(five) if printed_best(paper, name)]


def printed_best(paper: Paper, data: str) -> bool:
    """Tell whether the paper prints a higher figure for Pi than for any other metric."""
    means = {name: paper.expected[data, name][0] for name in COLUMNS}
    return means[PI] > max(means[name] for name in STANDARD)


def _sets(names: Sequence[str]) -> str:
    return f"{len(names)} ({', '.join(names)})" if names else "none"


def _n_sets(five: Summary) -> str:
    return f"{int(five.complete.sum())} domains"
