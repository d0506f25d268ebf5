"""`treelab train`."""

import json

import attrs
import pytest
from called import done, run

import treelab as tl
from treelab.cli.inputs import split_names
from treelab.tree.settings import READ


def test_train_prints_tree_size_and_accuracy():
    text = done("train", "lenses", "--metric", "gain", "--min-branch", "1", "--pruner", "none")
    tree = tl.grow(tl.load("lenses"), "gain", min_branch=1, pruner="none")

    assert text.startswith(f"{tree}\n\n")
    assert f"{tree.n_leaves} leaves, {tree.n_nodes} nodes, depth {tree.depth}\n" in text
    assert "training accuracy  100.0 % (24 of 24 cases)" in text


def test_train_without_options_is_the_learner_without_options():
    facts = json.loads(done("train", "iris", "--json"))

    assert facts["learner"] == repr(tl.Learner())
    assert facts["leaves"] == tl.Learner().fit(tl.load("iris")).n_leaves


@pytest.mark.usefixtures("folder")
def test_train_passes_every_setting_on():
    settings = {
        "metric": "gini", "discretizer": "equal-width:3", "pruner": "pessimistic:cf=0.1",
        "missing": "branch", "splits": "binary", "bins": 8, "cuts": "c45", "unseen": "rest",
        "min_cases": 3.0, "min_branch": 2.0, "max_depth": 4, "max_leaves": 9,
        "cut_metric": "chi2", "search": "beam", "width": 2, "seed": 7, "probabilities": "laplace",
    }  # fmt: skip
    words = [w for key, v in settings.items() for w in (f"--{key.replace('_', '-')}", v)]
    facts = json.loads(done("train", "weather.csv", *words, "--json"))

    assert facts["learner"] == repr(tl.Learner(**settings))
    # Those that are values of their own have options of other names: `test_cli_measures.py`.
    assert {*settings, *READ} == {field.name for field in attrs.fields(tl.Learner)}


def test_train_with_a_preset_and_what_changes_it():
    facts = json.loads(done("train", "iris", "--preset", "j48:pruned=false", "--json"))
    changed = json.loads(done("train", "iris", "--preset", "c45", "--max-depth", 1, "--json"))

    assert facts["learner"] == repr(tl.j48(pruned=False))
    assert changed["learner"] == repr(attrs.evolve(tl.c45(), max_depth=1))


def test_an_unknown_preset_is_a_wrong_call():
    result = run("train", "iris", "--preset", "j84")

    assert result.exit_code == 2
    assert "unknown preset 'j84': did you mean 'j48'?" in result.stderr


@pytest.mark.parametrize("spec", ["exor,n=2,m=1,cases=60,seed=7", "exor:n=2,m=1,cases=60,seed=7"])
def test_train_on_data_made_to_order(spec):
    data = tl.make("exor", n=2, m=1, cases=60, seed=7)

    assert done("train", f"make:{spec}", "--metric", "relieff").startswith(
        f"{tl.grow(data, 'relieff')}\n\n"
    )


@pytest.mark.usefixtures("folder")
def test_predict_data_made_to_order():
    done("train", "make:parity,n=2,m=1", "--metric", "relieff", "-o", "p.json")
    result = run("predict", "p.json", "make:parity,n=2,m=1,cases=50,seed=1")

    assert result.stderr == "accuracy 100.0 % (50 of 50 cases)\n"


def test_train_cross_validates_as_the_library_does():
    text = done("train", "iris", "--folds", 5, "--seed", 3)
    result = tl.cross_validate(tl.load("iris"), tl.Learner(seed=3).fit, 5, 3)

    assert f"5-fold accuracy    {100 * result.accuracy:.1f} % (sd " in text
    assert f"{result.leaves:.1f} leaves" in text


def test_train_json_tells_the_folds():
    facts = json.loads(done("train", "iris", "--folds", 3, "--json"))
    result = tl.cross_validate(tl.load("iris"), tl.Learner().fit, 3)

    assert facts["cross_validation"]["accuracies"] == result.of("accuracy").tolist()
    assert facts["classes"] == list(tl.load("iris").classes)


@pytest.mark.usefixtures("folder")
def test_train_quietly_prints_nothing_and_saves():
    assert done("train", "iris", "--folds", 2, "-o", "m.json", "--quiet") == ""
    assert tl.Tree.load("m.json") == tl.grow(tl.load("iris"))


def test_train_shows_a_large_tree_in_part():
    text = done("train", "tic-tac-toe", "--pruner", "none")
    tree = tl.grow(tl.load("tic-tac-toe"), pruner="none")

    assert tree.n_nodes > 100
    assert len(text.splitlines()) < 70
    assert "treelab show model.json" in text


def test_train_reads_columns_as_told(folder):
    (folder / "w.csv").write_text("a,b,w,c\n1,u,2,x\n2,v,1,y\n1,u,0.5,x\n")
    words = ("--target", "b", "--nominal", "a, c", "--weights", "w", "-o", "m.json")
    text = done("train", "w.csv", *words)
    tree = tl.Tree.load("m.json")

    assert [column.kind for column in tree.schema.features] == ["nominal", "nominal"]
    assert tree.features == ("a", "c")
    assert "(2.5 of 3.5 cases)" in text


def test_cases_without_weight_make_no_fold(folder):
    (folder / "w.csv").write_text("a,w,c\n1,0,x\n2,1,y\n3,1,x\n4,0,x\n5,0,y\n")
    words = ("--weights", "w", "--folds", 2, "--json")

    assert json.loads(done("train", "w.csv", *words))["cross_validation"]["folds"] == 2
    assert "number of cases, 2" in run("train", "w.csv", "--weights", "w", "--folds", 3).stderr


def test_a_file_comes_before_a_bundled_data_set(folder):
    (folder / "iris").mkdir()
    assert json.loads(done("train", "iris", "--json"))["cases"] == 150
    (folder / "iris").rmdir()
    (folder / "iris").write_text("a,c\n1,x\n2,y\n")

    result = run("train", "iris")

    assert result.exit_code == 2  # the file is taken, and its suffix tells no format
    assert "file suffix" in result.stderr


def test_names_of_columns_come_in_lists():
    assert split_names(["a, b", '"c,d"', ""]) == ["a", "b", "c,d"]
