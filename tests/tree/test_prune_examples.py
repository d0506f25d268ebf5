"""Pruning by hand: small trees whose answers are known."""

import json

import naive_prune as naive
import numpy as np
import pytest
from pruned import (
    REFERENCE,
    SEEDS,
    example,
    held_out,
    leaf,
    made_tree,
    parted,
    tree_of,
    vectors,
)

import treelab as tl
from treelab.data.dataset import Dataset
from treelab.data.schema import Column
from treelab.tree.prune import (
    CostComplexity,
    MinimumError,
    Pessimistic,
)
from treelab.tree.prune.cost_complexity import critical_alphas, typical_alphas

X = [Column("x0", ("0", "1")), Column("x1", ("0", "1"))]


def two_tests(rows):
    """The root tests x0; where that is 1, x1 is tested."""
    values = np.array([case[0] for case in rows])
    y = np.array(["ab".index(case[1]) for case in rows])

    def counted(mask):
        return leaf(*np.bincount(y[mask], minlength=2))

    one = values[:, 0] == 1
    right = parted(1, *(counted(one & (values[:, 1] == v)) for v in (0, 1)), branch_of=(0, 1))
    root = parted(0, counted(~one), right, branch_of=(0, 1))
    return tree_of(root, X), Dataset.of(tree_of(root, X).schema, values.T, y)


@vectors("c45_subtree_raising")
def test_raising_decides_as_on_record(vector):
    tree, data = two_tests(vector["input"]["rows"])
    expected, cf = vector["expected"], vector["params"]["CF"]
    after = tl.prune(tree, Pessimistic(cf=cf), data)
    _, errors = naive.raising(naive.read_tree(tree), naive.read_cases(data), "fractional", cf)
    tested = {"c45.raise": 1, "c45.keep": 0, "c45.leaf": -1}[vector["id"]]

    assert tested == after.feature[0]
    assert expected["errors"] == pytest.approx(errors, rel=1e-9)
    assert expected.get("root_test_after", tested) in (tested, None)


@vectors("c45_subtree_raising")
def test_the_three_estimates_of_raising_are_those_on_record(vector):
    tree, data = two_tests(vector["input"]["rows"])
    root, cases, rule = naive.read_tree(tree), naive.read_cases(data), Pessimistic()
    parts, _ = naive.deal(root, cases, "fractional")
    pruned = [
        naive.raising(child, part, "fractional")
        for child, part in zip(root.children, parts, strict=True)
    ]
    found = {
        "tree_errors_before": sum(errors for _, errors in pruned),
        "branch_errors": naive.estimate(root.children[1], cases, "fractional", rule.predicted),
        "leaf_errors": rule.predicted(root.weight(), root.errors()),
    }
    expected = {name: vector["expected"].get(name, value) for name, value in found.items()}

    assert expected == pytest.approx(found, rel=1e-9)


COLOURS = [Column("x0", ("0", "1")), Column("x1", tuple("pqrst"))]


def coloured(rows, branch_of):
    """The root tests x0; the left branch is a leaf, the right one tests x1 by `branch_of`."""
    values, y = np.array([row[0] for row in rows]), np.array(["ab".index(row[1]) for row in rows])

    def counted(mask):
        return leaf(*np.bincount(y[mask], minlength=2))

    one, to = values[:, 0] == 1, np.array(branch_of)[values[:, 1]]
    leaves = [counted(one & (to == b)) for b in range(max(branch_of) + 1)]
    right = parted(1, *leaves, branch_of=branch_of)
    tree = tree_of(parted(0, counted(~one), right, branch_of=(0, 1)), COLOURS)
    return tree, Dataset.of(tree.schema, values.T, y)


def cells(**times):
    """Return rows such as 0pa: x0 = 0, x1 = 'p', class a."""
    rows = {key: ((int(key[1]), "pqrst".index(key[2])), key[3]) for key in times}
    return [rows[key] for key, n in times.items() for _ in range(n)]


def test_a_value_that_a_raised_branch_has_not_seen_gets_a_branch():
    """Two cases of r and one of s come to a test that knows p and q; none of t does."""
    rows = cells(_1pa=10, _1qb=10, _0pa=2, _0qb=1, _0ra=2, _0sb=1)
    tree, data = coloured(rows, (0, 1, -1, -1, -1))
    pruned = tl.prune(tree, Pessimistic(), data)

    assert pruned.root.feature == "x1"
    assert pruned.root.branch_of.tolist() == [0, 1, 2, 3, -1]
    assert [child.counts.tolist() for child in pruned.root.children] == [
        [12, 0], [0, 11], [2, 0], [0, 1],
    ]  # fmt: skip
    assert pruned.root.branch_labels[2:] == ("x1 = r", "x1 = s")
    assert pruned.predict(data).tolist() == data.labels.tolist()


def test_the_errors_of_an_unseen_value_are_those_of_its_own_majority():
    """r is all 'b': by the majority of the node, 'a', its four cases would be errors."""
    rows = cells(_1pa=20, _1qb=10, _0pa=1, _0qb=1, _0rb=4)
    tree, data = coloured(rows, (0, 1, -1, -1, -1))
    rule = Pessimistic()
    as_tree = rule.predicted(6, 1) + rule.predicted(20, 0) + rule.predicted(10, 0)
    known = rule.predicted(21, 0) + rule.predicted(11, 0)

    assert known + rule.predicted(4, 0) < as_tree < known + rule.predicted(4, 4) - 0.1
    assert tl.prune(tree, rule, data).root.feature == "x1"


def test_where_values_are_grouped_those_not_seen_are_one_more_group():
    rows = cells(_1pa=5, _1qa=5, _1rb=10, _0pa=2, _0rb=1, _0sa=2, _0tb=1)
    tree, data = coloured(rows, (0, 0, 1, -1, -1))
    pruned = tl.prune(tree, Pessimistic(), data)

    assert pruned.root.branch_of.tolist() == [0, 0, 1, 2, 2]
    assert pruned.root.children[2].counts.tolist() == [2, 1]


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_raising_leaves_no_training_case_at_a_test(seed):
    """Every declared value has a branch for the cases that come with it (SPEC 12.4, item 4)."""
    tree, data = made_tree(seed)
    if tree.missing == "branch":  # a value that is missing where none was has no branch
        return
    root = naive.read_tree(tl.prune(tree, Pessimistic(cf=0.9), data))

    assert all(sum(naive.stopped_counts(node)) == 0 for node in root.nodes() if node.children)


def test_collapse_makes_a_leaf_of_a_subtree_that_spares_no_training_error():
    """Where so much confidence prunes next to nothing."""
    tree, data = made_tree(2)
    rules = [Pessimistic(0.95, raising=False, collapse=collapse) for collapse in (True, False)]
    collapsed, kept = (tl.prune(tree, rule, data) for rule in rules)
    useless = [node for node in kept.nodes if node.children and spares_nothing(node)]

    assert collapsed.n_leaves < kept.n_leaves
    assert len(useless) > 0
    assert not any(spares_nothing(node) for node in collapsed.nodes if node.children)


def spares_nothing(node):
    return sum(child.errors for child in node.children) >= node.errors - 1e-3


@vectors("quinlan1987_pessimistic")
def test_quinlans_pessimistic_pruning_decides_as_on_record(vector):
    wrong, sizes = vector["input"]["leaf_errors"], vector["input"]["leaf_sizes"]
    e, n = vector["input"]["errors_as_leaf"], sum(sizes)
    # The root's counts are set by hand: only then can it make the errors on record.
    leaves = [leaf(bad, size - bad) for bad, size in zip(wrong, sizes, strict=True)]
    root = parted(0, *leaves, branch_of=range(len(leaves)), counts=(n - e, e))
    if len(leaves) == 1:
        root = leaves[0]
    pruned = tl.prune(tree_of(root, [Column("x", tuple("pqr"[: len(leaves)]))]), "pep")

    assert vector["expected"]["prune"] == (pruned.n_leaves == 1)


def test_voting_gives_the_tree_of_c45():
    """Shape, cases and predicted errors of C4.5 release 8, which prints one decimal."""
    tree = tl.c45().fit(tl.load("voting"))
    rule, found = Pessimistic(), []
    for path, node in leaf_paths(tree):
        predicted = rule.predicted(node.weight, node.errors)
        found.append([path, node.label, round(node.weight, 1), round(float(predicted), 1)])

    assert json.loads((REFERENCE / "c45_voting.json").read_text())["leaves"] == found


def leaf_paths(tree, node=None, path=()):
    node = node or tree.root
    if node.is_leaf:
        yield [list(step) for step in path], node
    for child, label in zip(node.children, node.branch_labels, strict=True):
        yield from leaf_paths(tree, child, (*path, label.split(" = ")))


def test_critical_alphas_of_the_example():
    assert [0.36, np.inf, 0.04, np.inf, np.inf] == pytest.approx(
        critical_alphas(example()).tolist()
    )
    alphas = typical_alphas(critical_alphas(example()))
    assert pytest.approx(alphas.tolist()) == [0, 0.12, 0.36]


@pytest.mark.parametrize(("alpha", "leaves"), [(0, 3), (0.039, 3), (0.04, 2), (0.3, 2), (0.36, 1)])
def test_a_higher_price_of_leaves_leaves_fewer(alpha, leaves):
    assert leaves == tl.prune(example(), CostComplexity(alpha)).n_leaves


@pytest.mark.parametrize(
    ("k", "se", "leaves"),
    [
        (6, 1, 3),  # 4 errors, 0.04 + 0.0196 allows no 6
        (6, 2, 2),  # 0.04 + 0.0392 allows 6
        (6, 0, 3),
        (5, 0, 2),  # a tie: the smaller tree
        (0, 1, 2),
    ],
)
def test_the_standard_error_rule_of_the_example(k, se, leaves):
    assert leaves == tl.prune(example(), CostComplexity(se=se), held_out(k)).n_leaves


@pytest.mark.parametrize(("k", "leaves"), [(6, 3), (5, 2), (4, 2)])
def test_reduced_error_prunes_where_held_out_cases_do_no_worse(k, leaves):
    assert leaves == tl.prune(example(), "reduced-error", held_out(k)).n_leaves


def test_minimum_error_of_the_example():
    """Without m the estimates are the training errors; a huge m makes all leaves alike."""
    assert tl.prune(example(), MinimumError(0)).n_leaves == 3
    assert tl.prune(example(), MinimumError(1000)).n_leaves == 1


def test_the_last_of_equally_large_branches_is_raised():
    """Both branches have 6 cases and would do as well as the root; the first has a score."""
    halves = [parted(1, leaf(3, 0), leaf(0, 3), branch_of=(0, 1)) for _ in range(2)]
    halves[0].score = 7.0
    tree = tree_of(parted(0, *halves, branch_of=(0, 1)), X)
    rows = [(x0, x1) for x0 in (0, 1) for x1 in (0, 1) for _ in range(3)]
    data = Dataset.of(tree.schema, np.array(rows).T, [x1 for _, x1 in rows])
    pruned = tl.prune(tree, "pessimistic", data)

    assert (pruned.feature[0], pruned.n_leaves) == (1, 2)
    assert np.isnan(pruned.root.score)
