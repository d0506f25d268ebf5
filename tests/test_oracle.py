"""The brute-force oracle: the grown tree is the one an exhaustive search would grow."""

from itertools import product

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import datasets, random_dataset, steady

import treelab as tl

METRICS = ("gain", "gini", "gain-ratio", "gain-ratio-c45", "chi2")
SPLITS = ("auto", "multiway", "binary", "subset")
MISSING = ("fractional", "branch", "majority")
# What grow is told about numbers, and what the naive learner is told.
NUMBERS = {
    "exact": ({"discretizer": None}, {}),
    "intervals": ({"discretizer": "equal-width:3"}, {"equal_width": 3}),
    "bins": ({"bins": 3}, {"bins": 3}),
}
GRID = list(product(METRICS, SPLITS, MISSING, ["exact", "intervals"]))
# Bins only move the thresholds: one kind of split is enough.
GRID += product(METRICS, ["auto"], MISSING, ["bins"])
# Every other formula sees the same tables: kinds of split and of missing values take turns.
OTHERS = sorted(set(naive.FORMULAS) - set(METRICS))
GRID += [
    (metric, SPLITS[place % 4], MISSING[place % 3], ["exact", "intervals"][place // 4 % 2])
    for place, metric in enumerate(OTHERS)
]

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


def grown(data, metric, splits, missing, numbers):
    """Return the tree and the problem as the naive learner sees it."""
    told, naively_told = NUMBERS[numbers]
    stop = {"min_cases": 2, "min_branch": 1}
    tree = tl.grow(
        data, metric, splits=splits, missing=missing, pruner="none", probabilities="shares",
        **stop, **told,
    )  # fmt: skip
    return tree, naive.problem(data, **naively_told)


def key_of(node, kinds):
    """Return the test of a node as `naive.Candidate.key` has it."""
    feature = int(node.tree.feature[node.number])
    branches = ()
    if node.threshold is None:
        known = enumerate(node.branch_of.tolist())
        branches = tuple((code, branch) for code, branch in known if branch >= 0)
    elif kinds[feature] != "numeric":
        raise AssertionError(f"feature {feature} is {kinds[feature]} and has a threshold")
    return feature, node.threshold, branches, node.missing_branch


def assert_best(task, node, cases, metric, splits, missing):
    """Assert that the split of a node is the best of all, and return it as a naive candidate."""
    found, scored = naive.judged_candidates(task, cases, metric, splits, missing)
    best = naive.choose(found, scored)
    naive.part(found[best], cases, missing)
    actual = key_of(node, task.kinds)
    # The kernel adds up fractional weights in another order: the last digits differ.
    assert node.score == pytest.approx(scored[best], rel=1e-9, abs=1e-9)
    if naive.is_clear(scored):
        assert found[best].key == actual
        return found[best]
    # Two scores differ by about the tie rule's 1e-12, so rounding may decide either way.
    for candidate in found:
        naive.part(candidate, cases, missing)
    chosen = [found[i].key for i in range(len(found))].index(actual)
    assert scored[chosen] == pytest.approx(scored[best], rel=1e-9, abs=1e-9)
    return found[chosen]


def assert_same_tree(task, node, cases, metric, splits, missing):
    """Search every node exhaustively, with its cases dealt out by hand."""
    counts = naive.class_weights(cases, task.n_classes)
    # Shares of shares are multiplied in another order: the last digits differ.
    assert counts == pytest.approx(node.counts.tolist(), rel=1e-9, abs=1e-12)
    if node.is_leaf:
        assert naive.grow(task, metric, splits, missing, cases).split is None
        return
    split = assert_best(task, node, cases, metric, splits, missing)
    parts = naive.part(split, cases, missing)
    assert len(parts) == len(node.children)
    for child, part in zip(node.children, parts, strict=True):
        assert_same_tree(task, child, part, metric, splits, missing)


@pytest.mark.parametrize(("metric", "splits", "missing", "numbers"), GRID)
def test_every_split_is_the_best_of_all(metric, splits, missing, numbers):
    for data in DATA:
        tree, task = grown(data, metric, splits, missing, numbers)

        assert tree.n_leaves > 2
        assert_same_tree(task, tree.root, task.cases, metric, splits, missing)


@steady(150)
@given(datasets(), st.sampled_from(GRID))
def test_every_split_is_the_best_of_all_on_degenerate_data(data, setting):
    metric, splits, missing, numbers = setting
    tree, task = grown(data, metric, splits, missing, numbers)

    assert_same_tree(task, tree.root, task.cases, metric, splits, missing)


def outline(node):
    """Return a naive tree as nested tuples: the test, then the children."""
    key = None if node.split is None else node.split.key
    return key, tuple(map(outline, node.children))


def outline_of(node, kinds):
    key = None if node.is_leaf else key_of(node, kinds)
    return key, tuple(outline_of(child, kinds) for child in node.children)


@pytest.mark.parametrize(("metric", "splits", "missing", "numbers"), GRID)
def test_the_whole_tree_and_its_predictions_are_those_of_the_naive_learner(
    metric, splits, missing, numbers
):
    place = GRID.index((metric, splits, missing, numbers)) % len(DATA)
    data = DATA[place]
    # Other cases of the same features, with labels that training never saw.
    others = random_dataset(99, **{**MADE[place], "cases": 30, "missing": 0.3, "labels": 7})
    tree, task = grown(data, metric, splits, missing, numbers)
    expected = naive.grow(task, metric, splits, missing)

    # No tie is so close on these data that rounding could decide it.
    assert outline(expected) == outline_of(tree.root, task.kinds)
    for cases in (data, others):
        proba = [
            naive.probabilities(expected, naive.coded_case(task, case.values), missing)
            for case in naive.read_cases(cases)
        ]
        # Shares of shares are added up in another order: the last digits differ.
        np.testing.assert_allclose(tree.predict_proba(cases), proba, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("classes", [2, 3])
def test_many_values_join_the_left_group_in_the_naive_order(classes, missing):
    """Nine and more values: by class share for two classes, greedily for more."""
    for seed, metric in enumerate(METRICS):
        data = random_dataset(
            seed, 70, numeric=1, nominal=2, labels=10, classes=classes, weights="whole"
        )
        tree, task = grown(data, metric, "subset", missing, "exact")

        assert any(len(naive.values_of(task.cases, f)) > naive.EXHAUSTIVE_VALUES for f in (1, 2))
        assert_same_tree(task, tree.root, task.cases, metric, "subset", missing)


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
        expected = naive.candidates(task, task.cases, splits, missing)
        expected = [c for c in expected if naive.is_admissible(c, min_branch=1)]
        # The candidates of a feature are in order, the features need not be.
        order = np.argsort(counts.feature, kind="stable")

        assert [c.feature for c in expected] == counts.feature[order].tolist()
        np.testing.assert_allclose([c.known for c in expected], counts.known[order], rtol=1e-12)
        for candidate, table in zip(expected, np.asarray(counts)[order], strict=True):
            # Tables are padded with empty rows; 1 - 0.3 differs from 0.7 in the last digit.
            padded = np.zeros_like(table)
            padded[: len(candidate.table)] = candidate.table
            np.testing.assert_allclose(table, padded, rtol=1e-12, atol=1e-12)
