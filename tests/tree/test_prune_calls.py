"""Pruners by name and object, inside `grow`, and with data that do not fit."""

import re
import tempfile
from pathlib import Path

import naive_prune as naive
import numpy as np
import pytest
from pruned import (
    BY_CASES,
    assert_same,
    distinct,
    example,
    held_out,
    learner,
    made_tree,
)
from strategies import dataset, random_dataset

import treelab as tl
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.learner import Learner
from treelab.tree.model import Tree
from treelab.tree.prune import (
    CostComplexity,
    NoPruning,
    Pessimistic,
    ReducedError,
)
from treelab.tree.prune.chance import Chance


def refused(kind, message):
    return pytest.raises(kind, match=f"^{re.escape(message)}$")


def test_pruners_go_by_name_object_and_specification():
    tree, data = made_tree(3)
    expected = tl.prune(tree, Pessimistic(cf=0.1), data)

    assert expected == tl.prune(tree, "pessimistic:cf=0.1", data)
    assert expected == tl.prune(tree, "pessimistic:0.1", data)
    assert expected == tl.prune(tree, tl.pruner("pessimistic", cf=0.1), data)
    assert expected == tl.grow(data, **_settings(3), pruner="pessimistic:cf=0.1")


def _settings(seed):
    grower = learner(seed)
    return {
        n: getattr(grower, n) for n in ("metric", "missing", "splits", "discretizer", "min_branch")
    }


def test_no_pruning_gives_the_tree_itself():
    tree, _ = made_tree(0)

    assert tl.prune(tree, "none") is tree
    assert NoPruning() == tl.pruner(None)


def test_any_callable_can_prune():
    tree, data = made_tree(0)

    assert tree is tl.prune(tree, lambda given, _data, _regrow: given, data)


@pytest.mark.parametrize(
    ("spec", "kind", "message"),
    [
        (
            "pesimistic",
            UnknownNameError,
            "unknown pruner 'pesimistic': did you mean 'pessimistic'?",
        ),
        ("pep:cf=1", ParameterError, "pruner 'pep' has no parameters, got 'cf=1'"),
        (7, ParameterError, "expected the name of a pruner or a callable, got 7"),
        ("pessimistic:cf=0", ParameterError, "cf must be above 0 and at most 1, got 0"),
        ("pessimistic:cf=x", ParameterError, "cf must be a number of at least 0, got 'x'"),
        ("pessimistic:raising=x", ParameterError, "raising must be True or False, got 'x'"),
        ("pessimistic:collapse=x", ParameterError, "collapse must be True or False, got 'x'"),
        ("cost-complexity:-1", ParameterError, "alpha must be a number of at least 0, got -1"),
        ("cost-complexity:se=nan", ParameterError, "se must be a number of at least 0, got nan"),
        ("reduced-error:1", ParameterError, "folds must be a whole number of at least 2, got 1"),
        (
            "cost-complexity:folds=2.5",
            ParameterError,
            "folds must be a whole number of at least 2, got 2.5",
        ),
        ("minimum-error:m=inf", ParameterError, "m must be a number of at least 0, got inf"),
    ],
)
def test_what_is_wrong_with_a_pruner_is_told(spec, kind, message):
    with refused(kind, message):
        tl.pruner(spec)


def test_a_pruner_that_takes_other_things_is_told():
    tree, data = made_tree(0)
    for wrong in (lambda given, _data: given, lambda given, _data, _regrow, _more: given):
        with pytest.raises(ParameterError, match=r"^a pruner takes a tree, the cases to prune by"):
            tl.prune(tree, wrong, data)
        with pytest.raises(ParameterError, match=r"^a pruner takes a tree, the cases to prune by"):
            tl.grow(data, pruner=wrong)


def test_an_unknown_estimate_is_told():
    with pytest.raises(
        ParameterError, match=r"^method must be one of 'c45', 'j48', 'exact', got 'c5'"
    ):
        Pessimistic(method="c5")


def test_parameters_go_with_a_name():
    with refused(
        ParameterError, "parameters go with the name of a pruner, not with a pruner itself"
    ):
        tl.pruner(Pessimistic(), cf=0.1)


def test_a_pruner_must_return_a_tree():
    with refused(ParameterError, "a pruner must return a Tree, got int"):
        tl.prune(made_tree(0)[0], lambda *_: 7)
    with refused(ParameterError, "a pruner must return a Tree, got int"):
        tl.grow(made_tree(0)[1], pruner=lambda _tree, _data, _regrow: 5)


def test_reduced_error_asks_for_held_out_cases():
    with refused(ParameterError, "reduced-error pruning needs held-out cases: pass them as data"):
        tl.prune(made_tree(0)[0], "reduced-error")


def test_cost_complexity_asks_for_an_alpha_or_data():
    with refused(ParameterError, "cost-complexity pruning needs an alpha, or data to choose it by"):
        tl.prune(made_tree(0)[0], "cost-complexity")


@pytest.mark.parametrize("pruner", BY_CASES, ids=repr)
def test_a_frame_prunes_as_the_data_it_holds(pruner):
    tree, data = made_tree(4)

    assert tl.prune(tree, pruner, data.to_frame()) == tl.prune(tree, pruner, data)
    with pytest.raises(DataError, match=r"^expected a data frame .*, got int$"):
        tl.prune(tree, pruner, 5)


@pytest.mark.parametrize("pruner", BY_CASES, ids=repr)
def test_pruning_by_cases_needs_one_with_a_class_and_a_weight(pruner):
    tree, data = made_tree(4)
    for useless in (data.take([]), data.reweighted(np.zeros(len(data)))):
        with refused(
            DataError, "pruning needs at least one case with a known class and weight above 0"
        ):
            tl.prune(tree, pruner, useless)


@pytest.mark.parametrize("pruner", BY_CASES, ids=repr)
def test_pruning_by_cases_needs_the_columns_of_the_tree(pruner):
    tree, data = made_tree(4)
    with pytest.raises(DataError, match="the tree needs a column 'x0'"):
        tl.prune(tree, pruner, data.select(["x1", "x2", "x3"]))


def with_classes(data, *classes):
    target = Column("class", classes)
    return Dataset.of(Schema(data.schema.features, target), data.columns, data.y, data.weights)


def test_classes_are_found_by_name():
    data, other = held_out(6), with_classes(held_out(6), "b", "a")
    turned = Dataset.of(other.schema, other.columns, 1 - data.y)
    for pruner in BY_CASES:
        assert tl.prune(example(), pruner, data) == tl.prune(example(), pruner, turned)


def test_a_held_out_case_of_a_class_unknown_to_the_tree_is_an_error_anyhow():
    """As the right leaf and as its parent the tree now errs 10 times: the smaller tree."""
    assert tl.prune(example(), "reduced-error", with_classes(held_out(10), "z", "b")).n_leaves == 2


def test_raising_leaves_out_cases_of_a_class_unknown_to_the_tree():
    tree, data = made_tree(0)
    strange = with_classes(data, "strange", *data.classes)
    strange = Dataset.of(strange.schema, data.columns, data.y + 1, data.weights)
    more = Dataset.of(
        strange.schema,
        [np.append(values, values[:3]) for values in data.columns],
        np.append(strange.y, [0, 0, 0]),
        np.append(data.weights, [5.0, 5.0, 5.0]),
    )

    assert tl.prune(tree, "pessimistic", data) == tl.prune(tree, "pessimistic", more)


def test_a_test_whose_value_no_case_knows_becomes_a_leaf():
    """Nothing shows how to share the cases out, so they are taken to end there."""
    data = held_out(6)
    lost = Dataset.of(data.schema, [np.full(100, np.nan)], data.y)

    assert tl.prune(example(), "pessimistic", lost).n_leaves == 1


def test_reduced_error_in_grow_holds_out_a_part_of_the_cases():
    data = random_dataset(5, cases=60, weights="whole")
    fold = folds_by_content(data, 4, 3)
    tree = tl.grow(data, pruner=ReducedError(folds=4, seed=3))
    expected = tl.prune(
        tl.grow(data.take(fold > 0), pruner=None), ReducedError(), data.take(fold == 0)
    )

    assert expected == tree
    assert data.weights[fold > 0].sum() == tree.root.weight


def test_reduced_error_in_grow_leaves_out_cases_that_teach_nothing():
    data = dataset([np.arange(8.0)], [-1, -1, -1, -1, -1, 0, 1, 1])

    assert tl.grow(data, pruner="reduced-error").root.weight == 2


def test_reduced_error_in_grow_does_nothing_where_there_is_nothing_to_hold_out():
    data = dataset([np.array([1.0, 2.0])], [0, 1])

    assert tl.grow(data, pruner="reduced-error", min_branch=1).n_leaves == 2


def test_cost_complexity_in_grow_cross_validates_within_the_training_cases():
    data = random_dataset(6, cases=60, weights="some-zero")
    settings = {"metric": "gini", "max_leaves": 6}
    grower = Learner(pruner=None, **settings)
    pruner = CostComplexity(folds=5, seed=2)

    assert pruner(grower.fit(data), data, grower.fit) == tl.grow(data, pruner=pruner, **settings)


def test_cost_complexity_in_grow_of_a_single_case():
    assert tl.grow(dataset([np.array([1.0])], [0]), pruner="cost-complexity").n_nodes == 1


@pytest.mark.parametrize("method", ["reduced-error", "cost-complexity:folds=4"])
def test_pruning_by_folds_does_not_depend_on_the_order_of_the_cases(method):
    data = tl.load("heart")
    shuffled = data.take(np.random.default_rng(1).permutation(len(data)))

    assert tl.grow(data, pruner=method) == tl.grow(shuffled, pruner=method)


def test_the_seed_of_the_learner_reaches_the_pruner_unless_it_has_its_own():
    data = tl.load("heart")
    by_seed = [tl.grow(data, pruner="reduced-error", seed=seed) for seed in range(4)]
    own = [tl.grow(data, pruner="reduced-error:seed=2", seed=seed) for seed in range(2)]

    assert len({tree.n_leaves for tree in by_seed}) > 1
    assert own[0] == own[1] == by_seed[2]


def test_two_cases_are_enough_for_folds():
    """Each of them is foretold by the other, and wrongly: no split is worth its leaves."""
    two = dataset([np.array([0.0, 1.0])], [0, 1])
    how = {"metric": "gain", "min_cases": 1, "min_branch": 1}

    assert tl.grow(two, pruner=None, **how).n_leaves == 2
    assert tl.grow(two, pruner="cost-complexity", **how).n_leaves == 1


def test_chance_had_one_feature_to_choose_from_where_pairs_have_chosen_it():
    """ReliefF takes a feature for its neighbours: the price is that of its own splits only."""
    data = tl.load("labor")
    full = tl.grow(data, "relieff", pruner=None)
    alone = naive.read_tree(full)
    n_values = [distinct(full, data, f) for f in range(len(data.columns))]

    assert (full.by_counts, tl.grow(data, pruner=None).by_counts) == (False, True)
    assert not tl.grow(data, "relieff", pruner=None, search="beam", width=2).by_counts
    assert_same(tl.prune(full, Chance(0.2), data), naive.chance(alone, 1, n_values, 0.2))
    assert not Tree.load(saved(full)).by_counts


def saved(tree):
    path = Path(tempfile.mkdtemp()) / "tree.json"
    tree.save(path)
    return path
