"""Class weights become probabilities by their definitions; the class predicted goes with them."""

import itertools

import naive_grow
import numpy as np
import pytest
from handmade import MutableNode, flat_tree
from strategies import random_dataset

import treelab as tl
from treelab.data.coding import Coding
from treelab.data.schema import Column, Schema
from treelab.tree.probabilities import Laplace, MEstimate, Shares, Shrunk

KINDS = {
    "shares": ("shares", 0.0),
    "laplace": ("laplace", 0.0),
    "m-estimate": ("m-estimate", 2.0),
    "m-estimate:m=0.5": ("m-estimate", 0.5),
    "shrunk": ("shrunk", 10.0),
    "shrunk:lambda=0.3": ("shrunk", 0.3),
    "shrunk:lambda=1000": ("shrunk", 1000.0),
}
MISSING = ("fractional", "branch", "majority")
SPLITS = ("auto", "multiway", "binary", "subset")


def made_data(seed, **settings):
    given = {"cases": 60, "classes": 2 + seed % 3, "missing": 0.2, "weights": "fraction"}
    return random_dataset(seed, **given | settings)


def made_tree(seed, **settings):
    given = {"pruner": "none", "missing": MISSING[seed % 3], "splits": SPLITS[seed % 4]}
    return tl.grow(made_data(seed), "gini", **given | settings)


@pytest.mark.parametrize("spec", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_every_node_has_the_probabilities_of_the_definition(seed, spec):
    """Sums of a few products differ in their last digits."""
    tree = made_tree(seed, probabilities=spec)
    expected = naive_grow.node_probabilities(tree.root, *KINDS[spec])

    np.testing.assert_allclose(tree.class_probabilities, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("spec", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_cases_get_those_of_where_they_end_and_the_class_is_the_most_probable(seed, spec):
    tree, new = made_tree(seed, probabilities=spec), made_data(seed + 100, missing=0.4)
    given = tree.predict_proba(new)

    np.testing.assert_allclose(given.sum(axis=1), 1, rtol=1e-12)
    assert (given >= 0).all()
    # The first of those that are equal but for rounding.
    enough = given >= given.max(axis=1, keepdims=True) * (1 - 1e-12)
    assert tree.predict(new).tolist() == [tree.classes[c] for c in enough.argmax(axis=1)]
    whole = tree.missing != "fractional"
    if whole:
        assert np.array_equal(given, tree.class_probabilities[tree.apply(new)])


def test_missing_values_get_the_mean_over_the_branches():
    tree = example("fractional")
    data = tl.Dataset.of(tree.schema, [np.array([np.nan, 0.0])])
    left, right = tree.class_probabilities[1:]

    np.testing.assert_allclose(
        tree.predict_proba(data), [0.8 * left + 0.2 * right, left], rtol=1e-15
    )


def example(missing="majority"):
    """90 of class a and 10 of class b; the right branch has 12 and 8, and is called b by nobody."""
    leaves = [MutableNode(np.array([78.0, 2.0])), MutableNode(np.array([9.0, 11.0]))]
    root = MutableNode(np.array([87.0, 13.0]), 0, 0.5, children=leaves)
    tree = flat_tree(root, Schema((Column("x"),), Column("y", ("a", "b"))), Coding(), missing)
    return tree.with_probabilities("shrunk:lambda=50")


def test_shrinkage_by_hand_and_it_may_change_the_class():
    """The right leaf: 0.13 + (0.55 - 0.13) / (1 + 50 / 100) = 0.41, so class a."""
    tree = example()

    assert tree.class_probabilities[2] == pytest.approx([0.59, 0.41], rel=1e-12)
    assert tree.node("1").label == "a"
    assert tree.node("1").errors == 11
    assert tree.with_probabilities("shares").node("1").label == "b"
    assert "x > 0.5: a (20 cases" in str(tree)
    assert tl.export(tree, "rules").splitlines()[-1].endswith("THEN y = a (20 cases, 45 % right)")


@pytest.mark.parametrize("seed", range(6))
def test_without_a_penalty_the_shares_come_out_to_the_last_bit(seed):
    tree = made_tree(seed, probabilities="shares")

    for spec in ("shrunk:lambda=0", "m-estimate:m=0"):
        same = tree.with_probabilities(spec).class_probabilities
        assert np.array_equal(same, tree.class_probabilities)
    far = tree.with_probabilities("shrunk:lambda=1e12").class_probabilities
    np.testing.assert_allclose(far, np.tile(far[0], (len(far), 1)), atol=1e-9)


@pytest.mark.parametrize("spec", KINDS)
def test_a_case_of_weight_2_is_two_cases(spec):
    data = made_data(3, weights="one")
    rng = np.random.default_rng(0)
    times = rng.integers(1, 3, len(data))
    doubled = data.take(np.repeat(np.arange(len(data)), times))
    weighted = tl.Dataset.of(data.schema, data.columns, data.y, times.astype(float))

    given = {"pruner": "none", "probabilities": spec}
    one, two = tl.grow(doubled, **given), tl.grow(weighted, **given)
    np.testing.assert_allclose(one.class_probabilities, two.class_probabilities, rtol=1e-12)


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations(KINDS, 2)))
def test_the_tree_is_the_same_whatever_its_probabilities(one, two):
    first, second = made_tree(5, probabilities=one), made_tree(5, probabilities=two)

    assert first != second
    assert first == second.with_probabilities(one)


def test_pruning_keeps_the_probabilities():
    data = tl.load("voting")
    tree = tl.grow(data, pruner="none", probabilities="laplace")

    assert tl.prune(tree, "pessimistic", data).probabilities == "laplace"


def test_a_class_that_is_nowhere_has_no_probability_but_by_laplace():
    schema = Schema((Column("x"),), Column("y", ("a", "b", "never")))
    data = tl.Dataset.of(schema, [np.arange(8.0)], np.repeat([0, 1], 4))
    tree = tl.grow(data, pruner="none")

    for spec in set(KINDS) - {"laplace"}:
        assert not tree.with_probabilities(spec).class_probabilities[:, 2].any()
    assert tree.with_probabilities("laplace").class_probabilities[:, 2].all()


def test_a_tree_of_one_leaf_gives_the_shares_of_all():
    data = tl.Dataset.of(
        Schema((Column("x"),), Column("y", ("a", "b"))), [np.zeros(4)], np.array([0, 1, 1, 1])
    )

    assert tl.grow(data).predict_proba(data).tolist() == [[0.25, 0.75]] * 4


def test_a_file_that_claims_more_cases_below_than_above_gives_no_negative_probability():
    leaves = [MutableNode(np.array([1000.0, 0.0])), MutableNode(np.array([0.0, 1000.0]))]
    left = MutableNode(np.array([0.0, 1.0]), 0, 0.0, children=leaves)
    root = MutableNode(np.array([1.0, 3.0]), 0, 1.0, children=[left, MutableNode(np.ones(2))])
    schema = Schema((Column("x"),), Column("y", ("a", "b")))
    tree = flat_tree(root, schema, Coding(), "majority").with_probabilities("shrunk:lambda=0.001")

    assert (tree.class_probabilities >= 0).all()
    np.testing.assert_allclose(tree.class_probabilities.sum(axis=1), 1)


def test_the_classifier_passes_them_on():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), ["a", "a", "b", "a"]
    given = {"pruner": "none", "min_branch": 1}
    model = tl.TreeClassifier(probabilities="laplace", **given).fit(X, y)

    assert model.tree_.probabilities == "laplace"
    assert (
        model.predict_proba(X).tolist() == model.tree_.class_probabilities[model.apply(X)].tolist()
    )


def test_specs_and_objects():
    assert tl.Learner(probabilities=Shrunk(3)).settings["probabilities"] == {
        "name": "shrunk",
        "lambda": 3,
    }
    assert tl.Learner(probabilities={"name": "m-estimate"}).probabilities == MEstimate()
    tree = tl.grow(tl.load("lenses"), probabilities=Laplace())
    assert tree.with_probabilities("laplace") == tree
    assert tree != tree.with_probabilities("shares")
    assert Shares() == Shares()
