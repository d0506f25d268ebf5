"""Data: bundled, from files, handed over, made to order; and what the page is told of them."""

import numpy as np
import pytest

import treelab as tl
from treelab.plots.style import colours

ODD = "a,__proto__,class\n1,<script>alert(1)</script>,<script>\n2,x,__proto__\n3,?,<script>\n,x,x\n"


def test_choices_name_everything(tab):
    found = tab.ask("choices")

    assert [metric["name"] for metric in found["metrics"]] == tl.metric_names()
    assert {each["name"] for each in found["bundled"]} == set(tl.dataset_names())
    assert {each["name"] for each in found["generators"]} == set(tl.generator_names())
    assert {each["name"] for each in found["formats"]} == set(tl.writers.format_names())
    assert found["defaults"] == tl.Learner().settings
    assert ["cases", 200] in next(g for g in found["generators"] if g["name"] == "exor")[
        "parameters"
    ]
    for kind in ("splits", "missing", "unseen", "search", "pruners", "discretizers"):
        assert all(each["words"] for each in found[kind]), kind


def test_files_of_the_folder_are_listed_and_nothing_else(tab):
    found = tab.ask("choices")

    assert "cars.csv" in found["files"]
    assert "sub/more.csv" in found["files"]
    assert not [name for name in found["files"] if "hidden" in name or "linked" in name]


def test_the_table_of_columns_is_that_of_check(tab):
    view = tab.open("hepatitis")
    found = tl.check(tl.load("hepatitis"))

    for column, row in zip(view["columns"], found.rows, strict=True):
        assert column["name"] == row.name
        assert column["missing"] == row.missing
        assert [each["text"] for each in column["findings"]] == [f.text for f in row.findings]
    assert view["target"] == "class"
    assert [each["colour"] for each in view["classes"]] == colours(2)


@pytest.mark.parametrize("name", ["labor", "hepatitis", "lenses"])
def test_histograms_count_every_case_once(tab, name):
    data, view = tl.load(name), tab.open(name)

    totals = np.bincount(data.y, data.weights)
    assert [each["cases"] for each in view["classes"]] == totals.tolist()
    for column in view["columns"]:
        bars = column["histogram"]
        counted = np.sum(bars["counts"], axis=0) + bars["missing"] + bars.get("others", 0.0)
        if not bars.get("beyond"):
            assert counted.tolist() == totals.tolist(), column["name"]


def test_a_histogram_is_that_of_its_values(tab):
    data = tl.load("iris")
    bars = next(c for c in tab.open()["columns"] if c["name"] == "petal width")["histogram"]

    expected = np.histogram(data["petal width"][data.y == 1], bars["edges"])[0]
    assert [counts[1] for counts in bars["counts"]] == expected.tolist()


def test_a_file_of_the_folder(tab):
    view = tab.ask("open", source={"from": "file", "name": "sub/more.csv"})["data"]

    assert (view["cases"], view["target"]) == (20, "class")
    assert [column["kind"] for column in view["columns"]] == ["numeric", "nominal", "nominal"]


@pytest.mark.parametrize(
    "name",
    [
        "../outside/secret.csv", "sub/../../outside/secret.csv", "link.csv", "linked/secret.csv",
        "/etc/passwd", "sub/../cars.csv", "", "\0", "cars.csv/../../outside/secret.csv",
        "pair.data",
    ],
)  # fmt: skip
def test_nothing_outside_the_folder_can_be_read(tab, folder, name):
    names = [name, str(folder.parent / "outside" / "secret.csv")]
    for each in names:
        sentence = tab.refused("open", source={"from": "file", "name": each})

        assert "is not in the folder" in sentence or "named by a text" in sentence
        assert tab.ask("state")["data"] is None
    assert "is not in the folder" in tab.refused("study", files=["link.csv"])
    assert "is not in the folder" in tab.refused("restore", file="link.csv")


def test_target_kinds_and_drops_of_a_file(tab):
    view = tab.ask(
        "open",
        source={"from": "file", "name": "cars.csv"},
        target="colour",
        kinds={"size": "nominal"},
        drop=["class"],
    )["data"]

    assert view["target"] == "colour"
    assert [(c["name"], c["kind"]) for c in view["columns"]] == [
        ("size", "nominal"), ("colour", "nominal"),
    ]  # fmt: skip
    assert view["dropped"] == ["class"]


def test_target_kinds_and_drops_of_data_in_memory(tab):
    view = tab.open("labor", target="pension", drop=["vacation"], kinds={"duration": "nominal"})

    kinds = {column["name"]: column["kind"] for column in view["columns"]}
    assert view["target"] == "pension"
    assert "vacation" not in kinds
    assert kinds["duration"] == "nominal"
    assert kinds["class"] == "nominal"
    assert view["unknown_class"] == tl.load("labor").missing()["pension"]


def test_a_file_that_is_handed_over(tab):
    number = tab.upload("odd.csv", ODD.encode()).json()["upload"]
    view = tab.ask("open", source={"from": "upload", "upload": number})["data"]

    assert [each["label"] for each in view["classes"]] == ["<script>", "__proto__", "x"]
    assert view["columns"][1]["name"] == "__proto__"
    assert view["columns"][1]["histogram"]["labels"] == ["<script>alert(1)</script>", "x"]
    assert view["name"] == "odd"


def test_a_broken_file_is_one_sentence_and_the_data_stay(tab):
    tab.open("iris")
    number = tab.upload("broken.arff", b"@relation x\n@attribute a {1,2\n@data\n1\n").json()[
        "upload"
    ]

    sentence = tab.refused("open", source={"from": "upload", "upload": number})

    assert sentence.startswith("broken.arff")
    assert "/" not in sentence.split(":")[0]
    assert tab.ask("state")["data"]["name"] == "iris"


@pytest.mark.parametrize("name", ["../x.csv", "..\\x.csv", "/tmp/x.csv"])
def test_a_file_is_kept_by_its_last_name(tab, name):
    number = tab.upload(name, b"a,class\n1,x\n2,y\n").json()["upload"]

    assert tab.ask("open", source={"from": "upload", "upload": number})["data"]["name"] == "x"


@pytest.mark.parametrize("name", ["", "x.exe", ".csv", "x" * 300 + ".csv", "a\0.csv"])
def test_a_name_that_is_none_is_refused(tab, name):
    answer = tab.upload(name, b"a")

    assert answer.status_code == 400
    assert answer.json()["error"]


def test_another_tab_has_no_part_in_what_is_handed_over(tab, other):
    number = tab.upload("odd.csv", ODD.encode()).json()["upload"]

    assert "unknown upload" in other.refused("open", source={"from": "upload", "upload": number})


def test_data_made_to_order(tab):
    source = {"from": "generator", "name": "exor", "parameters": {"n": 2, "m": 3, "cases": 80}}
    view = tab.ask("open", source=source)["data"]

    assert (view["cases"], len(view["columns"])) == (80, 6)
    wrong = {"from": "generator", "name": "exor", "parameters": {"case": 80}}
    assert "did you mean 'cases'?" in tab.refused("open", source=wrong)


def test_cases_held_out_are_not_among_those_that_are_shown(tab):
    view = tab.open("labor", hold={"share": 0.3, "seed": 1})
    drawn = tl.reduce.stratified(tl.load("labor"), 0.3, seed=1)

    assert (view["cases"], view["held_out"]) == (57, len(drawn))
    assert view["training"] == 57 - len(drawn)
    shown = sum(each["cases"] for each in view["classes"])
    assert shown == view["training"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"source": {"from": "bundled", "name": "irs"}}, "did you mean 'iris'?"),
        ({"source": {"from": "moon"}}, "source must be one of"),
        ({"source": 3}, "source says where data come from"),
        ({"source": {"from": "given"}}, "started without data"),
        ({"source": {"from": "bundled", "name": "iris"}, "drop": ["petal"]}, "unknown column"),
        ({"source": {"from": "bundled", "name": "iris"}, "drop": ["class"]}, "is the target"),
        ({"source": {"from": "bundled", "name": "iris"}, "drop": "class"}, "list of names"),
        ({"source": {"from": "bundled", "name": "iris"}, "kinds": {"class": "x"}}, "kind must be"),
        ({"source": {"from": "bundled", "name": "iris"}, "hold": {"share": 2}}, "from 0 to 0.9"),
        ({"source": {"from": "bundled", "name": "iris"}, "hold": {"shar": 2}}, "did you mean"),
        ({"source": {"from": "bundled", "name": "iris"}, "weights": "x"}, "for files"),
        ({"source": {"from": "file", "name": "cars.csv"}, "target": "clas"}, "'class'"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(tab, asked, sentence):
    assert sentence in tab.refused("open", **asked)


def test_doubts_about_a_file_are_told(tab):
    rows = "".join(f"{k},{k % 2}\n" for k in range(30))
    number = tab.upload("doubt.csv", f"size,class\n{rows}many,1\n".encode()).json()["upload"]
    view = tab.ask("open", source={"from": "upload", "upload": number})["data"]

    assert any("read as labels" in sentence for sentence in view["warnings"])
