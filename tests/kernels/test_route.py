"""The routing kernels against plain recursion."""

from itertools import product

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.kernels import route
from treelab.stats.formulas.impurity import majority
from treelab.tree.predict import matrix

NAN = np.nan

# x0 <= 5: node 1 (x1: code 0 -> leaf 2, 1 -> leaf 3, 2 -> nowhere); else: leaf 4; missing: leaf 5.
HAND = route.FlatTree(
    feature=np.array([0, 1, -1, -1, -1, -1], np.int32),
    threshold=np.array([5.0, NAN, NAN, NAN, NAN, NAN]),
    first_child=np.array([0, 3, 5, 5, 5, 5, 5]),
    children=np.array([1, 4, 5, 2, 3]),
    first_code=np.array([0, 0, 3, 3, 3, 3, 3]),
    branch_of=np.array([0, 1, -1], np.int32),
    missing_branch=np.array([2, -1, -1, -1, -1, -1], np.int32),
    weight=np.array([10.0, 6.0, 1.5, 4.5, 3.0, 1.0]),
    fractional=True,
)
STOPPING = HAND._replace(fractional=False)


@pytest.mark.parametrize(
    ("tree", "node", "value", "branch"),
    [
        (HAND, 0, 4.9, 0),
        (HAND, 0, 5.0, 0),  # the threshold itself goes left
        (HAND, 0, np.nextafter(5.0, 6.0), 1),
        (HAND, 0, NAN, 2),
        (STOPPING, 0, NAN, 2),
        (HAND, 1, 0.0, 0),
        (HAND, 1, 1.0, 1),
        (HAND, 1, 2.0, route.STOP),  # a label the node never saw
        (HAND, 1, 3.0, route.STOP),  # a label the tree never saw
        (HAND, 1, NAN, route.SPREAD),
        (STOPPING, 1, NAN, route.STOP),
    ],
)
def test_a_value_has_a_branch_or_stops_or_is_spread(tree, node, value, branch):
    assert route.next_branch(tree, node, value) == branch


def ended(tree, case, root=0):
    """Return where a case ends, and its share there, from the kernel."""
    room = len(tree.feature) + 1
    stack, shares = np.empty(room, np.int64), np.empty(room)
    n = route.leaf_shares(tree, root, np.array(case), stack, shares)
    return dict(zip(stack[:n].tolist(), shares[:n].tolist(), strict=True))


@pytest.mark.parametrize(
    ("tree", "case", "expected"),
    [
        (HAND, [1.0, 1.0], {3: 1.0}),
        (HAND, [9.0, NAN], {4: 1.0}),
        (HAND, [NAN, 1.0], {5: 1.0}),
        (HAND, [1.0, 7.0], {1: 1.0}),
        (HAND, [1.0, NAN], {2: 0.25, 3: 0.75}),
        (STOPPING, [1.0, NAN], {1: 1.0}),
    ],
)
def test_a_case_ends_where_it_should(tree, case, expected):
    assert ended(tree, case) == expected


def test_a_case_may_start_below_the_root():
    assert ended(HAND, [9.0, 0.0], root=1) == {2: 1.0}


def test_the_first_of_two_equal_shares_is_the_main_one():
    tree = HAND._replace(weight=np.array([10.0, 6.0, 3.0, 3.0, 3.0, 1.0]))
    cases = np.array([[1.0, NAN], [9.0, NAN], [1.0, 2.0]])

    assert route.main_leaf(tree, cases).tolist() == [2, 4, 1]
    assert route.main_leaf(HAND, cases).tolist() == [3, 4, 1]


# Grown trees


def naive_ends(tree, node, case):
    """Return where a case ends below a node, and its share there."""
    children = tree.children[tree.first_child[node] : tree.first_child[node + 1]].tolist()
    if not children:
        return {node: 1.0}
    value, branch = case[tree.feature[node]], -1
    if np.isnan(value):
        branch = tree.missing_branch[node]
        if branch < 0 and tree.fractional:
            total = sum(tree.weight[child] for child in children)
            return {
                end: share * tree.weight[child] / total
                for child in children
                for end, share in naive_ends(tree, child, case).items()
            }
    elif not np.isnan(tree.threshold[node]):
        branch = int(value > tree.threshold[node])
    else:
        codes = tree.branch_of[tree.first_code[node] : tree.first_code[node + 1]]
        branch = codes[int(value)] if value < len(codes) else -1
    return {node: 1.0} if branch < 0 else naive_ends(tree, children[branch], case)


@pytest.fixture(params=list(product(["fractional", "branch", "majority"], [0.0, 0.5])))
def grown(request):
    """Return a tree and other cases, with more missing values and more labels."""
    missing, holes = request.param
    data = random_dataset(5, cases=80, missing=0.1, labels=4)
    others = random_dataset(6, cases=60, missing=holes, labels=6, weights="fraction")
    tree = tl.grow(data, "gain", missing=missing, splits="multiway", pruner="none", min_branch=1)
    return tree, matrix(tree, others), others


def test_every_case_ends_as_by_recursion(grown):
    tree, cases, _ = grown
    for case in cases:
        expected = naive_ends(tree.flat, 0, case)
        actual = ended(tree.flat, case)

        assert expected.keys() == actual.keys()
        # Shares of shares, multiplied from the other end: the last digits differ.
        assert expected == pytest.approx(actual, rel=1e-12)
        assert sum(actual.values()) == pytest.approx(1.0, rel=1e-12)


def test_a_case_ends_as_a_whole_or_is_shared_out(grown):
    tree, cases, _ = grown
    expected = [list(naive_ends(tree.flat, 0, case)) for case in cases]

    actual = route.whole_leaves(tree.flat, cases).tolist()

    assert actual == [ends[0] if len(ends) == 1 else route.SPREAD for ends in expected]


def test_a_tree_without_a_test_keeps_every_case():
    lenses = tl.load("lenses")
    leaf = tl.grow(lenses, max_depth=0)

    assert route.whole_leaves(leaf.flat, matrix(leaf, lenses)).tolist() == [0] * 24
    assert leaf.predict(lenses).tolist() == ["none"] * 24


def test_the_predicted_class_is_the_most_probable(grown):
    tree, _, others = grown
    probable = majority(tree.predict_proba(others))

    assert tree.predict(others).tolist() == np.array(tree.classes)[probable].tolist()


def test_class_shares_are_the_mean_over_the_ends(grown):
    tree, cases, _ = grown
    shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
    expected = [
        sum(share * shares[end] for end, share in naive_ends(tree.flat, 0, case).items())
        for case in cases
    ]

    np.testing.assert_allclose(route.distribute(tree.flat, cases, shares), expected, rtol=1e-12)


def test_the_main_leaf_holds_the_largest_share(grown):
    tree, cases, _ = grown
    for case, leaf in zip(cases, route.main_leaf(tree.flat, cases), strict=True):
        expected = naive_ends(tree.flat, 0, case)

        assert expected[leaf] >= max(expected.values()) * (1 - 1e-12)


@pytest.mark.parametrize("root", [0, 1])
def test_the_weights_of_many_cases_are_added_up_where_they_end(grown, root):
    tree, cases, others = grown
    rows = np.flatnonzero(others.y > 0)[::2]
    weights = others.weights[rows]
    actual = np.zeros((tree.n_nodes - root, 3))
    unit = 2.0**-40
    route.spread(tree.flat, root, cases, others.y, rows, weights, unit, actual)
    expected = np.zeros_like(actual)
    for row, weight in zip(rows, weights, strict=True):
        for end, share in naive_ends(tree.flat, root, cases[row]).items():
            expected[end - root, others.y[row]] += share * weight

    # Every share is rounded to the unit.
    np.testing.assert_allclose(actual, expected, atol=len(rows) * unit)
    np.testing.assert_array_equal(actual / unit, np.rint(actual / unit))
