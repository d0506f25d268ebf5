"""Edits that ask for what the learner chose itself give the tree that it grew."""

import pytest

import treelab as tl
from tests.editing.hands import inner_nodes, own_split
from treelab.editing import Regrow, Split
from treelab.editing.applying import path_of

# Raising moves a subtree to cases that it did not grow from, so it does not grow there again;
# 'minimum-error' and 'cost-complexity' weigh a part by the whole tree that it is given.
FEW_KINDS = [
    {"pruner": None, "splits": "auto"},
    {"pruner": "pessimistic:raising=False,chance=0.5", "splits": "multiway"},
    {"pruner": None, "splits": "binary", "discretizer": "equal-width:4"},
]
MORE_KINDS = [
    {"pruner": "pessimistic:raising=False", "splits": "binary", "unseen": "rest"},
    {"pruner": None, "splits": "subset", "discretizer": "mdlp"},
    {"pruner": "collapse", "max_depth": 3, "bins": 5},
    {"pruner": None, "max_leaves": 6},
    {"pruner": "collapse", "cuts": "c45", "metric": "gini"},
    {"pruner": None, "class_weight": "balanced"},
    {"pruner": None, "metric": "relieff", "max_depth": 3},
    {"pruner": "chance", "search": "lookahead"},
    {"pruner": "pep", "metric": "gain-ratio"},
]
POLICIES = ["fractional", "branch", "majority"]


def check(name, missing, kind, most):
    data = tl.load(name)
    tree = tl.grow(data, missing=missing, **kind)
    nodes = inner_nodes(tree)[:most]
    assert nodes, "a tree without tests says nothing"
    for node in nodes:
        path = path_of(tree, node.number)
        edits = [own_split(node), own_split(node, "keep"), Split(path, node.feature), Regrow(path)]
        for edit in edits:
            assert tl.edit(tree, edit) == tree, edit
    assert tl.edit(tree) is tree


@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("kind", FEW_KINDS, ids=range(len(FEW_KINDS)))
@pytest.mark.parametrize("name", ["labor", "hepatitis"])
def test_the_grown_tree_again(name, missing, kind):
    check(name, missing, kind, 3)


@pytest.mark.slow
@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("kind", [*FEW_KINDS, *MORE_KINDS])
@pytest.mark.parametrize("name", ["labor", "hepatitis", "voting", "lenses", "credit-german"])
def test_the_grown_tree_again_in_every_kind(name, missing, kind):
    check(name, missing, kind, 12)


@pytest.mark.parametrize("missing", POLICIES)
def test_the_default_pruner_leaves_the_same_class_weights_where_subtrees_are_kept(missing):
    """Raising counts all cases again; so does an edit, to the last digit."""
    tree = tl.grow(tl.load("hepatitis"), missing=missing)
    for node in inner_nodes(tree):
        assert tl.edit(tree, own_split(node, "keep")) == tree


@pytest.mark.parametrize("pruner", [None, "pessimistic"])
def test_the_tree_with_costs_again(pruner):
    data = tl.load("hepatitis")
    one, other = data.classes
    tree = tl.grow(data, costs={one: {other: 5}, other: {one: 1}}, pruner=pruner)
    for node in inner_nodes(tree)[:5]:
        for below in ("keep", "grow") if pruner is None else ("keep",):
            assert tl.edit(tree, own_split(node, below)) == tree


@pytest.mark.parametrize("search", ["beam", "optimal"])
def test_other_searches_grow_below_a_node_too(search):
    data = tl.load("voting")
    tree = tl.grow(data, search=search, max_depth=3, missing="majority", pruner=None)
    changed = tl.edit(tree, Split("root", data.features[0]))

    assert changed.root.feature == data.features[0]
    assert 1 < changed.depth <= 3
    assert tl.edit(tree, Regrow("root")) == tree
