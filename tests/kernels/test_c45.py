"""C4.5's choice among the features of several nodes, against lists of one node at a time."""

import math

import numpy as np
import pytest

from treelab.kernels import c45 as kernels


def first_best(scores, mine, tie):
    best = mine[0]
    for i in mine[1:]:
        best = i if scores[i] - scores[best] > tie else best
    return best


def cost_of(entropy, known):
    shares = [share for share in (known, 1 - known) if share > 0]
    return known * entropy - sum(share * math.log2(share) for share in shares)


def ratio_of(gain, cost):
    return gain / cost if cost > 1e-12 else 0.0


def naive_ratios(gains, entropies, known, runs, terms):
    """Return the ratio of the candidates that enter at one node; runs are (feature, price, ids)."""
    costs = [cost_of(*pair) for pair in zip(entropies, known, strict=True)]
    ratios = [ratio_of(*pair) for pair in zip(gains, costs, strict=True)]
    no_gain = max(1e-9, terms.tie)
    first = {}
    for feature, price, mine in runs:
        if mine:
            by = ratios if terms.by_ratio and N_VALUES[feature] else gains
            first[first_best(by, mine, terms.tie)] = feature, price
    pays = not terms.waive or any(gains[i] - price > no_gain for i, (_, price) in first.items())
    worth = {i: gains[i] - pays * price for i, (_, price) in first.items()}
    is_many = [n >= terms.many for n in N_VALUES]
    if terms.strict and all(is_many):
        is_many = [False] * len(is_many)
    idle = [terms.strict and n > 0 for n in N_VALUES]
    enters = [i for i in worth if worth[i] > no_gain or idle[first[i][0]]]
    few = [i for i in enters if not is_many[first[i][0]]]
    if not few and not terms.strict:
        few = enters
    least = sum(worth[i] for i in few) / len(few) if few else math.inf if terms.strict else 0.0
    taken = [
        i
        for i in worth
        if worth[i] > no_gain or (terms.take_idle and idle[first[i][0]])
        if not terms.gate or worth[i] >= least - 1e-3
    ]
    found = {i: ratio_of(worth[i], costs[i]) for i in taken}
    if terms.tie > 1e-9 and found:
        equal = [i for i in found if found[i] >= max(found.values()) - terms.tie]
        winner = found[min(equal, key=lambda i: first[i][0])]
        found = {i: min(ratio, winner) for i, ratio in found.items()}
    return found


TERMS = kernels.Terms(
    waive=False, gate=False, strict=False, take_idle=False, by_ratio=False,
    numbers_pay=True, labels_pay=True, many=5.0, tie=1e-12,
)  # fmt: skip
N_VALUES = np.array([0, 9, 0, 7, 2])
VARIANTS = {
    "as ever": {},
    "idle features in the average": {"strict": True},
    "idle features taken": {"strict": True, "take_idle": True},
    "groups by ratio": {"by_ratio": True},
    "rough ties": {"tie": 0.1},
    "nobody pays": {"numbers_pay": False, "labels_pay": False},
    "numbers pay": {"labels_pay": False},
    "all of many values": {"many": 0.0},
    "all of many values, no others standing in": {"many": 0.0, "strict": True},
    "all": {"strict": True, "take_idle": True, "by_ratio": True, "tie": 0.05},
}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
@pytest.mark.parametrize("gate", [False, True])
@pytest.mark.parametrize("waive", [False, True])
@pytest.mark.parametrize("cases", [0.5, 9.0, 99.0])
def test_ratios_are_those_of_each_node_alone(cases, waive, gate, variant):
    rng = np.random.default_rng(7)
    n_nodes, n_features = 6, 5
    feature, node = np.repeat(np.arange(n_features), n_nodes), np.tile(np.arange(n_nodes), 5)
    lengths = rng.integers(0, 4, len(node))
    ends, n = np.cumsum(lengths), lengths.sum()
    gains = rng.integers(0, 9, n) / 16 * (np.repeat(node, lengths) > 0)  # node 0 has no gain
    entropies, known = rng.random(n), rng.choice([1.0, 0.75], len(node))
    entropies[::7] = 0.0
    sizes = rng.random(n_nodes) * cases
    searched = np.where(rng.random(len(node)) < 0.3, rng.random(len(node)), np.nan)
    scores = np.empty(n)
    entrants = kernels.Entrants(feature, node, ends, known, searched)
    terms = TERMS._replace(waive=waive, gate=gate, **variant)
    found = np.array([gains, entropies])
    kernels.gated_ratios(found, entrants, N_VALUES, sizes, terms, scores)

    def naive_price(r):
        pays = terms.labels_pay if N_VALUES[feature[r]] else terms.numbers_pay
        bits = math.log2(max(lengths[r], 1)) if math.isnan(searched[r]) else searched[r]
        return bits / sizes[node[r]] if pays else 0.0

    expected = np.full(n, np.nan)
    for k in range(n_nodes):
        runs = [
            (feature[r], naive_price(r), list(range(ends[r] - lengths[r], ends[r])))
            for r in np.flatnonzero(node == k)
        ]
        known_of_each = np.repeat(known, lengths)
        gains_of_all = gains * known_of_each
        for i, ratio in naive_ratios(gains_of_all, entropies, known_of_each, runs, terms).items():
            expected[i] = ratio
    # Few operations, in another order.
    np.testing.assert_allclose(scores, expected, rtol=1e-12)
