"""What is written predicts the cheapest class, or is refused."""

import attrs
import numpy as np
import pytest

import treelab as tl
from tests.writers.evaluator import Model
from tests.writers.trees import answers, examples, random_tree
from treelab.errors import ParameterError


def tree_with_costs(seed, missing=None):
    tree = random_tree(seed, missing)
    rng = np.random.default_rng([seed, 5])
    costs = 10.0 ** rng.integers(0, 4, (3, 3)) * (1 - np.eye(3))
    found = attrs.evolve(tree, costs=costs)
    # The costs matter: some node would say something else without them.
    assert (found.winners != tree.winners).any()
    return found


SEEDS = (0, 1, 2)


@pytest.mark.parametrize(
    ("name", "missing"), [("python", None), ("c", None), ("sql", "majority"), ("onnx", "majority")]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_written_says_the_cheapest_class(seed, name, missing):
    tree = tree_with_costs(seed, missing)
    cases, _, labels = examples(tree, seed)

    assert answers(tree, name, cases).labels == labels


def test_pmml_scores_the_cheapest_class_or_is_refused():
    tree = tree_with_costs(1, "majority")
    document = Model(tl.export(tree, "pmml"))
    scores = [node.get("score") for node in document.model.iter() if node.tag == "Node"]

    assert sorted(scores) == sorted(node.label for node in tree.nodes)
    with pytest.raises(ParameterError, match="pmml gives a case with a missing value"):
        tl.export(tree_with_costs(0, "fractional"), "pmml")


def test_sklearn_is_refused():
    costs = {"a": {"b": 1}, "b": {"a": 2}}
    data = tl.Dataset.of(
        tl.Schema((tl.Column("x"),), tl.Column("y", ("a", "b"))), [[1.0, 2, 3, 4]], [0, 0, 1, 1]
    )
    tree = tl.grow(data, costs=costs, missing="majority")
    with pytest.raises(ParameterError, match="predicts the most probable class, not the cheapest"):
        tl.export(tree, "sklearn")
