"""The tables about the thyroid data: ours, and beside them what the paper prints."""

from collections.abc import Sequence

import numpy as np

from treelab.experiment.report.tables import NONE, Cell, Table, number
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.direction_claims import milliseconds, told_by
from treelab.papers.duch2004.reading import (
    NUMBERS,
    agreement,
    curves,
    most_told,
    n_same,
    places,
    values,
)
from treelab.papers.duch2004.thyroid import printed_rankings
from treelab.protocols import FloatArray

LIKE = {"MI": "IGR"}
"""The row of Table 1 that may be by mutual information as well."""


def information_table(answers: Answers) -> Table:
    """Return what the most important feature tells, by index, way to cut and number of bins."""
    bins = values(answers, "information", "bins")
    rows = [
        (
            Cell(f"{index}, {cutting}"),
            *(Cell(number(most_told(answers, index, cutting, b), 3)) for b in bins),
        )
        for index in ("IGn", "MI", "IGR")
        for cutting in values(answers, "information", "cutting")
    ]
    caption = (
        "What the most important feature of the thyroid data tells. IGn is MI over the entropy of "
        "the class."
    )
    return Table(caption, ("index, bins", *map(str, bins)), tuple(rows))


def ranking_table(answers: Answers) -> Table:
    """Return Table 1: our rankings, each above the paper's."""
    printed = printed_rankings(answers.study)
    rows = []
    for method in values(answers, "table", "method"):
        found = places(answers, "table", method=method)
        mean = found.mean(axis=0)
        used = len(NUMBERS) - int((found == found.max(axis=1, keepdims=True)).all(axis=0).sum())
        order = [NUMBERS[f] for f in np.argsort(mean, kind="stable")]
        theirs = printed[LIKE.get(method, method)]
        rows.append((Cell(method), Cell("ours"), Cell(_listed(order, used))))
        rows.append((Cell(""), Cell("paper"), Cell(_listed(theirs, len(theirs)))))
    caption = (
        "Table 1: features from the most to the least important; those in brackets were left out "
        "by the tree."
    )
    return Table(caption, ("method", "", "features"), tuple(rows), is_prose=True)


def _listed(order: Sequence[int], used: int) -> str:
    """Write a ranking, the last ones in brackets."""
    used = len(order) if used == len(order) - 1 else used
    rest = f" ({' '.join(map(str, order[used:]))})" if used < len(order) else ""
    return " ".join(map(str, order[:used])) + rest


def agreement_table(answers: Answers) -> Table:
    """Return how well our rankings agree with the printed ones."""
    printed = printed_rankings(answers.study)
    rows = []
    for method in values(answers, "table", "method"):
        theirs = printed[LIKE.get(method, method)]
        found = places(answers, "table", method=method)
        both = agreement(found, theirs)
        same = f"{n_same(found, theirs)} of {len(NUMBERS)}"
        cells = (same, *map(number, both.mean(axis=0)), number(_shared(found, theirs, 5), 1))
        rows.append((Cell(method), *map(Cell, cells)))
    caption = (
        "Our rankings beside the printed ones: in how many places they have the same feature, "
        "their rank correlation, and how many of the first five they share. The row that the paper "
        "calls IGR is the gain ratio; MI is set beside it."
    )
    heads = ("method", "same place", "Spearman", "Kendall", "of the first five")
    return Table(caption, heads, tuple(rows))


def _shared(found: FloatArray, theirs: Sequence[int], first: int) -> float:
    """Return how many of the first features are among the first printed ones, on average."""
    orders = np.argsort(found, axis=1, kind="stable")[:, :first] + 1
    return float(np.isin(orders, theirs[:first]).sum(axis=1).mean())


def bins_table(answers: Answers) -> Table:
    """Return how the number of SSV bins changes the agreement with the paper."""
    printed, bins = printed_rankings(answers.study), values(answers, "bins", "bins")
    rows = []
    for method in values(answers, "bins", "method"):
        theirs = printed[LIKE.get(method, method)]
        found = [places(answers, "bins", method=method, bins=b) for b in bins]
        cells = [Cell(_agreed(f, theirs)) for f in found]
        rows.append((Cell(method), *cells))
    caption = (
        "Spearman's correlation with the printed ranking by the number of SSV bins; in brackets "
        "how many places have the same feature."
    )
    return Table(caption, ("method", *(f"{b} bins" for b in bins)), tuple(rows))


def _agreed(found: FloatArray, theirs: Sequence[int]) -> str:
    if not len(found):
        return NONE
    spearman = float(agreement(found, theirs)[:, 0].mean())
    return f"{number(spearman, 3)} ({n_same(found, theirs)})"


def accuracy_table(answers: Answers, part: str) -> Table:
    """Return the test accuracy by the number of features, the best of each number in bold."""
    found = curves(answers, part)
    best = np.max(list(found.values()), axis=0)
    sizes = [s for s in NUMBERS if s <= 8 or s in (10, 12, 15, 18, 21)]
    rows = [
        (
            Cell(method),
            *(
                Cell(number(c[s - 1]), emphasis="best" if c[s - 1] == best[s - 1] else "")
                for s in sizes
            ),
        )
        for method, c in found.items()
    ]
    whose = "the printed" if part in ("printed", "soft") else "our"
    c = next(asked.settings["c"] for asked in answers.study.parts if asked.name == part)
    caption = (
        f"Test accuracy of the SVM (C = {c:g}) in % on the first features of {whose} rankings; "
        "the best of each number in bold."
    )
    return Table(caption, ("ranking", *map(str, sizes)), tuple(rows))


def cuttings_table(answers: Answers) -> Table:
    """Return what numbers tell once they are cut, and how long the cutting takes."""
    bins = values(answers, "cuttings", "bins")
    rows = [
        (
            Cell(cutting),
            *(
                Cell(
                    f"{number(told_by(answers, cutting, b), 3)} "
                    f"({number(milliseconds(answers, cutting, b), 1)} ms)"
                )
                for b in bins
            ),
        )
        for cutting in values(answers, "cuttings", "cutting")
    ]
    caption = (
        "Bits that the six numeric features tell of the test cases, one by one, added up, when cut "
        "on the training cases; in brackets how long that takes."
    )
    return Table(caption, ("cutting", *(f"{b} bins" for b in bins)), tuple(rows))
