"""Dates, times and ordered labels on the command line."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

import treelab as tl
from tests.moments import COLUMNS, scaled_data
from treelab.cli import app


def run(*words, code=0):
    result = CliRunner().invoke(app, [*map(str, words)])
    assert result.exit_code == code, result.output + str(result.exception)
    return result


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [column.name for column in COLUMNS if column.name != "size"]
    frame = scaled_data(features=names).to_frame("pandas")
    frame.to_csv("cases.csv", index=False)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_dates_of_a_file_are_shown_predicted_and_drawn():
    run("train", "cases.csv", "--min-cases", 4, "--pruner", "none", "-o", "m.json")
    assert ">= 202" in (shown := run("show", "m.json").output) or "<= 202" in shown
    run("predict", "m.json", "cases.csv", "-o", "p.csv")
    run("discretize", "cases.csv", "--feature", "day", "-o", "day.png")
    run("render", "m.json", "-o", "t.svg")
    tree, data = tl.Tree.load("m.json"), tl.read("cases.csv")
    assert [c.scale for c in tree.schema.features] == [c.scale for c in data.schema.features]
    assert pd.read_csv("p.csv")["prediction"].tolist() == tree.predict(data).tolist()


def test_a_bad_date_in_new_data_is_named_by_line_and_column(folder):
    run("train", "cases.csv", "-o", "m.json")
    lines = (folder / "cases.csv").read_text().splitlines()
    place = lines[0].split(",").index("day")
    fields = lines[9].split(",")
    fields[place] = "2024-13-01"
    (folder / "new.csv").write_text("\n".join([*lines[:9], ",".join(fields), *lines[10:], ""]))
    result = run("predict", "m.json", "new.csv", code=1)

    said = f"line 10, column {place + 1}: '2024-13-01' is no date, such as 2024-03-01"
    assert said in result.output


@pytest.mark.usefixtures("folder")
def test_what_reduce_writes_is_read_as_the_same_data():
    run("reduce", "cases", "cases.csv", "--method", "random", "--size", 0.5, "-o", "small.csv")
    whole, small = tl.read("cases.csv"), tl.read("small.csv")

    assert small.schema.features == whole.schema.features
    rows = {tuple(map(str, row)) for row in zip(*whole.columns, strict=True)}
    assert {tuple(map(str, row)) for row in zip(*small.columns, strict=True)} <= rows


def test_a_model_of_ordered_labels_reads_them_from_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = scaled_data()
    tl.grow(data, missing="majority").save("m.json")
    data.to_frame("pandas").to_csv("cases.csv", index=False)
    found = json.loads(run("predict", "m.json", "cases.csv", "--json").stdout)["predictions"]

    assert found == tl.Tree.load("m.json").predict(data).tolist()
