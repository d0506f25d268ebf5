"""A grown tree beside an exhaustive search: every split must be the best of all there are."""

from typing import Any, NamedTuple

import naive
import naive_candidates
import naive_grow
import numpy as np
import pytest

import treelab as tl

SPLITS = ("auto", "multiway", "binary", "subset")
MISSING = ("fractional", "branch", "majority")
# What grow is told about numbers, and what the naive learner is told.
NUMBERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "exact": ({"discretizer": None}, {}),
    "intervals": ({"discretizer": "equal-width:3"}, {"equal_width": 3}),
    "bins": ({"bins": 3}, {"bins": 3}),
}


class Setting(NamedTuple):
    """How a tree is grown."""

    metric: str
    splits: str = "auto"
    missing: str = "fractional"
    numbers: str = "exact"
    min_cases: float = 2
    min_branch: float = 1
    max_depth: int | None = None

    @property
    def ways(self):
        return self.metric, self.splits, self.missing

    def stop(self, depth=0):
        """Return the stop rules as the naive learner is told them, `depth` tests from the root."""
        left = np.inf if self.max_depth is None else self.max_depth - depth
        return {"min_cases": self.min_cases, "min_branch": self.min_branch, "max_depth": left}


def grown(data, setting):
    """Return the tree and the problem as the naive learner sees it."""
    told, naively_told = NUMBERS[setting.numbers]
    tree = tl.grow(
        data, setting.metric, splits=setting.splits, missing=setting.missing, pruner="none",
        probabilities="shares", min_cases=setting.min_cases, min_branch=setting.min_branch,
        max_depth=setting.max_depth, **told,
    )  # fmt: skip
    return tree, naive.problem(data, **naively_told)


def key_of(node, kinds):
    """Return the test of a node as `naive_candidates.Candidate.key` has it."""
    feature = int(node.tree.feature[node.number])
    branches = ()
    if node.threshold is None:
        known = enumerate(node.branch_of.tolist())
        branches = tuple((code, branch) for code, branch in known if branch >= 0)
    elif kinds[feature] != "numeric":
        raise AssertionError(f"feature {feature} is {kinds[feature]} and has a threshold")
    return feature, node.threshold, branches, node.missing_branch


def assert_best(task, node, cases, setting):
    """Assert that the split of a node is the best of all, and return it as a naive candidate."""
    found, scored = naive_grow.judged_candidates(task, cases, *setting.ways, setting.min_branch)
    best = naive_grow.choose(found, scored)
    naive_candidates.part(found[best], cases, setting.missing)
    actual = key_of(node, task.kinds)
    # The kernel adds up fractional weights in another order: the last digits differ.
    assert node.score == pytest.approx(scored[best], rel=1e-9, abs=1e-9)
    if naive_grow.is_clear(scored):
        assert found[best].key == actual
        return found[best]
    # Two scores differ by about the tie rule's 1e-12, so rounding may decide either way.
    for candidate in found:
        naive_candidates.part(candidate, cases, setting.missing)
    chosen = [found[i].key for i in range(len(found))].index(actual)
    assert scored[chosen] == pytest.approx(scored[best], rel=1e-9, abs=1e-9)
    return found[chosen]


def assert_same_tree(task, node, cases, setting, depth=0):
    """Search every node exhaustively, with its cases dealt out by hand."""
    counts = naive.class_weights(cases, task.n_classes)
    # Shares of shares are multiplied in another order: the last digits differ.
    assert counts == pytest.approx(node.counts.tolist(), rel=1e-9, abs=1e-12)
    if node.is_leaf:
        assert naive_grow.grow(task, *setting.ways, cases, **setting.stop(depth)).split is None
        return
    split = assert_best(task, node, cases, setting)
    parts = naive_candidates.part(split, cases, setting.missing)
    assert len(parts) == len(node.children)
    for child, part in zip(node.children, parts, strict=True):
        assert_same_tree(task, child, part, setting, depth + 1)


def assert_same_predictions(task, expected, tree, cases):
    """Compare the probabilities of some cases with those of the naive tree."""
    proba = [
        naive_grow.probabilities(expected, naive.coded_case(task, case.values), tree.missing)
        for case in naive.read_cases(cases)
    ]
    # Shares of shares are added up in another order: the last digits differ.
    np.testing.assert_allclose(tree.predict_proba(cases), proba, rtol=1e-9, atol=1e-12)
