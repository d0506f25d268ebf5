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
    n_nodes: int,
    waive: bool,
    gate: bool,
) -> FloatArray:
    """Return the gain ratio of the first best candidate of each run that may enter, else NaN.

    `entropies` are those of the branches; `many` tells which features do not enter the average.
    """
    best = first_of_runs(gains * known, entrants.ends)
    worth = np.full(len(best), -np.inf)
    pays = np.full(n_nodes, not waive)
    for r in range(len(best)):
        if best[r] >= 0:
            worth[r] = gains[best[r]] * known[best[r]]
            if worth[r] - entrants.price[r] > NO_GAIN:
                pays[entrants.node[r]] = True
    for r in range(len(best)):
        if pays[entrants.node[r]]:
            worth[r] -= entrants.price[r]
    least = _averages(worth, entrants, many, n_nodes) - SLACK
    scores = np.full(len(gains), np.nan)
    for r in range(len(best)):
        if worth[r] > NO_GAIN and (not gate or worth[r] >= least[entrants.node[r]]):
            i = best[r]
            cost = _bits(known[i]) + _bits(1.0 - known[i]) + known[i] * entropies[i]
            scores[i] = worth[r] / cost if abs(cost) > 1e-12 else 0.0
    return scores


@kernel
def _averages(
    worth: FloatArray, entrants: Entrants, many: AnyArray, n_nodes: int
) -> FloatArray:
    """Return the mean gain at each node: of the features of few values, if any has a gain."""
    n, total = np.zeros((2, n_nodes)), np.zeros((2, n_nodes))
    for r in range(len(worth)):
        if worth[r] > NO_GAIN:
            k, kind = entrants.node[r], int(many[entrants.feature[r]])
            n[kind, k] += 1.0
            total[kind, k] += worth[r]
    mean = np.zeros(n_nodes)
    for k in range(n_nodes):
        kind = int(n[0, k] == 0.0)
        mean[k] = total[kind, k] / max(n[kind, k], 1.0)
    return mean


@kernel
def _bits(share: float) -> float:
    return -share * np.log2(share) if share > 0.0 else 0.0
