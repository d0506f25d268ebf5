"""The command line: what it prints where, how it ends, what it leaves behind."""

import contextlib
import csv
import io
import json
import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import attrs
import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.cli.inputs import split_names, split_specs
from treelab.tree.settings import READ

FULL = Path("/dev/full")
PYTHON = (sys.executable, "-m", "treelab")
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

WEATHER = """\
outlook,level,wind,play
sunny,1,3.5,"no, never"
sunny,1,,"no, never"
sunny,?,7.25,"say ""yes"" now"
rainy,2,1.5,"say ""yes"" now"
rainy,2,2.5,"say ""yes"" now"
rainy,3,9.5,"no, never"
sunny,3,8.5,"no, never"
rainy,1,0.5,"say ""yes"" now"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory with the weather in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weather.csv").write_text(WEATHER)
    return tmp_path


@pytest.fixture
def model(folder):
    """A saved tree of the weather, whose levels are labels."""
    done("train", "weather.csv", "--nominal", "level", "--pruner", "none", "-o", "m.json")
    return folder / "m.json"


def run(*arguments):
    return CliRunner().invoke(app, [str(word) for word in arguments], prog_name="treelab")


def done(*arguments):
    """Run a command that must succeed and return what it prints."""
    result = run(*arguments)

    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def outside(*arguments, **settings):
    """Run a command in a process of its own."""
    paths = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | settings
    return subprocess.run(
        [*PYTHON, *arguments], env=environment, text=True, timeout=60, check=False, **pipes
    )


def rows_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


# The program


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


# train


def test_train_prints_tree_size_and_accuracy():
    text = done("train", "lenses", "--metric", "gain", "--min-branch", "1", "--pruner", "none")
    tree = tl.grow(tl.load("lenses"), "gain", min_branch=1, pruner="none")

    assert text.startswith(f"{tree}\n\n")
    assert f"{tree.n_leaves} leaves, {tree.n_nodes} nodes, depth {tree.depth}\n" in text
    assert "training accuracy  100.0 % (24 of 24 cases)" in text


def test_train_without_options_is_the_learner_without_options():
    facts = json.loads(done("train", "iris", "--json"))

    assert facts["learner"] == repr(tl.Learner())
    assert facts["leaves"] == tl.Learner().fit(tl.load("iris")).n_leaves


@pytest.mark.usefixtures("folder")
def test_train_passes_every_setting_on():
    settings = {
        "metric": "gini", "discretizer": "equal-width:3", "pruner": "pessimistic:cf=0.1",
        "missing": "branch", "splits": "binary", "bins": 8, "cuts": "c45", "unseen": "rest",
        "min_cases": 3.0, "min_branch": 2.0, "max_depth": 4, "max_leaves": 9,
        "cut_metric": "chi2", "search": "beam", "width": 2, "seed": 7, "probabilities": "laplace",
    }  # fmt: skip
    words = [w for key, v in settings.items() for w in (f"--{key.replace('_', '-')}", v)]
    facts = json.loads(done("train", "weather.csv", *words, "--json"))

    assert facts["learner"] == repr(tl.Learner(**settings))
    # Those that are values of their own have options of other names: `test_cli_measures.py`.
    assert {*settings, *READ} == {field.name for field in attrs.fields(tl.Learner)}


def test_train_with_a_preset_and_what_changes_it():
    facts = json.loads(done("train", "iris", "--preset", "j48:pruned=false", "--json"))
    changed = json.loads(done("train", "iris", "--preset", "c45", "--max-depth", 1, "--json"))

    assert facts["learner"] == repr(tl.j48(pruned=False))
    assert changed["learner"] == repr(attrs.evolve(tl.c45(), max_depth=1))


def test_an_unknown_preset_is_a_wrong_call():
    result = run("train", "iris", "--preset", "j84")

    assert result.exit_code == 2
    assert "unknown preset 'j84': did you mean 'j48'?" in result.stderr


@pytest.mark.parametrize("spec", ["exor,n=2,m=1,cases=60,seed=7", "exor:n=2,m=1,cases=60,seed=7"])
def test_train_on_data_made_to_order(spec):
    data = tl.make("exor", n=2, m=1, cases=60, seed=7)

    assert done("train", f"make:{spec}", "--metric", "relieff").startswith(
        f"{tl.grow(data, 'relieff')}\n\n"
    )


@pytest.mark.usefixtures("folder")
def test_predict_data_made_to_order():
    done("train", "make:parity,n=2,m=1", "--metric", "relieff", "-o", "p.json")
    result = run("predict", "p.json", "make:parity,n=2,m=1,cases=50,seed=1")

    assert result.stderr == "accuracy 100.0 % (50 of 50 cases)\n"


def test_train_cross_validates_as_the_library_does():
    text = done("train", "iris", "--folds", 5, "--seed", 3)
    result = tl.cross_validate(tl.load("iris"), tl.Learner(seed=3).fit, 5, 3)

    assert f"5-fold accuracy    {100 * result.accuracy:.1f} % (sd " in text
    assert f"{result.leaves:.1f} leaves" in text


def test_train_json_tells_the_folds():
    facts = json.loads(done("train", "iris", "--folds", 3, "--json"))
    result = tl.cross_validate(tl.load("iris"), tl.Learner().fit, 3)

    assert facts["cross_validation"]["accuracies"] == result.of("accuracy").tolist()
    assert facts["classes"] == list(tl.load("iris").classes)


@pytest.mark.usefixtures("folder")
def test_train_quietly_prints_nothing_and_saves():
    assert done("train", "iris", "--folds", 2, "-o", "m.json", "--quiet") == ""
    assert tl.Tree.load("m.json") == tl.grow(tl.load("iris"))


def test_train_shows_a_large_tree_in_part():
    text = done("train", "tic-tac-toe", "--pruner", "none")
    tree = tl.grow(tl.load("tic-tac-toe"), pruner="none")

    assert tree.n_nodes > 100
    assert len(text.splitlines()) < 70
    assert "treelab show model.json" in text


def test_train_reads_columns_as_told(folder):
    (folder / "w.csv").write_text("a,b,w,c\n1,u,2,x\n2,v,1,y\n1,u,0.5,x\n")
    words = ("--target", "b", "--nominal", "a, c", "--weights", "w", "-o", "m.json")
    text = done("train", "w.csv", *words)
    tree = tl.Tree.load("m.json")

    assert [column.kind for column in tree.schema.features] == ["nominal", "nominal"]
    assert tree.features == ("a", "c")
    assert "(2.5 of 3.5 cases)" in text


def test_cases_without_weight_make_no_fold(folder):
    (folder / "w.csv").write_text("a,w,c\n1,0,x\n2,1,y\n3,1,x\n4,0,x\n5,0,y\n")
    words = ("--weights", "w", "--folds", 2, "--json")

    assert json.loads(done("train", "w.csv", *words))["cross_validation"]["folds"] == 2
    assert "number of cases, 2" in run("train", "w.csv", "--weights", "w", "--folds", 3).stderr


def test_a_file_comes_before_a_bundled_data_set(folder):
    (folder / "iris").mkdir()
    assert json.loads(done("train", "iris", "--json"))["cases"] == 150
    (folder / "iris").rmdir()
    (folder / "iris").write_text("a,c\n1,x\n2,y\n")

    result = run("train", "iris")

    assert result.exit_code == 2  # the file is taken, and its suffix tells no format
    assert "file suffix" in result.stderr


def test_names_of_columns_come_in_lists():
    assert split_names(["a, b", '"c,d"', ""]) == ["a", "b", "c,d"]


# predict and show


def test_round_trip_of_labels_that_look_like_numbers_and_missing_values(model):
    tree, data = tl.Tree.load(model), tl.read("weather.csv", nominal=["level"])
    result = run("predict", model, "weather.csv")
    header, *rows = rows_of(result.stdout)

    assert tree == tl.grow(data, pruner="none")
    assert header == ["prediction"]
    assert [row[0] for row in rows] == tree.predict(data).tolist()
    right = sum(tree.predict(data) == data.labels)
    assert result.stderr == f"accuracy {100 * right / 8:.1f} % ({right} of 8 cases)\n"


def test_predict_needs_no_target(model):
    lines = WEATHER.splitlines()
    without = "\n".join(",".join(line.split(",")[:3]) for line in lines) + "\n"
    (model.parent / "new.csv").write_text(without)

    assert rows_of(done("predict", model, "new.csv")) == rows_of(
        run("predict", model, "weather.csv").stdout
    )


def test_predict_writes_probabilities_of_every_class(model):
    run("predict", model, "weather.csv", "--proba", "-o", "out.csv")
    with (model.parent / "out.csv").open(newline="") as lines:
        header, *rows = csv.reader(lines)
    tree, data = tl.Tree.load(model), tl.read("weather.csv", nominal=["level"])

    assert header == ["prediction", "p(no, never)", 'p(say "yes" now)']
    assert [[float(x) for x in row[1:]] for row in rows] == tree.predict_proba(data).tolist()


def test_predict_json(model):
    facts = json.loads(run("predict", model, "weather.csv", "--proba", "--json").stdout)

    assert facts["classes"] == ["no, never", 'say "yes" now']
    assert len(facts["predictions"]) == len(facts["probabilities"]) == 8
    assert 0.5 < facts["accuracy"] <= 1


def test_predict_writes_half_a_surrogate_pair_where_it_can_be_written(model):
    model.write_text(model.read_text().replace('"no, never"', r'"\ud800"'))
    text = run("predict", model, "weather.csv", "-o", "out.csv")
    done_so = run("predict", model, "weather.csv", "--json", "-o", "out.json")

    what = "it would hold half a surrogate pair, which is no text"
    assert (text.exit_code, text.stderr) == (1, f"treelab: cannot write out.csv: {what}\n")
    assert done_so.exit_code == 0
    assert "\ud800" in json.loads((model.parent / "out.json").read_text())["predictions"]


@pytest.mark.usefixtures("folder")
def test_predict_knows_the_bundled_data():
    done("train", "zoo", "-q", "-o", "m.json")
    result = run("predict", "m.json", "zoo")

    assert len(result.stdout.splitlines()) == 102
    assert result.stderr.endswith(" of 101 cases)\n")


@pytest.mark.usefixtures("folder")
def test_probabilities_are_those_of_training_or_of_the_call():
    done("train", "zoo", "--probabilities", "laplace", "-q", "-o", "m.json")
    data, tree = tl.load("zoo"), tl.Tree.load("m.json")

    assert tree.probabilities == "laplace"
    assert tree == tl.grow(data, probabilities="laplace")
    for options in ((), ("--probabilities", "shrunk:lambda=3")):
        found = json.loads(run("predict", "m.json", "zoo", "--proba", "--json", *options).stdout)
        expected = tree.with_probabilities(options[1]) if options else tree
        assert found["probabilities"] == expected.predict_proba(data).tolist()
        assert found["predictions"] == expected.predict(data).tolist()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("shrnk", "unknown kind of probabilities 'shrnk': did you mean 'shrunk'?"),
        ("shrunk:lambda=-1", "lambda must be a number of at least 0, got -1"),
        ("laplace:2", "has no parameters, got '2'"),
    ],
)
def test_wrong_probabilities_are_refused_by_training_and_prediction(spec, said):
    done("train", "zoo", "-q", "-o", "m.json")
    for command in (("train", "zoo"), ("predict", "m.json", "zoo")):
        result = run(*command, "--probabilities", spec)
        assert result.exit_code == 2
        assert said in result.stderr
        assert result.stderr.count("\n") == 1


def test_show_prints_the_tree_and_how_it_was_made(model):
    tree = tl.Tree.load(model)
    text = done("show", model)

    assert text.startswith(f"{tree}\n\n")
    assert tree.learner in text


def test_no_name_of_a_model_or_of_data_commands_the_terminal(model):
    escape = "\x1b[31m"
    text, weather = model.read_text(), WEATHER
    text = text.replace('"pruner": "none"', '"pruner": {"repr": "mine"}')
    for word in ("sunny", "outlook", "level", "no, never", "mine"):
        text = text.replace(f'"{word}', f'"\\u001b[31m{word}')
        weather = weather.replace(word, f"{escape}{word}")
    model.write_text(text)
    Path("e.csv").write_text(weather)
    said = [
        done("show", model),
        done("train", "e.csv", "--pruner", "none"),
        done("why", model, "e.csv"),
        done("rank", "e.csv"),
        run("train", "e.csv", "--target", "x").stderr,
        on_terminal("stdout", "why", model, "e.csv")[1],
    ]

    assert escape in tl.Tree.load(model).learner
    for each in said:
        assert escape not in each
        assert r"\x1b[31m" in each
    assert escape in json.loads(done("show", model, "--json"))["learner"]
    assert f"{escape}outlook,{escape}level" in done("reduce", "cases", "e.csv", "--size", 8)


@pytest.mark.usefixtures("folder")
def test_show_to_a_depth_keeps_the_lines_above():
    done("train", "voting", "-q", "-o", "m.json")
    tree = tl.Tree.load("m.json")
    lines = done("show", "m.json", "--max-depth", 2).splitlines()

    assert len(lines[: lines.index("")]) == (tree.depths <= 2).sum()
    assert any(line.endswith(" ...") for line in lines)
    assert not any(line.startswith("|   |   ") for line in lines)


def test_show_json_links_the_nodes(model):
    tree = tl.Tree.load(model)
    facts = json.loads(done("show", model, "--json"))

    assert [node["number"] for node in facts["nodes"]] == list(range(tree.n_nodes))
    assert facts["nodes"][0]["parent"] is None
    branches = [node["branch"] for node in facts["nodes"] if node["parent"] == 0]
    assert branches == list(tree.root.branch_labels)


@pytest.mark.usefixtures("folder")
def test_show_names_the_paths_that_why_takes():
    done("train", "lenses", "--metric", "gain", "--splits", "multiway", "-q", "-o", "m.json")
    tree = tl.Tree.load("m.json")
    lines = done("show", "m.json", "--paths").splitlines()
    lines = lines[: lines.index("")]

    assert lines[0] == f"[root] {str(tree).splitlines()[0]}"
    assert lines[3].startswith("|   [0.1] astigmatic = yes")
    assert len(lines) == tree.n_nodes
    for line in lines[1:]:
        path = line[line.index("[") + 1 : line.index("]")]
        *above, last = map(int, path.split("."))
        assert f"] {tree.node(above).branch_labels[last]}" in line


# why


@pytest.fixture
def lenses(folder):
    """What the library says of a node of a tree, which is saved in the folder."""
    assert folder == Path.cwd()
    done("train", "lenses", "--metric", "gain", "--splits", "multiway", "-q", "-o", "m.json")
    return tl.why(
        tl.Tree.load("m.json"), "0", ["gain", "relieff:k=3,ties=first"], tl.load("lenses")
    )


WHY = ("why", "m.json", "lenses", "--node", "0", "--metrics", "gain,relieff:k=3,ties=first")


def test_why_prints_what_the_library_says(lenses):
    text = done(*WHY)

    assert text == f"{lenses}\n"
    assert "*  astigmatic = no " in text


def test_why_json_and_csv(lenses):
    assert json.loads(done(*WHY, "--json")) == lenses.to_dict()
    rows = rows_of(done(*WHY, "--csv"))
    assert rows[0] == list(lenses.columns())
    assert [row[1] for row in rows[1:]] == [option.split for option in lenses.options]


def test_why_shows_so_many(lenses):
    assert json.loads(done(*WHY, "--json", "-n", 1)) == lenses.top(1).to_dict()


@pytest.mark.usefixtures("folder")
def test_why_asks_all_metrics_of_all_candidates():
    done("train", "iris", "-q", "-o", "m.json")
    facts = json.loads(done("why", "m.json", "iris", "--metrics", "all", "--all", "--json"))

    assert facts["metrics"] == tl.metric_names()
    assert len(facts["candidates"]) == facts["n_candidates"] == 113
    assert facts["path"] == []


def test_why_reads_the_data_as_they_were_read_in_training(folder):
    (folder / "w.csv").write_text("a,level,n,y\nx,1,2,p\nx,2,1,q\nz,1,3,q\nz,3,2,q\nx,1,2,p\n")
    train = ("train", "w.csv", "--weights", "n", "--nominal", "level", "--pruner", "none")
    done(*train, "-q", "-o", "m.json")
    facts = json.loads(done("why", "m.json", "w.csv", "--weights", "n", "--json"))

    assert facts["same_data"]
    assert facts["classes"] == {"p": 4.0, "q": 6.0}
    assert not json.loads(done("why", "m.json", "w.csv", "--json"))["same_data"]


def test_specifications_come_in_lists():
    assert split_specs(["gain, relieff:k=3,ties=first", "pi"]) == [
        "gain",
        "relieff:k=3,ties=first",
        "pi",
    ]
    assert split_specs(["mdlp,bins:3,by=mode,ssv:4", "mdlp"]) == ["mdlp", "bins:3,by=mode", "ssv:4"]
    assert split_specs(["gain,normalized:gini,summary=z,normalized:metric=relieff:k=5,rounds=3,pi"]
                       ) == ["gain", "normalized:gini,summary=z",
                             "normalized:metric=relieff:k=5,rounds=3", "pi"]  # fmt: skip
    assert split_specs(["normalized:summary=z,metric=relieff:k=5"]) == [
        "normalized:summary=z,metric=relieff:k=5"
    ]
    assert split_specs(["k=3"]) == ["k=3"]
    assert split_specs(None) == []


# The lists


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


# Wrong calls and failures

TRAIN = ("train", "weather.csv", "-o", "new.json")


WRONG_CALLS = [
    ((*TRAIN, "--metric", "normalized:gan"), "unknown metric 'gan': did you mean 'gain'?"),
    ((*TRAIN, "--metric", "normalized:relieff"), "either sign by chance"),
    ((*TRAIN, "--metric", "normalized:relieff:kk=3,summary=z"), "'relieff' 'kk'"),
    ((*TRAIN, "--metric", "normalized:gain,of=cut"), "of must be one of 'candidate'"),
    ((*TRAIN, "--metric", "pi:theta=0/0/1"), "theta must be four numbers, got (0, 0, 1)"),
    (("nonsense",), "nonsense"),
    (("train",), "DATA"),
    ((*TRAIN, "--metrc", "gain"), "--metrc"),
    ((*TRAIN, "more"), "more"),
    ((*TRAIN, "--metric", "gini-"), "did you mean 'gini'?"),
    ((*TRAIN, "--metric", "gini:5"), "gini"),
    ((*TRAIN, "--discretizer", "equal-widht"), "did you mean 'equal-width'?"),
    ((*TRAIN, "--discretizer", "equal-width:x"), "bins"),
    ((*TRAIN, "--pruner", "pesimistic"), "did you mean 'pessimistic'?"),
    ((*TRAIN, "--pruner", "pessimistic:cf=7"), "cf"),
    ((*TRAIN, "--missing", "brunch"), "did you mean 'branch'?"),
    ((*TRAIN, "--splits", "binray"), "did you mean 'binary'?"),
    ((*TRAIN, "--bins", "1"), "bins"),
    ((*TRAIN, "--bins", "many"), "--bins"),
    ((*TRAIN, "--min-cases", "0"), "min_cases"),
    ((*TRAIN, "--max-depth", "-1"), "max_depth"),
    ((*TRAIN, "--folds", "1"), "folds"),
    ((*TRAIN, "--folds", "99"), "folds"),
    ((*TRAIN, "--target", "plya"), "did you mean 'play'?"),
    ((*TRAIN, "--nominal", "outlok"), "did you mean 'outlook'?"),
    ((*TRAIN, "--numeric", "levle"), "did you mean 'level'?"),
    ((*TRAIN, "--weights", "wnd"), "did you mean 'wind'?"),
    (("train", "irsi", "-o", "new.json"), "no file 'irsi' and no bundled data set"),
    (("train", "irsi", "-o", "new.json"), "did you mean 'iris'?"),
    (("train", "", "-o", "new.json"), "no file ''"),
    (("train", "iris", "--target", "x", "-o", "new.json"), "is a bundled data set"),
    (("train", "weather.csv", "-o", "weather.csv"), "overwrite"),
    (("predict", "m.json", "weather.csv", "-o", "m.json"), "overwrite"),
    (("predict", "m.json", "irsi"), "did you mean 'iris'?"),
    (("show", "m.json", "--max-depth", "-1"), "--max-depth"),
    (("datasets", "irsi"), "did you mean 'iris'?"),
    (("datasets", "make:exr"), "did you mean 'exor'?"),
    (("metrics", "--json", "--markdown"), "exclude each other"),
    (("train", "make:", "-o", "new.json"), "unknown generator ''"),
    (("train", "make:exr,n=3", "-o", "new.json"), "did you mean 'exor'?"),
    (("train", "make:exor,case=9", "-o", "new.json"), "did you mean 'cases'?"),
    (("train", "make:exor,n=three", "-o", "new.json"), "whole number of at least 1, got 'three'"),
    (("train", "make:exor", "--target", "X1", "-o", "new.json"), "is a generated data set"),
    (("show", "none.json"), "cannot read none.json: there is no such file"),
    (("predict", "none.json", "weather.csv", "-o", "new.csv"), "cannot read none.json"),
    (("render", "none.json", "-o", "new.svg"), "cannot read none.json"),
    (("export", "none.json", "--to", "text"), "cannot read none.json"),
    (("why", "none.json", "weather.csv"), "cannot read none.json"),
    (("train", "iris", "--discretizer", "cuts:2;1", "-o", "new.json"), "must be finite and asc"),
    (("why", "m.json"), "DATA"),
    (("why", "m.json", "weather.csv", "--metrics", "gian"), "unknown metric 'gian'"),
    (("why", "m.json", "weather.csv", "--node", "7"), "no node 7: node root has branches 0 ("),
    (("why", "m.json", "weather.csv", "--node", "left"), "such as '0.2.1', or by 'root', got"),
    (("why", "m.json", "weather.csv", "--node", "1"), "is a leaf, where nothing is split"),
    (("why", "m.json", "weather.csv", "--csv", "--json"), "exclude each other"),
    (("why", "m.json", "weather.csv", "-n", "0"), "--top"),
    (("why", "m.json", "weather.csv", "--weights", "wnd"), "did you mean 'wind'?"),
    (("why", "m.json", "iris", "--weights", "wind"), "is a bundled data set"),
]

FAILURES = [
    (("show", "folder"), "cannot read folder"),
    (("train", "broken.csv", "-o", "new.json"), "broken.csv, line 3"),
    (("train", "empty.csv", "-o", "new.json"), "empty"),
    (("train", "folder", "-o", "new.json"), "directory"),
    ((*TRAIN, "--numeric", "outlook"), "'sunny' is not a number"),
    (("train", "weather.csv", "-o", "none/m.json"), "no folder none"),
    (("train", "weather.csv", "-o", "folder"), "not a plain file"),
    (("train", "weather.csv", "-o", os.devnull), "not a plain file"),
    (("show", "weather.csv"), "not a treelab model"),
    (("show", "cut.json"), "cut.json"),
    (("predict", "cut.json", "weather.csv", "-o", "new.csv"), "cut.json"),
    (("predict", "m.json", "other.csv", "-o", "new.csv"), "did you mean 'levels'?"),
    (("predict", "m.json", "words.csv", "-o", "new.csv"), "'strong' is not a number"),
    (("predict", "m.json", "iris", "-o", "new.csv"), "the tree needs a column"),
    (("predict", "m.json", "weather.csv", "-o", "none/new.csv"), "no folder none"),
    (("why", "m.json", "iris"), "need the target 'play'"),
    (("why", "m.json", "other.csv"), "did you mean 'levels'?"),
    (("why", "m.json", "untold.csv"), "target"),
]


@pytest.fixture
def mess(model):
    """The weather, its tree, and all kinds of files that are no good."""
    folder = model.parent
    (folder / "folder").mkdir()
    (folder / "broken.csv").write_text("a,b,c\n1,2,x\n1,2\n")
    (folder / "empty.csv").write_text("")
    (folder / "cut.json").write_text(model.read_text()[:-20])
    (folder / "other.csv").write_text("outlook,levels,wind\nsunny,1,2\n")
    (folder / "untold.csv").write_text("outlook,level,wind\nsunny,1,2\n")
    (folder / "words.csv").write_text("outlook,level,wind\nsunny,1,strong\n")
    return folder


def contents(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def complaint(folder, arguments):
    """Run a command that must fail, and return its exit code and its only line."""
    before = contents(folder)
    result = run(*arguments)
    lines = result.stderr.splitlines()

    assert result.stdout == ""
    assert len(lines) == 1
    assert lines[0].startswith("treelab: ")
    assert contents(folder) == before
    return result.exit_code, lines[0]


@pytest.mark.parametrize(("arguments", "words"), WRONG_CALLS)
def test_wrong_calls_end_with_2_and_one_sentence(mess, arguments, words):
    status, line = complaint(mess, arguments)

    assert status == 2
    assert words in line


@pytest.mark.parametrize(("arguments", "words"), FAILURES)
def test_failures_end_with_1_and_one_sentence(mess, arguments, words):
    status, line = complaint(mess, arguments)

    assert status == 1
    assert words in line


def test_an_interrupt_is_quiet(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("treelab.data.bundled.dataset_names", interrupt)
    result = run("datasets")

    assert (result.exit_code, result.output) == (130, "")


def test_what_the_system_refuses_is_one_sentence(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied", "some.csv")

    monkeypatch.setattr("treelab.data.bundled.dataset_names", refuse)
    result = run("datasets")

    assert (result.exit_code, result.stderr) == (1, "treelab: some.csv: Permission denied\n")


# In a process of its own


@pytest.mark.usefixtures("model")
def test_results_and_remarks_part_ways():
    result = outside("predict", "m.json", "weather.csv")

    assert result.returncode == 0
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


def on_terminal(stream, *arguments):
    """Run a command, one of its streams being a terminal; return also what that showed.

    It is read while the command runs: a terminal that nobody reads is soon full, and blocks.
    """
    above, below = pty.openpty()
    pieces = []

    def read():
        with contextlib.suppress(OSError):  # nobody writes to the terminal any more
            while piece := os.read(above, 1 << 16):
                pieces.append(piece)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        result = outside(*arguments, **{stream: below})
    finally:
        os.close(below)
        reader.join()
        os.close(above)
    return result, b"".join(pieces).decode()


def test_progress_is_for_a_terminal_on_standard_error_only():
    result, shown = on_terminal("stderr", "train", "iris", "--folds", "3", "--json")

    assert json.loads(result.stdout)["cross_validation"]["folds"] == 3
    assert "folds" in shown


def test_no_progress_without_a_terminal():
    assert outside("train", "iris", "--folds", "3").stderr == ""


def test_a_table_on_a_terminal_fits_and_is_drawn():
    result, shown = on_terminal("stdout", "metrics")

    assert result.returncode == 0
    assert "─" in shown
    assert "[0, 1]" in shown
