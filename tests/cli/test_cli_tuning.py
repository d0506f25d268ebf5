"""`treelab tune`, `meta` and `pi`, and `--metric auto`, as a new user would try them."""

import json
import shlex

import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli.app import app

LENSES = tl.load("lenses")


def run(*words, code=0):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, done.output + done.stderr
    return done


def test_tune_prints_lines_that_can_be_pasted():
    done = run(
        "tune", "iris", "--metric", "gain,relieff:k=5", "--min-branch", "2,10", "--folds", "3"
    )
    lines = done.stdout.splitlines()

    line = next(line for line in lines if line.startswith("tl.Learner("))
    found = tl.tune(tl.load("iris"), metric=["gain", "relieff:k=5"], min_branch=[2, 10], folds=3)
    assert eval(line, {"tl": tl}) == found.learner
    words = shlex.split(lines[-1])
    assert words[:3] == ["treelab", "train", "iris"]
    facts = json.loads(run(*words[1:], "--json").stdout)
    assert eval(f"tl.{facts['learner']}", {"tl": tl}) == found.learner


def test_tune_as_json():
    facts = json.loads(
        run("tune", "lenses", "--splits", "auto,multiway", "--folds", "2", "--json").stdout
    )

    assert [each["candidate"] for each in facts["candidates"]] == ["splits=auto", "splits=multiway"]
    assert facts["data"] == "lenses"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["tune", "lenses", "--metric", "gainn"], "unknown metric 'gainn': did you mean 'gain'?"),
        (["tune", "lenses", "--min-branch", "two"], "--min-branch must be numbers, got 'two'"),
        (["tune", "lenses", "--folds", "99"], "folds must be from 2 to the number of cases, 24"),
        (["meta", "lense"], "did you mean 'lenses'"),
        (["pi", "lenses", "--feature", "agee"], "unknown column 'agee': did you mean 'age'?"),
        (["pi", "lenses", "--feature", "age", "-o", "x.doc"], "a picture ends in"),
        (["train", "lenses", "--metric", "auto:pie"], "unknown portfolio 'pie'"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(words, problem):
    done = run(*words, code=2)

    assert problem in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_meta_prints_names_numbers_and_formulas():
    assert "interaction" in run("meta", "lenses").stdout
    facts = json.loads(run("meta", "lenses", "--json").stdout)
    assert facts == {"data": "lenses"} | tl.meta(LENSES).to_dict()


def test_pi_draws_the_four_cases(tmp_path):
    picture = tmp_path / "cases.svg"
    text = run("pi", "lenses", "--feature", "age", "-o", str(picture)).stdout

    assert f"saved to {picture}" in text
    assert picture.read_text("utf-8").startswith("<?xml")
    facts = json.loads(run("pi", "lenses", "--feature", "age", "--json").stdout)
    assert facts["pairs"] == tl.pi_cases(LENSES, "age").pairs.tolist()


def test_train_and_show_say_what_was_chosen(tmp_path):
    model = tmp_path / "m.json"
    text = run("train", "lenses", "--metric", "auto:folds=2", "-o", str(model)).stdout
    choice = tl.Tree.load(model).metric_choice

    assert f"metric chosen      {choice}" in text
    assert str(choice) in run("show", str(model)).stdout
    facts = json.loads(run("train", "lenses", "--metric", "auto:folds=2", "--json").stdout)
    assert facts["metric_choice"]["metric"] == choice.metric
