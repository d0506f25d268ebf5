"""`treelab edit` and `treelab show --edits`."""

import json

import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.editing import Lock, Prune, Regrow, Relabel, Split


def run(*arguments):
    return CliRunner().invoke(app, [*map(str, arguments)])


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    tl.grow(tl.load("iris")).save(path)
    return path


def test_edits_are_made_in_the_order_of_the_call(model, tmp_path):
    result = run(
        "edit", model, "iris", "--prune", "1.0", "--split", "1: petal width <= 1.65 [keep]",
        "--prune=1", "--split", "1: petal length <= 4.8", "--relabel", "0: Iris-virginica",
        "--lock", "0", "--regrow", "1: gini; max_depth=1", "-o", tmp_path / "new.json",
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    assert tl.Tree.load(tmp_path / "new.json").edits == (
        Prune("1.0"),
        Split("1", "petal width", 1.65, "keep"),
        Prune("1"),
        Split("1", "petal length", 4.8),
        Relabel("0", "Iris-virginica"),
        Lock("0"),
        Regrow("1", {"metric": "gini", "max_depth": 1}),
    )
    shown = run("show", tmp_path / "new.json", "--edits").output
    assert "7 edits" in shown
    assert "1: petal width <= 1.65 [keep]" in shown
    facts = json.loads(run("show", tmp_path / "new.json", "--json").output)
    assert facts["edits"][0] == {"edit": "prune", "node": "1.0"}


def test_a_replay_says_whether_it_is_the_same_tree(model, tmp_path):
    new = tmp_path / "new.json"
    assert run("edit", model, "iris", "--prune", "1", "--relabel", "1: Iris-setosa", "-o", new)
    again = tmp_path / "again.json"
    result = run("edit", new, "iris", "--replay", "-o", again)

    assert "the same tree as in the file" in result.output
    assert again.read_bytes() == new.read_bytes()
    undone = json.loads(run("edit", new, "iris", "--undo", "1", "--json").output)
    assert undone["edits"] == [{"edit": "prune", "node": "1"}]
    assert "no edits" in run("show", model, "--edits").output


def test_the_test_says_on_which_cases(model):
    found = run("edit", model, "iris", "--prune", "1", "--folds", "3", "--json")
    facts = json.loads(found.stdout)["test"]

    assert facts["edits"][0]["done"] == 3
    assert facts["words"].startswith("Measured on 150 cases, each by a tree")
    held = run("edit", model, "iris", "--prune", "1", "--test", "iris")
    assert "held out beforehand" in held.output


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (["--prune", "7"], "there is no node 7: node root has branches", 2),
        (["--split", "1: petal <= 2"], "unknown feature 'petal': did you mean", 2),
        (["--split", "1: petal width <= 9"], "leaves a branch of node 1 empty", 2),
        (["--relabel", "0: setosa"], "unknown class 'setosa': did you mean 'Iris-setosa'?", 2),
        (["--lock", "1", "--prune", "1.0"], "node 1.0 is locked as part of node 1", 2),
        (["--regrow", "1: relieph"], "unknown metric 'relieph'", 2),
        (["--undo", "1"], "the model has 0 edits, not 1 to undo", 2),
        (["--folds", "3", "--test", "iris"], "--folds and --test exclude each other", 2),
    ],
)
def test_what_cannot_be_done_gets_one_sentence_and_no_file(
    model, tmp_path, arguments, said, status
):
    new = tmp_path / "new.json"
    result = run("edit", model, "iris", *arguments, "-o", new)

    assert result.exit_code == status
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert not new.exists()


def test_other_data_are_refused(model, tmp_path):
    result = run("edit", model, "make:exor,n=2", "--prune", "1", "-o", tmp_path / "new.json")

    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert run("edit", model, "iris", "--prune", "1", "-o", model).exit_code == 2
