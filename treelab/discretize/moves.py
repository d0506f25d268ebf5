"""The book's dynamic bins: borders move while the error falls (kantardzic2011 3.6, SPEC 4.6).

A border is a number of cases (of weight, in general): so many lie below it. At the start it may
part cases of equal value; a step moves it to the end of such a group.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Literal

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.kernels.ties import TIE
from treelab.stats.bins import By, bin_error

Move = Literal["group", "single"]


@attrs.frozen(eq=False)
class Borders:
    """Borders between bins and the error of the bins."""

    borders: FloatArray
    error: float

    def bins(self, points: FloatArray, mass: FloatArray) -> list[FloatArray]:
        """Return the values in each bin, repeated as often as (whole) weights say."""
        top = np.cumsum(mass)
        ends = pairwise([0.0, *self.borders, top[-1]])
        parts = [_portion(top, mass, low, high) for low, high in ends]
        return [np.repeat(points, np.round(part).astype(np.int64)) for part in parts]

    def whole_groups(self, mass: FloatArray) -> IndexArray:
        """Return the borders as places between values; a parted group joins its larger part."""
        ends = np.concatenate([[0.0], np.cumsum(mass)])
        places = [int(np.argmin(np.abs(ends - border))) for border in self.borders]
        return np.array(places, dtype=np.int64)


def equal_start(mass: FloatArray, bins: int) -> FloatArray:
    """Return the borders of floor(n / bins) cases a bin, the remainder in the last bins.

    Fractional weights are parted evenly.
    """
    if np.any(mass != np.floor(mass)):
        return np.asarray(np.arange(1, bins) * (mass.sum() / bins))
    size, rest = divmod(int(mass.sum()), bins)
    sizes = np.repeat([float(size), size + 1.0], [bins - rest, rest])
    return np.asarray(np.cumsum(sizes)[:-1])


def border_moves(
    points: FloatArray,
    mass: FloatArray,
    bins: int,
    by: By,
    move: Move = "group",
    ties: Literal["right", "left"] = "right",
) -> list[Borders]:
    """Return the steps of the descent, the start included.

    Each takes the move of the largest decrease; among equals that of the rightmost (or leftmost)
    border. A move takes all cases of the border value, or a single one. No bin becomes empty.
    """
    top = np.cumsum(mass)

    @cache
    def error(low: float, high: float) -> float:
        part = slice(*_touched(top, low, high))
        inside = _portion(top[part], mass[part], low, high)
        return bin_error(points[part][inside > 0], inside[inside > 0], by)

    def judged(borders: FloatArray) -> Borders:
        ends = [0.0, *borders.tolist(), float(top[-1])]
        return Borders(borders, sum(error(low, high) for low, high in pairwise(ends)))

    steps = [judged(equal_start(mass, bins))]
    slack = TIE * max(bin_error(points, mass, by), 1e-300)
    while True:
        here = steps[-1]
        moved = [judged(borders) for borders in _moves(mass, here.borders, move)]
        moved = moved[::-1] if ties == "right" else moved
        best = min(moved, key=lambda step: round(step.error / slack), default=here)
        if best.error >= here.error - slack:
            return steps
        steps.append(best)


def _touched(top: FloatArray, low: float, high: float) -> tuple[int, int]:
    """Return the range of the points that may have weight between two borders."""
    first, last = np.searchsorted(top, [low, high])
    return int(first), int(last) + 1


def _portion(top: FloatArray, mass: FloatArray, low: float, high: float) -> FloatArray:
    """Return the weight points have between two borders; `top` is the weight up to each."""
    inside = np.minimum(top, high) - np.maximum(top - mass, low)
    # What rounding leaves of a point is nothing.
    return np.where(inside > 1e-9 * mass, inside, 0.0)


def _moves(mass: FloatArray, borders: FloatArray, move: Move) -> Iterator[FloatArray]:
    top = np.concatenate([[0.0], np.cumsum(mass)])
    slack = TIE * top[-1]
    for k, border in enumerate(borders):
        low = borders[k - 1] if k else 0.0
        high = borders[k + 1] if k + 1 < len(borders) else top[-1]
        if move == "single":
            steps = (border - 1.0, border + 1.0)
        else:
            steps = (top[top < border - slack][-1], top[top > border + slack][0])
        for step in steps:
            if low + slack < step < high - slack:
                moved = borders.copy()
                moved[k] = step
                yield moved
