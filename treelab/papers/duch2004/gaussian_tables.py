"""The tables about the four Gaussians: ours, and beside them what the paper says."""

from collections.abc import Sequence

import numpy as np

from treelab.experiment.report.tables import NONE, Cell, Table, number
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.gaussians import CRITERIA, INDICES, SEARCHED
from treelab.papers.duch2004.reading import WIDTH, commonest, counted, orders, rate, values
from treelab.papers.duch2004.selection_claims import TINY, lack
from treelab.protocols import FloatArray


def rate_table(answers: Answers, part: str, cutting: str) -> Table:
    """Return how often each index orders the Gaussians ideally, by the number of bins."""
    bins = values(answers, part, "bins")
    said = _printed(answers, part) if cutting == WIDTH else {}
    before = _prototype(answers, part, cutting)
    rows = []
    for index in CRITERIA if part == "selection" else INDICES:
        ours = [rate(answers, part, index, cutting=cutting, bins=b) for b in bins]
        cells = [_beside(r, before.get((index, b))) for r, b in zip(ours, bins, strict=True)]
        rows.append((Cell(index), *cells, *([Cell(_said(said, index, bins))] if said else [])))
    what = "the first four in the order X1, X2, X3, X4" if part == "selection" else "ideal"
    caption = (
        f"Share of {counted(answers, part, 'data set')} in which the {part} is {what}, by the "
        f"number of {cutting} bins" + ("; in brackets the prototype's." if before else ".")
    )
    heads = ("index", *(f"{b} bins" for b in bins), *(["the paper says"] if said else []))
    return Table(caption, heads, tuple(rows))


def _printed(answers: Answers, part: str) -> dict[tuple[str, int], str]:
    """Return what the paper says by index and bins; it tells of bins of equal width."""
    rows = [row for row in answers.study.printed() if row["item"] == part]
    return {(row["method"], int(row["bins"])): row["value"] for row in rows}


def _prototype(answers: Answers, part: str, cutting: str) -> dict[tuple[str, int], float]:
    """Return the rates of the prototype by index and bins."""
    return {
        (row["index"], int(row["bins"])): float(row["rate"])
        for row in answers.study.printed("prototype.csv")
        if (row["part"], row["cutting"]) == (part, cutting)
    }


def _beside(ours: float, before: float | None) -> Cell:
    text = number(ours) if before is None else f"{number(ours)} ({number(before)})"
    return Cell(text, emphasis="best" if ours >= 0.95 else "")


def _said(printed: dict[tuple[str, int], str], index: str, bins: Sequence[int]) -> str:
    """Sum up what the paper says of an index: 'ideal; 8: X2 and X6 reversed'."""
    by_bins = {b: printed[index, b] for b in bins if (index, b) in printed}
    said = list(dict.fromkeys(by_bins.values()))
    if len(said) == 1:
        return said[0]
    return "; ".join(
        f"{', '.join(str(b) for b in by_bins if by_bins[b] == words)}: {words}" for words in said
    ) or NONE  # fmt: skip


def order_table(answers: Answers, cutting: str) -> Table:
    """Return the most frequent first four features of greedy selection."""
    bins = values(answers, "selection", "bins")
    rows = []
    for index in CRITERIA:
        found = [orders(answers, "selection", index, cutting=cutting, bins=b) for b in bins]
        rows.append((Cell(index), *(Cell(commonest(f, 4)) for f in found)))
    caption = f"The most frequent first four features of greedy selection, {cutting} bins."
    return Table(caption, ("index", *(f"{b} bins" for b in bins)), tuple(rows))


def size_table(answers: Answers) -> Table:
    """Return how often rankings are ideal by the number of points for each Gaussian."""
    sizes = values(answers, "sizes", "points")
    rows = [
        (Cell(i), *(_beside(rate(answers, "sizes", i, points=n), None) for n in sizes))
        for i in INDICES
    ]
    caption = (
        f"Share of {counted(answers, 'sizes', 'data set')} that are ranked ideally (16 bins of "
        "equal width), by the number of points for each Gaussian."
    )
    return Table(caption, ("index", *(f"{n} points" for n in sizes)), tuple(rows))


def tree_table(answers: Answers) -> Table:
    """Return the first features of SSV trees on the Gaussians."""
    found = orders(answers, "tree", "SSV tree")
    rows = [
        (Cell("ours, most frequent"), Cell(commonest(found, 5))),
        (Cell("the paper's"), Cell("X1 X2 X6 X3 X7")),
    ]
    caption = (
        f"The five features that an SSV tree uses first ({counted(answers, 'tree', 'data set')})."
    )
    return Table(caption, ("tree", "features"), tuple(rows), is_prose=True)


def greedy_table(answers: Answers) -> Table:
    """Return how often greedy sets are the best of all sets of their size."""
    bins = values(answers, "greedy", "bins")
    rows = []
    for index in SEARCHED:
        lacks = {b: [lack(answers, index, size, bins=b) for size in range(2, 8)] for b in bins}
        rows.append((Cell(index), *(Cell(_found(each)) for each in lacks.values())))
    caption = (
        f"Share of {counted(answers, 'greedy', 'data set')} and sizes, 2 to 7, in which the greedy "
        "set is the best of all sets; in brackets what it lacks to the best at most, in %."
    )
    return Table(caption, ("index", *(f"{b} bins" for b in bins)), tuple(rows))


def _found(lacks: Sequence[FloatArray]) -> str:
    every = np.concatenate(lacks)
    return f"{number(float((every <= TINY).mean()))} ({number(float(every.max()), 1)})"
