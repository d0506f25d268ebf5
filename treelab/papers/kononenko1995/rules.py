"""How a statement about several curves or cells is judged, and told in a sentence.

A rule is a function of the answers, decorated with the section of the paper; its docstring is the
statement, and what it returns says in which cases that is so.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

import attrs
import numpy as np

from treelab.experiment.report.article import Statement, judged
from treelab.laboratory import fit
from treelab.papers.kononenko1995.answers import Found, Place, Seen
from treelab.protocols import FloatArray

IRRELEVANT, INFORMATIVE = ("irrelevant",), ("informative",)
BOTH = (*IRRELEVANT, *INFORMATIVE)
"""The scenarios of the paper's figures."""
INFORMATIVE_K = ("informative", "informative-2")
"""With k = 1 and k = 2."""

LINEAR = 0.97
"""The share of variance that a straight line must explain to be called one."""

ALL_TRIALS = 0.99
"""The share of trials that is called all, or always."""

SHOWN = 3
"""So many exceptions are named."""

Cases: TypeAlias = Mapping[str, bool]


@attrs.frozen
class Judged:
    """In which cases a statement is so; what the cases are, and what else there is to say."""

    cases: Cases
    what: str = "curves"
    evidence: str = ""

    def __str__(self) -> str:
        told = count(self.cases, self.what)
        return f"{self.evidence}; {told}." if self.evidence else f"{told}."


Rule: TypeAlias = Callable[[Found], Judged]


@attrs.frozen
class Section:
    """A section of the paper with the rules for its statements."""

    number: str
    rules: list[Rule] = attrs.field(factory=list)

    def __call__(self, rule: Rule) -> Rule:
        """Add a rule."""
        self.rules.append(rule)
        return rule

    def statements(self, found: Found) -> Iterator[Statement]:
        """Yield a verdict for every rule that finds cases to judge."""
        for rule in self.rules:
            said = rule(found)
            if said.cases:
                text = " ".join((rule.__doc__ or "").split()).removesuffix(".")
                yield Statement(self.number, text, judged(said.cases.values()), str(said))


def count(cases: Cases, what: str) -> str:
    """Say in how many cases it is so, and name some where it is not.

    >>> count({"a": True, "b": True, "c": False}, "curves")
    'so in 2 of 3 curves, not: c'
    """
    exceptions = [name for name, holds in cases.items() if not holds]
    text = f"so in {len(cases) - len(exceptions)} of {len(cases)} {what}"
    if not 0 < len(exceptions) < len(cases):
        return text
    more = f" and {len(exceptions) - SHOWN} more" if len(exceptions) > SHOWN else ""
    return f"{text}, not: {'; '.join(exceptions[:SHOWN])}{more}"


def each(curves: Iterable[Seen], rule: Callable[[Seen], bool]) -> dict[str, bool]:
    """Return whether each curve follows a rule."""
    return {str(seen): rule(seen) for seen in curves}


def in_cells(
    found: Found, scenarios: Iterable[str], holds: Callable[[Place], bool]
) -> dict[str, bool]:
    """Return whether something holds in each cell of some scenarios."""
    wanted = set(scenarios)
    return {
        f"{scenario} C = {c}, V = {v}": holds((scenario, c, v))
        for scenario, c, v in found.cells
        if scenario in wanted
    }


def rises(seen: Seen) -> bool:
    """Tell whether the measure rises with the number of values."""
    return seen.curve.tendency == "rises"


def falls(seen: Seen) -> bool:
    """Tell whether the measure falls with the number of values."""
    return seen.curve.tendency == "falls"


def linearly(curves: Iterable[Seen], sign: float) -> Judged:
    """Judge whether curves are straight lines, up or down as the sign says."""
    seen = list(curves)
    cases = each(seen, lambda s: s.curve.fit() >= LINEAR and sign * s.curve.slope > 0)
    return Judged(cases, evidence=fits(seen, lambda s: s.curve.fit()))


def fits(curves: Iterable[Seen], fit: Callable[[Seen], float]) -> str:
    """Say how well curves fit."""
    return f"R² {span([fit(seen) for seen in curves], 3)}"


def shape(one: Seen, other: Seen) -> float:
    """Return R² of the means of one curve with those of another; NaN where one is level."""
    return fit(one.curve.means, other.curve.means) if np.ptp(one.curve.means) else np.nan


def percent(share: float) -> str:
    """Write a share: 0.125 as '12.5 %'."""
    return f"{100 * share:.1f} %"


def span(numbers: Iterable[float], digits: int) -> str:
    """Say from where to where some numbers go.

    >>> span([0.5, 0.25], 2)
    '0.25 to 0.50'
    """
    known: FloatArray = np.array([number for number in numbers if np.isfinite(number)])
    if not len(known):
        return "unknown"
    return f"{known.min():.{digits}f} to {known.max():.{digits}f}"
