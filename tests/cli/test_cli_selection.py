"""`treelab rank` and `treelab select`: what they print, draw and write, and how they end."""

import json

import pytest
from called import done, run

import treelab as tl

IRIS = tl.load("iris")


@pytest.mark.parametrize("command", ["rank", "select"])
def test_every_command_helps_with_an_example(command):
    assert f"Example: treelab {command}" in done(command, "--help")


def test_rank_prints_what_the_library_says():
    assert done("rank", "iris") == f"{tl.rank(IRIS)}\n"
    words = ("--metric", "gain,relieff:k=3,ties=first", "--discretizer", "ssv:4")
    found = tl.rank(IRIS, ["gain", "relieff:k=3,ties=first"], "ssv:4")
    assert done("rank", "iris", *words) == f"{found}\n"


def test_a_part_of_a_bundled_set_has_a_name():
    found = tl.rank(tl.load("monks-1", part="train"))
    assert done("rank", "monks-1:train") == f"{found}\n"

    result = run("rank", "monks-1:trian")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "part must be one of 'train', 'test', got 'trian'; did you mean" in result.stderr


def test_rank_passes_every_setting_on():
    words = ("--metric", "j-value", "--discretizer", "ssv:4", "--case", 3, "--bootstrap", 4)
    found = tl.rank(IRIS, "j-value", "ssv:4", case=3, bootstrap=4, seed=5)
    assert done("rank", "iris", *words, "--seed", 5) == f"{found}\n"

    kernel = tl.rank(IRIS, "gain", estimator="kernel")
    assert done("rank", "iris", "--estimator", "kernel") == f"{kernel}\n"

    own = tl.rank(IRIS, for_class="Iris-setosa")
    assert done("rank", "iris", "--for-class", "Iris-setosa") == f"{own}\n"


def test_rank_json():
    facts = json.loads(done("rank", "iris", "--metric", "gain,gini", "--bootstrap", 3, "--json"))
    found = tl.rank(IRIS, ["gain", "gini"], bootstrap=3)

    first = facts["rankings"][0]
    assert first["features"] == list(found["gain"].features)
    assert first["scores"] == found["gain"].scores.tolist()
    assert first["ranks"] == found["gain"].ranks.tolist()
    assert first["keeps_its_place"] == found["gain"].stability.kept.tolist()
    assert facts["kendall"] == found.kendall.tolist()


def test_rank_json_tells_what_cannot_be_judged(tmp_path):
    (tmp_path / "d.csv").write_text("a,b,class\n1,x,p\n1,y,q\n1,x,p\n")
    facts = json.loads(done("rank", tmp_path / "d.csv", "--json"))

    assert facts["rankings"][0]["scores"][1] is None


@pytest.mark.parametrize("metric", ["gain", "gain,gini"])
def test_rank_draws(metric, tmp_path):
    path = tmp_path / "ranks.svg"

    assert f"saved to {path}" in done("rank", "iris", "--metric", metric, "--plot", path)
    assert path.read_text().startswith("<?xml")


def test_select_prints_what_the_library_says():
    assert done("select", "iris") == f"{tl.select(IRIS)}\n"
    words = ("--metric", "cfs", "--search", "beam", "-k", 2, "--width", 2)
    found = tl.select(IRIS, "cfs", "beam", 2, width=2, discretizer="mdlp")
    assert done("select", "iris", *words, "--discretizer", "mdlp") == f"{found}\n"


@pytest.mark.parametrize("wrapper", ["knn", "svm", "tree"])
def test_select_by_a_learner(wrapper):
    facts = json.loads(done("select", "iris", "--wrapper", wrapper, "--folds", 3, "--json"))

    assert 0.85 < facts["score"] <= 1.0
    assert facts["judged"] >= 5
    assert facts["path"][-1]["features"] == facts["features"]


def test_select_writes_the_chosen_columns(tmp_path):
    path = tmp_path / "small.csv"
    found = tl.select(IRIS, "gain", k=2)
    text = done("select", "iris", "--metric", "gain", "-k", 2, "-o", path)

    assert text == f"{found}\nsaved to {path}\n"
    assert tl.read(path).features == found.features


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("rank", "iris", "--metric", "gains"), "did you mean 'gain'"),
        (("rank", "iris", "--plot", "x.txt"), "a picture ends in .svg"),
        (("rank", "iris", "--estimator", "no"), "estimator must be one of"),
        (("rank", "lenses", "--case", 99), "case must be a row below 24"),
        (("rank", "lenses", "--case", -1), "--case"),
        (("rank", "iris", "--discretizer", "cuts:2;1"), "must be finite and ascending"),
        (("select", "iris", "--search", "gredy"), "did you mean 'greedy'"),
        (("select", "iris", "--wrapper", "nets"), "--wrapper must be one of"),
        (("select", "iris", "--wrapper", "knn", "--metric", "gain"), "give one of them"),
        (("select", "iris", "-k", 9), "k must be at most 4"),
    ],
)
def test_wrong_calls_get_a_sentence(words, problem):
    result = run(*words)

    assert result.exit_code == 2
    assert problem in result.stderr
    assert len(result.stderr.splitlines()) == 1
