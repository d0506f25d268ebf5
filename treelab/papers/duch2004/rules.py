"""The rules by which statements are judged, and how rates are written.

A rate is the share of data sets. A statement about an index must come out in nearly all of them;
what the paper found on its one data set must be among the likely outcomes (`likely`). `ALWAYS` and
`NEVER` leave room for a data set in twenty.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from treelab.experiment.report.article import Statement, Verdict, judged
from treelab.protocols import FloatArray

ALWAYS, NEVER = 0.95, 0.05
SIMILAR = 0.2
"""Rates of 50 data sets that differ by no more may be the same: two standard errors."""

Rates = dict[int, float]
"""By the number of bins, or of points."""


Judged = tuple[Verdict, str]
"""A verdict and its evidence."""

VERDICTS: tuple[Verdict, ...] = ("holds", "partly", "does not hold")


def likely(cases: Sequence[Sequence[bool]]) -> Verdict:
    """Judge what one data set showed in several cases, by whether others show it (case, data set).

    It holds if all cases come together in more than one data set in twenty, and in part if some of
    the cases do.

    >>> likely([[True, False], [True, True]]), likely([[True, False], [False, True]])
    ('holds', 'partly')
    """
    found = np.array(cases, bool)
    together = [found.all(axis=0).mean(), *found.mean(axis=1)]
    return judged(bool(rate > NEVER) for rate in together)


def in_any(where: str, claim: str, readings: Mapping[str, Judged]) -> Statement:
    """Judge a statement that can be read in several ways, by the reading that fits best."""
    best = min((verdict for verdict, _ in readings.values()), key=VERDICTS.index)
    return Statement(where, claim, best, _listed_readings(readings))


def in_all(where: str, claim: str, variants: Mapping[str, Judged]) -> Statement:
    """Judge a statement that was put to the test in several ways, by all of them."""
    verdicts = {verdict for verdict, _ in variants.values()}
    verdict = verdicts.pop() if len(verdicts) == 1 else "partly"
    return Statement(where, claim, verdict, _listed_readings(variants))


def _listed_readings(found: Mapping[str, Judged]) -> str:
    return "; ".join(f"{name} ({verdict}): {said}" for name, (verdict, said) in found.items())


def span(found: FloatArray | Sequence[float]) -> str:
    """Write the least and the largest rate.

    >>> span([0.14, 0.995, 0.2]), span([1.0, 1.0])
    ('14 to 99.5 %', '100 %')
    """
    low, high = percent([np.min(found)]), percent([np.max(found)])
    return f"{low} %" if low == high else f"{low} to {high} %"


def listed(found: Rates) -> str:
    """Write rates by the number of bins or points.

    >>> listed({4: 0.0, 8: 0.5})
    '0, 50 % with 4, 8'
    """
    return f"{percent(found.values())} % with {', '.join(map(str, found))}"


def percent(found: Iterable[float]) -> str:
    """Write rates, the unit being left to say."""
    return ", ".join(f"{100 * r:.1f}".removesuffix(".0") for r in found)


def kept(statements: Iterable[Statement]) -> str:
    """Count verdicts in words.

    >>> kept([Statement("", "", "holds", ""), Statement("", "", "partly", "")])
    '1 holds, 1 partly, 0 do not hold'
    """
    verdicts = [statement.verdict for statement in statements]
    holds = verdicts.count("holds")
    return (
        f"{holds} hold{'s' if holds == 1 else ''}, {verdicts.count('partly')} partly, "
        f"{verdicts.count('does not hold')} do not hold"
    )
