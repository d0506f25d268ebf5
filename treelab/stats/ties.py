"""Numbers that differ by rounding only are equal: what comes first among them."""

from collections.abc import Sequence
from heapq import heappop, heappush
from math import isfinite
from typing import Any, TypeVar

from treelab.kernels.ties import TIE

Entry = TypeVar("Entry", bound=tuple[Any, ...])


def slack(number: float) -> float:
    """Return by how much others may differ from a number and still be equal to it."""
    return TIE * max(1.0, abs(number)) if isfinite(number) else 0.0


def settled(score: float) -> float:
    """Return a score to 11 digits, so that sums that differ by rounding sort as equals."""
    return float(f"{score:.11g}") if abs(score) > TIE else 0.0


def first_best(scores: Sequence[float]) -> int:
    """Return the place of the largest score, the first among equals.

    >>> first_best([0.1, 0.3, 0.1 + 0.2])
    1
    """
    best = max(scores)
    return next(place for place, score in enumerate(scores) if score >= best - slack(best))


def pop_first(heap: list[Entry]) -> Entry:
    """Pop the entry of the least first item; among equals that of the least second one.

    >>> pop_first([(0.3, 7), (0.1 + 0.2, 5)])
    (0.30000000000000004, 5)
    """
    least = heap[0][0]
    equal = []
    while heap and heap[0][0] <= least + slack(least):
        equal.append(heappop(heap))
    first = min(equal, key=lambda entry: entry[1])
    for entry in equal:
        if entry is not first:
            heappush(heap, entry)
    return first
