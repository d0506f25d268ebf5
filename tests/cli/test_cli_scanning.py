"""Commands on folders and patterns of files, and on tables of a database."""

import json

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest
from partitions import dealt, differing, frame_of, in_memory
from strategies import random_dataset
from typer.testing import CliRunner

import treelab as tl
from treelab import _cluster
from treelab.cli.app import app
from treelab.tree.model import Tree

DAY = pd.Timestamp("2024-01-01")
ON_DASK = "--engine", "dask", "--scheduler"
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


def test_folds_of_many_files_are_tested(folder):
    data = tl.scan(str(folder / "data"), "class", weights="w")
    wanted = tl.cross_validate(data, tl.Learner(bins=16), folds=3)
    found = json.loads(train("data/", "--folds", "3", "--json").stdout)["cross_validation"]

    assert found["accuracies"] == wanted.of("accuracy").tolist()
    assert "3-fold accuracy" in train("data/", "--folds", "3").output


def test_a_table_of_a_database_is_counted_there(folder):
    with duckdb.connect("a.db") as database:
        database.register("given", FRAME)
        database.execute("CREATE TABLE t AS SELECT * FROM given")
    result = train("duckdb:///a.db?table=t")
    tree = Tree.load(folder / "model.json")
    predicted = run("predict", "model.json", "duckdb:///a.db", "-o", "out")

    assert result.exit_code == predicted.exit_code == 0, result.output + predicted.output
    assert differing(tl.grow(in_memory(FRAME), bins=16), tree) == []
    assert "1 file written to out" in predicted.output
    found = pq.read_table(folder / "out")["prediction"].to_pylist()
    assert found == tree.predict(FRAME).tolist()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("train", "nothing/*.parquet"), "no file matches 'nothing/*.parquet'"),
        (("train", "data/*.parquet", "--folds", "99"), "folds must be from 2 to the number of"),
        (("train", "duckdb:///no.db?table=t"), "no.db"),
        (("train", "data/*.parquet", "--workers", "2"), "--workers is for --engine dask"),
        (("train", "data/*.parquet", "--engine", "dusk"), "did you mean 'dask'?"),
        (("train", "data/*.parquet", "--target", "klass"), "0.parquet: unknown column 'klass'"),
        (("train", "fewer/", "--target", "class"), "has no column 'x0', which fewer/0.parquet has"),
        (("train", "dates/", "--target", "class"), "in one partition and values of kind 'date' in"),
        (("train", "data/", "--scheduler", "tcp://127.0.0.1:1"), "--scheduler is for --engine"),
        (("train", "data/", *ON_DASK, "tcp://127.0.0.1:1"), "no Dask scheduler answers at 'tcp:"),
        (("train", "data/", *ON_DASK, "nowhere"), "no Dask scheduler answers at 'nowhere'"),
        (("train", "data/", "--engine", "dask", "--memory-limit", "much"), "such as '2GB', got"),
        (("predict", "model.json", "data/*.parquet"), "name a folder with --output"),
    ],
)
def test_a_wrong_call_is_one_sentence(folder, words, text, monkeypatch):
    monkeypatch.setattr(_cluster, "CONNECT", 0.5)
    tl.grow(tl.load("iris")).save(folder / "model.json")
    part = FRAME[:20]
    for name, other in {"fewer": part.drop(columns="x0"), "dates": part.assign(x0=DAY)}.items():
        (folder / name).mkdir()
        part.to_parquet(folder / name / "0.parquet")
        other.to_parquet(folder / name / "1.parquet")
    result = run(*words)

    assert text in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.exit_code == 2


def test_an_interrupt_says_in_one_line_that_there_is_no_tree(folder, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(tl.Learner, "fit", interrupted)
    result = train("data/")
    assert result.stderr == "Interrupted: no tree was grown, and nothing written.\n"
    assert result.exit_code == 130
    assert not (folder / "model.json").exists()
