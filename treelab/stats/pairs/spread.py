"""How values are spread: their shares, and the mean distance of two (hong1996 eqs. 36-38)."""

import numpy as np

from treelab._typing import FloatArray
from treelab.stats.formulas.impurity import share
from treelab.stats.pairs.gaps import mean_from
from treelab.stats.pairs.pairing import PairCases


def mean_distances(pairs: PairCases) -> FloatArray:
    """Return, for each feature, the mean distance of two different cases.

    A case of weight w stands for w cases, which are at distance 0 from each other.
    """
    n = pairs.weights.sum()
    sums = [_sum_of_distances(pairs, f) for f in range(pairs.cases.shape[1])]
    return share(np.array(sums), np.full(len(sums), n * max(n - 1.0, 0.0)))


def value_shares(pairs: PairCases) -> FloatArray:
    """Return the share of the weight that each value (feature, value) has."""
    shares = np.zeros((pairs.value.shape[1], pairs.n_values))
    for f, place in enumerate(pairs.value.T):
        shares[f] = np.bincount(place, pairs.weights, minlength=pairs.n_values)
    return np.asarray(shares / pairs.weights.sum())


def _sum_of_distances(pairs: PairCases, f: int) -> float:
    """Sum over all ordered pairs; missing is at distance 1 from what is known."""
    known = np.flatnonzero(~np.isnan(pairs.cases[:, f]))
    if not len(known):
        return 0.0
    # In an order of their content, so that the sum does not depend on that of the cases.
    known = known[np.lexsort((pairs.weights[known], pairs.cases[known, f]))]
    values, weights = pairs.cases[known, f], pairs.weights[known]
    n = weights.sum()
    missing = pairs.weights.sum() - n
    mean = mean_from(int(pairs.kind[f]), values, values, weights)
    return float(2 * missing * n + n * (weights * mean).sum())
