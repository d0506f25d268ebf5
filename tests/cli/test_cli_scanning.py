"""Commands on folders and patterns of files."""

import json

import pyarrow.parquet as pq
import pytest
from partitions import dealt, differing, frame_of, in_memory
from strategies import random_dataset
from typer.testing import CliRunner

import treelab as tl
from treelab.cli.app import app
from treelab.tree.model import Tree

FRAME = frame_of(random_dataset(1, cases=60, missing=0.3, weights="whole"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    for k, part in enumerate(dealt(FRAME, 3, 0)):
        part.to_parquet(tmp_path / "data" / f"{k}.parquet")
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, words)


def train(data, *more):
    words = "--target", "class", "--weights", "w", "--bins", "16", "-o", "model.json"
    return run("train", data, *words, *more)


@pytest.mark.parametrize(
    ("data", "more"),
    [("data/*.parquet", ()), ("data/", ()), ("data", ("--engine", "local"))],
)
def test_a_tree_of_many_files_is_that_of_memory(folder, data, more):
    result = train(data, *more)

    assert result.exit_code == 0, result.output
    assert "weight of cases" in result.output
    assert differing(tl.grow(in_memory(FRAME), bins=16), Tree.load(folder / "model.json")) == []


def test_what_is_known_of_the_tree_is_said_as_json(folder):
    facts = json.loads(train("data/*.parquet", "--json").stdout)

    assert facts["weight"] == FRAME["w"].sum()
    assert facts["leaves"] == Tree.load(folder / "model.json").n_leaves


def test_predictions_of_many_files_are_written_into_a_folder(folder):
    train("data/*.parquet")
    result = run("predict", "model.json", "data/*.parquet", "-o", "out", "--proba")
    found = [
        label
        for path in sorted((folder / "out").iterdir())
        for label in pq.read_table(path)["prediction"].to_pylist()
    ]

    assert result.exit_code == 0, result.output
    tree, parts = Tree.load(folder / "model.json"), dealt(FRAME, 3, 0)
    assert found == [label for part in parts for label in tree.predict(part).tolist()]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("train", "nothing/*.parquet"), "no file matches 'nothing/*.parquet'"),
        (("train", "data/*.parquet", "--folds", "3"), "--folds needs all cases in one memory"),
        (("train", "data/*.parquet", "--workers", "2"), "--workers is for --engine dask"),
        (("train", "data/*.parquet", "--engine", "dusk"), "did you mean 'dask'?"),
        (("train", "data/*.parquet", "--target", "klass"), "unknown column 'klass'"),
        (("predict", "model.json", "data/*.parquet"), "name a folder with --output"),
    ],
)
def test_a_wrong_call_is_one_sentence(folder, words, text):
    tl.grow(tl.load("iris")).save(folder / "model.json")
    result = run(*words)

    assert text in result.output
    assert "Traceback" not in result.output
    assert result.exit_code in (1, 2)


def test_an_interrupt_says_in_one_line_that_there_is_no_tree(folder, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(tl.Learner, "fit", interrupted)
    result = train("data/")
    assert result.stderr == "Interrupted: no tree was grown, and nothing written.\n"
    assert result.exit_code == 130
    assert not (folder / "model.json").exists()
