"""Edits as values, as plain data, and as people write them."""

import json

import pytest

import treelab as tl
from treelab.editing import (
    Lock,
    Prune,
    Regrow,
    Relabel,
    Split,
    Unlock,
    edit_of,
    edits_of,
    read_edit,
)
from treelab.errors import ParameterError, TreelabError

SOME = [
    Split("0.1", "petal width", 0.8),
    Split("root", "petal width", 1, below="keep"),
    Split((0, 1), "petal width", "known", below="leaves"),
    Split("1", "petal width", [["a, b", "missing", " c "], ["d", None], ['"', "{x} | y"]]),
    Split("1", "petal width", "each"),
    Split("1", "petal width"),
    Split("1", "petal width", "2020-01-01"),
    Prune("0.2"),
    Regrow("1", {"metric": "relieff:k=5", "max_depth": 2, "pruner": None, "min_branch": 0.5}),
    Regrow("1"),
    Relabel("0.0", "Iris-setosa"),
    Lock("1"),
    Unlock("1"),
]


@pytest.fixture(scope="module")
def tree():
    return tl.grow(tl.load("iris"))


@pytest.mark.parametrize("edit", SOME, ids=str)
def test_an_edit_is_the_same_after_a_way_through_json(edit):
    assert edit_of(json.loads(json.dumps(edit.plain))) == edit
    assert edit_of(edit) is edit


@pytest.mark.parametrize("edit", SOME, ids=str)
def test_an_edit_is_the_same_after_a_way_through_words(edit, tree):
    assert read_edit(edit.kind, str(edit), tree) == edit


@pytest.mark.parametrize(
    ("kind", "text", "edit"),
    [
        ("split", "1: petal width<=1.7", Split("1", "petal width", 1.7)),
        ("split", "1:petal width = each [leaves]", Split("1", "petal width", "each", "leaves")),
        ("split", "1: petal width = red", Split("1", "petal width", [["red"]])),
        ("split", "root: petal width in {a,b}|{c}", Split("", "petal width", [["a", "b"], ["c"]])),
        ("regrow", "1: gini; search=beam", Regrow("1", {"metric": "gini", "search": "beam"})),
        ("regrow", "1: relieff:k=5", Regrow("1", {"metric": "relieff:k=5"})),
        ("regrow", "1", Regrow("1")),
        ("prune", " 0.1 ", Prune("0.1")),
    ],
)
def test_people_may_write_it_so(kind, text, edit, tree):
    assert read_edit(kind, text, tree) == edit


WRONG = [
    (5, "an edit is an object with the entry 'edit', got 5"),
    ({"edit": "cut"}, "edit must be one of .*, got 'cut'"),
    ({"edit": ["prune"]}, r"edit must be one of .*, got \['prune'\]"),
    ({"edit": "prune"}, "a prune needs 'node'"),
    ({"edit": "prune", "node": "0", "depth": 2}, "unknown entry 'depth' of a prune: .*"),
    ({"edit": "prune", "node": "0.x"}, "a node is named by .*, got '0.x'"),
    ({"edit": "prune", "node": [0, -1]}, r"a node is named by .*, got \[0, -1\]"),
    ({"edit": "prune", "node": 1.5}, "a node is named by .*, got 1.5"),
    ({"edit": "split", "node": "0", "feature": 3}, "a feature must be a name, got 3"),
    ({"edit": "split", "node": "0", "feature": "a", "by": []}, r"a split is given by .*, got \[\]"),
    ({"edit": "split", "node": "0", "feature": "a", "by": True}, "a threshold must .*, got True"),
    ({"edit": "split", "node": "0", "feature": "a", "by": ["b"]}, "a group is a .*, got 'b'"),
    ({"edit": "split", "node": "0", "feature": "a", "by": [[1]]}, r"a group is a .*, got \[1\]"),
    ({"edit": "split", "node": "0", "feature": "a", "below": "x"}, "below must be one of .*'x'"),
    ({"edit": "relabel", "node": "0", "label": None}, "a class must be a name, got None"),
    ({"edit": "regrow", "node": "0", "learner": []}, r"settings are an object, got \[\]"),
    ({"edit": "regrow", "node": "0", "learner": {"bins": 5}}, "bins is of the whole tree, .*"),
    ({"edit": "regrow", "node": "0", "learner": {"metrik": "x"}}, "unknown setting 'metrik': .*"),
    ({"edit": "regrow", "node": "0", "learner": {"metric": 5}}, "metric must be a name .*, got 5"),
    ({"edit": "regrow", "node": "0", "learner": {"min_cases": -1}}, "min_cases must be .*, got -1"),
    ({"edit": "regrow", "node": "0", "learner": {"repr": "x"}}, "unknown setting 'repr': .*"),
]


@pytest.mark.parametrize(("given", "said"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_edit_gets_one_sentence(given, said):
    with pytest.raises(TreelabError, match=f"^{said}$") as error:
        edit_of(given)
    assert "\n" not in str(error.value)


def test_a_log_has_an_end():
    with pytest.raises(ParameterError, match=r"^an edit log has at most 10,000 lines, got 10,001$"):
        edits_of([{"edit": "lock", "node": "0"}] * 10_001)
    with pytest.raises(ParameterError, match=r"^edits are a list, got 'prune'$"):
        edits_of("prune")


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("split", "petal width <= 1", "expected a node and what to do there, as .*"),
        ("split", "1: petal_width <= 1", "unknown feature 'petal_width': did you mean .*"),
        ("split", "1: petal width > 1", "expected a feature, alone or followed by .*"),
        ("split", "1: petal width in a, b", "expected groups such as .*, got 'a, b'"),
        ("split", "1: petal width <= 1 [kept]", "what is below must be one of .*'keep'.*"),
        ("relabel", "1", "expected a node and what to do there, as .*"),
        ("chop", "1", "edit must be one of .*"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(kind, text, said, tree):
    with pytest.raises(TreelabError, match=f"^{said}$"):
        read_edit(kind, text, tree)
