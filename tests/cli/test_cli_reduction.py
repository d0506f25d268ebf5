"""`treelab discretize` and `treelab reduce`: what they print, draw and write, and how they end."""

import csv
import json
import re
import sys

import attrs
import numpy as np
import pytest
from called import done, run

import treelab as tl
from treelab import reduce
from treelab.cli.tables import as_csv
from treelab.data.folds import folds_by_content
from treelab.evaluate import before_after


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command", ["discretize", "reduce cases", "reduce features", "reduce size", "reduce"]
)
def test_every_command_helps_with_an_example(command):
    assert f"Example: treelab {command}" in done(*command.split(), "--help")


def test_reduce_alone_is_a_wrong_call_answered_with_help():
    result = run("reduce")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: treelab reduce")


# discretize


def test_discretize_prints_every_method():
    text = done("discretize", "iris", "--method", "mdlp,chimerge:alpha=0.05,max_intervals=3,ssv:4")
    iris = tl.load("iris")

    for spec in ("mdlp", "chimerge:alpha=0.05,max_intervals=3", "ssv:4"):
        method = tl.discretizer(spec)
        assert f"{method}\n{method.fit(iris).describe(iris)}\n" in text


def test_discretize_json_tells_cuts_and_shares():
    words = ("--feature", "petal width", "--method", "equal-width:2", "--json")
    (facts,) = json.loads(done("discretize", "iris", *words))

    assert facts["method"] == "equal-width:2"
    assert list(facts["features"]) == ["petal width"]
    width = facts["features"]["petal width"]
    assert width["cuts"] == [pytest.approx(1.3)]
    assert [row["cases"] for row in width["intervals"]] == [65, 85]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_discretize_draws_the_same_picture_every_time(folder, suffix):
    for name in ("a", "b"):
        words = ("--feature", "petal width", "--method", "mdlp,ssv:4", "-o", f"{name}.{suffix}")
        assert f"saved to {name}.{suffix}" in done("discretize", "iris", *words)
    first, second = ((folder / f"{name}.{suffix}").read_bytes() for name in "ab")

    assert first == second
    start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert first.startswith(start)


@pytest.mark.usefixtures("folder")
def test_discretize_writes_data_that_can_be_read():
    done("discretize", "iris", "--method", "mdlp", "-o", "cut.csv")
    again, iris = tl.read("cut.csv"), tl.load("iris")
    expected = tl.discretizer("mdlp").fit(iris).apply(iris)

    assert len(again) == 150
    for name in iris.features:
        labels = again.schema.features[again.schema.index(name)].labels
        wanted = expected.schema.features[expected.schema.index(name)].labels
        assert [labels[c] for c in again[name]] == [wanted[c] for c in expected[name]]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--method", "mdpl"], 2, "unknown discretizer 'mdpl': did you mean 'mdlp'?"),
        (["--feature", "petal"], 2, "unknown column 'petal'"),
        (["--feature", "class"], 2, "unknown column 'class'"),
        (["-o", "a.svg"], 2, "a picture shows one column: name it with --feature"),
        (["-o", "a.gif"], 2, "-o must end in .svg, .png, .pdf or .csv, got 'a.gif'"),
        (["-o", "a.csv", "--method", "mdlp,ssv"], 2, "only one method can discretize the data"),
        (["--method", "cuts:3;1"], 2, "the cut points of 'sepal length' must be finite"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_discretize_tells_what_is_wrong(words, status, message):
    result = run("discretize", "iris", *words)

    assert result.exit_code == status
    assert result.stderr.startswith(f"treelab: {message}")
    assert result.stderr.count("\n") == 1


def test_nominal_columns_cannot_be_cut():
    assert "no numeric column" in run("discretize", "lenses").stderr
    nominal = next(column.name for column in tl.load("labor").schema.features if column.is_nominal)
    result = run("discretize", "labor", "--feature", nominal)

    assert result.exit_code == 2
    assert "is nominal; only numeric columns can be cut" in result.stderr


def test_without_matplotlib_one_sentence_says_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("discretize", "iris", "--feature", "petal width", "-o", "a.svg")

    assert result.exit_code == 1
    expected = "treelab: a picture needs matplotlib: pip install 'treelab[report]'\n"
    assert result.stderr == expected
    assert not (folder / "a.svg").exists()


# reduce cases


@pytest.mark.parametrize(
    ("words", "sample"),
    [
        (["--size", 9], lambda data: reduce.random_sample(data, 9, seed=4)),
        (["--size", 9, "--replace"], lambda d: reduce.random_sample(d, 9, replace=True, seed=4)),
        (
            ["--method", "stratified", "--size", 0.1],
            lambda data: reduce.stratified(data, 0.1, seed=4),
        ),
        (["--method", "systematic", "--size", 0.1], lambda d: reduce.systematic(d, 10, seed=4)),
        (["--method", "window", "--size", 3], lambda data: reduce.windows(data, 3)[-1]),
        (
            ["--method", "inverse", "--size", 2, "--label", "Iris-setosa"],
            lambda data: reduce.inverse(data, "Iris-setosa", 2, seed=4),
        ),
    ],
)
def test_samples_are_those_of_the_library(words, sample):
    facts = json.loads(done("reduce", "cases", "iris", *words, "--seed", 4, "--json"))

    assert facts["rows"] == sample(tl.load("iris")).rows.tolist()
    assert facts["size"] == len(facts["rows"])


@pytest.mark.parametrize(("size", "cases"), [(40, 40), (100, 100), (0.7, 105)])
def test_systematic_samples_have_the_size_asked_for(size, cases):
    words = ("--method", "systematic", "--size", size, "--json")

    assert json.loads(done("reduce", "cases", "iris", *words))["size"] == cases


def test_a_sample_is_printed_as_csv():
    lines = done("reduce", "cases", "iris", "--size", 5).splitlines()

    assert lines[0] == "sepal length,sepal width,petal length,petal width,class"
    assert len(lines) == 6


@pytest.mark.usefixtures("folder")
def test_a_sample_is_written_and_read_again():
    text = done("reduce", "cases", "diabetes-pima", "--size", 0.5, "-o", "half.csv")
    half = reduce.random_sample(tl.load("diabetes-pima"), 0.5).data
    again = tl.read("half.csv")

    assert text == "384 cases of 768 saved to half.csv\n"
    for name in half.features:
        assert np.array_equal(again[name], half[name])


def test_incremental_sampling_draws_its_curve(folder):
    words = ("--method", "incremental", "--seed", 1)
    facts = json.loads(done("reduce", "cases", "iris", *words, "--json"))
    text = done("reduce", "cases", "iris", *words, "--picture", "curve.svg")
    curve = reduce.incremental(tl.load("iris"), tl.Learner(seed=1).fit, seed=1)

    assert [step["error"] for step in facts["steps"]] == [step.error for step in curve.steps]
    assert facts["rows"] == curve.sample.rows.tolist()
    assert len(text.splitlines()) == 8
    assert (folder / "curve.svg").read_bytes().startswith(b"<?xml")


def test_two_stage_samples_are_those_of_the_library():
    words = (
        "reduce",
        "cases",
        "iris",
        "--method",
        "two-stage",
        "--by",
        "petal length",
        "--eps",
        0.5,
    )
    facts = json.loads(done(*words, "--size", 20, "--seed", 3, "--json"))
    found = reduce.two_stage(tl.load("iris"), "petal length", 0.5, pilot=20, seed=3)

    assert facts["rows"] == found.sample.rows.tolist()
    result = run(*words[:5])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "two-stage sampling needs --by, a column, and --eps" in result.stderr


def test_average_sampling_tells_the_error_of_the_vote():
    words = ("reduce", "cases", "iris", "--method", "average", "--samples", 3, "--size", 0.5)
    facts = json.loads(done(*words, "--seed", 1, "--json"))
    data = tl.load("iris")
    held_out = folds_by_content(data, 3, 1) == 0
    test, rest = data.take(held_out), data.take(~held_out)
    learn = tl.Learner(seed=1).fit
    vote = reduce.average_sampling(rest, learn, samples=3, size=0.5, seed=1)

    wrong = [(model.predict(test) != test.labels).mean() for model in (learn(rest), vote)]
    assert facts["errors"] == pytest.approx(wrong)
    assert facts["cases"] == [100, 50]
    assert "a vote of 3" in done(*words)
    assert run(*words, "-o", "x.csv").exit_code == 2


# reduce features


@pytest.mark.parametrize("method", ["means", "correlation", "elimination", "relief", "entropy"])
def test_features_are_those_of_the_library(method):
    facts = json.loads(done("reduce", "features", "wine", "--method", method, "-k", 3, "--json"))
    judged = reduce.features(tl.load("wine"), method, k=3)

    assert facts["kept"] == list(judged.kept)
    assert facts["scores"] == dict(judged.scores)
    assert len(facts["kept"]) == 3


def test_features_print_a_ranking():
    lines = done("reduce", "features", "iris", "--method", "relief", "--threshold", 0.045)

    assert [line.split("  ")[0] for line in lines.splitlines()[1:5]] == list(
        reduce.relief(tl.load("iris")).ranking
    )
    assert lines.count("kept\n") == 2
    assert lines.endswith("kept  2 features\n")


def test_values_are_printed_or_written(folder):
    text = done("reduce", "values", "iris", "--method", "labels", "--labels", "low,mid,high")
    found = reduce.values(tl.load("iris"), "labels", labels=["low", "mid", "high"])
    words = np.array(["low", "mid", "high"])[found["petal width"]]
    assert [line.split(",")[3] for line in text.splitlines()[1:]] == words.tolist()

    said = done("reduce", "values", "iris", "--discretizer", "equal-width:3", "-o", "v.csv")
    assert said == "123 different numbers became 12; saved to v.csv\n"
    assert len(np.unique(tl.read(folder / "v.csv")["petal length"])) == 3
    facts = json.loads(done("reduce", "values", "iris", "--method", "rounding", "--json"))
    assert facts["values"]["petal length"] == [43, 43]


@pytest.mark.parametrize("method", ["elimination", "dm", "pca"])
def test_missing_numbers_are_filled_in_on_request(method):
    words = ("reduce", "features", "hepatitis", "--method", method)
    words = (*words, "-k", 2) if method != "pca" else words
    result = run(*words)
    assert result.exit_code != 0
    assert "missing values; fill them in first" in result.stderr

    text = done(*words, "--fill", "mean")
    holes = reduce.filling(tl.load("hepatitis"), "mean")
    assert f"filled in  {holes}" in text
    facts = json.loads(done(*words, "--fill", "mean", "--json"))
    assert facts["fill"] == "mean"


def test_trees_are_compared_before_and_after():
    words = ("reduce", "features", "iris", "--method", "correlation", "-k", 1, "--before-after")
    text = done(*words)
    facts = json.loads(done(*words, "--json"))["before_after"]
    found = before_after(
        tl.load("iris"),
        lambda data: reduce.features(data, "correlation", k=1).apply(data),
        tl.Learner(),
    )

    for when in ("before", "after"):
        assert facts[when].pop("seconds") > 0
        card = attrs.asdict(getattr(found, when))
        del card["seconds"]
        assert facts[when] == card
    assert [line.split() for line in text.splitlines() if line.startswith("features")] == [
        ["features", "4", "1"]
    ]


def test_a_file_of_the_class_alone_is_not_written(folder):
    result = run(
        "reduce", "features", "iris", "--method", "relief", "--threshold", 9, "-o", "n.csv"
    )

    assert result.exit_code == 2
    assert "no feature is kept: the best, " in result.stderr
    assert not (folder / "n.csv").exists()


def test_sets_of_features_by_dm():
    facts = json.loads(done("reduce", "features", "iris", "--method", "dm", "-k", 2, "--json"))

    assert facts["kept"] == list(reduce.best_by_dm(tl.load("iris"), 2))


def test_components_are_written_and_drawn(folder):
    words = ("--method", "pca", "--threshold", 0.9, "--picture", "scree.png", "-o", "c.csv")
    done("reduce", "features", "iris", *words)
    with (folder / "c.csv").open() as lines:
        header, *rows = csv.reader(lines)

    assert header == ["component 1", "component 2", "class"]
    assert len(rows) == 150
    assert (folder / "scree.png").read_bytes().startswith(b"\x89PNG")


def test_an_infinite_score_is_a_word_in_json(folder):
    (folder / "d.csv").write_text("a,c\n1,x\n1,x\n2,y\n2,y\n")

    assert json.loads(done("reduce", "features", "d.csv", "--json"))["scores"] == {"a": "inf"}


# reduce size


@pytest.mark.parametrize(
    ("words", "cases"),
    [
        (["--eps", 0.05], 385),
        (["--eps", 0.05, "--population", 1000], 278),
        (["--eps", 0.05, "--method", "chebyshev"], 2000),
        (["--eps", 0.05, "--method", "hoeffding"], 738),
        (["--eps", 0.5, "--delta", 0.01, "--variance", 4], 107),
        (["--eps", 0.02, "--delta", 0.1, "--share", 0.1], 609),
    ],
)
def test_sizes_are_those_of_the_book(words, cases):
    assert done("reduce", "size", *words) == f"{cases:,} cases\n"
    assert json.loads(done("reduce", "size", *words, "--json"))["cases"] == cases


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["cases", "iris", "--method", "randon"], 2, "method must be one of 'random'"),
        (["cases", "iris", "--size", 151], 2, "size must be at most the number of cases, 150"),
        (["cases", "iris", "--method", "inverse"], 2, "inverse sampling needs a --label"),
        *(
            (
                ["cases", "iris", "--method", "inverse", "--label", "Iris-setosa", "--size", size],
                2,
                f"k must be a whole number of at least 1, got {size}",
            )
            for size in ("inf", "nan", "2.5")
        ),
        (["cases", "iris", "--picture", "a.svg"], 2, "--picture goes with --method incremental"),
        (["cases", "nothing.csv"], 2, "there is no file 'nothing.csv'"),
        (["features", "iris", "--method", "x"], 2, "method must be one of 'means'"),
        (
            ["features", "iris", "-k", 9],
            2,
            "k must be at most the number of judged",
        ),
        (["features", "iris", "--method", "dm"], 2, "method 'dm' needs k"),
        (["features", "hepatitis", "--method", "pca"], 1, "column "),
        (
            ["features", "iris", "--method", "pca", "--picture", "a.gif"],
            2,
            "a picture ends in .svg, .png or .pdf, got 'a.gif'",
        ),
        (["size", "--eps", 0], 2, "eps must be above 0 and delta between 0 and 1"),
        (["size", "--eps", 1, "--share", 1, "--width", 2], 2, "--share is of a proportion"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_wrong_calls_get_a_sentence(words, status, message):
    result = run("reduce", *words)

    assert result.exit_code == status
    assert re.match(rf"treelab: {re.escape(message)}[^\n]*\n$", result.stderr)
    assert result.stdout == ""


def test_data_as_csv_keep_missing_labels_and_weights():
    schema = tl.Schema((tl.Column("x"), tl.Column("n", ("a,b", "c"))), tl.Column("y", ("p", "q")))
    data = tl.Dataset.of(schema, [[0.1, np.nan, 3.0], [0, -1, 1]], [0, 1, -1], [1, 2.5, 1])

    assert as_csv(data) == 'x,n,weight,y\n0.1,"a,b",1,p\n,,2.5,q\n3,c,1,\n'


@pytest.mark.parametrize("label", ["?", "NA", "", " nan "])
@pytest.mark.parametrize("column", ["x", "y"])
def test_labels_that_would_be_lost_in_csv_are_refused(folder, label, column):
    values = {"x": "u", "y": "v"} | {column: f"'{label}'"}
    declared = "".join(f"@attribute {name} {{{value},w}}\n" for name, value in values.items())
    rows = f"{values['x']},{values['y']}\nw,w\n" * 5
    (folder / "q.arff").write_text(f"@relation q\n{declared}@data\n{rows}")
    result = run("reduce", "cases", "q.arff", "--size", 10, "-o", "q.csv")

    said = f"column {column!r} has the label {label!r}, which in CSV means missing"
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"treelab: {said}; rename it in the data\n"
    assert not (folder / "q.csv").exists()


def test_weights_of_no_column_take_a_name_that_is_free():
    schema = tl.Schema((tl.Column("weight"),), tl.Column("weight_", ("p",)))
    data = tl.Dataset.of(schema, [[0.5]], [0], [2])

    assert as_csv(data) == "weight,weight__,weight_\n0.5,2,p\n"


@pytest.mark.parametrize(
    "command",
    [
        ["reduce", "cases", "d.csv", "--size", 12],
        ["reduce", "cases", "d.csv", "--method", "incremental"],
        ["reduce", "features", "d.csv", "-k", 1, "--method", "means"],
        ["select", "d.csv", "-k", 1],
        ["discretize", "d.csv"],
    ],
    ids=lambda words: " ".join(map(str, words[:2])),
)
@pytest.mark.parametrize("weight", [1, 2])
def test_weights_can_be_read_again_from_data_that_were_written(folder, command, weight):
    rows = "".join(f"{x % 2},{weight},{'ab'[x % 2]}\n" for x in range(24))
    (folder / "d.csv").write_text(f"weight,w,class\n{rows}")
    done(*command, "--weights", "w", "-o", "out.csv")
    again = tl.read("out.csv", weights="w")

    assert (again.features, again.target) == (("weight",), "class")
    assert set(again.weights) == {weight}
    assert "leaves" in done("train", "out.csv", "--weights", "w")
