"""Trees: grown, edited, undone, kept and restored; the same bytes as without the lab."""

import json
import os
import subprocess
import sys

import pytest

import treelab as tl
from treelab.tree.file import dumps
from treelab.writers.export_tree import export_tree_of
from treelab.writers.html import page_model

SETTINGS = [
    ("iris", {}),
    ("hepatitis", {"metric": "gain", "missing": "branch", "min_branch": 4}),
    ("labor", {"metric": "relieff:k=5", "splits": "binary", "max_depth": 3}),
    ("voting", {"metric": "gini", "pruner": None, "class_weight": "balanced"}),
    ("iris", {"discretizer": "mdlp", "metric": "chi2"}),
]


def model_of(tab):
    return tab.post("model").text


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
def test_the_model_is_that_of_grow(tab, name, settings):
    tab.open(name)
    tree = tab.grow(**settings)
    grown = tl.grow(tl.load(name), **settings)

    assert model_of(tab) == dumps(grown)
    assert tree["page"] == json.loads(json.dumps(page_model(export_tree_of(grown))))
    assert tree["facts"]["leaves"] == grown.n_leaves
    assert tree["settings"] == json.loads(json.dumps(dict(grown.settings)))


def test_a_preset_comes_before_its_changes(tab):
    tab.open("labor")
    tab.grow(preset="j48", max_depth=2)

    assert model_of(tab) == dumps(tl.grow(tl.load("labor"), **tl.preset("j48") | {"max_depth": 2}))


def test_weights_of_a_file_count(tab):
    rows = "".join(f"{k % 7},{k % 3 + 0.5},{'yes' if k % 7 > 3 else 'no'}\n" for k in range(60))
    content = f"size,weight,class\n{rows},2,yes\n3,0,no\n".encode()
    number = tab.upload("heavy.csv", content).json()["upload"]
    source = {"from": "upload", "upload": number}
    view = tab.ask("open", source=source, weights="weight")["data"]
    tree = tab.grow()

    assert view["weighted"]
    assert [column["name"] for column in view["columns"]] == ["size", "class"]
    expected = sum(k % 3 + 0.5 for k in range(60)) + 2
    assert tree["facts"]["weight"] == pytest.approx(expected)
    assert sum(each["cases"] for each in view["classes"]) == pytest.approx(expected)


def test_a_metric_that_was_chosen_is_chosen_by_the_lines_too(tab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tab.open("labor")
    tree = tab.grow(metric="auto")
    lines = tab.ask("python")["python"]
    exec(compile(lines, "lines", "exec"), {})

    assert tree["settings"]["metric"] == "auto"
    assert tree["facts"]["metric"] in tl.metric_names()
    assert tree["facts"]["choice"].startswith(tree["facts"]["metric"])
    assert (tmp_path / "labor.json").read_text(encoding="utf-8") == model_of(tab)
    number = tab.upload("m.json", model_of(tab).encode()).json()["upload"]
    assert tab.ask("restore", upload=number)["tree"]["can_edit"]


def test_the_accuracy_is_that_of_cases_held_out(tab):
    tab.open("hepatitis", hold={"share": 0.4, "seed": 3})
    told = tab.grow()["held_out"]
    drawn = tl.reduce.stratified(tl.load("hepatitis"), 0.4, seed=3)
    rest = [row for row in range(155) if row not in drawn.rows]
    found = tl.assess(tl.grow(tl.load("hepatitis").take(rest)), drawn.data)

    assert told["accuracy"] == found.accuracy
    assert told["baseline"] == found.baseline
    assert told["confusion"] == found.confusion.tolist()


def test_take_another_candidate_undo_and_redo(tab):
    tab.open("iris")
    first = tab.grow(metric="gain")
    table = tab.ask("why", path=[], metrics=["gain", "gini", "chi2"])
    another = next(each for each in table["candidates"] if not each["chosen"])
    edited = tab.ask("edit", edit=another["edit"])["tree"]
    kept = model_of(tab)

    assert edited["undo"]
    assert not edited["redo"]
    assert [each["done"] for each in edited["edits"]] == [True]
    assert another["feature"] in edited["edits"][0]["words"]
    assert edited["page"]["nodes"][0]["feature"] == another["feature"]
    by_hand = tl.edit(tl.grow(tl.load("iris"), "gain"), another["edit"], data=tl.load("iris"))
    assert kept == dumps(by_hand)

    undone = tab.ask("undo")["tree"]
    assert undone["page"] == first["page"]
    assert [each["done"] for each in undone["edits"]] == [False]
    assert undone["redo"]
    assert model_of(tab) == dumps(tl.grow(tl.load("iris"), "gain"))
    assert tab.ask("redo")["tree"]["page"] == edited["page"]
    assert model_of(tab) == kept


def test_an_edit_after_undo_forgets_what_was_undone(tab):
    tab.open("voting")
    tab.grow()
    tab.ask("edit", edit={"edit": "prune", "node": "root"})
    tab.ask("undo")
    tree = tab.ask("edit", edit={"edit": "relabel", "node": "0", "label": "republican"})["tree"]

    assert len(tree["edits"]) == 1
    assert not tree["redo"]


def test_locked_nodes_are_told_and_kept(tab):
    tab.open("iris")
    tab.grow()
    tree = tab.ask("edit", edit={"edit": "lock", "node": "1"})["tree"]

    assert tree["locked"] == [[1]]
    assert tab.ask("node", path=[1])["locked"]
    assert tab.refused("edit", edit={"edit": "prune", "node": "1"})
    assert tab.ask("state")["tree"]["cursor"] == 1


def test_growing_again_forgets_the_edits(tab):
    tab.open("iris")
    tab.grow()
    tab.ask("edit", edit={"edit": "prune", "node": "1"})

    assert tab.grow(metric="gini")["edits"] == []


@pytest.mark.parametrize("hold", [None, {"share": 0.25, "seed": 2}])
@pytest.mark.parametrize(
    ("name", "asked", "feature"),
    [
        (
            "labor",
            {"target": "pension", "drop": ["vacation"], "kinds": {"duration": "nominal"}},
            "class",
        ),
        ("hepatitis", {"drop": ["AGE"]}, "SEX"),
    ],
)
def test_the_python_lines_make_the_same_model(
    tab, tmp_path, monkeypatch, name, asked, feature, hold
):
    monkeypatch.chdir(tmp_path)
    tab.open(name, **asked, hold=hold)
    tab.grow(metric={"name": "relieff", "k": 5}, max_depth=4)
    tab.ask("edit", edit={"edit": "split", "node": "root", "feature": feature, "below": "leaves"})
    lines = tab.ask("python")["python"]
    exec(compile(lines, "lines", "exec"), {})

    assert (tmp_path / f"{name}.json").read_text(encoding="utf-8") == model_of(tab)


def test_the_python_lines_of_a_file(tab, folder, tmp_path, monkeypatch):
    tab.ask("open", source={"from": "file", "name": "cars.csv"}, kinds={"size": "nominal"})
    tab.grow(min_branch=1)
    lines = tab.ask("python")["python"]
    monkeypatch.chdir(folder)
    elsewhere = lines.replace("tree.save(", f"tree.save({str(tmp_path)!r} + '/' + ")
    exec(compile(elsewhere, "lines", "exec"), {})

    assert "tl.read('cars.csv', nominal=['size'])" in lines
    assert (tmp_path / "cars.json").read_text(encoding="utf-8") == model_of(tab)


def test_a_model_is_restored_with_its_history(tab, other):
    tab.open("iris")
    tab.grow()
    tab.ask("edit", edit={"edit": "prune", "node": "1"})
    kept = model_of(tab)
    other.open("iris")
    number = other.upload("m.json", kept.encode()).json()["upload"]
    tree = other.ask("restore", upload=number)["tree"]

    assert tree["can_edit"]
    assert tree["undo"]
    assert model_of(other) == kept
    other.ask("undo")
    assert model_of(other) == dumps(tl.grow(tl.load("iris")))


def test_a_model_without_its_data_is_shown_and_exported_only(tab, other):
    tab.open("iris")
    tab.grow()
    number = other.upload("m.json", model_of(tab).encode()).json()["upload"]
    for opened in (None, "voting"):
        if opened:
            other.open(opened)
        tree = other.ask("restore", upload=number)["tree"]

        assert not tree["can_edit"]
        assert not tree["undo"]
        assert "open the data" in other.refused("edit", edit={"edit": "prune", "node": "1"})
        assert other.post("export", format="rules").text.startswith("IF")


def test_a_broken_model_is_one_sentence(tab):
    number = tab.upload("m.json", b'{"format": "treelab-tree"').json()["upload"]

    assert tab.refused("restore", upload=number).startswith("not a treelab model")


@pytest.mark.parametrize("name", sorted(tl.writers.format_names()))
def test_every_format_can_be_had(tab, name):
    tab.open("iris")
    tab.grow(missing="majority")
    answer = tab.post("export", format=name)

    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith('attachment; filename="iris.')
    content = tl.export(tl.grow(tl.load("iris"), missing="majority"), name)
    if isinstance(content, str):
        assert answer.text == content
    elif isinstance(content, bytes):
        assert answer.content == content


def test_an_export_that_cannot_be_is_one_sentence(tab):
    tab.open("labor")
    tab.grow()

    assert "approximate" in tab.refused("export", format="sql")
    assert tab.post("export", format="sql", approximate=True).status_code == 200
    assert "unknown format" in tab.refused("export", format="doc")
    assert "unknown option" in tab.refused("export", format="svg", options={"colour": 1})


def test_the_page_is_kept_with_what_is_on_it(tab):
    tab.open("iris")
    tab.grow()
    page = tab.post("page", title="A <b> title", kept={"note": "</script><script>alert(1)"})

    assert page.headers["content-type"].startswith("text/html")
    assert "A &lt;b&gt; title" in page.text
    assert "</script><script>alert(1)" not in page.text


@pytest.mark.parametrize(
    ("name", "asked", "sentence"),
    [
        ("grow", {"settings": {"metrik": "gain"}}, "did you mean 'metric'?"),
        ("grow", {"settings": {"metric": "gainn"}}, "did you mean 'gain'?"),
        ("grow", {"settings": {"min_cases": "many"}}, "min_cases"),
        ("edit", {"edit": {"edit": "cut"}}, "edit must be one of"),
        ("edit", {"edit": {"edit": "prune", "node": "7"}}, "there is no node 7"),
        ("node", {"path": [9]}, "there is no node 9"),
        ("node", {"path": "0"}, "path must be a list"),
        ("why", {"metrics": ["gainn"]}, "did you mean 'gain'?"),
        ("why", {"metrics": []}, "metrics must be a list"),
        ("cases", {"size": 10_000}, "of at most 500"),
        ("assess", {"folds": 1}, "folds must be"),
        ("assess", {"by": "held-out"}, "no cases were held out"),
        ("compare", {"metrics": ["gain"]}, "2 to 12 metrics"),
        ("undo", {}, "nothing to undo"),
    ],
)
def test_a_wrong_call_is_one_sentence(tab, name, asked, sentence):
    tab.open("iris")
    tab.grow()

    assert sentence in tab.refused(name, **asked)


@pytest.mark.parametrize("name", ["grow", "edit", "undo", "node", "why", "model", "assess"])
def test_without_data_there_is_nothing_to_do(tab, name):
    answer = tab.post(name, edit={"edit": "prune", "node": "0"})

    assert answer.status_code == 409
    assert answer.json()["error"].endswith("first")


def test_a_bug_is_one_sentence_and_the_lab_goes_on(tab, monkeypatch, capsys):
    tab.open("iris")
    monkeypatch.setattr("treelab.lab_server.growing.page_of", lambda _tree: 1 / 0)
    answer = tab.post("grow")

    assert answer.status_code == 500
    assert "unexpected went wrong (ZeroDivisionError)" in answer.json()["error"]
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.undo()
    assert tab.grow()["facts"]["leaves"] > 1


def test_tabs_do_not_disturb_each_other(tab, other):
    tab.open("iris")
    tab.grow()
    other.open("voting")

    assert tab.ask("state")["data"]["name"] == "iris"
    assert other.ask("state")["tree"] is None
    assert tab.ask("state")["tree"]["facts"]["cases"] == 150


def test_importing_treelab_does_not_import_the_server():
    code = "import treelab, sys; treelab.load; print('starlette' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
def test_a_pipe_in_the_folder_is_no_model(tab, folder):
    os.mkfifo(folder / "pipe.json")
    assert "it is not a plain file" in tab.refused("restore", file="pipe.json")
