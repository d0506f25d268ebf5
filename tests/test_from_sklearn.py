"""Coming from DecisionTreeClassifier: names, paths, and the page about it."""

import doctest
import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import treelab as tl
from tests.strategies import random_dataset
from treelab._hints import SKLEARN
from treelab.errors import ParameterError

PAGE = Path(__file__).parents[1] / "docs" / "from-sklearn.md"


def test_the_page_does_what_it_says():
    found = doctest.testfile(str(PAGE), module_relative=False)

    assert found.attempted > 5
    assert found.failed == 0


def test_every_parameter_is_here_or_hinted_at():
    theirs = set(inspect.signature(DecisionTreeClassifier).parameters)
    ours = set(inspect.signature(tl.TreeClassifier).parameters)

    assert theirs - ours == set(SKLEARN)
    assert not ours & set(SKLEARN)
    assert all(f"`{name}" in PAGE.read_text() for name in theirs - {"min_weight_fraction_leaf"})


@pytest.mark.parametrize("name", SKLEARN)
def test_the_names_of_scikit_learn_are_hinted_at(name):
    for call in (
        lambda: tl.TreeClassifier(**{name: 1}),
        lambda: tl.TreeClassifier().set_params(**{name: 1}),
        lambda: tl.grow(tl.load("lenses"), **{name: 1}),
    ):
        with pytest.raises(ParameterError, match=f"no parameter '{name}': here it is "):
            call()


def test_other_names_are_errors_as_ever():
    with pytest.raises(TypeError, match="colour"):
        tl.TreeClassifier(colour=1)
    with pytest.raises(ValueError, match="Invalid parameter 'colour'"):
        tl.TreeClassifier().set_params(colour=1)
    assert clone(tl.TreeClassifier("gini")).metric == "gini"


def test_the_settings_of_the_page_grow_their_tree():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    y = (X[:, 0] + X[:, 1] * rng.normal(size=150) > 0).astype(int)
    ours = tl.TreeClassifier("gini", pruner=None, min_branch=1, probabilities="shares").fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)

    assert ours.get_n_leaves() == theirs.get_n_leaves()
    assert ours.predict(X).tolist() == theirs.predict(X).tolist()


def visited(tree, case, missing):
    """Return the nodes that a case visits, by walking."""
    found, waiting = set(), [tree.root]
    while waiting:
        node = waiting.pop()
        found.add(node.number)
        if node.is_leaf:
            continue
        value = case[tree.feature[node.number]]
        if np.isnan(value):
            branch = node.missing_branch
            waiting += node.children if branch is None and missing == "fractional" else []
            waiting += [] if branch is None else [node.children[branch]]
        else:
            waiting.append(node.children[int(value > node.threshold)])
    return found


@pytest.mark.parametrize("missing", ["fractional", "branch", "majority"])
def test_decision_paths(missing):
    data = random_dataset(1, 90, numeric=3, nominal=0, missing=0.2)
    X, y = np.column_stack(data.columns), data.y
    model = tl.TreeClassifier(missing=missing, pruner=None).fit(X, y)
    path = model.decision_path(X)

    assert path.shape == (90, model.tree_.n_nodes)
    assert set(path.data.tolist()) == {1}
    for row, case in zip(path, X, strict=True):
        if missing != "branch" or not np.isnan(case).any():
            assert set(row.indices.tolist()) == visited(model.tree_, case, missing)
    assert model.tree_.decision_path(X[:0]).shape == (0, model.tree_.n_nodes)
    # The node where a case ends is on its way.
    assert path[np.arange(90), model.apply(X)].min() == 1


def test_decision_paths_are_those_of_scikit_learn():
    X, y = np.random.default_rng(2).normal(size=(80, 2)), np.arange(80) % 3
    model = tl.TreeClassifier(pruner=None, missing="majority", max_depth=4).fit(X, y)
    theirs = tl.export(model.tree_, "sklearn")
    ours = model.decision_path(X)

    frame = pd.DataFrame(X.astype(np.float32), columns=model.tree_.features)
    assert (ours.toarray() == theirs.decision_path(frame).toarray()).all()


def test_the_pruning_path_is_that_of_the_pruner():
    data = random_dataset(3, 120, numeric=3, nominal=0, weights="fraction")
    X, y = np.column_stack(data.columns), data.y
    model = tl.TreeClassifier("gini")
    path = model.cost_complexity_pruning_path(X, y, data.weights)
    full = tl.TreeClassifier("gini", pruner="none").fit(X, y, data.weights).tree_

    assert path.ccp_alphas[0] == 0
    assert (np.diff(path.ccp_alphas) > 0).all()
    assert (np.diff(path.impurities) > -1e-12).all()
    leaves = [tl.prune(full, f"cost-complexity:alpha={a}").n_leaves for a in path.ccp_alphas]
    assert (np.diff(leaves) < 0).all()
    assert leaves[-1] == 1
    counts = full.counts[0]
    # The last tree is a leaf, whose errors are the cases of other classes.
    assert path.impurities[-1] == pytest.approx(1 - counts.max() / counts.sum())
    assert not hasattr(model, "tree_")


def test_the_old_name_of_scores_works_with_a_warning():
    tree = tl.grow(tl.load("lenses"))
    with pytest.warns(FutureWarning, match=r"tree.score will become a method.*tree.scores"):
        old = tree.score
    np.testing.assert_array_equal(old, tree.scores)
