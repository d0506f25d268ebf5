"""Metrics in files of one's own: on the command line, in studies, and never unasked."""

import json

import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli.app import app
from treelab.errors import ParameterError, UnknownNameError
from treelab.experiment.competitors import TreeFactory
from treelab.metrics.own_file import metric_of_file, names_a_file

MINE = """
import numpy as np
import treelab as tl

def my_gini(t):
    n = t.sum((-2, -1))
    within = (t**2).sum(-1) / t.sum(-1).clip(1e-300)
    return within.sum(-1) / n - (t.sum(-2) ** 2).sum(-1) / n**2

def of_node(node):
    return node.counts.map(my_gini)

made = tl.from_counts(my_gini)

class Kind:
    pass

number = 3
"""
STUDY = """
data = ["lenses", "labor"]
folds = 3

[metrics]
mine = "mine.py:my_gini"

[[learner]]
metric = "mine"

[[learner]]
metric = "gini"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize(
    ("name", "data"),
    [("my_gini", "labor"), ("made", "labor"), ("of_node", "zoo")],  # a node's are as they are
)
@pytest.mark.usefixtures("folder")
def test_a_function_of_tables_or_of_a_node_or_a_metric_grows_the_tree_of_gini(name, data):
    data = tl.load(data)  # labor has missing values

    assert tl.grow(data, metric_of_file(f"mine.py:{name}")) == tl.grow(data, "gini")


@pytest.mark.usefixtures("folder")
def test_train_with_a_metric_in_a_file(tmp_path):
    assert run("train", "labor", "--metric", "./mine.py:my_gini", "-o", "mine.json").exit_code == 0
    assert run("train", "labor", "--metric", "gini", "-o", "gini.json").exit_code == 0

    mine, gini = tl.Tree.load(tmp_path / "mine.json"), tl.Tree.load(tmp_path / "gini.json")
    assert mine == gini
    assert "my_gini" in str(mine.learner)


@pytest.mark.usefixtures("folder")
def test_a_model_never_runs_the_file_its_metric_came_from(tmp_path):
    run("train", "labor", "--metric", "mine.py:my_gini", "-o", "mine.json")
    text = (tmp_path / "mine.json").read_text()
    (tmp_path / "mine.py").write_text("raise SystemExit('was run')")

    tl.Tree.load(tmp_path / "mine.json").predict(tl.load("labor"))
    model = json.loads(text)
    model["learner"]["metric"] = "mine.py:my_gini"  # as a stranger might write it
    (tmp_path / "theirs.json").write_text(json.dumps(model))
    assert tl.Tree.load(tmp_path / "theirs.json").n_leaves > 0
    with pytest.raises(UnknownNameError, match="unknown metric"):
        tl.metric("mine.py:my_gini")


@pytest.mark.usefixtures("folder")
def test_rank_why_and_compare_take_them_too():
    found = run("rank", "lenses", "--metric", "gain,mine.py:my_gini")
    assert found.exit_code == 0
    assert "my_gini" in found.stdout

    told = run("compare", "lenses", "--metric", "gini,mine.py:my_gini", "--folds", "3", "--json")
    assert told.exit_code == 0, told.stderr
    assert "my_gini" in told.stdout


def test_a_study_runs_it_when_allowed_with_the_figures_of_gini(folder):
    study = tl.read_study(folder / "study.toml", allow_code=True)
    results = tl.run_study(study, folder / "kept.sqlite", jobs=2)  # in other processes, too

    table = results.to_frame().pivot(index=["data", "fold"], columns="learner", values="accuracy")
    assert table.shape == (6, 2)
    assert (table["mine"] == table["gini"]).all()
    mine = table["mine"].unstack().loc[["lenses", "labor"]]  # data in the order of the study
    assert (mine.to_numpy() == results.cube("accuracy")[:, 0, 0]).all()


def test_a_study_with_code_is_refused_unless_allowed(folder):
    told = run("compare", "study.toml")

    assert told.exit_code == 2
    assert "mine.py:my_gini is code, which is run with --allow-code only" in told.stderr
    assert not (folder / "comparison").exists()


def test_it_is_known_again_by_its_source(folder):
    def print_of():
        return TreeFactory(tl.Learner(metric=metric_of_file("mine.py:my_gini"))).fingerprint

    before = print_of()
    assert before == print_of()
    assert "mine_" in before
    (folder / "mine.py").write_text(MINE.replace("**2", "**3"))
    assert before != print_of()


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("none.py:f", "cannot read none.py: No such file"),
        ("mine.py:my_gin", "mine.py has no metric 'my_gin': did you mean 'my_gini'?"),
        ("mine.py:number", "mine.py has no metric 'number'"),
        ("mine.py:Kind", "mine.py:Kind is a class; give what it makes a name, and name that"),
        ("broken.py:f", "broken.py cannot be run: ZeroDivisionError: division by zero"),
        ("wrong.py:f", "wrong.py cannot be run: SyntaxError"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(folder, spec, problem):
    (folder / "broken.py").write_text("1 / 0")
    (folder / "wrong.py").write_text("def f(:")
    told = run("train", "lenses", "--metric", spec)

    assert (told.exit_code, told.stderr.count("\n")) == (2, 1)
    assert problem in told.stderr
    with pytest.raises(ParameterError):
        metric_of_file(spec)


@pytest.mark.parametrize("spec", ["gain", "relieff:k=5", "mine.py", "mine.py:", 3])
def test_other_texts_name_no_file(spec):
    assert not names_a_file(spec)
