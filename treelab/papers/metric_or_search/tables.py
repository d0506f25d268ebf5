"""Tables of the study."""

from collections.abc import Sequence

import numpy as np

from treelab.experiment.report.tables import NONE, Cell, Table, number
from treelab.papers.metric_or_search.cells import Cells
from treelab.papers.metric_or_search.spread import (
    beside_optimal,
    under_searches,
)
from treelab.papers.metric_or_search.variance import Source
from treelab.papers.metric_or_search.verdicts import ALPHA, Decomposed, ranged, role

IN_SHORT = {
    "never": "not shown",
    "no longer": "no longer shown",
    "only then": "only now",
    "less": "matters less",
    "more": "matters more",
    "as much": "matters as before",
}


def answer_table(tables: Sequence[Cells], caption: str) -> Table:
    """Return what the metric is worth under each search, a line each."""
    heads = (
        "trees", "search", "metrics differ by", "lowest", "highest", "P", "spread", "P of change",
        "the metric",
    )  # fmt: skip
    rows = tuple(row for cells in tables for row in _under_rows(cells))
    return Table(caption, heads, rows)


def _under_rows(cells: Cells) -> list[tuple[Cell, ...]]:
    found = under_searches(cells)
    return [
        (
            Cell(cells.name),
            Cell(each.search),
            Cell(ranged(each, cells.measure)),
            Cell(each.lowest),
            Cell(each.highest),
            p_cell(each.p),
            Cell(number(each.spread)),
            p_cell(each.p_change),
            Cell(_greedily(each.p) if place == 0 else IN_SHORT[role(found[0], each)]),
        )
        for place, each in enumerate(found)
    ]


def _greedily(p: float) -> str:
    return "matters" if p < ALPHA else "not shown"


def variance_table(found: Sequence[Decomposed]) -> Table:
    """Return the shares of the variance, a line for each measure and size."""
    names = [source.name for source in found[0][1]]
    rows = [
        (Cell(cells.name), *(Cell(number(source.share)) for source in sources))
        for cells, sources in found
    ]
    return Table("Shares of the variance of all cells, in %.", ("trees", *names), tuple(rows))


def within_table(found: Sequence[Decomposed]) -> Table:
    """Return the shares of the variance within data sets, and the tests, a line for each table."""
    names = [source.name for source in found[0][1] if source.name != "data set"]
    heads = ("trees", *names)
    rows = [
        (Cell(cells.name), *(_within(source) for source in sources if source.name != "data set"))
        for cells, sources in found
    ]
    return Table(
        f"Shares of the variance within data sets, in %; in bold where P < {ALPHA:g} by "
        "permutation. The interactions with the data set cannot be tested: a cell has one figure.",
        heads,
        tuple(rows),
    )


def _within(source: Source) -> Cell:
    return Cell(number(source.within), emphasis="best" if source.permutation < ALPHA else "")


def tests_table(found: Sequence[Decomposed]) -> Table:
    """Return the P-values of the factors, a line for each table."""
    tested = ("metric", "search", "metric x search")
    heads = ("trees", *(f"{n}: {t}" for n in tested for t in ("Friedman", "perm.")))
    rows = []
    for cells, sources in found:
        by_name = {source.name: source for source in sources}
        both = [(by_name[name].friedman, by_name[name].permutation) for name in tested]
        rows.append((Cell(cells.name), *(p_cell(p) for pair in both for p in pair)))
    caption = (
        "P-values of Friedman's test, the data sets being the blocks, and of permutation within "
        f"data sets; those below {ALPHA:g} in bold."
    )
    kept = [i for i in range(len(heads)) if i != heads.index("metric x search: Friedman")]
    return Table(
        caption, tuple(heads[i] for i in kept), tuple(tuple(row[i] for i in kept) for row in rows)
    )


def means_table(tables: Sequence[Cells], caption: str) -> Table:
    """Return the means of every metric under every search; the best of a column in bold."""
    columns = [
        (f"{cells.size}: {search}", cells.values[:, :, place].mean(axis=0), cells.measure)
        for cells in tables
        for place, search in enumerate(cells.searches)
    ]
    rows = [
        (Cell(metric), *(_mean(means, row, measure) for _, means, measure in columns))
        for row, metric in enumerate(tables[0].metrics)
    ]
    average = (
        Cell("average"), *(Cell(_figure(float(means.mean()), m)) for _, means, m in columns)
    )  # fmt: skip
    heads = ("metric", *(head for head, _, _ in columns))
    return Table(caption, heads, (*rows, average), n_totals=1)


def _mean(means: np.ndarray, row: int, measure: str) -> Cell:
    best = means.max() if measure == "accuracy" else means.min()
    is_best = _figure(float(means[row]), measure) == _figure(float(best), measure)
    return Cell(_figure(float(means[row]), measure), emphasis="best" if is_best else "")


def _figure(value: float, measure: str) -> str:
    """Write an accuracy, or a number of leaves of which the logarithm is given."""
    return number(value) if measure == "accuracy" else number(2**value, 1)


def optimal_table(rows: Sequence[tuple[Cells, Cells, Cells]]) -> Table:
    """Return optimal trees beside those of each search: given accuracy, leaves, training cost."""
    lines = [line for each in rows for line in _optimal_rows(*each)]
    return Table(
        "Means over the data sets, of a search over the metrics, too. The training cost is the "
        "share of training errors in % + 1 for each leaf; leaves are geometric means; the lead is "
        "what the optimal trees have more in accuracy, with its standard error and Wilcoxon's "
        "P-value (Holm).",
        ("trees", "search", "training cost", "accuracy", "leaves", "lead of optimal", "P"),
        tuple(lines),
    )  # fmt: skip


def _optimal_rows(accuracy: Cells, leaves: Cells, cost: Cells) -> list[tuple[Cell, ...]]:
    costs, sizes = cost.values.mean(axis=(0, 1)), leaves.values.mean(axis=(0, 1))
    lines = [
        (
            Cell(accuracy.size),
            Cell(each.search),
            Cell(number(100 * costs[place])),
            Cell(number(each.mean)),
            Cell(number(2 ** sizes[place], 1)),
            Cell(f"{each.lead:+.2f} \u00b1 {each.error:.2f}"),
            p_cell(each.p),
        )
        for place, each in enumerate(beside_optimal(accuracy))
    ]
    last = (
        number(100 * cost.optimal.mean()),
        number(accuracy.optimal.mean()),
        number(2 ** leaves.optimal.mean(), 1),
    )
    return [*lines, tuple(map(Cell, (accuracy.size, "optimal", *last, NONE, NONE)))]


def p_cell(p: float) -> Cell:
    """Write a P-value, in bold where it shows something; a dash for none."""
    if not np.isfinite(p):
        return Cell(NONE)
    text = f"{p:.4f}" if p >= 1e-4 else "< 0.0001"
    return Cell(text, emphasis="best" if p < ALPHA else "")
