"""Trees of labels as scikit-learn pipelines, and classes that are whole numbers."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

import treelab as tl
from tests.writers.trees import answers, random_tree
from treelab.writers.cases import cases_of


@pytest.mark.parametrize("missing", ["majority", "branch"])
@pytest.mark.parametrize("name", ["hepatitis", "voting", "lenses", "labor", "heart-cleveland"])
def test_a_pipeline_says_what_the_tree_says(name, missing):
    data = tl.load(name)
    tree = tl.grow(data, missing=missing, pruner="none")
    given = answers(tree, "sklearn", cases_of(tree, data))

    assert given.labels == tree.predict(data).tolist()
    np.testing.assert_allclose(given.shares, tree.predict_proba(data), rtol=0, atol=1e-12)


@pytest.mark.parametrize("splits", ["multiway", "subset", "binary"])
def test_missing_and_unseen_labels_go_where_the_tree_sends_them(splits, tmp_path):
    """NaN and None are missing, whichever a frame holds."""
    tree = random_tree(3, missing="majority", splits=splits)
    model = tl.export(tree, "sklearn", tmp_path / "tree.pkl")
    model = pickle.loads((tmp_path / "tree.pkl").read_bytes())
    rng = np.random.default_rng(5)
    columns = {}
    for column in tree.schema.features:
        values = [*column.words, "never seen", None, np.nan] if column.has_labels else [-1, 0.5, 2]
        place = rng.integers(0, len(values), 50)
        dtype = object if column.has_labels else float
        columns[column.name] = pd.Series([values[k] for k in place], dtype=dtype)
    frame = pd.DataFrame(columns)

    assert isinstance(model, Pipeline)
    np.testing.assert_allclose(
        model.predict_proba(frame), tree.predict_proba(frame), rtol=0, atol=1e-12
    )
    shuffled = frame[frame.columns[::-1]]
    assert model.predict(shuffled).tolist() == tree.predict(frame).tolist()


def test_classes_that_are_whole_numbers_stay_so():
    X = np.array([[1.0], [2.0], [3.0], [4.0]] * 5)
    model = tl.TreeClassifier(min_branch=1).fit(X, np.array([10, 2, 2, -1] * 5))
    made = tl.export(model.tree_, "sklearn")

    assert isinstance(made, DecisionTreeClassifier)
    assert made.classes_.dtype.kind == "i"
    frame = pd.DataFrame(X, columns=list(model.tree_.features))
    assert made.predict(frame).tolist() == model.predict(X).tolist()


def test_other_classes_stay_text():
    tree = tl.grow(tl.load("iris"))

    assert tl.export(tree, "sklearn").classes_.tolist() == list(tree.classes)
