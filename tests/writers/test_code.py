"""Python, C and SQL: the written code is run, and says what the tree says."""

import sqlite3
from contextlib import closing

import duckdb
import numpy as np
import pytest

import treelab as tl
from tests.writers.trees import HOSTILE, answers, examples, random_tree
from treelab.data.schema import Column, Schema
from treelab.errors import ParameterError, TreelabError

# Sums of at most a few dozen parts, added in another order.
CLOSE = {"rtol": 0, "atol": 1e-12}
SEEDS = range(12)


def module(tree):
    scope = {}
    exec(compile(tl.export(tree, "python"), "tree.py", "exec"), scope)
    return scope


@pytest.mark.parametrize("seed", SEEDS)
def test_the_python_module_says_what_the_tree_says(seed):
    tree = random_tree(seed)
    cases, shares, labels = examples(tree, seed)
    given = answers(tree, "python", cases)

    np.testing.assert_allclose(given.shares, shares, **CLOSE)
    assert given.labels == labels
    assert list(module(tree)["predict_proba"](cases[0])) == list(tree.classes)


def test_the_python_module_holds_names_in_literals_only():
    tree = random_tree(0)
    names = "bisect_left bisect_right TARGET CLASSES NODES predict_proba predict _onward"

    assert set(module(tree)) == {"__builtins__", "__doc__", *names.split()}
    assert tl.export(tree, "python").isascii()


@pytest.mark.parametrize("seed", SEEDS[:7])
def test_the_c_function_says_what_the_tree_says(seed):
    tree = random_tree(seed)
    cases, shares, labels = examples(tree, seed)
    given = answers(tree, "c", cases)

    np.testing.assert_allclose(given.shares, shares, **CLOSE)
    assert given.labels == labels


# SQL


BASES = {"sqlite": sqlite3.connect, "duckdb": duckdb.connect}


@pytest.mark.parametrize("dialect", BASES)
@pytest.mark.parametrize("seed", SEEDS)
def test_sql_says_what_the_tree_says(seed, dialect):
    tree = random_tree(seed, missing=("branch", "majority")[seed % 2])
    cases, shares, labels = examples(tree, seed)
    given = answers(tree, "sql", cases, dialect=dialect)
    viewed = answers(tree, "sql", cases, dialect=dialect, table=HOSTILE[seed], view="v")

    assert given.labels == viewed.labels == labels
    np.testing.assert_allclose(viewed.shares, shares, **CLOSE)


def test_fractional_missing_values_are_refused_before_writing(tmp_path):
    tree = random_tree(0, missing="fractional")

    with pytest.raises(ParameterError, match=r"sql cannot send .* --approximate"):
        tl.export(tree, "sql", tmp_path / "tree.sql")
    assert not list(tmp_path.iterdir())


def test_approximately_a_missing_value_follows_the_majority():
    tree = tl.grow(tl.load("iris"))
    expression = tl.export(tree, "sql", approximate=True)
    row = 'SELECT 1.0 AS "petal width", NULL AS "petal length"'
    with closing(sqlite3.connect(":memory:")) as base:
        found = base.execute(f"SELECT {expression} FROM ({row})").fetchone()

    assert found == ("Iris-versicolor",)


def test_a_leaf_is_a_constant():
    tree = tl.grow(tl.load("iris"), max_depth=0)

    assert tl.export(tree, "sql") == "'Iris-setosa'\n"
    assert module(tree)["predict"]({}) == "Iris-setosa"


@pytest.mark.parametrize("dialect", BASES)
def test_new_columns_have_names_of_their_own(dialect):
    schema = Schema((Column("Prediction", ("x", "y")),), Column("c", ("a", "A")))
    data = tl.Dataset.of(schema, [[0, 1] * 5], [0, 1] * 5)
    tree = tl.grow(data, pruner="none", missing="majority", probabilities="shares")
    with closing(BASES[dialect](":memory:")) as base:
        base.execute("CREATE TABLE t AS SELECT 'y' AS \"Prediction\"")
        base.execute(tl.export(tree, "sql", dialect=dialect, table="t", view="v"))
        found = base.execute(
            'SELECT "Prediction", "prediction_", "p(a)", "p(A)_" FROM v'
        ).fetchone()

    assert found == ("y", "A", 0, 1)


def test_sql_options_are_checked():
    tree = tl.grow(tl.load("iris"), missing="majority")

    with pytest.raises(ParameterError, match="dialect must be one of"):
        tl.export(tree, "sql", dialect="oracle")
    with pytest.raises(ParameterError, match="a view needs the table"):
        tl.export(tree, "sql", view="v")
    with pytest.raises(ParameterError, match="table must be a name, got 5"):
        tl.export(tree, "sql", table=5)
    with pytest.raises(ParameterError, match="view must be a name, got 5"):
        tl.export(tree, "sql", table="t", view=5)
    with pytest.raises(TreelabError, match="cannot hold the character NUL"):
        tl.export(tree, "sql", table="a\0b")
