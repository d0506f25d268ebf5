import copy
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import attrs
import jsonschema
import numpy as np
import pytest
from handmade import MutableNode, flat_tree
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, random_dataset, steady

import treelab as tl
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.discretize import DISCRETIZERS
from treelab.errors import ModelFileError, ParameterError, TreelabError, UnknownNameError
from treelab.learner import Learner
from treelab.metrics import CountMetric
from treelab.metrics.registry import METRICS
from treelab.tree import file
from treelab.tree.prune import PRUNERS, pruner
from treelab.tree.settings import NAMES, READ

SCHEMA = json.loads((Path(file.__file__).parent / "model.schema.json").read_text())
FILES = Path(__file__).parent / "files"
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

WAYS = {
    "fractional": {"missing": "fractional"},
    "branch": {"missing": "branch", "splits": "multiway"},
    "majority": {"missing": "majority"},
    "subset": {"splits": "subset"},
    "binary": {"splits": "binary", "discretizer": "equal-width:4"},
    "intervals": {"discretizer": "equal-frequency:3", "missing": "branch"},
    "pruned": {"pruner": "pessimistic:cf=0.9", "splits": "multiway"},
    "shares": {"probabilities": "shares"},
    "m-estimate": {"probabilities": {"name": "m-estimate", "m": 3}},
}


def grown(way="fractional", seed=1):
    data = random_dataset(seed, cases=60, missing=0.2, weights="fraction")
    return tl.grow(data, **{"pruner": None, "min_branch": 1, **WAYS[way]})


def exotic():
    """Names with quotes, line breaks, other scripts, and half a surrogate pair."""
    words = ('say "hi"', "a\\b\n\t\x00c", "größe", "温度", "😀", "\u2028", "\ud800", "")
    features = (Column("quote '\"", words), Column("naïve\r\n"))
    schema = Schema(features, Column("класс", ("да", "nein, 'nie'")))
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, len(words), 60), rng.normal(size=60)]
    data = Dataset.of(schema, columns, columns[0] % 2)
    return tl.grow(data, "gini", splits="multiway", pruner=None, min_branch=1)


def chain():
    """A tree deeper than recursion could go."""
    node = MutableNode(np.array([1.0, 2.0]))
    for k in range(sys.getrecursionlimit() + 50):
        one = MutableNode(np.array([3.0, 0.5]))
        node = MutableNode(one.counts + node.counts, 0, float(-k), children=[one, node], score=0.1)
    return flat_tree(node, Schema((Column("x"),), Column("y", ("a", "b"))), Coding(), "fractional")


TREES = {**{way: lambda way=way: grown(way) for way in WAYS}, "exotic": exotic, "chain": chain}
every_tree = pytest.mark.parametrize("make", TREES.values(), ids=TREES)


@cache
def document():
    return json.loads(file.dumps(grown("intervals")))


def valid():
    """A threshold with a branch for missing values below a nominal test, a cut feature below."""
    leaves = [{"counts": [k, 1.5]} for k in range(4)]
    return {
        "format": "treelab-tree",
        "version": 2,
        "learner": {
            "metric": {"name": "relieff", "k": 5}, "discretizer": None, "pruner": {"repr": "mine"},
            "splits": "binary", "bins": 7, "min_cases": 2.5, "seed": -3,
        },
        "missing": "branch",
        "target": {"name": "y", "labels": ["a", "b"]},
        "features": [
            {"name": "x"},
            {"name": "colour", "labels": ["red", "green", "blue"]},
            {"name": "w"},
        ],
        "cuts": {"w": [1.0, 2.5]},
        "nodes": [
            {"counts": [9, 9], "feature": 1, "branches": [0, -1, 1], "score": 1,
             "children": [1, 7]},
            {"counts": [6, 6], "feature": 0, "threshold": 2.5, "missing": 2, "score": 0.5,
             "children": [2, 3, 4]},
            *leaves[:2],
            {"counts": [3, 3], "feature": 2, "branches": [1, 1, -1], "missing": 0, "score": None,
             "children": [5, 6]},
            *leaves[2:],
            {"counts": [3, 0]},
        ],
    }  # fmt: skip


def nested(times):
    """A metric within a metric within a metric."""
    metric = "gain"
    for _ in range(times):
        metric = {"name": "normalized", "metric": metric}
    return metric


def refused(text):
    """Check that a text is refused in one sentence, and return the sentence."""
    with pytest.raises(ModelFileError) as caught:
        file.loads(text)
    message = str(caught.value)
    assert "\n" not in message
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    assert not re.search(r"(Type|Key|Index|Attribute|Value)Error", message)
    return message


def changed(*path, to):
    """Return the valid document with one entry changed."""
    made = valid()
    place = made
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return made


def without(*path):
    made = valid()
    place = made
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return made


# There and back


@every_tree
def test_a_saved_tree_comes_back_equal(make, tmp_path):
    tree = make()
    tree.save(tmp_path / "m.json")
    back = tl.Tree.load(tmp_path / "m.json")

    assert back == tree
    assert back.settings == tree.settings
    assert back.learner == tree.learner
    assert np.array_equal(back.scores, tree.scores, equal_nan=True)


@every_tree
def test_saving_again_writes_the_same_bytes(make, tmp_path):
    make().save(tmp_path / "one.json")
    tl.Tree.load(tmp_path / "one.json").save(tmp_path / "two.json")

    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


@every_tree
def test_the_schema_describes_every_file(make):
    VALIDATOR.validate(json.loads(file.dumps(make())))


@pytest.mark.parametrize("way", WAYS)
def test_a_loaded_tree_predicts_the_same(way):
    tree, data = grown(way), random_dataset(7, cases=40, missing=0.3)
    back = file.loads(file.dumps(tree))

    assert np.array_equal(tree.predict_proba(data), back.predict_proba(data))


def test_numbers_come_back_to_the_last_bit():
    counts = np.array([0.1 + 0.2, 1e-300])
    schema = Schema((Column("x"),), Column("y", ("a", "b")))
    leaves = [MutableNode(counts / 3), MutableNode(counts / 7)]
    tree = flat_tree(MutableNode(counts, 0, 1 / 3, children=leaves), schema, Coding(), "majority")

    assert file.loads(file.dumps(tree)) == tree


@pytest.mark.parametrize("score", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_no_number_is_not_kept(score):
    leaves = [MutableNode(np.array([1.0])), MutableNode(np.array([1.0]))]
    root = MutableNode(np.array([2.0]), 0, 0.5, children=leaves, score=score)
    tree = flat_tree(root, Schema((Column("x"),), Column("y", ("a",))), Coding(), "branch")

    assert np.isnan(file.loads(file.dumps(tree)).root.score)


def test_a_file_has_a_line_for_each_node(tmp_path):
    tree = grown()
    tree.save(tmp_path / "m.json")
    lines = (tmp_path / "m.json").read_text("utf-8").splitlines()

    assert sum(line.startswith('  {"counts"') for line in lines) == tree.n_nodes


# The learner


LEARNERS = {
    "default": Learner(),
    "names": Learner(metric="normalized:gini,summary=z", pruner="none", discretizer="mdlp"),
    "things": Learner(
        metric=tl.metric("relieff", k=3),
        cut_metric=tl.metric("weight-of-evidence", m=1.5),
        discretizer=tl.discretizer("equal-width", bins=4),
        pruner=pruner("cost-complexity", alpha=0.01),
    ),
    "functions by default": Learner(metric=tl.metric("pi", theta=(1, 0, 0, 1), alpha=0.5)),
    "things in things": Learner(
        metric=tl.Normalized(tl.metric("contextual-merit", k="all"), summary="difference"),
        discretizer=tl.discretizer("greedy", metric=tl.metric("gain-ratio-c45", gate=False)),
    ),
    "tables": Learner(
        metric={"name": "normalized", "metric": {"name": "gini"}, "summary": "p-value"},
        discretizer={"name": "cuts", "cuts": {"a": [1, 2.5]}},
    ),
    "numbers of numpy": Learner(
        min_cases=np.float32(2.5), max_depth=np.int8(3), bins=np.int64(9), seed=np.int64(-4)
    ),
    "probabilities": Learner(probabilities={"name": "shrunk", "lambda": 2.5}),
    "all others": Learner(
        missing="branch", splits="subset", search="beam", width=2, max_leaves=4, min_branch=0
    ),
}  # fmt: skip


@pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)
def test_settings_are_json_and_make_the_same_learner(learner):
    settings = learner.settings

    assert {*settings, *READ} == set(NAMES) == {field.name for field in attrs.fields(Learner)}
    assert Learner.of_settings(json.loads(json.dumps(settings, allow_nan=False))) == learner
    assert repr(Learner.of_settings(settings)) == repr(learner)


@pytest.mark.parametrize("name", ["default", "things", "probabilities", "all others"])
def test_the_learner_of_a_loaded_tree_is_that_of_the_saved_one(name):
    learner, data = LEARNERS[name], random_dataset(3, cases=60, missing=0.2)
    tree = learner.fit(data)
    back = Learner.of_settings(file.loads(file.dumps(tree)).settings)

    assert back == learner
    assert back.fit(data) == tree


def test_every_metric_discretizer_and_pruner_has_a_table():
    for registry in (METRICS, DISCRETIZERS, PRUNERS):
        for name in registry.names():
            thing = registry.make(name, **({"cuts": [1, 2]} if name == "cuts" else {}))
            table = json.loads(json.dumps(registry.describe(thing)))
            assert registry.describe(registry.make(table)) == table
            assert registry.make(table) == thing or name == "cuts"  # a list, where a tuple was


def mine(node):
    return tl.metric("gini")(node)


@pytest.mark.parametrize(
    ("metric", "written"),
    [
        (mine, "mine"),
        (lambda node: 2 * mine(node), "<lambda>"),
        (tl.from_counts(lambda t: t.max((1, 2))), "from_counts(<lambda>)"),
        (tl.metric("pi", decay=lambda x: 1 / (1 + x)), "Pi("),
        (CountMetric(tl.formula("gini").metric.formula, "gain"), "metric('gain')"),
    ],
)
def test_what_has_no_name_is_kept_as_it_is_written(metric, written):
    """A metric of another formula under the name of a known one is no known one."""
    tree = file.loads(file.dumps(tl.grow(tl.load("lenses"), metric)))

    assert list(tree.settings["metric"]) == ["repr"]
    assert f"metric={written}" in tree.learner
    with pytest.raises(ParameterError, match=r"^the metric .* no name by which a file could keep"):
        Learner.of_settings(tree.settings)


def test_a_learner_is_not_made_of_a_text():
    with pytest.raises(ParameterError, match="there are no settings, only a text: 'by hand'"):
        Learner.of_settings({"repr": "by hand"})
    with pytest.raises(UnknownNameError, match="unknown setting 'metrik': did you mean 'metric'"):
        Learner.of_settings({"metrik": "gain"})


# Version 1


def test_a_file_of_version_1_is_read():
    voting = tl.Tree.load(FILES / "voting-v1.json")
    iris = tl.Tree.load(FILES / "iris-v1.json")

    given = {"pruner": "none", "max_depth": 3, "splits": "binary", "min_branch": 4, "seed": -3}
    metric = "ReliefF(k=3, ties='shared', missing='expected', max_cases=None)"
    expected = Learner(**given).settings | {"metric": {"repr": metric}}
    later = ("probabilities", "cuts", "unseen")
    assert voting.settings == {k: v for k, v in expected.items() if k not in later}
    assert voting.probabilities == iris.probabilities == "shares"
    assert voting.learner == json.loads((FILES / "voting-v1.json").read_text())["learner"]
    data = tl.load("voting").take(range(120))
    again = Learner(metric="relieff:k=3", probabilities="shares", **given).fit(data)
    # Shares of missing cases have been rounded to multiples of a unit since.
    np.testing.assert_allclose(voting.counts, again.counts, rtol=1e-12, atol=1e-12)
    assert attrs.evolve(voting, counts=again.counts) == again
    assert iris.settings["metric"] == "normalized:gini,summary=p-value,rounds=9"
    assert iris.settings["discretizer"] == {"repr": "EqualWidth(bins=4)"}
    assert (iris.missing, iris.n_leaves) == ("branch", 6)


@pytest.mark.parametrize("name", ["voting", "iris"])
def test_a_file_of_version_1_becomes_one_of_version_2(name):
    old = tl.Tree.load(FILES / f"{name}-v1.json")
    text = file.dumps(old)
    new = file.loads(text)

    assert json.loads(text)["version"] == 2
    assert (new, new.settings, new.learner) == (old, old.settings, old.learner)
    data = tl.load(name)
    assert np.array_equal(new.predict_proba(data), old.predict_proba(data))


@pytest.mark.parametrize("text", ["by hand", "Learner(", "Learner", "7", "(" * 10000, "\0"])
def test_any_text_may_stand_in_version_1(text):
    tree = file.loads(json.dumps({**valid(), "version": 1, "learner": text}))

    assert tree.settings == {"repr": text}
    assert tree.learner == text


def test_no_text_in_version_1_is_no_settings():
    assert file.loads(json.dumps({**valid(), "version": 1, "learner": ""})).learner == ""


def test_text_is_never_run():
    evil = "__import__('os').getpid()"
    text = f"Learner(seed=0, metric={evil}, bins=4, colour='red')"
    tree = file.loads(json.dumps({**valid(), "version": 1, "learner": text}))

    assert tree.settings == {"seed": 0, "metric": {"repr": evil}, "bins": 4}


def test_a_forged_text_is_refused_in_one_sentence():
    text = json.dumps({**valid(), "version": 1, "learner": "Learner(splits='awto')"})

    assert re.search(r"splits must be one of .* did you mean 'auto'", refused(text))


# Files that are no models


def test_the_document_the_damages_start_from_is_valid():
    VALIDATOR.validate(valid())

    assert file.loads(json.dumps(valid())).n_nodes == 8


DAMAGES = {
    "no features": without("features"),
    "no target": without("target"),
    "no nodes": without("nodes"),
    "no cuts": without("cuts"),
    "no policy": without("missing"),
    "no learner": without("learner"),
    "no counts": without("nodes", 0, "counts"),
    "no feature": without("nodes", 0, "feature"),
    "no threshold": without("nodes", 1, "threshold"),
    "no branches": without("nodes", 0, "branches"),
    "no score": without("nodes", 0, "score"),
    "no children": without("nodes", 0, "children"),
    "no labels of the target": without("target", "labels"),
    "no name": without("features", 0, "name"),
    "no third branch": without("nodes", 1, "missing"),
    "unknown entry": changed("colour", to=1),
    "unknown entry of a node": changed("nodes", 0, "colour", to=1),
    "unknown entry of a leaf": changed("nodes", 2, "score", to=1),
    "unknown entry of a column": changed("features", 0, "kind", to="numeric"),
    "threshold and branches": changed("nodes", 1, "branches", to=[0, 1]),
    "threshold on a cut feature": changed("nodes", 4, to={
        "counts": [3, 3], "feature": 2, "threshold": 1.0, "score": 1, "children": [5, 6]}),
    "threshold on a nominal feature": changed("nodes", 0, to={
        "counts": [9, 9], "feature": 1, "threshold": 1.0, "score": 1, "children": [1, 7]}),
    "branches on a numeric feature": changed("nodes", 1, to={
        "counts": [6, 6], "feature": 0, "branches": [0, 1, 2], "score": 1, "children": [2, 3, 4]}),
    "nodes an object": changed("nodes", to={}),
    "nodes empty": changed("nodes", to=[]),
    "a node a list": changed("nodes", 2, to=[1, 2]),
    "features a text": changed("features", to="xyz"),
    "a column a text": changed("features", 0, to="x"),
    "a name a number": changed("features", 0, "name", to=3),
    "labels a text": changed("features", 1, "labels", to="abc"),
    "labels null": changed("features", 0, "labels", to=None),
    "labels numbers": changed("features", 1, "labels", to=[1, 2, 3]),
    "labels twice": changed("features", 1, "labels", to=["red", "red", "blue"]),
    "names twice": changed("features", 0, "name", to="colour"),
    "target without classes": changed("target", "labels", to=[]),
    "too many classes": changed("target", "labels", to=["a", "b", "c"]),
    "too many values": changed("features", 1, "labels", to=["red", "green"]),
    "cuts a list": changed("cuts", to=[]),
    "cuts a number": changed("cuts", "w", to=1.0),
    "cuts texts": changed("cuts", "w", to=["1", "2"]),
    "cuts nested": changed("cuts", "w", to=[[1.0, 2.5]]),
    "cuts descending": changed("cuts", "w", to=[2.5, 1.0]),
    "cuts of a nominal feature": changed("cuts", "colour", to=[1.0]),
    "cuts of nothing": changed("cuts", "nothing", to=[1.0]),
    "cuts too many": changed("cuts", "w", to=[1.0, 2.5, 3.0]),
    "policy unknown": changed("missing", to="ignore"),
    "policy a list": changed("missing", to=["branch"]),
    "learner a number": changed("learner", to=1),
    "learner a text": changed("learner", to="Learner(metric='gain')"),
    "learner a text in version 1": {**valid(), "version": 1},
    "probabilities in version 1": {
        **valid(), "version": 1, "learner": "", "probabilities": "laplace"},
    "probabilities unknown": changed("probabilities", to="shrnk"),
    "probabilities a number": changed("probabilities", to=0.5),
    "probabilities null": changed("probabilities", to=None),
    "probabilities as written": changed("probabilities", to={"repr": "mine"}),
    "probabilities of a wrong parameter": changed("probabilities", to="shrunk:lambda=-1"),
    "probabilities of a list": changed("probabilities", to={"name": "shrunk", "lambda": [1]}),
    "probabilities of an unknown parameter": changed("probabilities", to="laplace:2"),
    "an unknown setting": changed("learner", "metrik", to="gain"),
    "a setting beside a text": changed("learner", "repr", to="by hand"),
    "no metric": changed("learner", "metric", to=None),
    "a metric of a number": changed("learner", "metric", to=3),
    "a metric without a name": changed("learner", "metric", to={"k": 5}),
    "a metric of a list": changed("learner", "metric", to=["gain"]),
    "a metric named by a number": changed("learner", "metric", to={"name": 3}),
    "a pruner written and named": changed("learner", "pruner", to={"repr": 3}),
    "a metric of metrics without end": changed("learner", "metric", to=nested(30)),
    "splits unknown": changed("learner", "splits", to="awto"),
    "a policy unknown": changed("learner", "missing", to="ignore"),
    "a search unknown": changed("learner", "search", to=None),
    "bins a text": changed("learner", "bins", to="7"),
    "bins of one": changed("learner", "bins", to=1),
    "width of none": changed("learner", "width", to=None),
    "min_cases true": changed("learner", "min_cases", to=True),
    "min_branch negative": changed("learner", "min_branch", to=-1),
    "max_depth a fraction": changed("learner", "max_depth", to=1.5),
    "a seed of a fraction": changed("learner", "seed", to=0.5),
    "counts too few": changed("nodes", 3, "counts", to=[1]),
    "counts too many": changed("nodes", 3, "counts", to=[1, 2, 3]),
    "counts negative": changed("nodes", 3, "counts", to=[-1, 2]),
    "counts zero": changed("nodes", 3, "counts", to=[0, 0]),
    "counts texts": changed("nodes", 3, "counts", to=["1", "2"]),
    "counts truth values": changed("nodes", 3, "counts", to=[True, False]),
    "counts null": changed("nodes", 3, "counts", to=[None, 1]),
    "counts nested": changed("nodes", 3, "counts", to=[[1], [2]]),
    "counts a number": changed("nodes", 3, "counts", to=3),
    "counts huge": changed("nodes", 3, "counts", to=[10**400, 1]),
    "counts that sum to infinity": changed("nodes", 3, "counts", to=[1e308, 1e308]),
    "feature negative": changed("nodes", 0, "feature", to=-1),
    "feature too large": changed("nodes", 0, "feature", to=3),
    "feature huge": changed("nodes", 0, "feature", to=10**40),
    "feature a fraction": changed("nodes", 0, "feature", to=1.5),
    "feature a truth value": changed("nodes", 0, "feature", to=True),
    "threshold a text": changed("nodes", 1, "threshold", to="2.5"),
    "threshold null": changed("nodes", 1, "threshold", to=None),
    "threshold huge": changed("nodes", 1, "threshold", to=10**400),
    "score a text": changed("nodes", 0, "score", to="good"),
    "score a list": changed("nodes", 0, "score", to=[]),
    "branches too few": changed("nodes", 0, "branches", to=[0, 1]),
    "branches too large": changed("nodes", 0, "branches", to=[0, -1, 2]),
    "branches too small": changed("nodes", 0, "branches", to=[0, -2, 1]),
    "branches a number": changed("nodes", 0, "branches", to=1),
    "a branch nothing leads to": changed("nodes", 0, "branches", to=[0, 0, -1]),
    "missing too large": changed("nodes", 1, "missing", to=3),
    "missing negative": changed("nodes", 1, "missing", to=-1),
    "missing null": changed("nodes", 1, "missing", to=None),
    "missing leaves the third branch empty": changed("nodes", 1, "missing", to=0),
    "children a number": changed("nodes", 0, "children", to=2),
    "children fractions": changed("nodes", 0, "children", to=[1.0, 7.5]),
    "an only child": changed("nodes", 0, "children", to=[1]),
    "no child": changed("nodes", 0, "children", to=[]),
    "a child of itself": changed("nodes", 1, "children", to=[1, 3, 4]),
    "a child of its child": changed("nodes", 1, "children", to=[0, 3, 4]),
    "a child twice": changed("nodes", 0, "children", to=[1, 1]),
    "a child of two": changed("nodes", 0, "children", to=[1, 5]),
    "children out of order": changed("nodes", 4, "children", to=[6, 5]),
    "a child beyond the end": changed("nodes", 0, "children", to=[1, 8]),
    "a node nobody wants": changed("nodes", to=[*valid()["nodes"], {"counts": [1, 1]}]),
    "a node gone": changed("nodes", to=valid()["nodes"][:-1]),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told_in_one_sentence(damage):
    assert refused(json.dumps(damage)).startswith("damaged model: ")


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_the_schema_refuses_the_loader_refuses(damage):
    """The schema sees the shape only; here it must not see more than the loader."""
    if not VALIDATOR.is_valid(damage):
        refused(json.dumps(damage))


def test_a_missing_value_may_go_with_a_side_of_a_threshold():
    """So it does where the policy is 'majority'."""
    node = {"counts": [6, 6], "feature": 0, "threshold": 2.5, "missing": 1, "score": 1}
    made = valid()
    made["nodes"] = [{**node, "children": [1, 2]}, {"counts": [3, 4]}, {"counts": [3, 2]}]

    assert file.loads(json.dumps(made)).root.missing_branch == 1


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
@pytest.mark.parametrize("name", ["threshold", "score", "counts"])
def test_no_number_may_be_infinite_or_nan(name, word):
    text = json.dumps(changed("nodes", 1, name, to="@" if name != "counts" else ["@", 1]))
    refused(text.replace('"@"', word))


NO_MODELS = {
    "empty": "",
    "blank": " \n",
    "words": "this is no model",
    "csv": "a,b\n1,2\n",
    "a number": "3",
    "null": "null",
    "a list": "[1, 2]",
    "foreign": '{"type": "DecisionTree", "nodes": []}',
    "foreign format": '{"format": "pmml"}',
    "format a list": '{"format": ["treelab-tree"]}',
    "deep": "[" * 100_000,
    "deep object": '{"a":' * 100_000,
    "a very long number": "9" * 10_000,
    "byte order mark": "\ufeff" + json.dumps(valid()),
    "two": json.dumps(valid()) * 2,
}


@pytest.mark.parametrize("text", NO_MODELS.values(), ids=NO_MODELS)
def test_what_is_no_model_is_told(text):
    assert refused(text).startswith("not a treelab model: ")


def test_a_newer_version_is_refused_clearly():
    assert refused('{"format": "treelab-tree", "version": 3, "trees": []}') == (
        "the model has format version 3, this treelab reads up to 2: install a newer treelab"
    )


@pytest.mark.parametrize("version", [0, -1, 1.0, True, "1", None, [1]])
def test_a_version_is_a_whole_number(version):
    message = refused(json.dumps(changed("version", to=version)))

    assert message == "damaged model: the version is no whole number from 1 on"


def test_a_file_that_ends_too_early_is_refused(tmp_path):
    path = tmp_path / "m.json"
    exotic().save(path)
    whole = path.read_bytes()
    for end in range(0, len(whole) - 2, 50):
        path.write_bytes(whole[:end])
        with pytest.raises(ModelFileError, match=f"^{re.escape(str(path))}"):
            tl.Tree.load(path)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(b"\x89PNG\r\n\xff\xfe")
    with pytest.raises(ModelFileError, match=r"m.json is not a treelab model: it is not text$"):
        tl.Tree.load(path)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ModelFileError, match=r"^cannot read .*m.json: No such file or directory$"):
        tl.Tree.load(tmp_path / "m.json")


def test_a_name_that_no_file_can_have_is_told():
    with pytest.raises(ModelFileError, match=r"^cannot read 'a\\x00b': embedded null byte$"):
        tl.Tree.load("a\0b")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ModelFileError, match=r"^cannot read .*: Is a directory$"):
        tl.Tree.load(tmp_path)


# Damage of any kind

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.sampled_from([10**30, 10**400, -0.0, 1e308, 2.5])
    | st.sampled_from(["", "x", "w", "branch", "red"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(value, path=()):
    """Every place of a document."""
    if path:
        yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in inner:
        yield from places(item, (*path, key))


@st.composite
def mutations(draw):
    """Change, remove or double up to three entries of a valid document."""
    made = copy.deepcopy(draw(st.sampled_from([valid(), document()])))
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from(list(places(made))))
        place = made
        for step in path:
            place = place[step]
        what = draw(st.sampled_from(["change", "remove", "double", "swap"]))
        if what == "remove":
            del place[last]
        elif what == "double" and isinstance(place, list):
            place.insert(last, copy.deepcopy(place[last]))
        elif what == "swap" and isinstance(place, list):
            place[last], place[0] = place[0], place[last]
        else:
            place[last] = draw(JSON)
    return made


@steady(400)
@given(mutations())
def test_a_changed_document_is_refused_or_makes_a_sound_tree(made):
    tree = loaded(json.dumps(made))
    if tree is None:
        return
    VALIDATOR.validate(made)
    assert file.loads(file.dumps(tree)) == tree
    assert str(tree)
    use(tree)


def loaded(text):
    """Return the tree of a text; None where it is refused, in one line."""
    try:
        return file.loads(text)
    except ModelFileError as error:
        problem = str(error)
    assert "\n" not in problem
    return None


def use(tree):
    """Predict cases with known, unknown and missing values of everything."""
    for column in tree.schema.features:
        assert column.name in tree.features
    columns = [
        np.array([-1, 0, column.n_labels - 1], float) if column.is_nominal else [np.nan, -9.0, 9.0]
        for column in tree.schema.features
    ]
    data = Dataset.of(tree.schema, columns, cases=3)
    shares = tree.predict_proba(data)
    assert np.allclose(shares.sum(axis=1), 1)
    assert len(tree.apply(data)) == len(tree.predict(data)) == 3


@steady(200)
@given(st.integers(0, 3000), st.binary(max_size=4))
def test_changed_bytes_never_raise_anything_else(place, patch):
    raw = json.dumps(valid()).encode()
    text = (raw[:place] + patch + raw[place + len(patch) :]).decode("utf-8", "replace")
    loaded(text)


# Saving


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(TreelabError, match=r"^cannot write .*: there is no folder .*nowhere$"):
        grown().save(tmp_path / "nowhere" / "m.json")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_folder_that_may_not_be_written_to_is_told(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(TreelabError, match=r"^cannot write .* is write-protected$"):
            grown().save(tmp_path / "m.json")
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path):
    (tmp_path / "m.json").mkdir()
    with pytest.raises(TreelabError, match=r"^cannot write .*m.json: "):
        grown().save(tmp_path / "m.json")
    assert [p.name for p in tmp_path.iterdir()] == ["m.json"]


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_failure_while_saving_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    path, old = tmp_path / "m.json", grown("majority")
    old.save(path)

    def fail(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    monkeypatch.setattr(Path, step, fail, raising=False)
    with pytest.raises(TreelabError, match=r"^cannot write .*: No space left on device$"):
        grown("branch").save(path)
    monkeypatch.undo()

    assert tl.Tree.load(path) == old
    assert [p.name for p in tmp_path.iterdir()] == ["m.json"]


SAVE_FOR_EVER = """
import sys
from treelab.tree.model import Tree
small, large, path = sys.argv[1:]
trees = [Tree.load(small), Tree.load(large)]
print("ready", flush=True)
while True:
    for tree in trees:
        tree.save(path)
"""


def test_a_kill_while_saving_leaves_a_whole_file(tmp_path):
    """The process is killed at moments of all kinds while it saves two trees in turn."""
    small, large, path = (tmp_path / name for name in ("small.json", "large.json", "m.json"))
    trees = [grown("majority"), grown("branch", seed=2)]
    trees[0].save(small)
    trees[1].save(large)
    trees[0].save(path)
    rng = np.random.default_rng(0)
    for wait in rng.uniform(0, 0.03, 6):
        command = [sys.executable, "-c", SAVE_FOR_EVER, small, large, path]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
        assert tl.Tree.load(path) in trees


def test_saving_over_a_model_replaces_it(tmp_path):
    for way in WAYS:
        grown(way).save(tmp_path / "m.json")

    assert tl.Tree.load(tmp_path / "m.json") == grown([*WAYS][-1])
    assert [p.name for p in tmp_path.iterdir()] == ["m.json"]


def test_a_tree_of_one_leaf_can_be_kept(tmp_path):
    tree = tl.grow(dataset([np.array([1.0, 2.0])], [0, 0]))
    tree.save(tmp_path / "m.json")

    assert tl.Tree.load(tmp_path / "m.json") == tree
