"""Python, C and SQL: the written code is run, and says what the tree says."""

import ctypes
import shutil
import sqlite3
import subprocess

import duckdb
import numpy as np
import pytest

import treelab as tl
from tests.writers.trees import HOSTILE, examples, random_tree
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
    code = module(tree)
    given = [code["predict_proba"](case) for case in cases]

    assert list(given[0]) == list(tree.classes)
    np.testing.assert_allclose([list(row.values()) for row in given], shares, **CLOSE)
    assert [code["predict"](case) for case in cases] == labels


def test_the_python_module_holds_names_in_literals_only():
    tree = random_tree(0)
    names = "bisect_left bisect_right TARGET CLASSES NODES predict_proba predict _onward"

    assert set(module(tree)) == {"__builtins__", "__doc__", *names.split()}
    assert tl.export(tree, "python").isascii()


class Value(ctypes.Structure):
    _fields_ = (("number", ctypes.c_double), ("text", ctypes.c_char_p))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Compile trees to libraries."""
    compiler = shutil.which("cc")
    if compiler is None:
        # treelab needs no compiler; only this format's readers do. CI's machine has one.
        pytest.skip("no C compiler (cc): the text is checked, but not compiled")

    def build(tree):
        folder = tmp_path_factory.mktemp("c")
        tl.export(tree, "c", folder / "tree.c")
        flags = "-std=c99 -pedantic -Wall -Wextra -Werror -O0 -shared -fPIC"
        command = [compiler, *flags.split(), "tree.c", "-o", "tree.so", "-lm"]
        subprocess.run(command, cwd=folder, check=True)
        return ctypes.CDLL(str(folder / "tree.so"))

    return build


def values(tree, case):
    row = [
        Value(0.0, None if case[c.name] is None else case[c.name].encode()) if c.is_nominal
        else Value(np.nan if case[c.name] is None else case[c.name], None)
        for c in tree.schema.features
    ]  # fmt: skip
    return (Value * len(row))(*row)


@pytest.mark.parametrize("seed", SEEDS[:7])
def test_the_c_function_says_what_the_tree_says(seed, compiled):
    tree = random_tree(seed)
    cases, shares, labels = examples(tree, seed)
    cases = [{k: "no" if v == "\0unseen" else v for k, v in case.items()} for case in cases]
    code = compiled(tree)
    code.tree_predict.restype = ctypes.c_char_p
    given = np.empty_like(shares)
    for row, case in zip(given, cases, strict=True):
        code.tree_predict_proba(values(tree, case), row.ctypes.data_as(ctypes.c_void_p))

    np.testing.assert_allclose(given, shares, **CLOSE)
    assert [code.tree_predict(values(tree, case)).decode() for case in cases] == labels


# SQL


def rows_of(tree, cases):
    return [[case[name] for name in tree.features] for case in cases]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def table(tree, name):
    columns = ", ".join(
        f"{quoted(c.name)} {'text' if c.is_nominal else 'double precision'}"
        for c in tree.schema.features
    )
    return f"CREATE TABLE {quoted(name)} (id integer, {columns})"


BASES = {"sqlite": sqlite3.connect, "duckdb": duckdb.connect}


@pytest.mark.parametrize("dialect", BASES)
@pytest.mark.parametrize("seed", SEEDS)
def test_sql_says_what_the_tree_says(seed, dialect):
    tree = random_tree(seed, missing=("branch", "majority")[seed % 2])
    cases, shares, labels = examples(tree, seed)
    name = HOSTILE[seed]
    base = BASES[dialect](":memory:")
    base.execute(table(tree, name))
    marks = ", ".join("?" * (len(tree.features) + 1))
    base.executemany(
        f"INSERT INTO {quoted(name)} VALUES ({marks})",
        [[number, *row] for number, row in enumerate(rows_of(tree, cases))],
    )
    expression = tl.export(tree, "sql", dialect=dialect)
    found = base.execute(f"SELECT {expression} FROM {quoted(name)} ORDER BY id").fetchall()
    base.execute(tl.export(tree, "sql", dialect=dialect, table=name, view='it\'s "a" view'))
    rows = base.execute('SELECT * FROM "it\'s ""a"" view" ORDER BY id').fetchall()

    assert [row[0] for row in found] == labels
    assert [row[len(tree.features) + 1] for row in rows] == labels
    given = np.array([row[len(tree.features) + 2 :] for row in rows], dtype=float)
    np.testing.assert_allclose(given, shares, **CLOSE)


def test_fractional_missing_values_are_refused_before_writing(tmp_path):
    tree = random_tree(0, missing="fractional")

    with pytest.raises(ParameterError, match=r"sql cannot send .* --approximate"):
        tl.export(tree, "sql", tmp_path / "tree.sql")
    assert not list(tmp_path.iterdir())


def test_approximately_a_missing_value_follows_the_majority():
    tree = tl.grow(tl.load("iris"))
    expression = tl.export(tree, "sql", approximate=True)
    row = 'SELECT 1.0 AS "petal width", NULL AS "petal length"'
    found = sqlite3.connect(":memory:").execute(f"SELECT {expression} FROM ({row})").fetchone()

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
    base = BASES[dialect](":memory:")
    base.execute("CREATE TABLE t AS SELECT 'y' AS \"Prediction\"")
    base.execute(tl.export(tree, "sql", dialect=dialect, table="t", view="v"))
    found = base.execute('SELECT "Prediction", "prediction_", "p(a)", "p(A)_" FROM v').fetchone()

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
