"""Questions about a node: why, its values, its cases, its pairs."""

import numpy as np
import pytest

import treelab as tl
from treelab.lab_server.sampled import MOST_CASES, on_sample
from treelab.metrics import metric
from treelab.tree.revisit import revisit


@pytest.mark.parametrize("name", ["iris", "hepatitis", "labor"])
def test_why_is_that_of_why(tab, name):
    tab.open(name)
    tab.grow(metric="gain")
    names = ["gain", "gini", "relieff"]
    table = tab.ask("why", path=[], metrics=names)
    found = tl.why(tl.grow(tl.load(name), "gain"), (), names, tl.load(name))

    assert [each["name"] for each in table["metrics"]] == names
    assert table["agreement"] == found.agreement
    for told, option in zip(table["candidates"], found.options, strict=True):
        assert told["split"] == option.split
        assert told["ranks"] == [verdict.rank for verdict in option.verdicts]
        assert told["scores"] == [verdict.score for verdict in option.verdicts]
        assert told["spread"] == option.spread
    assert [each["dissents"] for each in table["choices"]] == [n in found.dissent for n in names]
    assert table["sample"] is None


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("hepatitis", {}),
        ("voting", {"missing": "branch"}),
        ("labor", {"splits": "multiway"}),
        ("iris", {"discretizer": "mdlp"}),
        ("labor", {"discretizer": "mdlp", "splits": "binary", "missing": "branch"}),
    ],
)
def test_candidates_can_be_taken(tab, name, settings):
    """What the edit of a candidate makes is the candidate's split, to the last branch."""
    tab.open(name)
    tab.grow(metric="gini", **settings)
    table = tab.ask("why", path=[], metrics=["gini", "gain-ratio"])
    for candidate in table["candidates"][::3]:
        tab.ask("edit", edit={**candidate["edit"], "below": "leaves"})
        again = tab.ask("why", path=[], metrics=["gini"], candidates="all")
        chosen = next(each for each in again["candidates"] if each["chosen"])

        assert chosen["split"] == candidate["split"]
        assert chosen["branches"] == pytest.approx(candidate["branches"])
        tab.ask("undo")


def test_all_metrics_are_asked_in_a_job(tab):
    tab.open("lenses")
    tab.grow(pruner=None, min_branch=1)
    answer = tab.post("why", metrics="all")

    assert answer.status_code == 202
    table = tab.result(answer.json()["job"])
    assert [each["name"] for each in table["metrics"]] == tl.metric_names()
    assert all(len(each["ranks"]) == len(tl.metric_names()) for each in table["candidates"])


def test_metrics_that_compare_cases_see_a_sample_of_many_and_it_is_said(tab):
    source = {"from": "generator", "name": "exor", "parameters": {"cases": 1500, "n": 2, "m": 3}}
    tab.ask("open", source=source)
    tab.grow(metric="gain", pruner=None)
    table = tab.ask("why", metrics=["gain", "relieff"])

    assert table["sample"]["metrics"] == ["relieff"]
    assert (table["sample"]["cases"], table["sample"]["of"]) == (MOST_CASES, 1500)
    assert "drawn at random" in table["sample"]["words"]
    node = revisit(
        tl.grow(tl.make("exor", cases=1500, n=2, m=3), "gain", pruner=None),
        (),
        tl.make("exor", cases=1500, n=2, m=3),
    )
    told = {each["feature"]: each["scores"][1] for each in table["candidates"]}
    sampled = on_sample(metric("relieff"), "relieff")(node).values
    for place, feature in enumerate(tl.make("exor", cases=1500, n=2, m=3).features):
        if feature in told:
            assert told[feature] == pytest.approx(sampled[place])


def test_a_node_has_the_cases_that_reach_it(tab):
    data = tl.load("hepatitis")
    tab.open("hepatitis")
    tab.grow(metric="gain")
    tree = tl.grow(data, "gain")
    for path in ([], [0], [1]):
        node = tab.ask("node", path=path)
        bars = node["histogram"]
        inside = np.sum(bars["counts"], axis=0) + bars["missing"] + bars.get("others", 0.0)

        assert node["counts"] == tree.node(path).counts.tolist()
        assert inside == pytest.approx(tree.node(path).counts)
        assert len(node["conditions"]) == len(path)
        assert node["is_leaf"] == tree.node(path).is_leaf


def test_a_node_tells_the_cuts_of_metrics_and_where_its_own_may_go(tab):
    tab.open("iris")
    tab.grow(metric="gain")
    node = tab.ask("node", path=[], feature="petal length", metrics=["gain", "gini"])
    found = tl.why(tl.grow(tl.load("iris"), "gain"), (), ["gain", "gini"], tl.load("iris"))
    expected = next(option for option in found.options if option.feature == "petal length")

    assert [each["metric"] for each in node["cuts"]] == ["gain", "gini"]
    assert node["cuts"][0]["cut"] == expected.by
    slider = node["slider"]
    assert slider["lowest"] <= expected.by < slider["highest"]
    for threshold in (slider["lowest"], 4.0):
        tree = tab.ask("edit", edit={**node["edit"], "by": threshold, "below": "leaves"})["tree"]
        assert tree["page"]["nodes"][0]["test"]["limits"] == [threshold]
        assert tree["facts"]["leaves"] == 2


def test_values_can_be_regrouped_at_a_node(tab):
    tab.open("lenses")
    tab.grow(splits="multiway", pruner=None, min_branch=1)
    node = tab.ask("node", path=[], feature="age")
    labels = node["histogram"]["labels"]
    edit = {**node["edit"], "by": [labels[:1], labels[1:]]}
    tree = tab.ask("edit", edit=edit)["tree"]

    assert node["groups"] is None
    assert len(tree["page"]["nodes"][0]["children"]) == 2
    assert tab.ask("node", path=[])["groups"] == [
        [label, int(at > 0)] for at, label in enumerate(labels)
    ]


def test_cases_come_by_the_page_and_in_order(tab):
    data = tl.load("labor")
    tab.open("labor")
    tab.grow()
    first = tab.ask("cases", path=[], size=20)
    rest = tab.ask("cases", path=[], start=20, size=500)
    numbers = [row[0] for row in first["rows"] + rest["rows"]]

    assert first["total"] == 57
    assert numbers == list(range(1, 58))
    assert first["columns"] == ["case", *data.features, "class", "predicted", "weight"]
    place = first["columns"].index("duration")
    assert [row[place] for row in first["rows"]] == [
        None if np.isnan(value) else f"{value:.6g}" for value in data["duration"][:20]
    ]
    found = tab.ask("cases", path=[], size=500, order="duration", descending=True)["rows"]
    known = [float(row[place]) for row in found if row[place] is not None]
    assert known == sorted(known, reverse=True)
    assert all(row[place] is None for row in found[len(known) :])


def test_cases_of_branches_add_up(tab):
    tab.open("hepatitis")
    tree = tab.grow(metric="gain")
    below = [
        tab.ask("cases", path=[branch], size=500)["rows"]
        for branch in range(len(tree["page"]["nodes"][0]["children"]))
    ]

    assert sum(row[-1] for rows in below for row in rows) == pytest.approx(155)
    assert any(row[-1] < 1 for rows in below for row in rows)


def test_cases_held_out_do_not_show(tab):
    tab.open("iris", hold={"share": 0.5})
    tab.grow()
    rows = {row[0] - 1 for row in tab.ask("cases", path=[], size=500)["rows"]}

    assert not rows & set(tl.reduce.stratified(tl.load("iris"), 0.5, seed=0).rows.tolist())


def test_the_four_cases_by_distance(tab):
    source = {"from": "generator", "name": "exor", "parameters": {"n": 2, "m": 4, "cases": 200}}
    tab.ask("open", source=source)
    tab.grow(metric="pi", pruner=None)
    told = tab.ask("pi", path=[], feature="X1")
    found = tl.pi_cases(tl.make("exor", n=2, m=4, cases=200), "X1")

    assert [each["pairs"] for each in told["cases"]] == found.pairs.T.tolist()
    assert told["ranks"] == [[alpha, found.rank(alpha)] for alpha in (0.0, 0.1, 1.0)]
    assert told["sample"] is None
    assert "unknown column" in tab.refused("pi", feature="X9")
