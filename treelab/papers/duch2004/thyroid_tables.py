"""The tables about the thyroid data: ours, and beside them what the paper prints."""

from collections.abc import Sequence

import numpy as np

from treelab._typing import FloatArray
from treelab.experiment.report.tables import NONE, Cell, Table, number
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.reading import (
    NUMBERS,
    agreement,
    counted,
    curves,
    most_told,
    places,
    values,
)
from treelab.papers.duch2004.thyroid import printed_rankings

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
        "What the most important feature of the thyroid data tells (means over "
        f"{counted(answers, 'information', 'split')}). IGn is MI over the entropy of the class."
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
        "Table 1: features from the most to the least important. Ours go by the mean place over "
        f"{counted(answers, 'table', 'split')}; those in brackets were left out in every split."
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
        cells = (_spread(both[:, 0]), _spread(both[:, 1]), number(_shared(found, theirs, 5), 1))
        rows.append((Cell(method), *map(Cell, cells)))
    caption = (
        "Rank correlation of our rankings with the printed ones (mean, and from least to largest "
        "over the splits), and how many of the first five they share. MI is set beside the row IGR."
    )
    heads = ("method", "Spearman", "Kendall", "of the first five")
    return Table(caption, heads, tuple(rows))


def _shared(found: FloatArray, theirs: Sequence[int], first: int) -> float:
    """Return how many of the first features are among the first printed ones, on average."""
    orders = np.argsort(found, axis=1, kind="stable")[:, :first] + 1
    return float(np.isin(orders, theirs[:first]).sum(axis=1).mean())


def _spread(found: FloatArray) -> str:
    return f"{found.mean():.2f} ({found.min():.2f} to {found.max():.2f})"


def bins_table(answers: Answers) -> Table:
    """Return how the number of SSV bins changes the agreement with the paper."""
    printed, bins = printed_rankings(answers.study), values(answers, "bins", "bins")
    rows = []
    for method in values(answers, "bins", "method"):
        theirs = printed[LIKE.get(method, method)]
        found = [places(answers, "bins", method=method, bins=b) for b in bins]
        cells = [
            Cell(number(float(agreement(f, theirs)[:, 0].mean())) if len(f) else NONE)
            for f in found
        ]
        rows.append((Cell(method), *cells))
    caption = "Spearman's correlation with the printed ranking by the number of SSV bins."
    return Table(caption, ("method", *(f"{b} bins" for b in bins)), tuple(rows))


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
    whose = "our" if part == "table" else "the printed"
    c = next(asked.settings["c"] for asked in answers.study.parts if asked.name == part)
    caption = (
        f"Test accuracy of the SVM (C = {c:g}) in % on the first features of {whose} rankings, "
        f"means over {counted(answers, part, 'split')}; the best of each number in bold."
    )
    return Table(caption, ("ranking", *map(str, sizes)), tuple(rows))
