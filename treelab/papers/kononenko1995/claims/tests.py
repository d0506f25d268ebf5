"""Section 4.4: almost unbiased, but also non-discriminating measures."""

from treelab.laboratory import SIGMAS
from treelab.papers.kononenko1995.answers import Found, Place, Seen
from treelab.papers.kononenko1995.rules import (
    INFORMATIVE_K,
    IRRELEVANT,
    Judged,
    Section,
    each,
    falls,
    in_cells,
    percent,
    span,
)

tests = Section("4.4")

MEASURES = ("P(chi2)", "P(G)")
UNBIASED = 0.05
"""A mean P this near to 1/2 is that of an attribute of no bias."""
CERTAIN = 0.999995
"""From here on P is printed as 1.00000."""
ZERO = ("informative-0",)


@tests
def p_chi2_is_unbiased(found: Found) -> Judged:
    """P(chi2) of irrelevant attributes is unbiased."""
    return _near_half(found, "P(chi2)")


@tests
def p_g_overestimates(found: Found) -> Judged:
    """P(G) overestimates irrelevant attributes of many values."""
    curves = list(found.curves(("P(G)",), IRRELEVANT))
    ends = "; ".join(f"{s.curve.means[0]:.3f} to {s.curve.means[-1]:.3f}" for s in curves)
    evidence = f"from the fewest to the most values: {ends}"
    return Judged(each(curves, _ends_above_half), evidence=evidence)


def _ends_above_half(seen: Seen) -> bool:
    """Tell whether P of the most values is above 1/2, where chance puts it, for sure."""
    return bool(seen.curve.means[-1] > 0.5 + SIGMAS * seen.curve.errors[-1])


@tests
def p_g_seems_unbiased_in_a_corner(found: Found) -> Judged:
    """In White and Liu's scenario (C = 2, 5; V = 2, 5, 10) P(G) seems unbiased."""
    return _near_half(found, "P(G)", most_classes=5, most_values=10)


def _near_half(
    found: Found, measure: str, most_classes: float = 10, most_values: float = 40
) -> Judged:
    means = {
        f"C = {c}, V = {v}": cell[measure]
        for (scenario, c, v), cell in found.cells.items()
        if scenario in IRRELEVANT and c <= most_classes and v <= most_values
    }
    cases = {name: abs(mean - 0.5) <= UNBIASED for name, mean in means.items()}
    return Judged(cases, "cells", f"means {span(means.values(), 3)}")


@tests
def p_is_one(found: Found) -> Judged:
    """P(chi2) and P(G) of informative attributes are 1, whatever the number of values."""
    exact = [
        cell[f"{measure} = 1"]
        for place, cell in found.cells.items()
        if place[0] in INFORMATIVE_K
        for measure in MEASURES
    ]
    evidence = f"exactly 1 in at least {percent(min(exact, default=1.0))} of the trials of a cell"
    cases = in_cells(found, INFORMATIVE_K, lambda place: _is_certain(found, place))
    return Judged(cases, "cells", evidence)


@tests
def k_0_is_slight(found: Found) -> Judged:
    """With k = 0 equation 15 makes attributes slightly informative, with P below 1."""
    cases = in_cells(found, ZERO, lambda place: not _is_certain(found, place))
    gains = span([cell["Gain"] for place, cell in found.cells.items() if place[0] in ZERO], 2)
    return Judged(cases, "cells", f"gains of {gains} bits")


def _is_certain(found: Found, place: Place) -> bool:
    return all(found.figure(measure, place) >= CERTAIN for measure in MEASURES)


@tests
def p_chi2_falls(found: Found) -> Judged:
    """P(chi2) of slightly informative attributes falls with the number of values."""
    return Judged(each(found.curves(("P(chi2)",), ("slightly",)), falls))


@tests
def p_g_falls(found: Found) -> Judged:
    """P(G) of slightly informative attributes falls with the number of values."""
    return Judged(each(found.curves(("P(G)",), ("slightly",)), falls))
