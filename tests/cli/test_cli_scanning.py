"""Commands on folders and patterns of files, and on tables of a database."""

import json

import duckdb
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
