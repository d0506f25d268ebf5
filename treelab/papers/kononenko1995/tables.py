"""Tables: the means, the paper's own figures beside ours, and which way each measure goes."""

import numpy as np

from treelab.experiment.report.tables import Cell, Table, number
from treelab.laboratory import SCENARIOS, VALUES
from treelab.papers.kononenko1995.answers import Found
from treelab.papers.kononenko1995.questions import MEASURES, TAILS

SHOWN = ("irrelevant", "informative", "slightly")
"""The scenarios of the paper's figures; the means of the others are in answers-measures.csv."""


def mean_tables(found: Found) -> tuple[Table, ...]:
    """Return the means of all measures in the scenarios of the figures."""
    return tuple(mean_table(found, name) for name in SHOWN if name in found.scenarios)


def mean_table(found: Found, scenario: str) -> Table:
    """Return the mean of every measure for every number of classes and of values."""
    values = [v for v in VALUES if any(p[0] == scenario and p[2] == v for p in found.cells)]
    rows = [
        (Cell(measure), Cell(str(c)), *_means(found, measure, scenario, c, values))
        for measure in (*MEASURES, *TAILS)
        for c in found.classes(scenario)
    ]
    caption = (
        f"Means of {found.trials:,} trials: {SCENARIOS[scenario].title}; the standard error is of "
        "the last mean."
    )
    heads = ("measure", "classes", *(f"V = {v}" for v in values), "error")
    return Table(caption, heads, tuple(rows))


def _means(
    found: Found, measure: str, scenario: str, classes: int, values: list[int]
) -> list[Cell]:
    places = [(scenario, classes, v) for v in values]
    means = [Cell(number(found.figure(measure, place), 4)) for place in places]
    return [*means, Cell(number(found.figure(f"{measure} error", places[-1]), 4))]


def printed_table(found: Found) -> Table:
    """Return what the paper prints, beside ours."""
    rows = []
    for row in found.answers.study.printed():
        place = row["scenario"], int(row["classes"]), int(row["values"])
        digits = len(row["printed"].partition(".")[2]) + 1
        ours = found.figure(row["measure"], place)
        gap = ours - float(row["printed"])
        rows.append(
            (
                Cell(f"{row['measure']}, {SCENARIOS[place[0]].title}"),
                *map(Cell, (row["classes"], row["values"], row["printed"])),
                Cell(number(ours, digits)),
                Cell(_difference(gap, digits)),
            )
        )
    heads = ("figure", "classes", "values", "printed", "ours", "diff.")
    return Table("The figures that the paper prints as numbers, and ours.", heads, tuple(rows))


def _difference(gap: float, digits: int) -> str:
    if not np.isfinite(gap):
        return number(gap)
    return f"{gap:+.{digits}f}" if round(gap, digits) else "0"


def tendency_table(found: Found) -> Table:
    """Return which way each measure goes as values become more, in every scenario."""
    rows = [
        (Cell(measure), *(Cell(tendency(found, measure, name)) for name in found.scenarios))
        for measure in MEASURES
    ]
    caption = (
        "Which way each measure goes from the fewest values to the most: one word where that is "
        "the same for all numbers of classes, else a word for each (2, 5 and 10 classes)."
    )
    return Table(caption, ("measure", *found.scenarios), tuple(rows), is_prose=True)


def tendency(found: Found, measure: str, scenario: str) -> str:
    """Return the ways of a measure's curves in a word or a few."""
    ways = [seen.curve.tendency for seen in found.curves((measure,), (scenario,))]
    return ", ".join(dict.fromkeys(ways) if len(set(ways)) == 1 else ways) or number(float("nan"))
