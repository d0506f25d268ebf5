"""Model files: there and back, the learner in them, saving."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import attrs
import numpy as np
import pytest
from handmade import MutableNode, flat_tree
from model_files import VALIDATOR, WAYS, exotic, grown
from strategies import dataset, random_dataset

import treelab as tl
from treelab.data.coding import Coding
from treelab.data.schema import Column, Schema
from treelab.discretize import DISCRETIZERS
from treelab.errors import ParameterError, TreelabError, UnknownNameError
from treelab.learner import Learner
from treelab.metrics import CountMetric
from treelab.metrics.registry import METRICS
from treelab.tree import file
from treelab.tree.prune import PRUNERS, pruner
from treelab.tree.settings import NAMES, READ


def chain():
    """A tree deeper than recursion could go."""
    node = MutableNode(np.array([1.0, 2.0]))
    for k in range(sys.getrecursionlimit() + 50):
        one = MutableNode(np.array([3.0, 0.5]))
        node = MutableNode(one.counts + node.counts, 0, float(-k), children=[one, node], score=0.1)
    return flat_tree(node, Schema((Column("x"),), Column("y", ("a", "b"))), Coding(), "fractional")


TREES = {**{way: lambda way=way: grown(way) for way in WAYS}, "exotic": exotic, "chain": chain}


every_tree = pytest.mark.parametrize("make", TREES.values(), ids=TREES)


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
    for wait in rng.uniform(0, 0.03, 3):
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
