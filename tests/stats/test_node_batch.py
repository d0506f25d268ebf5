"""Judging many nodes at once, by any number of threads, changes nothing."""

from itertools import product

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.data import coded
from treelab.data.schema import Column, Schema
from treelab.stats.stores import cases, context, in_memory
from treelab.tree.model import ARRAYS

SPLITS = ("auto", "multiway", "binary", "subset")
MISSING = ("fractional", "branch", "majority")
SETTINGS = [
    {"splits": splits, "missing": missing, **numbers}
    for splits, missing, numbers in product(
        SPLITS, MISSING, [{}, {"discretizer": "equal-width:3"}, {"bins": 4}]
    )
]
MADE = [
    {"cases": 36, "missing": 0.0},
    {"cases": 36, "missing": 0.3, "weights": "whole"},
    {"cases": 30, "weights": "fraction", "classes": 2},
    {"cases": 30, "weights": "some-zero", "missing": 0.4},
    {"cases": 40, "classes": 12, "numeric": 3, "ties": False},
    {"cases": 30, "numeric": 0, "nominal": 3, "labels": 9, "missing": 0.2},
    {"cases": 20, "classes": 1},
    {"cases": 1},
]
DATA = [random_dataset(seed, **how) for seed, how in enumerate(MADE)]
METRICS = [n for n in tl.metric_names() if getattr(tl.metric(n), "by_level", False)]


@pytest.fixture(params=[2, context.FEW_CODES], ids=["kept-sorted", "sorted-anew"])
def few_codes(request, monkeypatch):
    """Features of more codes stay sorted from node to node."""
    monkeypatch.setattr(context, "FEW_CODES", request.param)
    monkeypatch.setattr(context, "FEW_CASES", 0)


def full(data, metric, **settings):
    return tl.grow(data, metric, pruner="none", **{"min_branch": 1, **settings})


def same_scores(first, second):
    # A table of missing values' own row is wider: the last digits differ.
    return np.allclose(first.scores, second.scores, rtol=1e-9, atol=1e-12, equal_nan=True)


def assert_same_tests(expected, actual):
    """Assert that two trees are equal; weights may be added up in another order."""
    for name in ARRAYS[:-2]:
        np.testing.assert_array_equal(getattr(expected, name), getattr(actual, name), name)
    np.testing.assert_allclose(actual.counts, expected.counts, rtol=1e-9, atol=1e-12)


# Level by level and node by node


def node_by_node(metric):
    """Return a metric that does not promise to judge several nodes at once."""
    return lambda node: metric(node)  # noqa: PLW0108  (the promise is an attribute)


def settings_of(name, data_number):
    """Kinds of splits, of missing values and of numbers take turns."""
    return SETTINGS[(METRICS.index(name) * 7 + data_number * 11) % len(SETTINGS)]


@pytest.mark.usefixtures("few_codes")
@pytest.mark.parametrize("name", METRICS)
def test_a_level_is_judged_as_its_nodes_are(name):
    metric = tl.metric(name)
    for number in range(METRICS.index(name) % 4, len(DATA), 4):
        data, settings = DATA[number], settings_of(name, number)
        at_once = full(data, metric, **settings)
        one_by_one = full(data, node_by_node(metric), **settings)

        assert at_once == one_by_one
        assert same_scores(at_once, one_by_one)


@pytest.mark.parametrize("settings", SETTINGS[::4], ids=lambda s: "-".join(map(str, s.values())))
def test_c45_asks_for_the_average_gain_of_each_node_by_itself(settings):
    metric = tl.metric("gain-ratio-c45")
    for data in DATA:
        assert full(data, metric, **settings) == full(data, node_by_node(metric), **settings)


@pytest.mark.parametrize("settings", SETTINGS[::5], ids=lambda s: "-".join(map(str, s.values())))
def test_what_stays_sorted_gives_the_tree_of_what_is_sorted_anew(settings, monkeypatch):
    for data in DATA:
        kept_sorted = full(data, "gain", **settings)
        with monkeypatch.context() as patch:
            patch.setattr(context, "FEW_CASES", 0)
            assert kept_sorted == full(data, "gain", **settings)


@pytest.mark.parametrize("settings", SETTINGS[::5], ids=lambda s: "-".join(map(str, s.values())))
def test_a_level_that_is_judged_in_parts_gives_the_same_tree(settings, monkeypatch):
    for data in DATA:
        whole = full(data, "gain", **settings)
        with monkeypatch.context() as patch:
            patch.setattr(context, "FEW_CASES", 0)
            patch.setattr(in_memory, "MOST_PLACES", 40)
            assert whole == full(data, "gain", **settings)


def test_best_first_without_an_end_is_breadth_first():
    for data in DATA:
        assert full(data, "gini") == full(data, "gini", max_leaves=10_000)


@pytest.mark.parametrize("missing", MISSING)
def test_a_node_may_have_more_branches_than_a_byte_has_numbers(missing):
    rng = np.random.default_rng(0)
    labels = tuple(f"v{i}" for i in range(200))
    schema = Schema((Column("many", labels), Column("x")), Column("class", ("a", "b")))
    many = np.append(np.arange(200), rng.integers(-1, 200, 400))
    y = (many % 2 == 0) ^ (rng.random(600) < 0.2)
    data = tl.Dataset.of(schema, [many, rng.normal(size=600)], y.astype(int))
    tree = full(data, "gain", splits="multiway", missing=missing)

    assert len(tree.root.children) == 200 + (missing == "branch")
    for label, child in enumerate(tree.root.children[:200]):
        mine = np.bincount(y[many == label].astype(int), minlength=2)
        # Of the cases whose value is missing every branch may get a share.
        assert (child.counts >= mine - 1e-9).all()
        assert child.counts.sum() < mine.sum() + (many < 0).sum() + 1e-9
    assert full(data, "gain", splits="multiway", missing=missing, max_leaves=10_000) == tree


@pytest.mark.parametrize("name", ["gain", "gain-ratio-c45", "chi2"])
def test_data_without_features_are_a_leaf(name):
    schema = Schema((), Column("class", ("a", "b")))

    assert full(tl.Dataset.of(schema, [], [0, 1, 1], None, "", 3), name).n_nodes == 1


def test_keys_are_as_wide_as_codes_and_classes_together():
    for n_codes, bits, expected in [
        (2**24 - 2, 8, np.uint32),
        (2**24 - 1, 8, np.uint64),
        (1, 1, np.uint32),
    ]:
        assert cases.key_type(np.array([2, n_codes]), bits) == expected
    assert cases.key_type(np.empty(0, np.int64), 1) == np.uint32


# Threads, the order of the cases, weights


@pytest.mark.usefixtures("few_codes")
@pytest.mark.parametrize("name", ["gain", "gini", "chi2", "gain-ratio-c45", "one-table"])
def test_the_number_of_threads_does_not_matter(name, monkeypatch):
    monkeypatch.setattr(cases, "PART", 1)
    monkeypatch.setattr(coded, "MANY", 1)
    metric = tl.from_counts(lambda t: t[0].max() + t[1].max()) if name == "one-table" else name
    try:
        for number, data in enumerate(DATA):
            found = []
            for n in (1, 2, 4):
                tl.set_threads(n)
                found.append(full(data, metric, **SETTINGS[number * 5 % len(SETTINGS)]))

            assert found[0] == found[1] == found[2]
            np.testing.assert_array_equal(found[0].scores, found[2].scores)
    finally:
        tl.set_threads(None)


@pytest.mark.usefixtures("few_codes")
@pytest.mark.parametrize("name", ["gain", "gain-ratio-c45", "hellinger"])
@pytest.mark.parametrize("missing", MISSING)
def test_neither_the_order_of_the_cases_nor_their_doubling_matters(name, missing):
    for seed in range(2):
        data = random_dataset(seed, 40, weights="whole", missing=0.2, classes=9)
        tree = full(data, name, missing=missing)
        shuffled = data.take(np.random.default_rng(seed).permutation(len(data)))
        once = data.take(np.repeat(np.arange(40), data.weights.astype(int)))

        assert_same_tests(tree, full(shuffled, name, missing=missing))
        assert_same_tests(tree, full(once.reweighted(np.ones(len(once))), name, missing=missing))


# Random streams


def drawn(data, **settings):
    """Return what a metric draws at every node, by the cases of the node."""
    numbers = {}

    def metric(node):
        numbers[tuple(sorted(node.rows))] = node.rng("mine").random()
        return node.counts.map(tl.formula("gini"))

    return full(data, metric, **settings), numbers


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_stream_of_a_node_does_not_depend_on_when_it_is_judged(missing):
    data = random_dataset(0, 60, missing=missing)
    tree, broad = drawn(data)
    best_first, numbers = drawn(data, max_leaves=10_000)

    assert tree == best_first
    assert broad == numbers
    assert len(set(broad.values())) == len(broad) > 10
    # With fewer leaves, fewer nodes are met; those that are draw the same.
    _, few = drawn(data, max_leaves=5)
    assert few.items() < broad.items()
