"""The edit log in the model file, and the same tree again from the data."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treelab as tl
from tests.editing.hands import inner_nodes, own_split
from treelab.editing import Lock, Prune, Regrow, Relabel, Split, versions
from treelab.editing.applying import path_of
from treelab.errors import DataError, ModelFileError, ParameterError
from treelab.tree import file

SCHEMA = json.loads((Path(file.__file__).parent / "model.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
HEPATITIS = tl.load("hepatitis")


def some_edits(tree):
    """Return edits of every kind, for a tree of hepatitis."""
    first, second = inner_nodes(tree)[:2]
    leaf = next(node for node in tree.nodes if node.is_leaf)
    other = next(label for label in tree.classes if label != leaf.label)
    return [
        Relabel(path_of(tree, leaf.number), other),
        own_split(second, "keep"),
        Split(path_of(tree, second.number), "AGE", 40),
        Regrow(path_of(tree, second.number), {"metric": "gini", "pruner": None}),
        Split(path_of(tree, first.number), "FATIGUE", "each", "leaves"),
        Lock("0"),
    ]


@pytest.mark.parametrize("missing", ["fractional", "branch", "majority"])
@pytest.mark.parametrize(
    "kind",
    [{}, {"pruner": None, "splits": "multiway"}, {"bins": 4}, {"discretizer": "equal-width:3"}],
    ids=["default", "multiway", "bins", "intervals"],
)
def test_a_replay_gives_the_same_bytes(kind, missing):
    tree = tl.grow(HEPATITIS, missing=missing, **kind)
    edits = [Regrow("root", {"pruner": None})]
    edits += some_edits(tl.edit(tree, *edits))
    for changed in versions(tree, edits):
        text = file.dumps(changed)
        VALIDATOR.validate(json.loads(text))
        loaded = file.loads(text)

        assert loaded == changed
        assert loaded.edits == changed.edits
        assert file.dumps(loaded) == text
    assert file.dumps(tl.replay(loaded, data=HEPATITIS)) == text
    learner = tl.Learner(missing=missing, **kind)
    assert file.dumps(tl.replay(learner, loaded.edits, HEPATITIS)) == text


def test_undo_is_a_replay_of_one_fewer():
    tree = tl.grow(HEPATITIS, pruner=None)
    states = list(versions(tree, some_edits(tree)))

    for n, state in enumerate(states):
        assert file.dumps(tl.replay(states[-1], states[-1].edits[:n])) == file.dumps(state)


def test_an_edit_in_a_file_goes_on_where_it_was(tmp_path):
    tree = tl.grow(HEPATITIS, pruner=None)
    edits = some_edits(tree)
    at_once = tl.edit(tree, *edits)
    for edit in edits:
        tree.save(tmp_path / "tree.json")
        tree = tl.edit(tl.Tree.load(tmp_path / "tree.json"), edit, data=HEPATITIS)

    assert file.dumps(tree) == file.dumps(at_once)


def test_the_log_is_not_compared_but_labels_are():
    tree = tl.grow(HEPATITIS)

    assert tl.edit(tree, Lock("0")) == tree
    leaf = next(n for n in tree.nodes if n.is_leaf)
    other = next(label for label in tree.classes if label != leaf.label)
    changed = tl.edit(tree, Relabel(path_of(tree, leaf.number), other))
    assert changed != tree
    assert np.array_equal(changed.counts, tree.counts)
    assert tl.edit(changed, Relabel(path_of(tree, leaf.number), leaf.label)) == tree


def test_a_tree_without_edits_has_no_entry():
    document = json.loads(file.dumps(tl.grow(tl.load("lenses"))))

    assert "edits" not in document
    assert all("label" not in node for node in document["nodes"])


def test_a_choice_of_the_metric_and_other_probabilities_are_kept():
    tree = tl.grow(tl.load("lenses"), "auto").with_probabilities("laplace")
    changed = tl.edit(tree, Prune("0"))

    assert file.dumps(tl.replay(changed)) == file.dumps(changed)


DOCUMENT = json.loads(
    file.dumps(
        tl.edit(tl.grow(tl.load("lenses")), Relabel("1", "soft"), Split("0", "age", [["young"]]))
    )
)
DAMAGES = [
    (["edits"], 5, "'edits' are no list"),
    (["edits"], [5], "an edit is an object .*"),
    (["edits", 0, "edit"], "exec", "edit must be one of .*"),
    (["edits", 0, "node"], "x", "a node is named by .*"),
    (["edits", 0, "node"], None, "a node is named by .*"),
    (["edits", 0, "label"], 7, "a class must be a name, got 7"),
    (["edits", 0, "more"], 7, "unknown entry 'more' of a relabel: .*"),
    (["edits", 1, "by"], {}, "a split is given by .*"),
    (["edits", 1, "by"], [[1]], "a group is a list .*"),
    (["edits", 1, "below"], "raise", "below must be one of .*"),
    (["edits", 1, "feature"], [], "a feature must be a name, .*"),
    (["edits"], [{"edit": "lock", "node": "0"}] * 10_001, "an edit log has at most .*"),
    (["nodes", -1, "label"], 3, "there is no whole number from 0 to 2 .*"),
    (["nodes", -1, "label"], "soft", "there is no whole number .*"),
    (["nodes", 0, "label"], 1, "a test has an unknown entry 'label'"),
]


@pytest.mark.parametrize(("path", "value", "said"), DAMAGES, ids=range(len(DAMAGES)))
def test_a_damaged_log_gets_one_sentence(path, value, said):
    document = json.loads(json.dumps(DOCUMENT))
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value

    with pytest.raises(ModelFileError, match=f"^damaged model: {said}$"):
        file.loads(json.dumps(document))
    if path[0] != "nodes" or value != 3:  # how many classes there are is no matter of the schema
        assert not VALIDATOR.is_valid(document)


def test_the_document_that_is_damaged_is_valid():
    VALIDATOR.validate(DOCUMENT)
    assert file.loads(json.dumps(DOCUMENT)).n_leaves > 2


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
ENTRIES = st.sampled_from(["edit", "node", "feature", "by", "below", "learner", "label", "x"])
KINDS = st.sampled_from(["split", "prune", "regrow", "relabel", "lock", "unlock", "x"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.dictionaries(ENTRIES, PLAIN, max_size=4), max_size=3), KINDS)
def test_no_log_breaks_the_loader(log, kind):
    for edit in log[:1]:
        edit["edit"] = kind
    try:
        found = file.loads(json.dumps({**DOCUMENT, "edits": log}))
    except ModelFileError:
        return
    assert len(found.edits) == len(log)


def test_what_cannot_be_replayed_gets_one_sentence():
    tree = tl.grow(HEPATITIS)
    alone = file.loads(file.dumps(tree))

    with pytest.raises(DataError, match=r"^the data the tree was grown from are gone: pass them"):
        tl.replay(alone)
    with pytest.raises(ParameterError, match=r"^expected a Tree or a Learner, got str$"):
        tl.replay("gini", (), HEPATITIS)
    with pytest.raises(ParameterError, match=r"^edits are|^an edit is an object"):
        tl.replay(tree, "prune")
