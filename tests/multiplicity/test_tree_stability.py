"""How much trees change over bootstrap samples."""

import json
from collections import Counter

import attrs
import numpy as np
import pytest
from strategies import dataset, random_dataset
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.errors import ParameterError, UnknownNameError
from treelab.stats.stores.bootstrap import bootstrap

FEW = tl.Learner(metric="gain", max_depth=3)


def expanded(data):
    """The same cases, each as often as its weight says."""
    copies = data.take(np.repeat(np.arange(len(data)), data.weights.astype(int)))
    return copies.reweighted(np.ones(len(copies)))


@pytest.mark.parametrize("metric", ["gain", "gini", "relieff"])
def test_the_figures_are_those_of_trees_of_copied_cases(metric):
    data = random_dataset(4, cases=60, weights="whole")
    learner = attrs.evolve(FEW, metric=metric)
    row = tl.stability(data, FEW, [metric], samples=12, seed=3)[metric]
    whole = learner.fit(data)
    trees = [learner.fit(expanded(sample)) for sample in bootstrap(data, 12, 3)]

    def used(tree):
        return {node.feature for node in tree.nodes} - {None}

    def same(tree):
        agrees = tree.predict(data) == whole.predict(data)
        return sum(data.weights[agrees]) / sum(data.weights)

    assert row.tree == whole
    assert row.sample_roots == tuple(tree.root.feature for tree in trees)
    assert row.roots == Counter(tree.root.feature for tree in trees)
    assert row.same_root == sum(t.root.feature == whole.root.feature for t in trees) / 12
    common = [len(used(t) & used(whole)) / len(used(t) | used(whole)) for t in trees]
    assert row.same_features == pytest.approx(np.mean(common))
    assert row.same_predictions == pytest.approx(np.mean([same(tree) for tree in trees]))
    sizes = [tree.n_leaves for tree in trees]
    assert (row.mean_leaves, row.spread_leaves) == (np.mean(sizes), np.std(sizes, ddof=1))
    assert 0 < row.same_features < 1
    assert len(row.roots) > 1


def test_samples_are_as_large_as_the_data_and_true_to_weights():
    data = dataset([[1.0, 2.0, 3.0]], [0, 1, 1], weights=[1.0, 2.0, 5.0])
    samples = list(bootstrap(data, 400, 0))
    drawn = np.zeros(3)
    for sample in samples:
        assert sample.weights.sum() == 8
        np.add.at(drawn, sample.columns[0].astype(int) - 1, sample.weights)
    expected = 400 * np.array([1, 2, 5])
    deviation = np.sqrt(400 * 8 * np.array([1, 2, 5]) / 8 * (1 - np.array([1, 2, 5]) / 8))

    assert (np.abs(drawn - expected) < 4 * deviation).all()  # once in 5,000 seeds, and this is one
    assert len({tuple(sample.weights) for sample in samples}) > 10


def test_every_metric_sees_the_same_samples():
    data = random_dataset(5, cases=50)
    both = tl.stability(data, FEW, ["gini", "gain"], samples=6)

    assert list(both) == ["gini", "gain"]
    for name in both:
        alone = tl.stability(data, FEW, name, samples=6)
        assert alone[name].to_dict() == both[name].to_dict()


def test_neither_the_order_of_the_rows_nor_threads_matter_but_the_seed_does():
    data = random_dataset(8, cases=60, weights="fraction")
    other = data.take(np.random.default_rng(0).permutation(len(data)))
    one = tl.stability(data, FEW, samples=6)

    assert tl.stability(other, FEW, samples=6).to_dict() == one.to_dict()
    assert tl.stability(data, FEW, samples=6, seed=1).to_dict() != one.to_dict()
    tl.set_threads(2)
    try:
        assert str(tl.stability(data, FEW, samples=6)) == str(one)
    finally:
        tl.set_threads(None)


def test_without_names_the_learners_metric_and_the_usual_ones_are_asked():
    data = tl.load("lenses")
    learner = tl.Learner(metric="mdl")

    usual = ["gain", "gain-ratio", "gini", "chi2", "relieff"]
    assert list(tl.stability(data, learner, samples=2)) == ["mdl", *usual]


def test_what_is_certain_never_changes():
    y = np.repeat([0, 1], 30)
    data = dataset([y.astype(float), np.tile([0.0, 1.0], 30)], y)
    row = tl.stability(data, metrics="gain", samples=10)["gain"]

    assert (row.same_root, row.same_features, row.same_predictions) == (1.0, 1.0, 1.0)
    assert (row.root, row.mean_leaves, row.spread_leaves) == ("x0", 2.0, 0.0)


def test_a_tree_that_is_a_leaf_is_like_another():
    row = tl.stability(random_dataset(1, cases=9, classes=1), metrics="gain", samples=4)["gain"]

    assert (row.root, row.roots) == (None, {None: 4})
    assert (row.same_root, row.same_features, row.same_predictions) == (1.0, 1.0, 1.0)


def test_cases_without_a_class_are_left_out():
    data = random_dataset(5, cases=40)
    unknown = attrs.evolve(data, y=np.where(np.arange(40) < 5, -1, data.y).astype(data.y.dtype))
    known = unknown.take(np.arange(5, 40))

    one, two = (tl.stability(each, FEW, "gain", samples=4) for each in (unknown, known))
    assert one.to_dict() == two.to_dict()


def test_it_is_shown_as_text_html_frame_and_picture(tmp_path):
    found = tl.stability(tl.load("iris"), metrics=["gain", "gini"], samples=8)
    for name in ("one.svg", "two.svg"):
        found.save(tmp_path / name)

    assert [line.split()[0] for line in str(found).splitlines()[3:]] == ["gain", "gini"]
    html = found._repr_html_()
    assert html.count("<tr>") == 3
    assert found.to_frame()["same_root"].tolist() == [row.same_root for row in found.values()]
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    titles = [axes.get_title(loc="left") for axes in found.draw().axes]
    assert titles == ["same root", "same features", "same predictions", "leaves"]


def test_the_picture_shows_the_means():
    found = tl.stability(tl.load("iris"), metrics=["gain", "gini"], samples=8)
    dots = [
        [line.get_xdata()[0] for line in axes.lines if line.get_markersize() == 6 and
         line.get_marker() == "o"]
        for axes in found.draw().axes
    ]  # fmt: skip

    rows = list(found.values())
    assert dots == [
        [row.same_root for row in rows],
        [row.same_features for row in rows],
        [row.same_predictions for row in rows],
        [row.mean_leaves for row in rows],
    ]


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"samples": 1}, ParameterError, "samples must be a whole number of at least 2, got 1"),
        ({"samples": 2.5}, ParameterError, "samples must be a whole number"),
        ({"seed": "x"}, ParameterError, "seed must be a whole number, got 'x'"),
        ({"learner": tl.grow}, ParameterError, "expected a Learner, got function"),
        ({"metrics": "ginni"}, UnknownNameError, "unknown metric 'ginni'"),
    ],
)
def test_a_wrong_call_is_one_sentence(given, error, text):
    with pytest.raises(error) as told:
        tl.stability(tl.load("lenses"), **given)
    assert str(told.value).startswith(text)


def test_a_metric_that_was_not_asked_is_named():
    with pytest.raises(UnknownNameError, match="unknown metric 'gni': did you mean 'gini'"):
        tl.stability(tl.load("lenses"), metrics="gini", samples=2)["gni"]


def called(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_command(tmp_path):
    picture = tmp_path / "s.svg"
    words = ("stability", "iris", "--metric", "gain", "--metric", "gini", "--samples", 5)
    found = tl.stability(tl.load("iris"), metrics=["gain", "gini"], samples=5)
    shown = called(*words, "--plot", picture)

    assert shown.exit_code == 0
    assert shown.stdout == f"{found}\n\nsaved to {picture}\n"
    assert picture.stat().st_size > 1000
    assert json.loads(called(*words, "--json").stdout) == {"data": "iris", **found.to_dict()}


@pytest.mark.parametrize(
    "words", [("--samples", "0"), ("--metric", "ginni"), ("--plot", "s.html"), ("--pruner", "x")]
)
def test_a_wrong_command_ends_with_two(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed = called("stability", "lenses", *words)

    assert failed.exit_code == 2
    assert failed.stderr.count("\n") == 1
    assert failed.stderr.startswith("treelab: ")
