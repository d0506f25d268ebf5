"""What is written predicts the cheapest class, or is refused."""

import ctypes

import attrs
import numpy as np
import pytest

import treelab as tl
from tests.writers.evaluator import Model
from tests.writers.test_binary import by_onnx
from tests.writers.test_code import BASES, compiled, module, quoted, rows_of, table, values
from tests.writers.trees import examples, random_tree
from treelab.errors import ParameterError

__all__ = ["compiled"]


def tree_with_costs(seed, missing=None):
    tree = random_tree(seed, missing)
    rng = np.random.default_rng([seed, 5])
    costs = 10.0 ** rng.integers(0, 4, (3, 3)) * (1 - np.eye(3))
    found = attrs.evolve(tree, costs=costs)
    # The costs matter: some node would say something else without them.
    assert (found.winners != tree.winners).any()
    return found


SEEDS = (0, 1, 2, 4, 5, 7)


@pytest.mark.parametrize("seed", SEEDS)
def test_python_says_the_cheapest_class(seed):
    tree = tree_with_costs(seed)
    cases, _, labels = examples(tree, seed)

    assert [module(tree)["predict"](case) for case in cases] == labels


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_c_says_the_cheapest_class(seed, compiled):
    tree = tree_with_costs(seed)
    cases, _, labels = examples(tree, seed)
    cases = [{k: "no" if v == "\0unseen" else v for k, v in case.items()} for case in cases]
    code = compiled(tree)
    code.tree_predict.restype = ctypes.c_char_p

    assert [code.tree_predict(values(tree, case)).decode() for case in cases] == labels


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_sql_says_the_cheapest_class(seed):
    tree = tree_with_costs(seed, "majority")
    cases, _, labels = examples(tree, seed)
    base = BASES["sqlite"](":memory:")
    base.execute(table(tree, "t"))
    marks = ", ".join("?" * (len(tree.features) + 1))
    rows = [[number, *row] for number, row in enumerate(rows_of(tree, cases))]
    base.executemany(f"INSERT INTO {quoted('t')} VALUES ({marks})", rows)
    found = base.execute(f"SELECT {tl.export(tree, 'sql', dialect='sqlite')} FROM t ORDER BY id")

    assert [row[0] for row in found.fetchall()] == labels


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_onnx_says_the_cheapest_class(seed):
    tree = tree_with_costs(seed, "majority")
    cases, _, labels = examples(tree, seed)

    assert list(by_onnx(tree, cases)[0]) == labels


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
