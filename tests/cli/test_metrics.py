"""`treelab metrics`: the list, and all about one."""

import json

import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli.app import app


def run(*arguments):
    return CliRunner().invoke(app, ["metrics", *arguments])


def test_all_about_one_metric():
    said = run("relieff").stdout

    assert "k=10, ties=shared, missing=expected, max_cases=none" in said
    assert "kononenko1995" in said
    assert "How many neighbours of each class." in said  # of its docstring


def test_a_formula_brings_its_docstring():
    assert "sum_j p_j sum_i p_{i|j}^2 - sum_i p_i^2" in run("gini").stdout
    assert "Prefers features with many values" in run("gini").stdout


def test_it_is_there_for_programs():
    found = json.loads(run("pi", "--json").stdout)

    assert found["parameters"]["theta"] == "1.0+1.0+1.0+1.0"
    assert found["parameters"]["aggregate"] == "experiments"
    assert found["text"].startswith("The framework Pi")


@pytest.mark.parametrize("name", tl.metric_names())
def test_every_metric_says_what_it_is(name):
    found = run(name)

    assert found.exit_code == 0
    assert "\n\n" in found.stdout
    assert " at 0x" not in found.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["gainn"], "unknown metric 'gainn': did you mean 'gain'?"),
        (["gain", "--markdown"], "--markdown and the name of a metric exclude each other"),
        (["--json", "--markdown"], "--markdown and --json exclude each other"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments, problem):
    found = run(*arguments)

    assert (found.exit_code, found.stderr.strip()) == (2, f"treelab: {problem}")
