"""C4.5's choice among the features of nodes; see `metrics.c45`, which says what is computed."""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import AnyArray, FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.choosing import first_of_runs

NO_GAIN = 1e-9
"""A gain of so little is none."""

SLACK = 1e-3
"""Release 8 lets a feature in whose gain is below the average by so much."""


class Entrants(NamedTuple):
    """The runs of candidates: their feature and node, where they end, and what each run pays."""

    feature: IndexArray
    node: IndexArray
    ends: IndexArray
    price: FloatArray


@kernel
def gated_ratios(
    gains: FloatArray,
    entropies: FloatArray,
    known: FloatArray,
    entrants: Entrants,
    many: AnyArray,
    waive: bool,
    gate: bool,
    least: FloatArray,
    scores: FloatArray,
) -> None:
    """Fill the gain ratio of the first best candidate of each run that may enter, else NaN.

    `entropies` are those of the branches; `many` tells which features do not enter the average.
    `least` (node) is room for what each node asks.
    """
    best = first_of_runs(gains, entrants.ends)
    worth = np.empty(len(best))
    for k in range(len(least)):
        least[k] = 0.0 if waive else 1.0
    for r in range(len(best)):
        worth[r] = gains[best[r]] if best[r] >= 0 else -np.inf
        if worth[r] - entrants.price[r] > NO_GAIN:
            least[entrants.node[r]] = 1.0
    for r in range(len(best)):
        worth[r] -= least[entrants.node[r]] * entrants.price[r]
    averages(worth, entrants, many, least)
    for i in range(len(scores)):
        scores[i] = np.nan
    for r in range(len(best)):
        if worth[r] > NO_GAIN and not (gate and worth[r] < least[entrants.node[r]] - SLACK):
            i = best[r]
            cost = known[i] * entropies[i]
            for share in (known[i], 1.0 - known[i]):
                cost -= share * np.log2(share) if share > 0.0 else 0.0
            scores[i] = worth[r] / cost if abs(cost) > 1e-12 else 0.0


@kernel
def averages(worth: FloatArray, entrants: Entrants, many: AnyArray, mean: FloatArray) -> None:
    """Fill the mean gain at each node: of the features of few values, if any has a gain."""
    n, n_few = np.zeros(len(mean)), np.zeros(len(mean))
    for k in range(len(mean)):
        mean[k] = 0.0
    for r in range(len(worth)):
        if worth[r] > NO_GAIN and not many[entrants.feature[r]]:
            n_few[entrants.node[r]] += 1.0
    for r in range(len(worth)):
        k = entrants.node[r]
        if worth[r] > NO_GAIN and (n_few[k] == 0.0 or not many[entrants.feature[r]]):
            n[k] += 1.0
            mean[k] += worth[r]
    for k in range(len(mean)):
        mean[k] /= max(n[k], 1.0)
