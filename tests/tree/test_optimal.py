"""The tree of least cost is the one that trying all trees finds."""

from itertools import product

import naive
import naive_optimal
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import datasets, random_dataset, steady

import treelab as tl
from treelab.errors import ParameterError, TreelabError

SPLITS = ("auto", "multiway", "binary", "subset")
MISSING = ("branch", "majority")

MADE = [
    {"cases": 18, "missing": 0},
    {"cases": 20, "missing": 0.3, "numeric": 1},
    {"cases": 24, "weights": "fraction", "classes": 2, "numeric": 1},
    {"cases": 16, "weights": "some-zero", "missing": 0.4, "numeric": 1},
    {"cases": 14, "numeric": 3, "nominal": 0, "weights": "whole", "classes": 2},
    {"cases": 22, "numeric": 0, "nominal": 3, "labels": 3, "missing": 0.2, "classes": 4},
    # More values than all groupings are tried for, some of them rare.
    {"cases": 60, "numeric": 0, "nominal": 2, "labels": 12, "classes": 2, "missing": 0.1},
]
DATA = [random_dataset(seed, **how) for seed, how in enumerate(MADE)]


def grown(data, price=0.0, time_limit=600.0, **settings):
    search = tl.Optimal(price, time_limit)
    usual = {"missing": "branch", "pruner": None, "min_branch": 1, "max_depth": 2}
    return tl.grow(data, "gini", search=search, **{**usual, **settings})


def errors(tree, data):
    known = data.take((data.y >= 0) & (data.weights > 0))
    return float(known.weights[tree.predict(known) != known.labels].sum())


def check(data, price, depth, max_leaves=None, **settings):
    """Compare cost and leaves with those that trying all trees finds."""
    tree = grown(data, price, max_depth=depth, max_leaves=max_leaves, **settings)
    fewest = naive_optimal.fewest_errors(naive.problem(data), depth, **settings)
    weight = float(data.weights[data.y >= 0].sum())
    cost, leaves = naive_optimal.least_cost(fewest, price * weight, max_leaves)
    found = tree.optimum

    assert found.proven
    # Weights that are not whole are added up in another order.
    assert found.cost == pytest.approx(cost, rel=1e-9, abs=1e-9)
    assert (tree.n_leaves, found.n_leaves) == (leaves, leaves)
    assert found.errors == pytest.approx(errors(tree, data), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("data", DATA, ids=range(len(DATA)))
@pytest.mark.parametrize(("splits", "missing"), list(product(SPLITS, MISSING)))
def test_no_tree_costs_less(data, splits, missing):
    check(data, 0.02, 2, splits=splits, missing=missing)
