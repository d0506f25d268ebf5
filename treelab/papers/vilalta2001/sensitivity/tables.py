"""Tables of the sensitivity: the deviations with what explains them, and every variant."""

from treelab.experiment.report.tables import NEAR, NONE, Cell, Table, difference, number
from treelab.papers.vilalta2001.sensitivity.cells import BASE, Found, Place

UNEXPLAINED = "unexplained"


def deviation_table(found: Found) -> Table:
    """Return a line for each deviation: how large it is, and which variants explain it."""
    rows = [
        (
            Cell(place[0]), Cell(place[1]), Cell(number(found.paper[place])),
            Cell(number(found.ours[BASE][place])), difference(found.gap(BASE, place)),
            _explanation(found, place), Cell(_spoiling(found, place)),
        )
        for place in found.deviations()
    ]  # fmt: skip
    heads = ("domain", "column", "paper", "ours", "diff.", "explained by", "also brought near by")
    return Table(
        f"Cells that are more than {NEAR:g} points from the paper's. Explained: under this choice "
        "the cell is near (in brackets, how far it is then), and, of all cells the choice was "
        "tried on, no fewer are near than in the table. Also brought near: by choices that move "
        "more cells away than they bring near.",
        heads, tuple(rows), is_prose=True,
    )  # fmt: skip


def _explanation(found: Found, place: Place) -> Cell:
    variants = found.explaining(place)
    if not variants:
        return Cell(UNEXPLAINED, emphasis="far")
    return Cell(_listed(found, place, variants))


def _spoiling(found: Found, place: Place) -> str:
    explaining = found.explaining(place)
    others = [variant for variant in found.bringing_near(place) if variant not in explaining]
    return _listed(found, place, others) or NONE


def _listed(found: Found, place: Place, variants: list[str]) -> str:
    return "; ".join(f"{v} ({found.gap(v, place):+.2f})" for v in variants)


def variant_table(found: Found) -> Table:
    """Return a line for each variant: what it does to the cells it was tried on."""
    return Table(
        "Every choice made otherwise: the cells it was tried on, how many of them lie within "
        f"{NEAR:g} points of the paper in the table and with the choice, how far they are from the "
        "paper on average, and whether the choice is plausible: no fewer are near. Both are of the "
        "repetitions that the choice was tried in.",
        ("choice", "cells", "near", "near then", "points off", "off then", "plausible"),
        tuple(_variant(found, variant) for variant in found.variants),
    )


def _variant(found: Found, variant: str) -> tuple[Cell, ...]:
    near, off = found.n_near(variant), found.off(variant)
    words = [
        variant, str(len(off)), *map(str, near), *map(number, off.mean(axis=0)),
        "yes" if found.is_plausible(variant) else "no",
    ]  # fmt: skip
    return tuple(map(Cell, words))


def domain_table(found: Found) -> Table:
    """Return the accuracy of every deviating cell under every choice it was tried with."""
    places = found.deviations()
    variants = [BASE, *(v for v in found.variants if any(p in found.ours[v] for p in places))]
    rows = [
        (Cell(variant), *(_at(found, variant, place) for place in places)) for variant in variants
    ]
    paper = (Cell("paper"), *(Cell(number(found.paper[place], 1)) for place in places))
    return Table(
        "The accuracy of these cells in % under every choice; those near the paper in bold.",
        ("choice", *(f"{data}, {column}" for data, column in places)), (paper, *rows),
    )  # fmt: skip


def _at(found: Found, variant: str, place: Place) -> Cell:
    if place not in found.ours[variant]:
        return Cell(NONE)
    is_near = found.is_near(variant, place)
    return Cell(number(found.ours[variant][place], 1), emphasis="best" if is_near else "")
