"""How good a tree made by hand is: never on the cases that it was made by."""

import numpy as np
import pytest

import treelab as tl
from treelab.data.folds import folds_by_content
from treelab.editing import Lock, Prune, Relabel, Split
from treelab.errors import ParameterError

IRIS = tl.load("iris")
LENSES = tl.load("lenses")


def test_without_edits_it_is_cross_validation():
    found = tl.assess_edits(tl.Learner(), [], IRIS, folds=5)

    assert found.validation == tl.cross_validate(IRIS, tl.Learner(), 5)
    assert found.accuracy == found.grown_accuracy == found.grown_validation.accuracy
    assert found.done == found.reasons == ()


def test_edits_are_made_in_every_fold_without_its_cases():
    """The same by hand: folds, trees, edits and tests."""
    edits = [Split("root", "petal width", 1.7, "leaves"), Relabel("0", "Iris-setosa")]
    fold = folds_by_content(IRIS, 5, 0)
    right = []
    for f in range(5):
        train, test = IRIS.take(fold != f), IRIS.take(fold == f)
        tree = tl.edit(tl.grow(train), *edits, data=train)
        right.append(np.mean(tree.predict(test) == test.labels))
    found = tl.assess_edits(tl.grow(IRIS), edits, folds=5)

    assert found.accuracy == pytest.approx(np.mean(right), abs=1e-12)  # sums of weights
    assert found.done == (5, 5)
    assert found.accuracy < found.grown_accuracy
    assert found.validation.leaves == 2
    assert found.assessment.cases.sum() == 150


def test_an_edit_that_cannot_be_made_is_skipped_and_counted():
    edits = [Prune("1.0.1"), Split("root", "petal width", 2.45), Prune("7"), Lock("0")]
    found = tl.assess_edits(tl.Learner(), edits, IRIS, folds=10)

    assert found.done[2] == 0
    assert found.reasons[2].startswith("there is no node 7: node root has branches 0 ")
    assert found.done[3] == 10
    assert found.reasons[3] is None
    assert all(0 <= n <= 10 for n in found.done)
    assert (found.done[0] == 10) == (found.reasons[0] is None)
    facts = found.to_dict()
    assert [edit["done"] for edit in facts["edits"]] == list(found.done)
    assert facts["held_out"] is False


def test_on_cases_held_out_beforehand():
    fold = folds_by_content(IRIS, 3, 0)
    train, held = IRIS.take(fold != 0), IRIS.take(fold == 0)
    tree = tl.grow(train)
    edit = Split("root", "petal width", 1.7, "leaves")
    found = tl.assess_edits(tl.edit(tree, edit), data=train, held_out=held)

    changed = tl.edit(tree, edit)
    assert found.accuracy == tl.assess(changed, held).accuracy
    assert found.grown_accuracy == tl.assess(tree, held).accuracy
    assert (found.folds, found.done, found.validation) == (1, (1,), None)
    assert found.words.startswith(f"Measured on {len(held)} cases held out beforehand: ")


def test_the_words_say_what_was_measured():
    found = tl.assess_edits(tl.Learner(), [Split("root", "age")], LENSES, folds=4)

    assert found.words.startswith("Measured on 24 cases, each by a tree that was grown and edited")
    assert "in 4 folds" in found.words
    assert "chosen with all cases in view" in found.words
    assert "root: age" in str(found)
    assert "4 of 4" in str(found)
    assert "<table" in found._repr_html_()


def test_progress_is_seen_and_stops_the_work():
    seen = []

    def watch(results):
        for result in results:
            seen.append(result.accuracy)
            if len(seen) == 2:
                raise KeyboardInterrupt
            yield result

    with pytest.raises(KeyboardInterrupt):
        tl.assess_edits(tl.Learner(), [Prune("1")], IRIS, watch=watch)
    assert len(seen) == 2


def test_weights_and_missing_values_count():
    data = tl.load("labor")
    weights = 1.0 + np.arange(len(data)) % 3
    found = tl.assess_edits(
        tl.Learner(missing="branch"), [Split("root", data.features[1])],
        data.reweighted(weights), folds=3,
    )  # fmt: skip

    assert found.assessment.cases.sum() == weights.sum()
    assert found.done == (3,)


def test_what_is_no_tree_is_refused():
    with pytest.raises(ParameterError, match=r"^expected a Tree or a Learner, got str$"):
        tl.assess_edits("gini", [], IRIS)
