"""`treelab predict` and `treelab show`."""

import csv
import json
from pathlib import Path

import pytest
from called import WEATHER, done, on_terminal, rows_of, run

import treelab as tl


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
