"""`treelab reduce`: numeric outcomes, parts, axes, and trees before and after."""

import json

import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 7},{i},{i * 1.5 + i % 3}\n" for i in range(60))
    (tmp_path / "prices.csv").write_text(f"noise,size,price\n{rows}")
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, ["reduce", *map(str, words)], prog_name="treelab")


def done(*words):
    result = run(*words)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_file_with_a_numeric_outcome_needs_no_class(folder):
    words = ("features", "prices.csv", "--outcome", "price")
    facts = json.loads(done(*words, "--method", "correlation", "-k", 1, "--json"))
    assert facts["kept"] == ["size", "price"]
    assert set(facts["scores"]) == {"noise", "size"}
    text = done(*words, "--method", "means", "--classes", 2, "-k", 1, "-o", "out.csv")
    assert "kept      1 feature" in text
    assert (folder / "out.csv").read_text().splitlines()[0] == "size,price"


def test_relief_asks_m_cases_and_a_part_is_enlarged():
    words = ("features", "voting", "--method", "relief", "-k", 3)
    facts = json.loads(done(*words, "-m", 40, "--seed", 2, "--json"))
    own = tl.reduce.features(tl.load("voting"), "relief", k=3, m=40, seed=2)
    assert facts["scores"] == pytest.approx(dict(own.scores))
    agreed = "judged on  22 of 435 cases, as 22 others judge (tried 22)"
    assert agreed in done(*words, "--part", 0.05)
    enlarged = "judged on  all 435 cases: no two parts agreed (tried 44, 66, 99, 149)"
    assert enlarged in done(*words, "--part", 0.1)


def test_entropy_takes_a_constant_alpha():
    facts = json.loads(done("features", "iris", "--method", "entropy", "--alpha", 0.5, "--json"))
    own = tl.reduce.features(tl.load("iris"), "entropy", alpha=0.5)
    assert facts["scores"] == dict(own.scores)


@pytest.mark.parametrize("method", ["mds", "isomap"])
def test_axes_are_written_and_drawn(folder, method):
    text = done("features", "iris", "--method", method, "--picture", "p.png", "-o", "a.csv")
    assert "residual variance" in text
    assert (folder / "p.png").read_bytes()[:4] == b"\x89PNG"
    assert tl.read(folder / "a.csv").features == ("axis 1", "axis 2")


@pytest.mark.parametrize(
    "words",
    [
        ("features", "iris", "--method", "pca"),
        ("cases", "iris", "--size", 0.5),
        ("cases", "iris", "--method", "incremental"),
        ("values", "iris", "--method", "labels", "--labels", "low,middle,high"),
        ("values", "iris", "--method", "median"),
    ],
)
def test_trees_before_and_after_are_one_card(words):
    card = json.loads(done(*words, "--before-after", "--json"))["before_after"]
    assert set(card["before"]) == {
        "cases", "features", "values", "seconds", "accuracy", "leaves", "depth"
    }  # fmt: skip
    size = {"features": "features", "cases": "cases", "values": "values"}[words[0]]
    assert card["after"][size] < card["before"][size]
    lines = done(*words, "--before-after").splitlines()
    assert any(line.split()[:1] == ["accuracy"] for line in lines)


def test_two_stage_sampling_says_what_it_found():
    words = ("cases", "iris", "--method", "two-stage", "--by", "petal length", "--eps", 0.4)
    facts = json.loads(done(*words, "--size", 20, "--json"))
    own = tl.reduce.two_stage(tl.load("iris"), "petal length", 0.4, pilot=20)
    assert (facts["pilot"], facts["needed"], facts["mean"]) == (20, own.needed, own.mean)
    assert f"needed    {own.needed}" in done(*words, "--size", 20, "-o", "s.csv")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("features", "iris", "--method", "isomap", "--before-after"), "cannot test isomap"),
        (("features", "iris", "--alpha", 1), "method 'means' has no options, got 'alpha'"),
        (("features", "iris", "--neighbours", 3), "--neighbours goes with --method isomap"),
        (("features", "iris", "--classes", 3), "--classes is of an --outcome"),
        (("features", "iris", "--method", "pca", "--part", 0.5), "are for judged features"),
        (("features", "iris", "--method", "mds", "--threshold", 1), "has no threshold"),
        (("features", "prices.csv", "--outcome", "prize"), "did you mean 'price'?"),
        (("cases", "iris", "--method", "average", "--before-after"), "draws many samples"),
        (("features", "iris", "--picture", "p.png"), "--picture goes with --method pca or mds"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(words, said):
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
