"""The rules by which statements are judged, and how rates are written.

A rate is the share of data sets. What the paper found on its one data set *comes out* if it does so
in most data sets; `ALWAYS` and `NEVER` leave room for a data set in twenty.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from treelab._typing import FloatArray
from treelab.experiment.report.article import Statement

ALWAYS, MOSTLY, NEVER = 0.95, 0.5, 0.05
SIMILAR = 0.2
"""Rates of 50 data sets that differ by no more may be the same: two standard errors."""

Rates = dict[int, float]
"""By the number of bins, or of points."""


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
