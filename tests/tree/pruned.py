"""Trees and data as the tests of pruning share them."""

import json
from pathlib import Path

import naive_prune as naive
import numpy as np
import pytest
from handmade import MutableNode, flat_tree
from strategies import random_dataset

from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.learner import Learner
from treelab.tree.prune import (
    CostComplexity,
    Pessimistic,
    ReducedError,
)

REFERENCE = Path(__file__).parents[1] / "reference"


VECTORS = json.loads((REFERENCE / "pruning_vectors.json").read_text())


# What tests compare trees by: all ways to grow, all policies, all kinds of weights.
MISSING = ("fractional", "branch", "majority")


HOLES, WEIGHTS = (0, 0.15, 0.4), ("one", "whole", "fraction", "some-zero")


SPLITS, DISCRETIZERS = ("auto", "multiway", "binary"), (None, None, "equal-width:3")


SEEDS = range(45)


BY_CASES = [Pessimistic(), Pessimistic(cf=0.7), ReducedError(), CostComplexity()]


def made_data(seed, cases=None, offset=0):
    rng = np.random.default_rng(seed)
    return random_dataset(
        seed + offset,
        cases=int(rng.integers(8, 60)) if cases is None else cases,
        classes=2 + seed % 2,
        missing=HOLES[seed // 3 % 3],
        weights=WEIGHTS[seed % 4],
    )


def learner(seed, **settings):
    return Learner(
        metric=("gain", "gini")[seed % 2],
        pruner=None,
        min_branch=1,
        missing=MISSING[seed % 3],
        splits=SPLITS[seed // 2 % 3],
        discretizer=DISCRETIZERS[seed // 5 % 3],
        **settings,
    )


def made_tree(seed, **settings):
    data = made_data(seed)
    return learner(seed, **settings).fit(data), data


def assert_same(tree, expected):
    """Compare a treelab tree with a naive one: the tests exactly, the counts but for rounding."""
    actual = naive.read_tree(tree)
    counts = [node.counts for node in actual.nodes()]

    assert expected.shape() == actual.shape()
    assert np.allclose([node.counts for node in expected.nodes()], counts, rtol=1e-9, atol=1e-12)


def leaf(*counts):
    return MutableNode(np.array(counts, float))


def parted(feature, *children, threshold=np.nan, branch_of=(), counts=None):
    counts = sum(child.counts for child in children) if counts is None else np.array(counts, float)
    codes = np.array(branch_of, np.int32)
    return MutableNode(counts, feature, threshold, codes, children=list(children))


def tree_of(root, features, missing="fractional", classes=("a", "b")):
    return flat_tree(root, Schema(tuple(features), Column("class", classes)), Coding(), missing)


def vectors(measure):
    return pytest.mark.parametrize(
        "vector", [pytest.param(v, id=v["id"]) for v in VECTORS if v["measure"] == measure]
    )


def distinct(tree, data, feature):
    """The values of a feature: those a column of numbers holds, those that labels may have."""
    column = tree.coding.column(data.schema.features[feature])
    known = {value for value in data.columns[feature].tolist() if value == value}
    return column.n_labels if column.is_nominal else len(known)


def example():
    """Pruned at alpha 0.04 below the right branch, at 0.36 at the root; 25 training cases."""
    inner = parted(0, leaf(0, 10), leaf(3, 2), threshold=1)
    return tree_of(parted(0, leaf(10, 0), inner, threshold=0), [Column("x")])


def held_out(k):
    """100 cases: the right leaf of the example errs 10 - k times; its parent would err k times."""
    x, y = [-1] * 50 + [0.5] * 40 + [2] * 10, [0] * 50 + [1] * 40 + [0] * k + [1] * (10 - k)
    return Dataset.of(example().schema, [np.array(x, float)], y)
