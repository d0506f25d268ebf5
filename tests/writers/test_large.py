"""Large trees are exported in proportion, deep ones without recursion; the command line."""

import json
import sqlite3
from contextlib import closing

import pytest
from growth import growth
from thinned import thinned
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.errors import TreelabError
from treelab.tree import file
from treelab.writers import format_names

QUICK = sorted(set(format_names()) - {"sklearn"})


def tree_of(nodes, names=("x", "y")):
    document = {
        "format": "treelab-tree", "version": 1, "learner": "", "missing": "majority",
        "target": {"name": "class", "labels": ["a", "b"]},
        "features": [{"name": name} for name in names], "cuts": {}, "nodes": nodes,
    }  # fmt: skip
    return file.loads(json.dumps(document))


def asking(feature, threshold, left, right):
    return {
        "counts": [3, 2], "feature": feature, "threshold": threshold, "missing": 1, "score": 0.5,
        "children": [left, right],
    }  # fmt: skip


def balanced(depth, nodes, path=0.0):
    """Append a full tree in preorder and return the number of its root."""
    here = len(nodes)
    nodes.append({"counts": [2 + depth, 1]})
    if depth:
        step = 2.0**depth
        left = balanced(depth - 1, nodes, path - step)
        right = balanced(depth - 1, nodes, path + step)
        nodes[here] = asking(depth % 2, path, left, right)
    return here


def chain(depth):
    """Return a tree that goes right at every test but the last."""
    nodes = []
    for level in range(depth):
        nodes += [asking(0, float(level), 2 * level + 1, 2 * level + 2), {"counts": [1, 0]}]
    return tree_of([*nodes, {"counts": [1, 1]}])


def full(depth):
    nodes = []
    balanced(depth, nodes)
    return tree_of(nodes)


@pytest.fixture(scope="module")
def trees():
    return full(9), full(12)


@pytest.fixture(scope="module")
def deep():
    return chain(2000)


@pytest.mark.parametrize("name", thinned(QUICK, 3))
def test_eight_times_as_many_nodes_take_about_eight_times_as_long(name, trees):
    """Were the work quadratic, they would take 64 times as long."""
    small, large = trees

    assert large.n_nodes == 8 * small.n_nodes + 7 == 8_191
    assert growth(lambda: tl.export(small, name), lambda: tl.export(large, name), 2) < 24


@pytest.mark.parametrize("name", sorted(set(QUICK) - {"pmml"}))
def test_a_tree_of_depth_two_thousand_is_no_problem(name, deep):
    assert tl.export(deep, name)


def test_what_cannot_be_nested_so_deeply_says_so():
    with pytest.raises(TreelabError, match="pmml cannot nest a tree of depth 2000"):
        tl.export(chain(2000), "pmml")


def test_sql_of_a_deep_tree_can_be_run():
    expression = tl.export(chain(2000), "sql")
    with closing(sqlite3.connect(":memory:")) as base:
        found = base.execute(f"SELECT {expression} FROM (SELECT 1500.5 AS x)").fetchone()

    assert found == ("a",)


# The command line


@pytest.fixture
def model(tmp_path):
    tl.grow(tl.load("iris")).save(tmp_path / "m.json")
    return str(tmp_path / "m.json")


def run(*arguments):
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


def test_the_help_names_every_format():
    told = " ".join(run("--help").stdout.split())

    assert all(name in told for name in format_names())


def test_export_prints_or_writes(model, tmp_path):
    printed = run(model, "--to", "rules")
    written = run(model, "--to", "rules", "-o", tmp_path / "r.txt")

    assert printed.exit_code == written.exit_code == 0
    assert written.stdout == ""
    assert (tmp_path / "r.txt").read_text() == printed.stdout != ""


def test_export_says_what_a_format_cannot_express(tmp_path):
    model = tmp_path / "model.json"
    tl.grow(tl.load("voting")).save(model)
    refused = run(model, "--to", "sql", "-o", tmp_path / "t.sql")
    done = run(
        model, "--to", "sql", "-o", tmp_path / "t.sql", "--approximate", "--dialect", "duckdb",
        "--table", "votes",
    )  # fmt: skip

    assert refused.exit_code == 2
    assert "sql cannot send a case with a missing value down every branch" in refused.stderr
    assert done.exit_code == 0
    first, second, *_ = (tmp_path / "t.sql").read_text().splitlines()
    assert "A missing value follows the branch of most training cases" in first
    assert second == 'CREATE VIEW "votes predicted" AS'


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--to", "word"], "unknown format 'word': known are c, dot, html"),
        (["--to", "png"], "png is no text: name a file with -o"),
        (["--to", "rules", "--table", "t"], "unknown option 'table' of format 'rules'"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(model, arguments, sentence):
    failed = run(model, *arguments)

    assert failed.exit_code == 2
    assert sentence in failed.stderr
    assert failed.stderr.count("\n") == 1
