"""What of the variance lies with data set, metric and search, and which of it is more than chance.

A table (data set, metric, search) with a figure a cell: a randomized block design, the data sets
being the blocks.
"""

from itertools import combinations

import attrs
import numpy as np

from treelab.evaluate import friedman
from treelab.experiment import stream
from treelab.protocols import FloatArray

AXES = ("data set", "metric", "search")
SOURCES = (
    "data set", "metric", "search", "metric x search", "data set x metric", "data set x search",
    "residual",
)  # fmt: skip
DRAWS = 9999
_BATCH = 500
_TIE = 1e-9
"""Sums of squares that differ by less, relatively, are equal but for rounding."""


@attrs.frozen
class Source:
    """A part of the sum of squares, as a share of all and of that within data sets, in %.

    P-values of tests: Friedman's, and by permutation within the data sets; NaN where there is none.
    """

    name: str
    share: float
    within: float = np.nan
    friedman: float = np.nan
    permutation: float = np.nan


def variance_sources(values: FloatArray) -> list[Source]:
    """Return the parts of the variance of a table (data set, metric, search) in order."""
    squares = sums_of_squares(values)
    every = sum(squares.values())
    inside = every - squares["data set"]
    tests = _tests(values)
    return [
        Source(
            name,
            _percent(squares[name], every),
            np.nan if name == "data set" else _percent(squares[name], inside),
            *tests.get(name, (np.nan, np.nan)),
        )
        for name in SOURCES
    ]


def sums_of_squares(values: FloatArray) -> dict[str, float]:
    """Return the sum of squares of every source; together they are that of the table.

    >>> table = np.arange(8.0).reshape(2, 2, 2)  # effects of 4, 2 and 1, no interaction
    >>> [sums_of_squares(table)[axis] for axis in AXES]
    [32.0, 8.0, 2.0]
    """
    effects: dict[tuple[int, ...], FloatArray] = {(): np.full_like(values, values.mean())}
    for order in (1, 2, 3):
        for kept in combinations(range(3), order):
            others = tuple(axis for axis in range(3) if axis not in kept)
            mean = np.broadcast_to(values.mean(axis=others, keepdims=True), values.shape)
            lower = (effect for axes, effect in effects.items() if set(axes) < set(kept))
            effects[kept] = mean - sum(lower)
    return {_name(kept): float((effect**2).sum()) for kept, effect in effects.items() if kept}


def _name(axes: tuple[int, ...]) -> str:
    return "residual" if len(axes) == 3 else " x ".join(AXES[axis] for axis in axes)


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole if whole > 0 else 0.0


def _tests(values: FloatArray) -> dict[str, tuple[float, float]]:
    metrics, searches = values.mean(axis=2), values.mean(axis=1)
    profiles = values - metrics[:, :, None] - searches[:, None, :]
    return {
        "metric": (friedman_p(metrics), permutation_p(metrics[:, :, None])),
        "search": (friedman_p(searches), permutation_p(searches[:, :, None])),
        "metric x search": (np.nan, permutation_p(profiles)),
    }


def friedman_p(table: FloatArray) -> float:
    """Return Friedman's P-value of a table (data set, level); NaN for fewer than three levels."""
    return friedman(table).p if table.shape[1] > 2 else np.nan


def permutation_p(table: FloatArray, draws: int = DRAWS) -> float:
    """Return how often shuffled levels differ as much: (data set, level, profile), P-value.

    Were the levels alike, their profiles within a data set could stand in any order. The
    statistic is the sum of squares of the mean profiles of the levels.
    """
    centred = table - table.mean(axis=1, keepdims=True)
    rng = stream(0, "levels shuffled within data sets")
    least = _between(centred) * (1 - _TIE)
    reached = 1
    for start in range(0, draws, _BATCH):
        batch = rng.random((min(_BATCH, draws - start), *centred.shape[:2]))
        order = batch.argsort(axis=2)[..., None]
        shuffled = np.take_along_axis(centred[None], order, axis=2)
        reached += int((_between(shuffled) >= least).sum())
    return reached / (draws + 1)


def _between(centred: FloatArray) -> FloatArray:
    """Return the sum of squares of mean profiles: (..., data set, level, profile)."""
    return np.asarray((centred.mean(axis=-3) ** 2).sum(axis=(-2, -1)))
