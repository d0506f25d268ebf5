"""Pruners make the trees of their naive twins."""

import math

import naive_errors
import naive_prune as naive
import numpy as np
import pytest
from handmade import flat_tree
from pruned import (
    SEEDS,
    assert_same,
    distinct,
    leaf,
    learner,
    made_data,
    made_tree,
    parted,
)
from strategies import random_dataset

import treelab as tl
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.data.schema import Column, Schema
from treelab.tree.prune import (
    CostComplexity,
    MinimumError,
    Pessimistic,
)
from treelab.tree.prune.chance import Chance, bits_of_group
from treelab.tree.prune.collapse import Collapse
from treelab.tree.prune.cost_complexity import critical_alphas, typical_alphas


def cases_of(tree, data):
    return naive.read_cases(data, {name: cuts.tolist() for name, cuts in tree.coding.cuts.items()})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("cf", [0.25, 0.7])
def test_raising_is_that_of_c45(seed, cf):
    tree, data = made_tree(seed)
    expected, _ = naive.raising(naive.read_tree(tree), cases_of(tree, data), tree.missing, cf)

    assert_same(tl.prune(tree, Pessimistic(cf=cf), data), expected)


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_raising_with_cases_the_tree_never_saw_agrees_with_the_naive_one(seed):
    tree, _ = made_tree(seed)
    other = made_data(seed, offset=1000)
    expected, _ = naive.raising(naive.read_tree(tree), cases_of(tree, other), tree.missing, 0.6)

    assert_same(tl.prune(tree, Pessimistic(cf=0.6), other), expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_pruning_by_counts_agrees_with_the_naive_one(seed):
    tree, _ = made_tree(seed)
    root = naive.read_tree(tree)

    assert_same(tl.prune(tree, Pessimistic(raising=False)), naive.pessimistic(root))
    assert_same(tl.prune(tree, Pessimistic(0.7, raising=False)), naive.pessimistic(root, 0.7))
    assert_same(tl.prune(tree, "pep"), naive.pep(root))
    for m in (0, 0.3, 2, 10):
        assert_same(tl.prune(tree, MinimumError(m)), naive.minimum_error(root, m))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("level", [0.05, 0.5, 1])
def test_pruning_by_chance_agrees_with_the_naive_one(seed, level):
    tree, data = made_tree(seed)
    n_values = [distinct(tree, data, f) for f in range(len(data.columns))]
    n_features = sum(n > 1 for n in n_values)
    expected = naive.chance(naive.read_tree(tree), n_features, n_values, level)

    assert_same(tl.prune(tree, Chance(level), data), expected)


def test_chance_prices_nothing_else_than_the_naive_one_does():
    """At least one of the trees above is cut, one is not, and one is cut in part."""
    sizes = [
        (made.n_leaves, tl.prune(made, Chance(), data).n_leaves)
        for made, data in map(made_tree, SEEDS)
    ]

    assert any(after == 1 < before for before, after in sizes)
    assert any(1 < after < before for before, after in sizes)
    assert any(1 < after == before for before, after in sizes)


def test_the_bits_of_groups_sum_up_to_one_choice():
    """A code: two to the minus bits, summed over all groups, is 1 (Kraft)."""
    for n_values in (2, 3, 4, 7, 12):
        groups = range(1, n_values // 2 + 1)
        ways = {size: math.comb(n_values, size) / (1 + (2 * size == n_values)) for size in groups}
        total = sum(n * 2.0 ** -bits_of_group(n_values, size) for size, n in ways.items())

        assert total == pytest.approx(1)


def test_prices_of_a_thousand_values_continue_those_of_fewer():
    """Where chi-square's tail is below the smallest number a formula takes over."""
    prices = [chance_price(n) for n in (860, 866, 872)]

    assert prices[2] - prices[1] == pytest.approx(prices[1] - prices[0], rel=1e-3)


def chance_price(n_values):
    """The price of the split of half of the values from the others."""
    schema = Schema((Column("x", tuple(map(str, range(n_values)))),), Column("y", ("a", "b")))
    half = tuple(int(code % 2) for code in range(n_values))
    root = parted(0, leaf(500, 1), leaf(1, 500), branch_of=half)
    tree = flat_tree(root, schema, Coding(), "majority")
    return float(Chance().prices(tree, np.array([0]), None)[0])


def test_chance_keeps_features_that_tell_something_only_together():
    data = tl.make("exor", n=2, m=0, cases=200, seed=1)
    full = tl.grow(data, "gain", pruner="none")

    assert tl.prune(full, "chance", data).n_leaves == 4


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_pruning_by_counts_counts_the_cases_that_stop(seed):
    tree = pruned_by_strangers(seed)
    root = naive.read_tree(tree)

    assert_same(tl.prune(tree, Pessimistic(0.5, raising=False)), naive.pessimistic(root, 0.5))
    assert_same(tl.prune(tree, "pep"), naive.pep(root))


def test_some_cases_do_stop():
    """The test before would be empty if they did not."""
    trees = [pruned_by_strangers(seed) for seed in SEEDS[::2]]
    tests = [node for tree in trees for node in naive.read_tree(tree).nodes() if node.children]

    assert any(sum(naive.stopped_counts(node)) > 0 for node in tests)


def pruned_by_strangers(seed):
    """Return a tree whose class weights were counted by cases with labels it does not know."""
    strangers = random_dataset(seed + 1000, cases=40, classes=2 + seed % 2, labels=7)
    return tl.prune(made_tree(seed)[0], Pessimistic(cf=0.9), strangers)


@pytest.mark.parametrize("seed", SEEDS)
def test_collapse_alone_agrees_with_the_naive_one(seed):
    tree, _ = made_tree(seed)

    assert_same(tl.prune(tree, Collapse()), naive.collapsed(naive.read_tree(tree))[0])


def test_pruning_again_by_cases_that_miss_a_leaf_changes_nothing():
    """The error of the leaf b, which they miss, is none of theirs: the tree makes none."""
    schema = Schema((Column("f", ("a", "b", "c")),), Column("y", ("P", "N")))
    grown = Dataset.of(schema, [np.array([0, 1, 1, 1])], np.array([0, 0, 1, 1]), np.ones(4), "", 4)
    held = Dataset.of(schema, [np.array([0, 2])], np.array([0, 1]), np.ones(2), "", 2)
    once = tl.prune(tl.grow(grown, metric="gini", pruner=None, min_branch=1), Pessimistic(), held)

    assert once.counts.tolist() == [[1, 1], [1, 0], [1, 2], [0, 1]]
    for pruner in (Pessimistic(), Collapse()):
        assert tl.prune(once, pruner, held).counts.tolist() == once.counts.tolist()


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_without_collapse_pruning_agrees_with_the_naive_one(seed):
    tree, data = made_tree(seed)
    root, cases = naive.read_tree(tree), cases_of(tree, data)
    raised, _ = naive.raising(root, cases, tree.missing, 0.9, collapse=False)

    assert_same(tl.prune(tree, Pessimistic(0.9, collapse=False), data), raised)
    by_leaves = naive.pessimistic(root, 0.9, collapse=False)
    assert_same(tl.prune(tree, Pessimistic(0.9, raising=False, collapse=False)), by_leaves)


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_the_exact_limit_agrees_with_the_naive_one(seed):
    data = random_dataset(seed, cases=30, missing=0, weights="whole")
    tree = tl.grow(data, pruner=None)
    root, cases = naive.read_tree(tree), naive.read_cases(data)
    exact = {"cf": 0.5, "expected": naive_errors.exact_errors}

    raised, _ = naive.raising(root, cases, "fractional", **exact)
    assert_same(tl.prune(tree, Pessimistic(0.5, method="exact"), data), raised)
    by_leaves = naive.pessimistic(root, **exact)
    assert_same(tl.prune(tree, Pessimistic(0.5, raising=False, method="exact")), by_leaves)


@pytest.mark.parametrize("seed", SEEDS)
def test_reduced_error_agrees_with_the_naive_one(seed):
    tree, _ = made_tree(seed)
    other = made_data(seed, cases=40, offset=1000)
    expected = naive.reduced_error(naive.read_tree(tree), cases_of(tree, other), tree.missing)

    assert_same(tl.prune(tree, "reduced-error", other), expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_cost_complexity_is_the_best_of_all_subtrees(seed):
    tree, _ = made_tree(seed, max_leaves=7)
    root, critical = naive.read_tree(tree), critical_alphas(tree)

    for alpha in [0, 0.01, 0.04, 0.2, *critical[np.isfinite(critical)]]:
        assert_same(
            tl.prune(tree, CostComplexity(float(alpha))), naive.cost_complexity(root, alpha)
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_critical_alphas_are_those_of_the_weakest_links(seed):
    """Sums of errors in another order differ in their last digits."""
    tree, _ = made_tree(seed)

    expected = naive.weakest_links(naive.read_tree(tree))
    assert critical_alphas(tree).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_cost_complexity_by_held_out_cases_agrees_with_the_naive_one(seed):
    tree, _ = made_tree(seed, max_leaves=6)
    other, root = made_data(seed, cases=30, offset=1000), naive.read_tree(tree)
    alphas = naive.alphas(root)
    chosen = naive.chosen_alpha(alphas, [(root, cases_of(tree, other))], tree.missing)

    assert alphas == pytest.approx(typical_alphas(critical_alphas(tree)).tolist())
    assert_same(tl.prune(tree, "cost-complexity", other), naive.cost_complexity(root, chosen))


@pytest.mark.parametrize("seed", SEEDS[::5])
def test_cost_complexity_by_inner_cross_validation_agrees_with_the_naive_one(seed):
    data, grower = made_data(seed, cases=30), learner(seed, max_leaves=5)
    data = data.take((data.y >= 0) & (data.weights > 0))
    fold = folds_by_content(data, 4, seed)
    tree = grower.fit(data)
    grown = [(grower.fit(data.take(fold != f)), data.take(fold == f)) for f in range(4)]
    held = [(naive.read_tree(t), cases_of(t, part)) for t, part in grown]
    root = naive.read_tree(tree)
    chosen = naive.chosen_alpha(naive.alphas(root), held, tree.missing, se=0.5)

    pruner = CostComplexity(folds=4, se=0.5, seed=seed)
    assert_same(pruner(tree, data, grower.fit), naive.cost_complexity(root, chosen))
