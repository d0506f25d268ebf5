import sys

import numpy as np
import pytest
from handmade import MutableNode, flat_tree
from strategies import dataset

import treelab as tl
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.errors import ParameterError
from treelab.tree.node import Node
from treelab.tree.show import number

SIZE = Column("size")
COLOUR = Column("colour", ("red", "green", "blue"))
MANY = Column("letter", tuple("abcdefghijk"))


def leaf(*counts):
    return MutableNode(np.array(counts, float))


def parted(feature, *children, threshold=np.nan, branch_of=(), missing=-1, score=0.5):
    counts = np.sum([child.counts for child in children], axis=0)
    codes = np.array(branch_of, np.int32)
    return MutableNode(counts, feature, threshold, codes, missing, score, list(children))


def tree_of(root, *features, cuts=None, missing="branch", classes=("no", "yes")):
    schema = Schema(features, Column("buy", classes))
    return flat_tree(root, schema, Coding(cuts or {}), missing)


@pytest.fixture
def tree():
    """Multiway by colour; for green ones, size and whether it is missing."""
    sizes = parted(0, leaf(3, 0), leaf(0, 4), leaf(1, 1), threshold=2.5, missing=2)
    root = parted(1, leaf(5, 0), sizes, leaf(0, 2.5), branch_of=(0, 1, 2))
    return tree_of(root, SIZE, COLOUR)


# The text


def test_a_tree_is_shown_a_line_a_branch(tree):
    assert str(tree).splitlines() == [
        "buy: 16.5 cases, 5 leaves, depth 2; all: no (16.5 cases: no 55%, yes 45%)",
        "colour = red: no (5 cases)",
        "colour = green",
        "|   size <= 2.5: no (3 cases)",
        "|   size > 2.5: yes (4 cases)",
        "|   size missing: no (2 cases: no 50%, yes 50%)",
        "colour = blue: yes (2.5 cases)",
    ]


def test_a_tree_of_one_leaf_is_its_head():
    assert str(tree_of(leaf(1, 0), SIZE)) == "buy: 1 case, 1 leaf, depth 0; all: no (1 case)"


def test_groups_of_values_are_listed():
    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(0, 1, 0), missing=1)

    assert str(tree_of(root, COLOUR)).splitlines()[1:] == [
        "colour in {red, blue}: no (5 cases)",
        "colour = green or missing: yes (2 cases)",
    ]


def test_missing_values_may_go_with_a_side_of_a_threshold():
    root = parted(0, leaf(5, 0), leaf(0, 2), threshold=-1, missing=0)

    assert tree_of(root, SIZE).root.branch_labels == ("size <= -1 or missing", "size > -1")


def test_a_branch_for_missing_values_only_is_named():
    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(0, 0, 0), missing=1)

    assert tree_of(root, COLOUR).root.branch_labels == (
        "colour in {red, green, blue}",
        "colour missing",
    )


def test_intervals_name_their_own_comparison():
    root = parted(0, leaf(5, 0), leaf(0, 2), leaf(1, 2), branch_of=(0, 1, 2))

    assert str(tree_of(root, SIZE, cuts={"size": [1.5, 3]})).splitlines()[1:] == [
        "size < 1.5: no (5 cases)",
        "size = 1.5..3: yes (2 cases)",
        "size >= 3: yes (3 cases: yes 67%, no 33%)",
    ]


def test_intervals_that_go_together_are_listed():
    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(0, 0, 1))
    labels = tree_of(root, SIZE, cuts={"size": [1.5, 3]}).root.branch_labels

    assert labels == ("size in {< 1.5, 1.5..3}", "size >= 3")


def test_a_label_that_looks_like_an_interval_is_a_label():
    column = Column("size", ("< 3", ">= 3"))
    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(0, 1))

    assert tree_of(root, column).root.branch_labels == ("size = < 3", "size = >= 3")


def test_of_many_values_some_are_named():
    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(*[0] * 8, 1, 1, 1))
    labels = tree_of(root, MANY).root.branch_labels
    assert labels == ("letter in {a, b, c, d, e, f, g, h}", "letter in {i, j, k}")

    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(*[0] * 10, 1))
    labels = tree_of(root, MANY).root.branch_labels
    assert labels == ("letter in {a, b, c, d, e, f, g, h, and 2 more}", "letter = k")


def test_of_many_classes_the_largest_are_named():
    found = str(tree_of(leaf(1, 2, 3, 0, 2, 2), SIZE, classes=tuple("uvwxyz")))

    assert found.endswith("all: w (10 cases: w 30%, v 20%, y 20%, z 20%, ...)")


def test_classes_without_cases_are_not_named():
    assert str(tree_of(leaf(0, 3, 0), SIZE, classes=tuple("abc"))).endswith("all: b (3 cases)")


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        ((1234567, 0), "1,234,567 cases"),
        ((999, 1), "1,000 cases"),
        ((0.1, 0.2), "0.3 cases"),
        ((1 / 3, 0), "0.333333 cases"),
        ((0.3, 0.7), "1 case"),
        ((12345.678, 0), "12,345.7 cases"),
    ],
)
def test_whole_numbers_of_cases_are_shown_in_full(counts, shown):
    assert str(tree_of(leaf(*counts), SIZE)).startswith(f"buy: {shown}, ")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2.0, "2"),
        (-0.25, "-0.25"),
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.333333"),
        (1234567.5, "1234567.5"),
        (123456789012.0, "1.23457e+11"),
        (1e-7, "1e-07"),
    ],
)
def test_numbers_are_short(value, shown):
    assert number(value) == shown


def test_names_may_be_of_any_script():
    column = Column("größe", ("klein", "大"))
    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(0, 1))

    assert str(tree_of(root, column, classes=("nein", "да"))).splitlines() == [
        "buy: 7 cases, 2 leaves, depth 1; all: nein (7 cases: nein 71%, да 29%)",
        "größe = klein: nein (5 cases)",
        "größe = 大: да (2 cases)",
    ]


def test_control_characters_in_names_are_written_out():
    column = Column("\x1b[31msize", ("a\nb", "\x9bc\x7f"))
    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(0, 1))

    assert str(tree_of(root, column, classes=("no\0", "yes\t"))).splitlines() == [
        r"buy: 7 cases, 2 leaves, depth 1; all: no\x00 (7 cases: no\x00 71%, yes\t 29%)",
        r"\x1b[31msize = a\nb: no\x00 (5 cases)",
        r"\x1b[31msize = \x9bc\x7f: yes\t (2 cases)",
    ]


def test_a_very_deep_tree_is_shown():
    depth = sys.getrecursionlimit() + 50
    node = leaf(1, 0)
    for k in range(depth):
        node = parted(0, node, leaf(0, 1), threshold=float(k))
    lines = str(tree_of(node, SIZE)).splitlines()

    assert len(lines) == 1 + 2 * depth
    assert lines[depth] == "|   " * (depth - 1) + "size <= 0: no (1 case)"


def test_a_grown_tree_is_shown():
    sizes, colours = [0.0, 1, 2, 7, 8, 9, np.nan, np.nan], [0, 0, 1, 0, 1, 1, 2, 2]
    schema = Schema((SIZE, COLOUR), Column("buy", ("no", "yes")))
    data = Dataset.of(schema, [sizes, colours], [0, 0, 0, 1, 1, 1, 0, 0])
    how = {"discretizer": "equal-width:3", "pruner": None, "missing": "branch", "min_branch": 1}

    assert str(tl.grow(data, "gain", **how)).splitlines() == [
        "buy: 8 cases, 3 leaves, depth 1; all: no (8 cases: no 62%, yes 38%)",
        "size < 3: no (3 cases)",
        "size >= 6: yes (3 cases)",
        "size missing: no (2 cases)",
    ]


# A closer look


def test_a_test_knows_itself(tree):
    node = tree.node([1])

    assert (node.number, node.is_leaf, node.feature, node.threshold) == (2, False, "size", 2.5)
    assert (node.column, node.is_cut, node.missing_branch, node.score) == (SIZE, False, 2, 0.5)
    assert (node.weight, node.errors, node.label) == (9, 4, "yes")
    assert node.counts.tolist() == [4, 5]
    assert [child.number for child in node.children] == [3, 4, 5]
    assert node.branch_of.tolist() == []


def test_a_leaf_knows_itself(tree):
    node = tree.node([1, 2])

    assert (node.number, node.is_leaf, node.feature, node.column) == (5, True, None, None)
    assert (node.threshold, node.missing_branch, node.is_cut) == (None, None, False)
    assert (node.label, node.errors, node.children, node.branch_labels) == ("no", 1, (), ())
    assert np.isnan(node.score)


def test_a_test_by_code_knows_its_branches(tree):
    assert tree.root.branch_of.tolist() == [0, 1, 2]
    assert (tree.root.threshold, tree.root.missing_branch) == (None, None)


def test_a_cut_feature_has_intervals_for_labels():
    root = parted(0, leaf(5, 0), leaf(0, 2), branch_of=(0, 1))
    node = tree_of(root, SIZE, cuts={"size": [1.5]}).root

    assert node.is_cut
    assert node.column == Column("size", ("< 1.5", ">= 1.5"))


def test_a_path_leads_to_a_node(tree):
    assert tree.node([]) == tree.root == Node(tree, 0)
    assert tree.node((1, 0)).number == 3
    assert tree.node("1.0") == tree.node((1, 0))
    assert repr(tree.node([1])) == "Node(number=2)"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ([3], r"no node 3: node root has branches 0 \(colour = red\), 1 \(.*\), 2 \(.* = blue\)$"),
        ([-1], r"no node -1: node root has branches 0 \(colour = red\), .*\)$"),
        ([0, 0], r"no node 0\.0: node 0 is a leaf$"),
        ("a", r"^a node is named by branch numbers such as '0\.2\.1', or by 'root', got 'a'$"),
        (1.5, r"got 1\.5$"),
    ],
)
def test_a_path_to_nowhere_is_told(tree, path, message):
    with pytest.raises(ParameterError, match=message):
        tree.node(path)


def test_nodes_come_parents_first(tree):
    assert [node.number for node in tree.nodes] == list(range(7))
    assert tree.depths.tolist() == [0, 1, 1, 2, 2, 2, 1]


def test_sizes(tree):
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (7, 5, 2)
    assert (tree.features, tree.classes) == (("size", "colour"), ("no", "yes"))
    assert repr(tree) == "<Tree for 'buy': 5 leaves, 7 nodes, depth 2>"


def test_importances_are_shares_of_the_impurity_that_goes_away(tree):
    """Weighted Gini: 16.5 - (81 + 56.25) / 16.5 at the root, 9 - 41 / 9 below, 1 in one leaf."""
    root, below = 16.5 - (9**2 + 7.5**2) / 16.5, 9 - (4**2 + 5**2) / 9
    lowered = np.array([below - 1, root - below])

    assert tree.feature_importances == pytest.approx(lowered / lowered.sum())


def test_a_tree_without_tests_has_no_important_feature():
    assert tree_of(leaf(1, 2), SIZE, COLOUR).feature_importances.tolist() == [0, 0]


def test_cases_end_at_nodes(tree):
    sizes, colours = [1, 9, np.nan, 1, 1, 1], [1, 1, 1, 0, 2, -1]
    data = Dataset.of(tree.schema, [sizes, colours])

    assert tree.apply(data).tolist() == [3, 4, 5, 1, 6, 0]


def test_equal_trees_make_the_same_tests(tree):
    same = flat_tree(_root(), tree.schema, tree.coding, "branch", {"repr": "made otherwise"})

    assert tree == same
    assert tree != flat_tree(_root(), tree.schema, tree.coding, "majority")
    assert tree != flat_tree(_root(threshold=2.6), tree.schema, tree.coding, "branch")
    assert tree != tree_of(leaf(9, 7.5), SIZE, COLOUR)
    assert tree != "tree"
    with pytest.raises(TypeError, match="unhashable"):
        hash(tree)


def _root(threshold=2.5):
    sizes = parted(0, leaf(3, 0), leaf(0, 4), leaf(1, 1), threshold=threshold, missing=2, score=9)
    return parted(1, leaf(5, 0), sizes, leaf(0, 2.5), branch_of=(0, 1, 2), score=8)


def test_a_tree_cannot_be_changed(tree):
    with pytest.raises(ValueError, match="read-only"):
        tree.counts[0, 0] = 1


def test_a_branch_names_eight_values_and_counts_the_others():
    def text(n_values):
        code = np.arange(5 * n_values) % n_values  # five cases each, or they were grouped as rare
        return str(tl.grow(dataset([code], code == 0), splits="subset", pruner=None))

    assert "x0 in {b, c, d, e, f, g, h, i}: c0" in text(9)
    assert "x0 in {b, c, d, e, f, g, h, i, and 1 more}: c0" in text(10)
