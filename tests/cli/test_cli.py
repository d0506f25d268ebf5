"""The program itself: help, version, lists, a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from called import done, on_terminal, outside, run

import treelab as tl

FULL = Path("/dev/full")


COMMANDS = (
    "train",
    "predict",
    "show",
    "render",
    "export",
    "why",
    "importances",
    "regions",
    "steps",
    "rashomon",
    "stability",
    "rank",
    "select",
    "compare",
    "bias",
    "reproduce",
    "discretize",
    "datasets",
    "metrics",
)


def test_version():
    assert done("--version") == f"treelab {tl.__version__}\n"


def test_help_names_every_command():
    text = done("--help")

    assert all(word in text for word in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_with_an_example(command):
    assert f"Example: treelab {command}" in done(command, "--help")


def test_no_command_is_a_wrong_call_answered_with_help():
    result = run()

    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Usage: treelab")


def test_help_imports_nothing_heavy():
    heavy = ("numpy", "numba", "scipy", "sklearn", "rich", "attrs", "narwhals")
    program = f"""
import sys
sys.argv = ["treelab", "--help"]
from treelab.cli import main
try:
    main()
except SystemExit as end:
    print(end.code, [name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert result.stderr == "0 []\n"
    assert result.stdout.startswith("Usage: treelab")


def test_datasets_are_one_line_each():
    head, *lines = done("datasets").split("\n\n")[0].splitlines()

    assert head.split()[:3] == ["name", "other", "names"]
    assert [line.split()[0] for line in lines] == tl.dataset_names()
    assert max(map(len, lines)) > 80  # and never cut


def test_generators_are_one_line_each_below():
    _, words, table = done("datasets").split("\n\n")
    head, *lines = table.splitlines()

    assert words == "Made to order, such as make:exor,n=3,cases=200,seed=0:"
    assert head.split() == ["name", "parameters", "title"]
    assert [line.split()[0] for line in lines] == [f"make:{n}" for n in tl.generator_names()]


def test_a_generator_tells_its_parameters():
    text = done("datasets", "make:rannum")
    facts = json.loads(done("datasets", "make:rannum", "--json"))

    assert text.startswith(
        "make:rannum,n=3,m=10,cases=200,numeric=X3+R1+R2+R3+R4,spread=100,seed=0\n"
    )
    assert "R, how many numbers stand for a bit." in text
    assert (facts["name"], facts["parameters"]["spread"]) == ("make:rannum", 100)


def test_datasets_json():
    rows = {row["name"]: row for row in json.loads(done("datasets", "--json"))}

    assert rows["voting"]["cases"] == 435
    assert (rows["voting"]["nominal"], rows["voting"]["missing"]) == (16, 392)
    assert "vote" in rows["voting"]["other_names"]
    assert rows["make:exor"]["parameters"] == {"n": 3, "m": 10, "cases": 200, "seed": 0}


def test_a_data_set_has_a_card():
    text = done("datasets", "vote")

    assert "Congressional voting records, 1984" in text
    assert "democrat 267, republican 168" in text


def test_a_card_as_json():
    card = json.loads(done("datasets", "zoo", "--json"))

    assert card["classes"] == dict(tl.dataset_card("zoo").classes)
    assert card["origin"][0]["registry"]


def test_metrics_are_one_line_each():
    _, *lines = done("metrics").splitlines()

    assert [line.split()[0] for line in lines] == tl.metric_names()


def test_metrics_json():
    infos = json.loads(done("metrics", "--json"))

    assert [info["name"] for info in infos] == tl.metric_names()
    assert set(infos[0]) == {"name", "idea", "source", "needs", "range", "lower_is_better"}


def test_metrics_as_markdown():
    head, line, *rows = done("metrics", "--markdown").splitlines()

    assert (head, line) == ("| metric | idea | source | needs | range |", "| --- |" + " --- |" * 4)
    assert [row.split("`")[1] for row in rows] == tl.metric_names()
    assert {row.count("|") for row in rows} == {6}


@pytest.mark.usefixtures("folder")
def test_a_metric_over_chance_has_a_name():
    spec = "normalized:gini,summary=p-value,rounds=9"
    done("train", "iris", "--metric", spec, "-q", "-o", "m.json")

    assert tl.Tree.load("m.json") == tl.grow(tl.load("iris"), spec)
    assert spec in tl.Tree.load("m.json").learner
    metrics = f"gain,{spec},normalized:relieff:k=3,summary=z,pi:theta=0/0/0/1"
    found = json.loads(done("rank", "iris", "--metric", metrics, "--json"))
    assert [name in str(found) for name in (spec, "normalized:relieff:k=3,summary=z")] == [True] * 2
    assert spec in done("why", "m.json", "iris", "--metrics", f"gain,{spec}")


@pytest.mark.usefixtures("model")
def test_results_and_remarks_part_ways():
    result = run("predict", "m.json", "weather.csv")

    assert result.exit_code == 0
    assert result.stdout.startswith("prediction\n")
    assert result.stderr.startswith("accuracy ")


@pytest.mark.usefixtures("folder")
def test_a_wrong_call_from_outside():
    result = outside("train", "weather.csv", "--metric", "gini-")

    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == "treelab: unknown metric 'gini-': did you mean 'gini'?\n"


def test_a_reader_that_leaves_is_no_trouble():
    read, write = os.pipe()
    os.close(read)
    try:
        result = outside("datasets", stdout=write)
    finally:
        os.close(write)

    assert (result.returncode, result.stderr) == (1, "")


@pytest.mark.skipif(not FULL.exists(), reason="needs the device that is always full")
def test_a_full_disk_is_one_sentence():
    with FULL.open("w") as full:
        result = outside("datasets", stdout=full)

    assert result.returncode == 1
    assert result.stderr == "treelab: cannot read or write: No space left on device\n"


def test_progress_is_for_a_terminal_on_standard_error_only():
    result, shown = on_terminal("stderr", "train", "iris", "--folds", "3", "--json")

    assert json.loads(result.stdout)["cross_validation"]["folds"] == 3
    assert "folds" in shown


def test_no_progress_without_a_terminal():
    assert run("train", "iris", "--folds", "3").stderr == ""


def test_a_table_on_a_terminal_fits_and_is_drawn():
    result, shown = on_terminal("stdout", "metrics")

    assert result.returncode == 0
    assert "─" in shown
    assert "[0, 1]" in shown
