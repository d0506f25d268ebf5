"""How far apart two cases are on one feature, on average (hong1996 eqs. 36-38)."""

import numpy as np

from treelab._typing import FloatArray
from treelab.kernels.pairs import NOMINAL, RAMP
from treelab.stats.impurity import share
from treelab.stats.pairing import PairCases


def mean_distances(pairs: PairCases) -> FloatArray:
    """Return, for each feature, the mean distance of two different cases.

    A case of weight w stands for w cases, which are at distance 0 from each other.
    """
    n = pairs.weights.sum()
    sums = [_sum_of_distances(pairs, f) for f in range(pairs.cases.shape[1])]
    return share(np.array(sums), np.full(len(sums), n * max(n - 1.0, 0.0)))


def _sum_of_distances(pairs: PairCases, f: int) -> float:
    """Sum over all ordered pairs; missing is at distance 1 from what is known."""
    numbers, weights = pairs.cases[:, f], pairs.weights
    known = ~np.isnan(numbers)
    missing = float(weights[~known].sum() * weights[known].sum()) * 2
    if pairs.kind[f] == NOMINAL:
        return missing + _apart(numbers[known], weights[known])
    furthest = 1.0 if pairs.kind[f] == RAMP else np.inf
    return missing + _between(numbers[known], weights[known], furthest)


def _apart(codes: FloatArray, weights: FloatArray) -> float:
    """Sum the pairs of different code: N^2 G(F)."""
    of_code = np.bincount(codes.astype(np.int64), weights)
    return float(weights.sum() ** 2 - (of_code**2).sum())


def _between(numbers: FloatArray, weights: FloatArray, furthest: float) -> float:
    """Sum min(|a - b|, furthest) by sorting, in O(n log n).

    Of the cases below a number, the near ones add their differences, the far ones `furthest`.
    """
    if not len(numbers):
        return 0.0
    order = np.argsort(numbers, kind="stable")
    x, w = numbers[order] - numbers[order[0]], weights[order]
    below = np.append(0.0, np.cumsum(w))
    moment = np.append(0.0, np.cumsum(w * x))
    here, far = np.arange(len(x)), np.searchsorted(x, x - furthest, side="right")
    near = x * (below[here] - below[far]) - (moment[here] - moment[far])
    # Without a furthest distance nothing is far, and infinity times nothing is nothing.
    beyond = below[far] * furthest if np.isfinite(furthest) else 0.0
    return 2 * float((w * (near + beyond)).sum())
