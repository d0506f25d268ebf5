"""Trees of the presets: J48's node for node (SPEC 12.4), and what C4.5 does otherwise."""

import json
from functools import cache
from itertools import product
from pathlib import Path

import attrs
import numpy as np
import pytest
import weka
from strategies import dataset

import treelab as tl
from treelab.errors import ParameterError, UnknownNameError

FILE = Path(__file__).parents[1] / "reference" / "j48_trees.json"
J48 = json.loads(FILE.read_text())
KINDS = {
    "pruned": {},
    "unpruned": {"pruned": False},
    "binary": {"binary": True},
    "binary unpruned": {"binary": True, "pruned": False},
}
kinds = pytest.mark.parametrize("kind", KINDS)
odd_sets = pytest.mark.parametrize("number", range(len(J48["odd"])))

# A rule of J48 switched off: the setting of the learner, and what becomes of it.
WITHOUT = {
    "least side of a cut": ("cuts", "c45", "c45:side_share=0"),
    "threshold of all data": ("cuts", "c45", "c45:threshold=node"),
    "threshold of the data": ("cuts", "c45", "c45:threshold=midpoint"),
    "distance of values": ("cuts", "c45", "c45:apart=0"),
    "price": ("metric", "price=numeric", "price=false"),
    "price of numbers only": ("metric", "price=numeric", "price=true"),
    "price without mercy": ("metric", "waive=False", "waive=True"),
    "gate": ("metric", "waive=False", "waive=False,gate=False"),
    "average of all that can be split": ("metric", "average=admissible", "average=gaining"),
    "no gain, no split": ("metric", "idle=False", "idle=True"),
    "groups by ratio": ("metric", "groups=ratio", "groups=gain"),
    "ties": ("metric", "tie=1e-06", "tie=1e-12"),
    "estimate": ("pruner", "method=j48", "method=c45"),
    "raising": ("pruner", "raising=True", "raising=False"),
    "collapse": ("pruner", "collapse", "none"),
    "unseen labels": ("unseen", "rest", "stop"),
}


@cache
def odd_data(number, folder):
    path = folder / f"{number}.arff"
    path.write_text(J48["odd"][number]["arff"])
    return tl.read(path)


@pytest.fixture(scope="session")
def odd_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("odd")


def grown(learner, data, kind):
    return weka.printed(learner.fit(data), "binary" in kind)


@kinds
@pytest.mark.parametrize("name", tl.dataset_names())
def test_the_trees_of_the_bundled_sets_are_those_of_j48(name, kind):
    ours = grown(tl.j48(**KINDS[kind]), tl.load(name), kind)

    # A hundredth for counts of parts of cases, which both round; all else exactly.
    assert weka.same(ours, J48["bundled"][name][kind])


@kinds
@odd_sets
def test_the_trees_of_odd_sets_are_those_of_j48(number, kind, odd_folder):
    data = odd_data(number, odd_folder)

    assert weka.same(grown(tl.j48(**KINDS[kind]), data, kind), J48["odd"][number]["trees"][kind])


@cache
def odd_tree(number, kind, folder):
    return tl.j48(**KINDS[kind]).fit(odd_data(number, folder))


def changes(rule, number, kind, folder):
    """Return whether the tree of an odd set is another one without a rule."""
    name, with_it, without_it = WITHOUT[rule]
    learner = tl.j48(**KINDS[kind])
    changed = getattr(learner, name).replace(with_it, without_it)
    other = attrs.evolve(learner, **{name: changed}).fit(odd_data(number, folder))
    return other != odd_tree(number, kind, folder)


@pytest.mark.parametrize("rule", WITHOUT)
def test_every_rule_changes_some_tree_of_an_odd_set(rule, odd_folder):
    everywhere = product(range(len(J48["odd"])), KINDS)

    # The first will do.
    assert any(changes(rule, number, kind, odd_folder) for number, kind in everywhere)


def test_the_origin_of_the_trees_is_told():
    assert J48["origin"]["weka"] == "weka\t3.6.14-3"
    assert set(J48["bundled"]) == set(tl.dataset_names())


def leaves(lines):
    return sum(line.endswith(")") for line in lines)


def test_the_page_has_the_leaves_of_every_tree():
    page = (FILE.parents[2] / "docs" / "j48.md").read_text("utf-8")
    rows = [
        f"| {name} | {' | '.join(str(leaves(trees[kind])) for kind in KINDS)} | equal |"
        for name, trees in J48["bundled"].items()
    ]

    assert "\n".join(rows) in page


# C4.5


def xor(copies=5):
    a, b = np.tile([[0, 0, 1, 1], [0, 1, 0, 1]], copies)
    return dataset([a, b], a ^ b, 2)


def test_c45_takes_a_nominal_feature_without_gain_and_j48_does_not():
    """SPEC 12.4, item 9."""
    assert tl.c45().fit(xor()).n_leaves == 4
    assert tl.j48().fit(xor()).n_leaves == 1
    assert tl.c45(idle=False).fit(xor()).n_leaves == 1


def test_c45_with_the_ways_of_j48_is_j48():
    assert tl.c45(method="j48", idle=False, tie=1e-6) == tl.j48()


def test_noise_has_hardly_a_leaf():
    """SPEC 12.4: 200 cases of 5 uniform features, 1.5 leaves on average."""
    leaves = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        data = dataset([*rng.random((5, 200))], rng.integers(0, 2, 200), 2)
        leaves.append(tl.c45().fit(data).n_leaves)

    # 1.5 was measured; the standard error of a mean of 100 numbers of leaves is about 0.2.
    assert np.mean(leaves) == pytest.approx(1.5, abs=0.8)


# How presets are asked for


def test_a_preset_is_a_dictionary_of_options():
    assert tl.preset_names() == ["c45", "j48"]
    assert tl.Learner(**tl.preset("j48:binary=true,cf=0.1")) == tl.j48(binary=True, cf=0.1)
    assert tl.Learner(**tl.preset("c45")) == tl.c45()


def test_a_preset_is_for_the_estimator_too():
    data = tl.load("iris")
    model = tl.TreeClassifier(**tl.preset("j48")).fit(np.column_stack(data.columns), data.labels)

    assert model.get_n_leaves() == tl.j48().fit(data).n_leaves


def test_a_larger_branch_doubles_the_smallest_node():
    assert (tl.j48(min_branch=5).min_cases, tl.j48(min_branch=5).min_branch) == (10, 5)


def test_a_saved_tree_is_explained_as_it_grew(tmp_path):
    data, path = tl.load("iris"), tmp_path / "model.json"
    tl.j48().fit(data).save(path)
    told = str(tl.why(tl.Tree.load(path), "", data=data))

    assert "petal width <= 0.6" in told  # halfway it would be 0.8


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("j84", UnknownNameError, "unknown preset 'j84': did you mean 'j48'?"),
        ("j48:cv=0.1", UnknownNameError, "unknown parameter 'cv' of preset 'j48': did you mean"),
        ("j48:pruned=2", ParameterError, "pruned must be True or False, got 2"),
        ("j48:min_branch=0", ParameterError, "min_branch must be a number of at least 1, got 0"),
    ],
)
def test_a_wrong_preset_is_told_in_a_sentence(spec, error, message):
    with pytest.raises(error) as told:
        tl.preset(spec)

    assert str(told.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cf": 2}, "cf must be above 0 and at most 1, got 2"),
        ({"raising": "x"}, "raising must be True or False, got 'x'"),
        ({"tie": -1}, "tie must be a number of at least 0, got -1"),
        ({"method": "c5"}, "method must be one of 'c45', 'j48', 'exact', got 'c5'"),
    ],
)
def test_a_wrong_option_is_told_when_the_tree_is_grown(options, message):
    with pytest.raises(ParameterError) as told:
        tl.c45(**options).fit(tl.load("lenses"))

    assert str(told.value).startswith(message)


def test_a_preset_predicts_the_most_frequent_class_of_a_leaf():
    """As J48 and C4.5 do; shrunk probabilities might say another."""
    for learner in (tl.j48(), tl.c45()):
        tree = learner.fit(tl.load("lenses"))
        assert tree.probabilities == "shares"
