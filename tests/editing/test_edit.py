"""What edits make of trees."""

import numpy as np
import pytest

import treelab as tl
from tests.editing.hands import inner_nodes, naive_counts
from treelab.editing import (
    Lock,
    Prune,
    Regrow,
    Relabel,
    Split,
    Unlock,
    locked,
    relabelled,
    versions,
)
from treelab.errors import DataError, ParameterError, TreelabError

IRIS = tl.load("iris")
VOTING = tl.load("voting")
LABOR = tl.load("labor")
LENSES = tl.load("lenses")


@pytest.fixture(scope="module")
def iris():
    return tl.grow(IRIS)


@pytest.fixture(scope="module")
def lenses():
    return tl.grow(LENSES, pruner=None, min_branch=1)


# Splits


def test_a_threshold_is_taken_as_it_is_given(iris):
    changed = tl.edit(iris, Split("root", "petal width", 1.71234))

    assert changed.root.threshold == 1.71234
    assert iris.root.threshold == 0.8, "the old tree is as it was"
    assert changed.edits == (Split("root", "petal width", 1.71234),)


def test_what_the_metric_says_of_a_split_is_kept(iris):
    for threshold in (0.8, 0.7):  # between the same two values: the same candidate
        changed = tl.edit(iris, Split("root", "petal width", threshold))
        assert changed.root.score == iris.root.score
    tree = tl.grow(IRIS, "gini", pruner=None, min_branch=10)
    asked = tl.why(tree, metrics=["gini"], candidates="all")
    said = {option.split: option.verdicts[0].score for option in asked.options}
    changed = tl.edit(tree, Split("root", "petal width", 1.75))
    assert changed.root.score == said["petal width <= 1.75"]
    # The learner would not leave a branch of fewer than ten cases: no candidate, no score.
    assert np.isnan(tl.edit(tree, Split("root", "petal width", 2.4)).root.score)


def test_a_word_on_the_scale_of_a_feature_is_a_threshold():
    size = [["small", "medium", "large"][i % 3] for i in range(30)]
    frame = {"size": size, "class": ["yes" if s == "large" else "no" for s in size]}
    import pandas as pd

    table = pd.DataFrame(frame)
    table["size"] = pd.Categorical(table["size"], ["small", "medium", "large"], ordered=True)
    data = tl.Dataset.from_frame(table, target="class")
    tree = tl.grow(data, pruner=None)

    assert tl.edit(tree, Split("root", "size", "small")).root.branch_labels[0] == "size <= small"
    with pytest.raises(
        TreelabError, match=r"^unknown value 'smal' of 'size': did you mean 'small'"
    ):
        tl.edit(tree, Split("root", "size", "smal"))


@pytest.mark.parametrize("below", ["grow", "keep", "leaves"])
@pytest.mark.parametrize("missing", ["fractional", "branch", "majority"])
def test_every_case_is_counted_where_it_goes(missing, below):
    """Another threshold high up, and other groups: the weights are those of a naive router."""
    tree = tl.grow(LABOR, missing=missing, pruner=None, metric="gain")
    for node, edit in _other_splits(tree, below):
        changed = tl.edit(tree, edit)

        # Sums of shares differ by rounding.
        np.testing.assert_allclose(changed.counts, naive_counts(changed, LABOR), atol=1e-9)
        assert changed != tree
        assert (changed.counts.sum(axis=1) > 0).all()
        if below == "leaves":
            assert all(c.is_leaf for c in changed.node(edit.node).children), node


def _other_splits(tree, below):
    from treelab.editing import values_at
    from treelab.editing.applying import path_of

    for node in inner_nodes(tree)[:4]:
        path = path_of(tree, node.number)
        if node.threshold is not None:
            low, high = values_at(tree, path, node.feature).thresholds
            by = (2 * low + high) / 3
            if by == node.threshold:
                by = low
        else:
            labels = [bar.label for bar in values_at(tree, path, node.feature).bars]
            here = [labels[c] for c in range(1)]
            by = [here] if len(labels) > 2 else None
        if by is not None:
            yield node, Split(path, node.feature, by, below)


def test_subtrees_stay_where_a_threshold_moves(iris):
    changed = tl.edit(iris, Split("1", "petal width", 1.65, below="keep"))

    assert [node.feature for node in inner_nodes(changed)] == [
        node.feature for node in inner_nodes(iris)
    ]
    assert changed.node("1.0").threshold == iris.node("1.0").threshold
    np.testing.assert_array_equal(changed.counts, naive_counts(changed, IRIS))


def test_a_branch_that_loses_all_its_cases_is_gone(iris):
    """No case of petal width <= 1.0 has a petal length above 4.95."""
    changed = tl.edit(iris, Split("1", "petal width", 1.0, below="keep"))

    assert changed.node("1.0").is_leaf
    assert changed.node("1.0").counts.tolist() == [0, 7, 0]
    np.testing.assert_array_equal(changed.counts, naive_counts(changed, IRIS))


def test_a_group_keeps_the_subtree_that_most_of_its_cases_were_in():
    tree = tl.grow(VOTING, splits="multiway", missing="branch", pruner=None)
    node = tree.root
    labels = node.column.labels
    assert len(node.children) == 3
    below = [child.feature for child in node.children]

    turned = tl.edit(
        tree, Split("root", node.feature, [[labels[1]], [labels[0], None]], below="keep")
    )

    before = dict(zip(map(int, node.branch_of), below[:2], strict=True))
    assert turned.node("0").feature == before[int(node.branch_of[1])]
    assert turned.node("1").feature == before[int(node.branch_of[0])]
    np.testing.assert_array_equal(turned.counts, naive_counts(turned, VOTING))


def test_one_group_stands_against_the_rest(lenses):
    changed = tl.edit(lenses, Split("root", "age", [["young"]], "leaves"))

    assert changed.root.branch_labels == ("age = young", "age in {pre-presbyopic, presbyopic}")
    assert [child.weight for child in changed.root.children] == [8, 16]


def test_a_branch_for_each_value(lenses):
    changed = tl.edit(lenses, Split("root", "age", "each"))

    assert len(changed.root.children) == 3
    assert [child.weight for child in changed.root.children] == [8, 8, 8]


def test_known_against_missing():
    tree = tl.grow(LABOR, missing="branch", pruner=None)
    numeric = next(
        column.name for column, values in zip(LABOR.schema.features, LABOR.columns, strict=True)
        if not column.is_nominal and np.isnan(values).any()
    )  # fmt: skip
    changed = tl.edit(tree, Split("root", numeric, "known"))

    assert changed.root.branch_labels == (f"{numeric} known", f"{numeric} missing")
    np.testing.assert_array_equal(changed.counts, naive_counts(changed, LABOR))


def test_bins_and_intervals_have_borders_only():
    binned = tl.grow(IRIS, bins=4)
    changed = tl.edit(binned, Split("root", "petal length", 4.0))
    cut = tl.grow(IRIS, discretizer="equal-width:4", splits="binary")
    at = tl.edit(cut, Split("root", "petal length", 4.0, "leaves"))

    from treelab.editing import values_at

    assert changed.root.threshold in values_at(binned, "root", "petal length").borders
    borders = cut.coding.cuts["petal length"]
    nearest = borders[np.abs(borders - 4.0).argmin()]
    left = IRIS.columns[2] < nearest
    assert at.node("0").weight == left.sum()
    np.testing.assert_array_equal(at.counts, naive_counts(at, IRIS))


def test_limits_of_the_tree_hold_for_what_grows():
    tree = tl.grow(VOTING, pruner=None, max_depth=3, max_leaves=6, metric="gini")
    changed = tl.edit(tree, Split("0", VOTING.features[0]))

    assert changed.depth <= 3
    assert changed.n_leaves <= 6


# Leaves, growth, and other nodes


def test_a_node_becomes_a_leaf(iris):
    changed = tl.edit(iris, Prune("1"))

    assert changed.n_leaves == 2
    assert changed.node("1").counts.tolist() == [0, 50, 50]
    with pytest.raises(ParameterError, match=r"^node 0 is a leaf already$"):
        tl.edit(iris, Prune("0"))


def test_a_part_grows_again_as_it_is_asked_to():
    tree = tl.grow(VOTING, pruner=None)
    changed = tl.edit(tree, Regrow("0", {"metric": "gini", "max_depth": 1}))

    assert changed.node("0").children, "it was split"
    assert max(changed.depths) <= max(tree.depths)
    assert all(child.is_leaf for child in changed.node("0").children)
    assert changed.node("1").feature == tree.node("1").feature
    only = tl.edit(tree, Regrow("0", {"max_leaves": 3}))
    assert only.n_leaves - sum(n.is_leaf for n in _under(only, "1")) <= 3


def _under(tree, path):
    waiting, found = [tree.node(path)], []
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].children
    return found


def test_a_part_that_grows_again_is_pruned_as_the_learner_prunes():
    tree = tl.grow(VOTING, pruner=None)

    assert tl.edit(tree, Regrow("root", {"pruner": "pessimistic"})) == tl.grow(
        VOTING, pruner="pessimistic"
    )


# Locks


def test_what_is_locked_is_not_changed(iris):
    held = tl.edit(iris, Lock("1.0"))

    assert held == iris
    assert locked(held) == ("1.0",)
    for edit, said in [
        (Prune("1.0"), "node 1.0 is locked: unlock it first"),
        (Relabel("1.0.0", "Iris-setosa"), "node 1.0.0 is locked as part of node 1.0: unlock .*"),
        (Prune("1"), "node 1.0 under node 1 is locked: unlock it first"),
        (Split("root", "petal width", 0.9, "keep"), "node 1.0 under node root is locked: .*"),
        (Regrow("root"), "node 1.0 under node root is locked: unlock it first"),
        (Lock("1.0.1"), "node 1.0.1 is locked as part of node 1.0: unlock it first"),
        (Unlock("1"), "node 1 is not locked: locked are 1.0"),
    ]:
        with pytest.raises(ParameterError, match=f"^{said}$"):
            tl.edit(held, edit)
    free = tl.edit(held, Relabel("1.1", "Iris-setosa"), Unlock("1.0"), Prune("1"))
    assert locked(free) == ()
    assert free.n_leaves == 2
    with pytest.raises(ParameterError, match=r"^node 1 is not locked: nothing is locked$"):
        tl.edit(iris, Unlock("1"))


# What cannot be done


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Prune("2"), "there is no node 2: node root has branches 0 .*"),
        (Prune("0.0"), "there is no node 0.0: node 0 is a leaf"),
        (Split("1", "petal"), "unknown feature 'petal': did you mean .*"),
        (Split("1", "petal width", 0.5), ".* node 1 empty: give a threshold from 1 to below 2.5"),
        (Split("1", "petal width", 2.5), "petal width <= 2.5 leaves a branch of node 1 empty: .*"),
        (Split("1", "petal width", [["a"]]), "'petal width' has no groups of values: give a .*"),
        (Split("1", "petal width", "each"), "'petal width' has no groups of values: give a .*"),
        (Split("1", "petal width", "known"), "'known' is for numbers in trees with missing=.*"),
        (Split("1", "petal width", "wide"), "a threshold of 'petal width' must be .*, got .*"),
        (Split("1", "petal length", 5, "keep"), "node 1 tests 'petal width': below='keep' is .*"),
        (Split("0", "petal length", 1.5, "keep"), "node 0 is a leaf: below='keep' is .*"),
        (Relabel("1", "Iris-setosa"), "node 1 is no leaf: only leaves are given another class"),
        (Relabel("0", "setosa"), "unknown class 'setosa': did you mean 'Iris-setosa'.*"),
        (Regrow("1", {"metric": "relieph"}), "unknown metric 'relieph': .*"),
        ("prune", "an edit is an object with the entry 'edit', got 'prune'"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_gets_one_sentence(iris, edit, said):
    with pytest.raises(TreelabError, match=f"^{said}$"):
        tl.edit(iris, edit)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Split("root", "age", 3), "'age' has no thresholds but values: give groups of them, .*"),
        (Split("root", "age", [["young"], ["old"]]), "unknown value 'old' of 'age': .*"),
        (Split("root", "age", [["young"], ["young", "presbyopic"]]), "the value 'young' is in .*"),
        (Split("root", "age", [["young"], ["presbyopic"]]), "the groups leave out .*"),
        (Split("root", "tear_rate", [["reduced", "normal"]]), "the group .* leaves nothing: .*"),
        (Split("root", "age", [["young", None]]), "missing values are in a group .* only in .*"),
        (Split("0", "tear_rate"), "no split of 'tear_rate' leaves two branches of min_branch .*"),
        (Split("0", "tear_rate", "each"), "all cases at node 0 are alike in 'tear_rate'"),
        (Split("0", "tear_rate", [["reduced"], ["normal"]]), "the group .* is empty: no .*"),
    ],
)  # fmt: skip
def test_groups_that_cannot_be_made_get_one_sentence(lenses, edit, said):
    with pytest.raises(TreelabError, match=f"^{said}$"):
        tl.edit(lenses, edit)


def test_other_data_are_refused(iris, tmp_path):
    half = IRIS.take(np.arange(0, 150, 2))
    for edit in (Split("1", "petal length"), Prune("1"), Lock("1")):
        with pytest.raises(
            DataError, match=r"^these are not the data the tree was grown from: 75 "
        ):
            tl.edit(iris, edit, data=half)
    with pytest.raises(DataError, match=r"^the data the tree was grown from are gone: pass them"):
        tl.edit(_without_data(iris, tmp_path), Split("1", "petal length"))
    with pytest.raises(ParameterError, match=r"^expected a Tree to edit, got int$"):
        tl.edit(5, Prune("1"))


def _without_data(tree, folder):
    tree.save(folder / "tree.json")
    return tl.Tree.load(folder / "tree.json")


def test_what_looks_at_no_case_needs_no_data(iris, tmp_path):
    alone = _without_data(iris, tmp_path)

    assert tl.edit(alone, Prune("1"), Relabel("0", "Iris-virginica"), Lock("0")).n_leaves == 2


def test_constraints_hold_for_hands_too():
    tree = tl.grow(IRIS, constraints=tl.Constraints(never=["sepal width"]), pruner=None)

    with pytest.raises(
        ParameterError, match=r"^node 1: the tree's constraints do not allow 'sepal"
    ):
        tl.edit(tree, Split("1", "sepal width", 3.0))


# The log


def test_versions_are_what_undo_needs(iris):
    edits = [Prune("1.0"), Relabel("0", "Iris-virginica"), Lock("1")]
    states = list(versions(iris, edits))

    assert states[0] is iris
    assert [len(state.edits) for state in states] == [0, 1, 2, 3]
    assert states[-1] == tl.edit(iris, *edits)
    assert relabelled(states[2]) == {"0": "Iris-virginica"}


def test_plain_data_are_edits(iris):
    plain = {"edit": "split", "node": "1", "feature": "petal width", "by": 1.7, "below": "keep"}

    assert tl.edit(iris, plain) == tl.edit(iris, Split("1", "petal width", 1.7, "keep"))
