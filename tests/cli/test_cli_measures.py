"""What `train` measures, costs, constraints, reports; `importances`; `predict --keep`."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app

COSTS = "actual,no,yes\nno,0,1\nyes,5,0\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with mixed data: missing values, weights, names that are numbers."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    frame = pd.DataFrame(
        {
            "key": [f"{k:04}" for k in range(120)],
            "income": (40 + 12 * y + 10 * rng.normal(size=120)).round(1),
            "age": rng.integers(18, 80, 120),
            "town": np.where(rng.random(120) < 0.5, np.where(y, "A, B", "C"), "D"),
            "w": rng.integers(1, 3, 120),
            "ill": np.where(y, "yes", "no"),
        }
    )
    frame.loc[::11, "income"] = np.nan
    frame.loc[::13, "town"] = None
    frame.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "costs.csv").write_text(COSTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def done(*words):
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    return result.stdout


TRAIN = ("train", "people.csv", "--target", "ill", "--drop", "key", "--weights", "w")


@pytest.mark.usefixtures("folder")
def test_train_measures_on_cases_held_out():
    text = done(*TRAIN, "--folds", 4)
    facts = json.loads(done(*TRAIN, "--folds", 4, "--json"))
    data = tl.read("people.csv", target="ill", drop=["key"], weights="w")
    found = tl.cross_validate(data, tl.Learner(), 4).assessment
    table = [line.split() for line in text.splitlines() if line.startswith(("no ", "yes "))]

    assert facts["evaluation"]["on"] == "on cases held out in 4 folds"
    assert facts["evaluation"]["confusion"] == found.confusion.tolist()
    assert f"majority baseline  {found.baseline:.1%}".replace("%", " %") in text
    assert f"balanced accuracy  {found.balanced_accuracy:.1%}".replace("%", " %") in text
    assert [[float(cell) for cell in row[-2:]] for row in table] == found.confusion.tolist()
    assert "by class, on cases held out in 4 folds:" in text
    assert "importances by gain: " in text


@pytest.mark.usefixtures("folder")
def test_train_says_where_it_measures_on_what_it_has_seen():
    assert "by class, on the cases it was grown from (--folds 10 or --test DATA" in done(*TRAIN)


@pytest.mark.usefixtures("folder")
def test_train_measures_on_a_test_set():
    frame = pd.read_csv("people.csv", dtype={"key": str})
    frame[:80].to_csv("train.csv", index=False)
    frame[80:].to_csv("test.csv", index=False)
    words = ("train", "train.csv", *TRAIN[2:], "--test", "test.csv")
    facts = json.loads(done(*words, "--json"))

    assert facts["evaluation"]["cases"] == frame["w"][80:].sum()
    assert "by class, on the 40 cases of the test data:" in done(*words)


def write_many(folder):
    """Write data of 20 classes, whose numbers overlap."""
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(20), 12)
    rows = zip(y + 0.9 * rng.normal(size=240), y, strict=True)
    lines = [f"{x:.2f},kind number {k}" for x, k in rows]
    (folder / "many.csv").write_text("\n".join(["x,y", *lines, ""]))


def test_many_classes_are_listed_by_what_is_missed(folder):
    write_many(folder)
    text = done("train", "many.csv", "--folds", 3)

    assert "mostly taken for" in text
    assert re.search(r"\(the 12 classes missed most; \d+ others not shown: --json\)", text)
    assert max(len(line) for line in text.split("by class")[1].splitlines()) < 110


@pytest.mark.usefixtures("folder")
def test_costs_and_weights_of_classes():
    facts = json.loads(done(*TRAIN, "--costs", "costs.csv", "--folds", 3, "--json"))
    text = done(*TRAIN, "--costs", "costs.csv", "-o", "m.json")
    tree = tl.Tree.load("m.json")

    assert "mean cost " in text
    assert facts["evaluation"]["mean_cost"] > 0
    assert tree.costs.tolist() == [[0, 1], [5, 0]]
    for given, value in (("balanced", "balanced"), ("yes=2.5", {"yes": 2.5})):
        done(*TRAIN, "--class-weight", given, "-o", "m.json")
        assert tl.Tree.load("m.json").settings["class_weight"] == value


def test_constraints_as_options_and_as_a_file(folder):
    words = ("--first", "age", "--never", "town", "--monotone", "income=1",
             "--feature-cost", "income=2.5", "--pruner", "none", "-o", "m.json")  # fmt: skip
    done(*TRAIN, *words)
    tree = tl.Tree.load("m.json")
    wanted = {
        "first": ["age"], "never": ["town"], "monotone": {"income": 1}, "cost": {"income": 2.5}
    }  # fmt: skip
    assert tree.settings["constraints"] == wanted
    assert tree.root.feature == "age"
    (folder / "c.toml").write_text(
        'first = "age"\nnever = ["town"]\n[monotone]\nincome = 1\n[cost]\nincome = 9\n'
    )
    done(*TRAIN, "--constraints", "c.toml", *words[6:])
    assert tl.Tree.load("m.json").settings["constraints"] == wanted


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--class-weight", "yes"), "--class-weight must be NAME=NUMBER, got 'yes'"),
        (("--class-weight", "yes=a"), "expected a number, got 'a'"),
        (("--class-weight", "yess=2"), "did you mean 'yes'?"),
        (("--costs", "none.csv"), "cannot read none.csv: No such file"),
        (("--costs", "people.csv"), "expected a number, got"),
        (("--monotone", "incom=1"), "did you mean 'income'?"),
        (("--monotone", "town=1"), "'town' is nominal"),
        (("--monotone", "income=2"), "must be 1 or -1, got 2"),
        (("--feature-cost", "income=0"), "must be above 0"),
        (("--constraints", "costs.csv"), "is not TOML"),
        (("--report", "page.txt"), "a page ends in .html"),
        (("--test", "none.csv"), "there is no file 'none.csv'"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_wrong_call_is_a_sentence(words, sentence):
    result = run(*TRAIN, *words)

    assert result.exit_code == 2, result.stderr
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.usefixtures("folder")
def test_options_of_one_memory_are_refused_of_partitions():
    for option in (("--test", "people.csv"), ("--report", "r.html")):
        result = run(*TRAIN, "--engine", "local", *option)
        assert result.exit_code == 2
        assert f"{option[0]} needs all cases in one memory" in result.stderr


def test_a_report_is_one_page_with_all_of_it(folder):
    (folder / "bad.csv").write_text(
        "x,<script>alert(1)</script>,y\n"
        + "".join(f"{k},{k % 3},{'<b>' if k % 2 else 'b'}\n" for k in range(30))
    )
    done(*TRAIN, "--folds", 3, "--report", "report.html", "--costs", "costs.csv")
    page = (folder / "report.html").read_text()
    for part in ("How good it is", "The tree", "ROC, precision and calibration", "Importances",
                 "The data", "Settings, and how to make it again", "mean cost",
                 "Measured on cases held out in 3 folds."):  # fmt: skip
        assert part in page
    assert not re.search(r'(src|href)="(?!#|data:)', page)  # data: the cells of the matrix
    assert page.count("<svg") >= 5
    done("train", "bad.csv", "--report", "bad.html", "--pruner", "none")
    assert "<script>alert" not in (folder / "bad.html").read_text()


def test_a_report_of_one_leaf_and_of_many_classes(folder):
    write_many(folder)
    done("train", "many.csv", "--report", "many.html", "--max-depth", 1, "--pruner", "none")
    done("train", "iris", "--report", "leaf.html", "--max-depth", 0)

    assert "Importances" not in (folder / "leaf.html").read_text()
    assert "Importances" in (folder / "many.html").read_text()


# The command `importances`


def test_importances_of_a_model(folder):
    done(*TRAIN, "-o", "m.json", "--pruner", "none", "--max-depth", 3)
    tree = tl.Tree.load("m.json")
    text = done("importances", "m.json", "people.csv", "--by", "corrected", "--plot", "i.svg")
    facts = json.loads(done("importances", "m.json", "people.csv", "--by", "permutation", "--json"))

    assert done("importances", "m.json").splitlines()[0] == "share in lowering the Gini impurity"
    assert text.splitlines()[0] == "share beyond what chance gives"
    assert set(facts["importances"]) == set(tree.features)
    assert (folder / "i.svg").read_text().startswith("<?xml")
    result = run("importances", "m.json", "--by", "corrected")
    assert (result.exit_code, "needs cases" in result.stderr) == (2, True)
    result = run("importances", "m.json", "--by", "gini")
    assert (result.exit_code, "did you mean 'gain'" in result.stderr) == (2, True)


# Columns that are kept


def test_predictions_keep_columns_as_they_are_written(folder):
    done(*TRAIN, "-o", "m.json")
    text = done("predict", "m.json", "people.csv", "--keep", "key,town,ill,income")
    rows = list(csv.DictReader(io.StringIO(text)))
    given = list(csv.DictReader(io.StringIO((folder / "people.csv").read_text())))

    assert list(rows[0]) == ["key", "town", "ill", "income", "prediction"]
    for name in ("key", "town", "ill"):
        assert [row[name] for row in rows] == [row[name] for row in given]
    assert [row["income"] and float(row["income"]) for row in rows] == [
        row["income"] and float(row["income"]) for row in given
    ]
    plain = done("predict", "m.json", "people.csv").splitlines()[1:]
    assert [row["prediction"] for row in rows] == plain
    facts = json.loads(done("predict", "m.json", "people.csv", "--keep", "key", "--json"))
    assert facts["kept"]["key"][0] == "0000"
    result = run("predict", "m.json", "people.csv", "--keep", "kay")
    assert (result.exit_code, "did you mean 'key'" in result.stderr) == (2, True)


@pytest.mark.usefixtures("folder")
def test_a_kept_column_may_be_called_prediction():
    frame = pd.read_csv("people.csv").rename(columns={"key": "prediction"})
    frame.to_csv("odd.csv", index=False)
    done("train", "odd.csv", "--target", "ill", "--drop", "prediction", "-o", "m.json")
    text = done("predict", "m.json", "odd.csv", "--keep", "prediction")

    assert text.splitlines()[0] == "prediction,prediction_"
