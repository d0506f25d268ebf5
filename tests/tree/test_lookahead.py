"""Look-ahead: a split is taken for the tree that grows under it."""

from itertools import product

import numpy as np
import pytest
from naive_errors import add_errs
from strategies import random_dataset
from thinned import thinned

import treelab as tl
from treelab.errors import ParameterError
from treelab.kernels.pruning import subtree_prices
from treelab.tree.model import ARRAYS
from treelab.tree.prune.price import CF, PRICE

FULL = {"pruner": "none", "min_cases": 2, "min_branch": 1}
ANY = ("gain-ratio-c45", "relieff", "normalized:gini,rounds=9")
MISSING = ("fractional", "branch", "majority")


def grown(data, metric="gain", width=3, **settings):
    return tl.grow(data, metric, search="lookahead", width=width, **{**FULL, **settings})


def differing(one, other):
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in ARRAYS)
    return [name for name, mine, yours in pairs if mine.tobytes() != yours.tobytes()]


@pytest.mark.parametrize("limits", [{}, {"max_leaves": 5}, {"max_depth": 2}])
@pytest.mark.parametrize("metric", ["gain", "gini", "relieff", "gain-ratio-c45"])
def test_one_feature_is_the_greedy_choice(metric, limits):
    data = random_dataset(3, cases=40, weights="fraction")
    for missing, splits in product(MISSING, ("auto", "multiway")):
        settings = FULL | limits | {"missing": missing, "splits": splits}
        greedy = tl.grow(data, metric, **settings)
        assert differing(grown(data, metric, width=1, **settings), greedy) == []


def naive_price(node):
    """What the tree under a node costs, subtrees that cost more than a leaf being leaves."""
    n, e = float(node.counts.sum()), float(node.counts.sum() - node.counts.max())
    leaf = e + add_errs(n, e, CF) + PRICE
    return leaf if node.is_leaf else min(leaf, sum(map(naive_price, node.children)))


def completed(data, metric, feature):
    """Grow a tree greedily under the best split of a feature: what it costs."""
    stump = tl.grow(data.select([feature]), metric, **FULL, max_depth=1)
    if stump.n_leaves == 1:
        return None
    side = stump.apply(data)
    parts = [data.take(np.flatnonzero(side == leaf)) for leaf in np.unique(side)]
    return float(stump.scores[0]), sum(
        naive_price(tl.grow(part, metric, **FULL).root) for part in parts
    )


@pytest.mark.parametrize("metric", ["gain", "gini", "chi2"])
@pytest.mark.parametrize("seed", thinned(range(4), 3))
def test_the_root_is_the_split_whose_greedy_completion_is_cheapest(seed, metric):
    data = random_dataset(seed, cases=50, missing=0.0, numeric=3, nominal=2)
    options = [(name, completed(data, metric, name)) for name in data.features]
    ranked = sorted((o for o in options if o[1]), key=lambda o: -o[1][0])
    for width in (2, 3, 9):
        cheapest = min(price for _, (_, price) in ranked[:width])
        root = grown(data, metric, width).root.feature

        # Prices that differ by rounding only are equal.
        assert dict(ranked)[root][1] == pytest.approx(cheapest, abs=1e-9)


def test_it_sees_an_exclusive_or_that_greedy_growth_does_not():
    data = tl.make("exor", n=2, m=6, cases=64, seed=1)
    tree = grown(data, "gini", width=6)

    assert (tree.predict(data) == data.labels).all()
    assert tree.n_leaves == 4 < tl.grow(data, "gini", **FULL).n_leaves


# Every fourth of three times three: each metric and each policy once.
@pytest.mark.parametrize("how", thinned(product(ANY, MISSING), 4), ids="-".join)
def test_any_metric_and_missing_values(how):
    metric, missing = how
    data = random_dataset(7, cases=40, missing=0.3, weights="whole")
    tree = grown(data, metric, missing=missing, max_leaves=6)

    assert 2 <= tree.n_leaves <= 6
    np.testing.assert_allclose(tree.counts[0], np.bincount(data.y, data.weights))
    order = np.random.default_rng(0).permutation(len(data))
    assert grown(data.take(order), metric, missing=missing, max_leaves=6) == tree


def test_the_limits_are_kept():
    data = random_dataset(5, cases=60)
    assert grown(data, max_leaves=4).n_leaves <= 4
    assert grown(data, max_depth=2).depth <= 2
    assert grown(data, min_branch=8).n_leaves < grown(data).n_leaves


def test_a_users_metric_looks_ahead_as_the_built_in_one_does():
    def gini(t):
        n = t.sum((-2, -1))
        within = (t**2).sum(-1) / t.sum(-1).clip(1e-300)
        return within.sum(-1) / n - (t.sum(-2) ** 2).sum(-1) / n**2

    data = tl.load("voting").take(np.arange(150))
    mine, own = (
        tl.grow(data, m, search="lookahead", width=3) for m in (tl.from_counts(gini), "gini")
    )
    assert mine == own


def test_subtrees_cost_what_their_leaves_do_or_one_leaf_in_their_place():
    parent = np.array([-1, -1, 0, 0, 2, 2])
    as_leaf = np.array([9.0, 4.0, 5.0, 3.0, 1.0, 2.5])

    # 2: min(5, 1 + 2.5); 0: min(9, 3.5 + 3)
    assert subtree_prices(parent, as_leaf).tolist() == [6.5, 4.0, 3.5, 3.0, 1.0, 2.5]


@pytest.mark.parametrize("width", [0, -1, 1.5])
def test_a_width_below_one_is_refused(width):
    with pytest.raises(ParameterError, match="width"):
        tl.grow(tl.load("lenses"), search="lookahead", width=width)
