"""C4.5's choice among the features of several nodes, against lists of one node at a time."""

import math

import numpy as np
import pytest

from treelab.kernels import c45 as kernels


def naive_ratios(gains, entropies, known, runs, many, waive, gate):
    """Return the ratio of the candidates that enter at one node; runs are (feature, price, ids)."""
    first = {}
    for feature, price, mine in runs:
        if mine:
            best = max(gains[i] for i in mine)
            first[next(i for i in mine if gains[i] >= best - 1e-12)] = feature, price
    pays = not waive or any(gains[i] - price > 1e-9 for i, (_, price) in first.items())
    worth = {i: gains[i] - pays * price for i, (_, price) in first.items()}
    worth = {i: gain for i, gain in worth.items() if gain > 1e-9}
    few = [i for i in worth if not many[first[i][0]]] or list(worth)
    average = sum(worth[i] for i in few) / max(len(few), 1)
    ratios = {}
    for i, gain in worth.items():
        if not gate or gain >= average - 1e-3:
            shares = [share for share in (known[i], 1 - known[i]) if share > 0]
            cost = known[i] * entropies[i] - sum(share * math.log2(share) for share in shares)
            ratios[i] = gain / cost if cost > 1e-12 else 0.0
    return ratios


@pytest.mark.parametrize("gate", [False, True])
@pytest.mark.parametrize("waive", [False, True])
@pytest.mark.parametrize("price", [0.0, 0.2, 2.0])
def test_ratios_are_those_of_each_node_alone(price, waive, gate):
    rng = np.random.default_rng(7)
    n_nodes, n_features = 6, 5
    feature, node = np.repeat(np.arange(n_features), n_nodes), np.tile(np.arange(n_nodes), 5)
    lengths = rng.integers(0, 4, len(node))
    ends, n = np.cumsum(lengths), lengths.sum()
    gains = rng.integers(0, 9, n) / 16 * (np.repeat(node, lengths) > 0)  # node 0 has no gain
    entropies, known = rng.random(n), rng.choice([1.0, 0.75], n)
    entropies[::7], known[::7] = 0.0, 1.0
    prices, many = rng.random(len(node)) * price, np.array([True, False, False, True, False])
    scores = np.empty(n)
    entrants = kernels.Entrants(feature, node, ends, prices)
    where = np.empty(n_nodes), scores
    kernels.gated_ratios(gains, entropies, known, entrants, many, waive, gate, *where)

    expected = np.full(n, np.nan)
    for k in range(n_nodes):
        runs = [
            (feature[r], prices[r], list(range(ends[r] - lengths[r], ends[r])))
            for r in np.flatnonzero(node == k)
        ]
        for i, ratio in naive_ratios(gains, entropies, known, runs, many, waive, gate).items():
            expected[i] = ratio
    # Few operations, in another order.
    np.testing.assert_allclose(scores, expected, rtol=1e-12)
