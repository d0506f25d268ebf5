"""What the chapter concludes from its examples, judged by our figures."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from treelab.experiment.report.article import Statement, judged
from treelab.experiment.report.tables import number
from treelab.experiment.simulation import Answers
from treelab.papers.kantardzic2011.book import SETTLED
from treelab.papers.kantardzic2011.tables import learned_data
from treelab.papers.kantardzic2011.trial_tables import trial_statements

LEVEL = 0.01
"""Error that is no progress: 'the performance may level off rapidly'."""


def statements(answers: Answers) -> list[Statement]:
    """Return the conclusions of the topics that have been worked out."""
    return [*_of_examples(answers), *trial_statements(answers), *_of_learning(answers)]


def _of_examples(answers: Answers) -> Iterator[Statement]:
    for topic, where, claim, names, holds in CONCLUSIONS:
        for _, values in answers.of(topic)[:1]:
            found = [values[name] for name in names]
            evidence = "; ".join(f"{n}: {_short(v)}" for n, v in zip(names, found, strict=True))
            yield Statement(where, claim, judged(holds(*found)), evidence)


def _short(value: float) -> str:
    return f"{round(value, SETTLED):.4g}"


CONCLUSIONS = (
    ("means", "3.2.1", "X is a candidate for reduction, Y is not (threshold 0.5)",
     ("test of X", "test of Y"), lambda x, y: [x < 0.5, y > 0.5]),
    ("relief", "3.3", "with the threshold 5, F1 stays and F2 goes",
     ("W(F1)", "W(F2)"), lambda one, two: [one >= 5, two < 5]),
    ("components", "3.5", "two components are enough for R* = 0.95",
     ("R(1)", "R(2)"), lambda one, two: [one < 0.95 <= two]),
    ("axes", "3.2.2", "scaling keeps distances at least as well as principal components",
     ("residual of scaling", "residual of two components"), lambda s, c: [s <= c]),
    ("axes", "3.2.2", "Isomap keeps the lengths of paths most faithfully, not straight distances",
     ("residual of Isomap, by its paths", "residual of Isomap, by straight distances"),
     lambda paths, straight: [paths < straight]),
    ("bins", "3.6", "moves of border elements end at the least error, 4",
     ("ER moved, step 2", "least ER there is"), lambda end, least: [end == least == 4]),
    ("bins", "3.6", "the error becomes smaller and smaller with each move that is told",
     tuple(f"ER as told, step {i}" for i in range(4)),
     lambda *errors: [after < before for before, after in pairwise(errors)]),
    ("chimerge", "3.7", "F has three intervals: [0, 10], [10, 42] and [42, 60]",
     ("intervals of F", "cut 1 of F", "cut 2 of F"),
     lambda n, one, two: [n == 3, one == 10, two == 42]),
    ("chimerge", "3.7", "no further merger is possible at 2.706",
     ("chi2 left, pair 1", "chi2 left, pair 2"), lambda *left: [min(left) > 2.706]),
    ("chimerge", "3.7", "[0, 7.5] and [7.5, 10] are merged on the way",
     ("steps like Table 3.8",), lambda steps: [steps > 0]),
)  # fmt: skip
"""Topic, section, conclusion, the figures it rests on, and when it holds, part by part."""


def _of_learning(answers: Answers) -> Iterator[Statement]:
    names = learned_data(answers)
    if not names:
        return
    errors = {n: _means(answers, n, ("error at 67 %", "error at 100 %")) for n in names}
    yield Statement(
        "3.8", "performance levels off after some percentage of the cases (here: 67)",
        judged(most - whole <= LEVEL for most, whole in errors.values()),
        _listed(f"{n} {_percents(pair)}" for n, pair in errors.items()) + ", error of 67 and 100 %",
    )  # fmt: skip
    votes = {n: _means(answers, n, ("error of the vote", "error at 100 %")) for n in names}
    yield Statement(
        "3.8", "a vote of solutions from many samples can do as well as all cases, or better",
        judged([any(vote <= whole + LEVEL for vote, whole in votes.values())]),
        _listed(f"{n} {_percents(pair)}" for n, pair in votes.items()) + ", error of the vote and "
        "of one tree of all cases",
    )  # fmt: skip


def _means(answers: Answers, data: str, figures: Iterable[str]) -> list[float]:
    return [float(np.mean(answers.figures("learning", f, data=data))) for f in figures]


def _percents(shares: Iterable[float]) -> str:
    return " and ".join(f"{number(100 * share, 1)} %" for share in shares)


def _listed(parts: Iterable[str]) -> str:
    return "; ".join(parts)
