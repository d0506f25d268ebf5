"""A leaf that predicts another class does so everywhere."""

import json
import re

import attrs
import numpy as np
import pytest

import treelab as tl
from tests.writers.evaluator import Model
from tests.writers.trees import answers, examples, random_tree
from treelab.editing import Prune, Relabel, Split, relabelled
from treelab.editing.applying import path_of
from treelab.errors import ParameterError
from treelab.stats.decision import decided
from treelab.tree import file
from treelab.tree.relabel import relabelled_probabilities


def with_labels(tree, most=4):
    """Return a tree in which the largest leaves predict the class after theirs."""
    leaves = sorted((n for n in tree.nodes if n.is_leaf), key=lambda n: -n.weight)[:most]
    edits = []
    for leaf in leaves:
        label = tree.classes[(tree.winners[leaf.number] + 1) % len(tree.classes)]
        edits.append(Relabel(path_of(tree, leaf.number), label))
    found = tl.edit(tree, *edits)
    assert relabelled(found) == {edit.node: edit.label for edit in edits}
    return found


@pytest.mark.parametrize("seed", range(6))
def test_labels_are_predicted_and_how_sure_a_leaf_is_stays(seed):
    tree = random_tree(seed)
    found = with_labels(tree)

    for number in np.flatnonzero(found.relabelled >= 0):
        assert found.winners[number] == found.relabelled[number]
        assert found.class_probabilities[number].sum() == pytest.approx(1)
        if tree.class_probabilities[number].max() > 0.5:
            assert sorted(found.class_probabilities[number]) == sorted(
                tree.class_probabilities[number]
            )
    others = (found.relabelled < 0) | (tree.feature >= 0)
    np.testing.assert_array_equal(
        found.class_probabilities[others], tree.class_probabilities[others]
    )


@pytest.mark.parametrize(
    ("name", "missing"),
    [("python", None), ("c", None), ("sql", "majority"), ("onnx", "majority"),
     ("sklearn", "majority")],
)  # fmt: skip
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_written_says_the_same(seed, name, missing):
    kind = {"nominal": 0, "splits": "binary", "cut": 0} if name == "sklearn" else {}
    tree = random_tree(seed, missing, **kind)
    found = with_labels(tree)
    cases, shares, labels = examples(found, seed)
    if name == "sklearn":  # which reads numbers in single precision
        cases = [
            {k: None if v is None else float(np.float32(v)) for k, v in case.items()}
            for case in cases
        ]
        table = [[np.nan if v is None else v for v in case.values()] for case in cases]
        shares, labels = found.predict_proba(np.array(table)), found.predict(np.array(table))
    given = answers(found, name, cases)

    assert given.labels == list(labels)
    assert given.labels != tree.predict(cases).tolist(), "the labels matter"
    if given.shares is not None:
        np.testing.assert_allclose(given.shares, shares, atol=1e-6)  # onnx has single precision


def test_documents_say_the_same():
    tree = random_tree(1, "majority")
    found = with_labels(tree)
    document = Model(tl.export(found, "pmml"))
    nodes = [node for node in document.model.iter() if node.tag == "Node"]
    assert sorted(node.get("score") for node in nodes) == sorted(n.label for n in found.nodes)

    hand = tl.edit(tl.grow(tl.load("iris")), Relabel("0", "Iris-virginica"))
    rules = tl.export(hand, "rules")
    assert "Iris-setosa" not in "".join(re.findall(r"then.*", rules, re.IGNORECASE))
    page = tl.export(hand, "html")
    model = json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S)[1])
    assert decided(np.array(model["nodes"][1]["probabilities"]), None) == 2
    assert "Iris-virginica by hand (50 cases)" in str(hand)
    assert file.loads(tl.export(hand, "json")) == hand


def test_equal_shares_are_decided():
    given = np.array([[0.5, 0.5], [0.5, 0.5], [0.0, 1.0]])
    found = relabelled_probabilities(given, np.array([1, 0, -1]), None)

    assert decided(found, None).tolist() == [1, 0, 1]
    assert found[0].tolist() == [0.45, 0.55]
    assert found[1].tolist() == [0.5, 0.5], "it is the first one already"
    assert found[2].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("seed", range(20))
def test_with_costs_the_label_is_the_cheapest(seed):
    rng = np.random.default_rng(seed)
    costs = 10.0 ** rng.integers(0, 4, (4, 4)) * (1 - np.eye(4))
    given = rng.dirichlet(np.ones(4), 50)
    labels = rng.integers(-1, 4, 50)
    found = relabelled_probabilities(given, labels, costs)

    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (found >= 0).all()
    expected = np.where(labels < 0, decided(given, costs), labels)
    np.testing.assert_array_equal(decided(found, costs), expected)


def test_a_label_that_costs_leave_no_chance_is_refused():
    data = tl.load("hepatitis")
    one, other = data.classes
    tree = tl.grow(data, pruner=None)
    free = attrs.evolve(tree, costs=np.array([[0.0, 1.0], [0.0, 0.0]]))
    leaf = next(n for n in free.nodes if n.is_leaf)

    assert leaf.label == one, "it costs nothing to say so, whatever is the case"
    with pytest.raises(ParameterError, match=rf"cannot predict '{other}': the costs leave it no "):
        tl.edit(free, Relabel(path_of(tree, leaf.number), other))


def test_a_label_against_the_direction_of_a_feature_is_refused():
    x = np.arange(40.0)
    data = tl.Dataset.of(
        tl.Schema((tl.Column("x"),), tl.Column("y", ("no", "yes"))), [x], (x >= 20).astype(int)
    )
    tree = tl.grow(data, constraints={"monotone": {"x": 1}}, probabilities="shares")
    assert tree.n_leaves == 2

    both = [Relabel("1", "no"), Relabel("0", "yes")]
    assert tl.edit(tree, both[0]).predict(data).tolist() == ["no"] * 40, "which does not fall"
    with pytest.raises(ParameterError, match=r"^node . cannot predict '.*': its probability would"):
        tl.edit(tree, *both)
    free = tl.edit(attrs.evolve(tree, monotone={}), *both)
    assert (free.node("0").label, free.node("1").label) == ("yes", "no")


def test_a_label_that_would_change_another_leaf_is_refused():
    """To keep to the direction, the probability of the leaf beside it would have to fall."""
    x = np.repeat([0.0, 1.0], 10)
    y = [0] * 4 + [1] * 6 + [0] * 1 + [1] * 9
    data = tl.Dataset.of(tl.Schema((tl.Column("x"),), tl.Column("y", ("no", "yes"))), [x], y)
    how = {"pruner": None, "probabilities": "shares", "metric": "gini"}
    tree = tl.grow(data, constraints={"monotone": {"x": 1}}, **how)
    assert [leaf.label for leaf in tree.root.children] == ["yes", "yes"]

    with pytest.raises(ParameterError, match=r"^node 1 cannot be given another class alone: to be"):
        tl.edit(tree, Relabel("1", "no"))


def test_labels_stay_with_their_leaves():
    iris = tl.load("iris")
    tree = tl.edit(tl.grow(iris), Relabel("1.0.1", "Iris-setosa"), Relabel("0", "Iris-virginica"))

    pruned = tl.edit(tree, Prune("1"))
    assert relabelled(pruned) == {"0": "Iris-virginica"}
    moved = tl.edit(tree, Split("1", "petal width", 1.65, "keep"))
    assert relabelled(moved) == relabelled(tree)
    grown = tl.edit(tree, Split("1", "petal width", 1.65))
    assert relabelled(grown) == {"0": "Iris-virginica"}
    cut = tl.prune(tree, "cost-complexity:alpha=0.2")
    assert cut.n_leaves < tree.n_leaves
    assert set(relabelled(cut)) <= {"0"}
    assert tree.with_probabilities("laplace").node("0").label == "Iris-virginica"


def test_a_pickled_tree_and_a_copy_say_the_same():
    import copy
    import pickle

    tree = tl.edit(tl.grow(tl.load("iris")), Relabel("0", "Iris-virginica"))
    for other in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        assert other == tree
        assert other.edits == tree.edits
        assert other.node("0").label == "Iris-virginica"
