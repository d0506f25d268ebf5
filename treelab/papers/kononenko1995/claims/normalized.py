"""Section 4.2: exponential bias against informative attributes of many values."""

import numpy as np

from treelab.papers.kononenko1995.answers import Found, Seen
from treelab.papers.kononenko1995.rules import (
    INFORMATIVE_K,
    IRRELEVANT,
    LINEAR,
    Judged,
    Section,
    each,
    falls,
    fits,
    linearly,
    rises,
    shape,
    span,
)

normalized = Section("4.2")

MEASURES = ("GainR", "1-D", "Relief")
LEAST = 0.9
"""The share of variance a curve must explain to be named after; and no other may explain more."""


@normalized
def they_fall(found: Found) -> Judged:
    """GainR, 1-D and Relief of informative attributes fall with the number of values."""
    return Judged(each(found.curves(MEASURES, INFORMATIVE_K), falls))


@normalized
def they_fall_exponentially(found: Found) -> Judged:
    """GainR, 1-D and Relief of informative attributes fall exponentially."""
    curves = list(found.curves(MEASURES, INFORMATIVE_K))
    cases = each(curves, lambda s: _exponential(s) >= max(LEAST, _hyperbolic(s)))
    return Judged(
        cases,
        evidence=f"the logarithm of the mean with V: {fits(curves, _exponential)}; "
        f"the mean with 1/V: {fits(curves, _hyperbolic)}",
    )


@normalized
def they_rise(found: Found) -> Judged:
    """GainR, 1-D and Relief of irrelevant attributes rise with the number of values."""
    return Judged(each(found.curves(MEASURES, IRRELEVANT), rises))


@normalized
def ratios_rise_linearly(found: Found) -> Judged:
    """GainR and 1-D of irrelevant attributes rise linearly."""
    return linearly(found.curves(("GainR", "1-D"), IRRELEVANT), 1)


@normalized
def distance_is_like_gain_ratio(found: Found) -> Judged:
    """The performance of 1-D is very similar to that of GainR."""
    pairs = list(zip(found.curves(("1-D",)), found.curves(("GainR",)), strict=True))
    alike = {f"{a.scenario} C = {a.classes}": _alike(a, b) for a, b in pairs}
    evidence = f"R² of the one with the other {span((shape(a, b) for a, b in pairs), 3)}"
    return Judged(alike, evidence=evidence)


def _alike(one: Seen, other: Seen) -> bool:
    """Tell whether curves go the same way and are of the same shape."""
    return one.curve.tendency == other.curve.tendency and shape(one, other) >= LINEAR


@normalized
def relief_rises_logarithmically(found: Found) -> Judged:
    """Relief of irrelevant attributes rises logarithmically."""
    curves = list(found.curves(("Relief",), IRRELEVANT))
    cases = each(curves, lambda s: _logarithmic(s) >= max(LEAST, _hyperbolic(s)))
    evidence = f"with log V: {fits(curves, _logarithmic)}; with 1/V: {fits(curves, _hyperbolic)}"
    return Judged(cases, evidence=evidence)


@normalized
def relief_is_least_biased(found: Found) -> Judged:
    """The bias for irrelevant attributes of many values is lowest for Relief."""
    cases, factors = {}, []
    for relief in found.curves(("Relief",), IRRELEVANT):
        others = [found.curve(m, *IRRELEVANT, relief.classes).factor for m in ("GainR", "1-D")]
        cases[f"C = {relief.classes}"] = relief.curve.factor < min(others)
        factors.append(f"{relief.curve.factor:.1f} against {span(others, 1)}")
    evidence = f"from the fewest values to the most it grows by a factor of {'; '.join(factors)}"
    return Judged(cases, "numbers of classes", evidence)


def _exponential(seen: Seen) -> float:
    return seen.curve.fit_exponential()


def _hyperbolic(seen: Seen) -> float:
    return seen.curve.fit(lambda v: 1 / v)


def _logarithmic(seen: Seen) -> float:
    return seen.curve.fit(np.log)
