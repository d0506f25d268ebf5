"""The brute-force oracle: the grown tree is the one an exhaustive search would grow."""

from itertools import product

import naive
import naive_candidates
import naive_formulas
import naive_grow
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import (
    MISSING,
    SPLITS,
    Setting,
    assert_same_predictions,
    assert_same_tree,
    grown,
    key_of,
)
from strategies import datasets, random_dataset, steady
from thinned import thinned

import treelab as tl

METRICS = ("gain", "gini", "gain-ratio", "gain-ratio-c45", "chi2")
GRID = list(product(METRICS, SPLITS, MISSING, ["exact", "intervals"]))
# Bins only move the thresholds: one kind of split is enough.
GRID += product(METRICS, ["auto"], MISSING, ["bins"])
# Five has no factor in common with the kinds of splits and missing values: each occurs.
CHOSEN = thinned(GRID, 5)
# Every other formula sees the same tables: kinds of split and of missing values take turns.
OTHERS = sorted(set(naive_formulas.FORMULAS) - set(METRICS))
TAKING_TURNS = [
    (metric, SPLITS[place % 4], MISSING[place % 3], ["exact", "intervals"][place // 4 % 2])
    for place, metric in enumerate(OTHERS)
]
GRID += TAKING_TURNS
CHOSEN += TAKING_TURNS

MADE = [
    {"cases": 18, "missing": 0},
    {"cases": 20, "missing": 0.3},
    {"cases": 24, "weights": "fraction", "classes": 2},
    {"cases": 16, "weights": "some-zero", "missing": 0.4},
    {"cases": 14, "numeric": 3, "nominal": 1, "weights": "whole", "ties": False},
    {"cases": 22, "numeric": 0, "nominal": 3, "labels": 5, "missing": 0.2},
    {"cases": 30, "numeric": 3, "classes": 4, "weights": "fraction"},
    {"cases": 26, "numeric": 1, "nominal": 3, "labels": 3, "missing": 0.5, "weights": "whole"},
    {"cases": 40, "numeric": 4, "nominal": 0, "classes": 2, "missing": 0.1},
    {"cases": 12, "missing": 0.1, "ties": False, "weights": "fraction"},
    # More values than all groupings are tried for, some of them rare.
    {"cases": 60, "numeric": 0, "nominal": 2, "labels": 12, "classes": 2, "missing": 0.1},
    {"cases": 70, "numeric": 1, "nominal": 1, "labels": 9, "classes": 3, "weights": "whole"},
]
DATA = [random_dataset(seed, **how) for seed, how in enumerate(MADE)]


@pytest.mark.parametrize("setting", CHOSEN, ids="-".join)
def test_every_split_is_the_best_of_all(setting):
    setting = Setting(*setting)
    for data in DATA:
        tree, task = grown(data, setting)

        assert tree.n_leaves > 2
        assert_same_tree(task, tree.root, task.cases, setting)


@steady(150)
@given(datasets(), st.sampled_from(GRID))
def test_every_split_is_the_best_of_all_on_degenerate_data(data, setting):
    setting = Setting(*setting)
    tree, task = grown(data, setting)

    assert_same_tree(task, tree.root, task.cases, setting)


def outline(node):
    """Return a naive tree as nested tuples: the test, then the children."""
    key = None if node.split is None else node.split.key
    return key, tuple(map(outline, node.children))


def outline_of(node, kinds):
    key = None if node.is_leaf else key_of(node, kinds)
    return key, tuple(outline_of(child, kinds) for child in node.children)


@pytest.mark.parametrize("setting", GRID, ids="-".join)
def test_the_whole_tree_and_its_predictions_are_those_of_the_naive_learner(setting):
    place = GRID.index(setting) % len(DATA)
    setting = Setting(*setting)
    data = DATA[place]
    # Other cases of the same features, with labels that training never saw.
    others = random_dataset(99, **{**MADE[place], "cases": 30, "missing": 0.3, "labels": 7})
    tree, task = grown(data, setting)
    expected = naive_grow.grow(task, *setting.ways)

    # No tie is so close on these data that rounding could decide it.
    assert outline(expected) == outline_of(tree.root, task.kinds)
    for cases in (data, others):
        assert_same_predictions(task, expected, tree, cases)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("classes", [2, 3])
def test_many_values_join_the_left_group_in_the_naive_order(classes, missing):
    """Nine and more values: by class share for two classes, greedily for more."""
    for seed, metric in enumerate(METRICS):
        data = random_dataset(
            seed, 70, numeric=1, nominal=2, labels=10, classes=classes, weights="whole"
        )
        setting = Setting(metric, "subset", missing)
        tree, task = grown(data, setting)

        assert any(
            len(naive.values_of(task.cases, f)) > naive_candidates.EXHAUSTIVE_VALUES for f in (1, 2)
        )
        assert_same_tree(task, tree.root, task.cases, setting)


@pytest.mark.parametrize("splits", SPLITS)
@pytest.mark.parametrize("missing", MISSING)
def test_a_metric_sees_the_tables_of_all_candidates(missing, splits):
    for data in DATA:
        seen = []

        def metric(node, seen=seen):
            seen.append(node)
            return np.zeros(len(node.counts))

        tl.grow(
            data, metric, splits=splits, missing=missing, max_depth=1, pruner="none", min_branch=1
        )
        counts, task = seen[0].counts, naive.problem(data)
        expected = naive_candidates.candidates(task, task.cases, splits, missing)
        expected = [c for c in expected if naive_candidates.is_admissible(c, min_branch=1)]
        # The candidates of a feature are in order, the features need not be.
        order = np.argsort(counts.feature, kind="stable")

        assert [c.feature for c in expected] == counts.feature[order].tolist()
        np.testing.assert_allclose([c.known for c in expected], counts.known[order], rtol=1e-12)
        for candidate, table in zip(expected, np.asarray(counts)[order], strict=True):
            # Tables are padded with empty rows; 1 - 0.3 differs from 0.7 in the last digit.
            padded = np.zeros_like(table)
            padded[: len(candidate.table)] = candidate.table
            np.testing.assert_allclose(table, padded, rtol=1e-12, atol=1e-12)
