"""Section 4.1: linear bias in favour of many values."""

from itertools import pairwise

import numpy as np

from treelab.papers.kononenko1995.answers import Found, Seen
from treelab.papers.kononenko1995.rules import (
    BOTH,
    INFORMATIVE,
    Judged,
    Section,
    each,
    in_cells,
    linearly,
    rises,
)

linear = Section("4.1")

MEASURES = ("Gain", "J", "Gini", "Gini'")
MORE_INFORMATIVE = ("informative-2",)
CLOSE = 0.1
"""Graphs are practically identical where they differ by less than this share."""


@linear
def they_rise_linearly(found: Found) -> Judged:
    """Gain, J, Gini and Gini' rise linearly with the number of values."""
    return linearly(found.curves(MEASURES, BOTH), 1)


@linear
def they_always_do(found: Found) -> Judged:
    """Gain, J, Gini and Gini' rise linearly in all other scenarios, too."""
    others = [name for name in found.scenarios if name not in BOTH]
    return linearly((s for name in others for s in found.curves(MEASURES, (name,))), 1)


@linear
def j_is_like_gain(found: Found) -> Judged:
    """J has graphs similar to those of Gain."""
    return _close(found, "J", "Gain")


@linear
def gini_prime_is_gini(found: Found) -> Judged:
    """Gini and Gini' have practically identical graphs."""
    return _close(found, "Gini'", "Gini")


def _close(found: Found, one: str, other: str) -> Judged:
    gaps = {
        place: abs(cell[one] / cell[other] - 1)
        for place, cell in found.cells.items()
        if place[0] in BOTH
    }
    cases = in_cells(found, BOTH, lambda place: gaps[place] < CLOSE)
    worst = max(gaps.values(), default=0.0)
    return Judged(cases, "cells", f"they differ by {100 * worst:.2g} % at most")


@linear
def gini_falls_with_classes(found: Found) -> Judged:
    """Gini of informative attributes falls with the number of classes."""
    return _fall_with_classes(found, "Gini", INFORMATIVE)


@linear
def gini_falls_more_with_k(found: Found) -> Judged:
    """With k = 2 Gini falls with the number of classes even more, along straight lines."""
    falling = _fall_with_classes(found, "Gini", MORE_INFORMATIVE)
    lines = linearly(found.curves(("Gini",), MORE_INFORMATIVE), 1)
    cases = {**falling.cases, **lines.cases}
    return Judged(cases, "steps and curves", f"{falling.evidence}; {lines.evidence}")


@linear
def relevance_rises_less(found: Found) -> Judged:
    """Relevance rises less than linearly with the number of values."""
    return Judged(each(found.curves(("Relevance",), BOTH), _rises_less))


@linear
def relevance_falls_with_classes(found: Found) -> Judged:
    """Relevance falls with the number of classes."""
    return _fall_with_classes(found, "Relevance", BOTH)


def _rises_less(seen: Seen) -> bool:
    return rises(seen) and bool((np.diff(seen.curve.steepness) < 0).all())


def _fall_with_classes(found: Found, measure: str, scenarios: tuple[str, ...]) -> Judged:
    cases, fewest = {}, []
    for scenario in scenarios:
        values = sorted({v for name, _, v in found.cells if name == scenario})
        for v in values:
            means = _by_classes(found, measure, scenario, v)
            for (before, a), (after, b) in pairwise(means.items()):
                cases[f"{scenario} V = {v}, C = {after} after {before}"] = b < a
            if v == values[0]:
                fewest.append(f"{scenario} {', '.join(f'{mean:.3f}' for mean in means.values())}")
    return Judged(cases, "steps", f"at the fewest values: {'; '.join(fewest)}")


def _by_classes(found: Found, measure: str, scenario: str, values: int) -> dict[int, float]:
    places = {c: (scenario, c, values) for c in found.classes(scenario)}
    return {c: found.figure(measure, p) for c, p in places.items() if p in found.cells}
