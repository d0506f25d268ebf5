"""Formats of binary tests, scikit-learn's and ONNX: run, and equal to the tree."""

import pickle
import sys

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest

import treelab as tl
from tests.writers.trees import answers, examples, random_tree
from treelab.data.schema import Column, Schema
from treelab.errors import MissingExtraError, ParameterError
from treelab.writers.cases import cases_of
from treelab.writers.chain import chained
from treelab.writers.export_tree import export_tree_of

NO_PARTS = ("branch", "majority")


def by_links(form, links, case):
    """Send a case down a chain: the naive reading of what `chained` promises."""
    number = 0
    while links[number].feature >= 0:
        link = links[number]
        column = form.features[link.feature]
        value = case[column.name]
        if value is not None and column.is_nominal:
            known = value in column.labels
            value = column.labels.index(value) if known else len(column.labels)
        left = link.missing_left if value is None else value <= link.limit
        number = link.left if left else link.right
    return form.nodes[links[number].node].probabilities


@pytest.mark.parametrize("seed", range(24))
def test_a_chain_of_binary_tests_gives_the_shares_of_the_tree(seed):
    tree = random_tree(seed, missing=NO_PARTS[seed % 2], cut=seed // 2 % 2)
    form = export_tree_of(tree)
    links = chained(form)
    cases, shares, _ = examples(tree, seed)

    given = [by_links(form, links, case) for case in cases]
    np.testing.assert_allclose(given, shares, rtol=1e-14)  # weights summed in another order


def by_onnx(tree, cases):
    """Return the labels and the probabilities onnxruntime gives cases; the model is valid."""
    model = onnx.load_from_string(tl.export(tree, "onnx"))
    onnx.checker.check_model(model, full_check=True)
    given = answers(tree, "onnx", cases)
    return given.labels, given.shares


# onnxruntime decides between two classes, and for one, by rules of their own.
@pytest.mark.parametrize("classes", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(12))
def test_onnx_says_what_the_tree_says(seed, classes):
    tree = random_tree(seed, NO_PARTS[seed % 2], cut=seed // 2 % 2, classes=classes)
    cases, shares, labels = examples(tree, seed)
    given, probabilities = by_onnx(tree, cases)

    np.testing.assert_allclose(probabilities, shares, atol=1e-6)  # single precision
    assert given == labels


@pytest.mark.parametrize("name", ["voting", "tic-tac-toe", "hepatitis", "iris"])
@pytest.mark.parametrize("max_depth", [0, 1, None])
def test_onnx_labels_the_cases_of_a_data_set_as_the_tree_does(name, max_depth):
    data = tl.load(name)
    tree = tl.grow(data, missing="majority", max_depth=max_depth)
    given, probabilities = by_onnx(tree, cases_of(tree, data))

    np.testing.assert_allclose(probabilities, tree.predict_proba(data), atol=1e-6)
    assert given == tree.predict(data).tolist()


@pytest.mark.parametrize("extra", [-1e-9, 0, 1e-9])
def test_a_tie_of_onnx_is_the_tie_of_the_tree(extra):
    """Single precision cannot tell the shares of `a` and `b` apart; the tree can."""
    schema = Schema((Column("x"),), Column("class", ("a", "b")))
    weights = [1, 1, 1, 1 + extra]
    data = tl.Dataset.of(schema, [[0.0, 0.0, 1.0, 1.0]], [0, 0, 0, 1], weights)
    tree = tl.grow(
        data, "gini", missing="majority", pruner="none", min_branch=1, min_cases=1,
        probabilities="shares",
    )  # fmt: skip
    given, probabilities = by_onnx(tree, [{"x": 0.0}, {"x": 1.0}])

    assert tree.n_leaves == 2
    assert probabilities.tolist() == [[1, 0], [0.5, 0.5]]
    assert given == ["a", "b" if extra > 0 else "a"]
    assert given == tree.predict(pd.DataFrame({"x": [0.0, 1.0]})).tolist()


def test_features_may_be_called_as_the_outputs_of_onnx():
    names = ("label", "matrix", "number 1", "column 0", "targets", "best", "classes")
    schema = Schema(tuple(Column(name, ("x", "y")) for name in names), Column("class", ("a", "b")))
    data = tl.Dataset.of(schema, [[0, 1] * 5] * len(names), [0, 1] * 5)
    model = tl.export(tl.grow(data, pruner="none", missing="majority"), "onnx")
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    given = dict.fromkeys(names, np.array([["y"], ["x"]], dtype=object))

    assert [output.name for output in session.get_outputs()] == ["label_", "probabilities"]
    assert session.run(["label_"], given)[0].tolist() == ["b", "a"]


def test_without_onnx_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)

    with pytest.raises(MissingExtraError, match=r"ONNX needs onnx: pip install 'treelab\[onnx\]'"):
        tl.export(tl.grow(tl.load("iris"), missing="majority"), "onnx")


@pytest.mark.parametrize("seed", range(8))
def test_the_scikit_learn_tree_says_what_the_tree_says(seed):
    tree = random_tree(seed, missing=NO_PARTS[seed % 2], nominal=0, cut=seed // 2 % 2)
    cases, _, _ = examples(tree, seed)
    # It reads single precision.
    rows = np.array([[np.nan if v is None else v for v in case.values()] for case in cases])
    frame = pd.DataFrame(np.float32(rows).astype(float), columns=list(tree.features))
    model = tl.export(tree, "sklearn")

    np.testing.assert_allclose(model.predict_proba(frame), tree.predict_proba(frame), atol=1e-12)
    assert model.predict(frame).tolist() == tree.predict(frame).tolist()


def test_the_scikit_learn_tree_is_whole(tmp_path):
    tree = tl.grow(tl.load("iris"), missing="majority")
    model = tl.export(tree, "sklearn", tmp_path / "tree.pkl")
    back = pickle.loads((tmp_path / "tree.pkl").read_bytes())

    assert (model.get_depth(), model.get_n_leaves()) == (tree.depth, tree.n_leaves)
    assert back.tree_.node_count == tree.n_nodes


def test_what_cannot_be_said_is_told_before_writing():
    tree = tl.grow(tl.load("hepatitis"), pruner="none")
    for name in ("sklearn", "onnx"):
        with pytest.raises(ParameterError, match=f"{name} cannot send"):
            tl.export(tree, name)
        assert tl.export(tree, name, approximate=True)


def test_a_leaf_alone_can_be_written():
    tree = tl.grow(tl.load("iris"), max_depth=0)

    assert tl.export(tree, "sklearn").predict(tl.load("iris").to_frame().iloc[:2, :4]).tolist() == (
        ["Iris-setosa"] * 2
    )
