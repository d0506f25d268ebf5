"""Section 4.3: slight bias against many values; MDL', MDL and the weight of evidence."""

from itertools import pairwise

from treelab.papers.kononenko1995.answers import Found
from treelab.papers.kononenko1995.rules import (
    ALL_TRIALS,
    INFORMATIVE,
    INFORMATIVE_K,
    IRRELEVANT,
    Judged,
    Section,
    each,
    falls,
    in_cells,
    linearly,
    percent,
    rises,
    shape,
    span,
)

compression = Section("4.3")
beside = Section("beside 4.3")
"""What the paper does not say: the weight of evidence by another estimate."""


@compression
def mdl_prime_falls(found: Found) -> Judged:
    """MDL' falls with the number of values in all scenarios."""
    return Judged(each(found.curves(("MDL'",)), falls))


@compression
def mdl_prime_is_linear(found: Found) -> Judged:
    """MDL' falls almost linearly."""
    return linearly(found.curves(("MDL'",)), -1)


@compression
def mdl_prime_is_steeper_with_classes(found: Found) -> Judged:
    """The slope of MDL' is steeper for more classes."""
    cases = {}
    for scenario in found.scenarios:
        slopes = [seen.curve.slope for seen in found.curves(("MDL'",), (scenario,))]
        if len(slopes) > 1:
            cases[scenario] = all(b < a for a, b in pairwise(slopes))
    return Judged(cases, "scenarios")


@compression
def mdl_prime_rejects_noise(found: Found) -> Judged:
    """MDL' of irrelevant attributes is always negative."""
    return _rejects_noise(found, "MDL'")


@compression
def mdl_falls(found: Found) -> Judged:
    """MDL falls with the number of values, as MDL' does."""
    return Judged(each(found.curves(("MDL",)), falls))


@compression
def mdl_is_less_steep(found: Found) -> Judged:
    """The slopes of MDL are lower than those of MDL'."""
    cases = {
        f"{seen.scenario} C = {seen.classes}": abs(seen.curve.slope) < abs(other.curve.slope)
        for seen, other in zip(found.curves(("MDL",)), found.curves(("MDL'",)), strict=True)
    }
    return Judged(cases)


@compression
def mdl_rejects_noise(found: Found) -> Judged:
    """MDL of irrelevant attributes is always negative."""
    return _rejects_noise(found, "MDL")


@compression
def mdl_accepts_informative(found: Found) -> Judged:
    """By MDL all informative attributes are compressive."""
    ours, prime = _least(found, "MDL > 0"), _least(found, "MDL' > 0")
    evidence = f"in at least {percent(ours)} of the trials of a cell; by MDL' in {percent(prime)}"
    cases = in_cells(
        found, INFORMATIVE_K, lambda place: found.figure("MDL > 0", place) >= ALL_TRIALS
    )
    return Judged(cases, "cells", evidence)


@compression
def evidence_rises(found: Found) -> Judged:
    """The weight of evidence of irrelevant attributes rises, as Relief does."""
    return Judged(each(found.curves(("WE",), IRRELEVANT), rises))


@compression
def evidence_falls(found: Found) -> Judged:
    """The weight of evidence of informative attributes falls, as MDL does."""
    return Judged(each(found.curves(("WE",), INFORMATIVE), falls))


@compression
def evidence_falls_faster_with_classes(found: Found) -> Judged:
    """The weight of evidence falls faster for more classes."""
    return _faster_with_classes(found, "WE")


@compression
def evidence_is_between(found: Found) -> Judged:
    """The weight of evidence behaves as Relief if irrelevant, as MDL if informative."""
    cases, told = {}, []
    for scenario, like, unlike in ((*IRRELEVANT, "Relief", "MDL"), (*INFORMATIVE, "MDL", "Relief")):
        for near, far, own in zip(
            *(found.curves((m,), (scenario,)) for m in (like, unlike, "WE")), strict=True
        ):
            cases[f"{scenario} C = {own.classes}"] = shape(own, near) >= shape(own, far)
            told.append(f"{shape(own, near):.2f} against {shape(own, far):.2f}")
    evidence = f"R² with the one it should be like, against the other: {', '.join(told)}"
    return Judged(cases, evidence=evidence)


@beside
def m_estimates_rise(found: Found) -> Judged:
    """With m-estimates the weight of evidence rises as well if irrelevant."""
    return Judged(each(found.curves(("WE (m = 2)",), IRRELEVANT), rises))


@beside
def m_estimates_fall(found: Found) -> Judged:
    """With m-estimates it falls as well if informative."""
    return Judged(each(found.curves(("WE (m = 2)",), INFORMATIVE), falls))


@beside
def m_estimates_fall_faster_with_classes(found: Found) -> Judged:
    """With m-estimates it falls faster for more classes, too."""
    return _faster_with_classes(found, "WE (m = 2)")


def _rejects_noise(found: Found, measure: str) -> Judged:
    places = [place for place in found.cells if place[0] in IRRELEVANT]
    shares = {place: found.figure(f"{measure} > 0", place) for place in places}
    means = span([found.figure(measure, place) for place in places], 4)
    worst = max(shares.values(), default=0)
    evidence = f"means {means}; above 0 in {percent(worst)} of the single trials of a cell at most"
    cases = in_cells(found, IRRELEVANT, lambda place: shares[place] <= 1 - ALL_TRIALS)
    return Judged(cases, f"cells in {percent(ALL_TRIALS)} of the trials", evidence)


def _least(found: Found, figure: str) -> float:
    return min(
        (cell[figure] for p, cell in found.cells.items() if p[0] in INFORMATIVE_K), default=1
    )


def _faster_with_classes(found: Found, measure: str) -> Judged:
    curves = list(found.curves((measure,), INFORMATIVE))
    cases = {
        f"C = {b.classes} after {a.classes}": b.curve.factor < a.curve.factor
        for a, b in pairwise(curves)
    }
    left = ", ".join(f"{seen.curve.factor:.2f}" for seen in curves)
    return Judged(cases, "steps", f"the last mean over the first: {left}")
