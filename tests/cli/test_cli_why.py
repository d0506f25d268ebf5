"""`treelab why`."""

import json
from pathlib import Path

import pytest
from called import done, rows_of

import treelab as tl
from treelab.cli.inputs import split_specs


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
