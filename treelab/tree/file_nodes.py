"""The nodes of a tree in a model file: a flat list in preorder, between JSON and flat arrays."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.coding import Coding
from treelab.data.dataset import HEAVIEST
from treelab.data.schema import Schema
from treelab.tree.file_checks import check_entries, expect, items, number, numbers, whole
from treelab.tree.model import Tree


def nodes_out(tree: Tree) -> list[dict[str, Any]]:
    """Return what a file says of each node."""
    leaves: list[dict[str, Any]] = [{"counts": counts} for counts in tree.counts.tolist()]
    labels = np.empty(0, np.int32) if tree.relabelled is None else tree.relabelled
    for node in np.flatnonzero(labels >= 0):
        leaves[node]["label"] = int(labels[node])
    return [
        leaf if feature < 0 else leaf | _test_out(tree, node, feature)
        for node, (leaf, feature) in enumerate(zip(leaves, tree.feature.tolist(), strict=True))
    ]


def _test_out(tree: Tree, node: int, feature: int) -> dict[str, Any]:
    threshold, missing = float(tree.threshold[node]), int(tree.missing_branch[node])
    score, codes = float(tree.scores[node]), slice(*tree.first_code[node : node + 2])
    return {
        "feature": feature,
        **(
            {"branches": tree.branch_of[codes].tolist()}
            if math.isnan(threshold)
            else {"threshold": threshold}
        ),
        **({"missing": missing} if missing >= 0 else {}),
        "score": score if math.isfinite(score) else None,
        "children": tree.children[slice(*tree.first_child[node : node + 2])].tolist(),
    }


class _Test(NamedTuple):
    """What a node asks; nothing at a leaf."""

    feature: int = -1
    threshold: float = math.nan
    branch_of: Sequence[int] = ()
    missing_branch: int = -1
    score: float = math.nan
    children: Sequence[int] = ()
    label: int = -1


def nodes_in(nodes: list[Any], schema: Schema, coding: Coding) -> dict[str, Any]:
    """Return the arrays of the nodes in a file, checked against the columns."""
    reader = _Reader(schema, coding, len(nodes))
    counts = [reader.counts(node) for node in nodes]
    tests = [reader.test(node, number) for number, node in enumerate(nodes)]
    _check_preorder(tests)
    return {
        "feature": np.array([test.feature for test in tests], np.int32),
        "threshold": np.array([test.threshold for test in tests]),
        "first_child": _starts([len(test.children) for test in tests]),
        "children": np.array([child for test in tests for child in test.children], np.int64),
        "first_code": _starts([len(test.branch_of) for test in tests]),
        "branch_of": np.array([branch for test in tests for branch in test.branch_of], np.int32),
        "missing_branch": np.array([test.missing_branch for test in tests], np.int32),
        "counts": np.array(counts),
        "scores": np.array([test.score for test in tests]),
        "relabelled": np.array([test.label for test in tests], np.int32),
    }


def _starts(lengths: list[int]) -> IndexArray:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


class _Reader:
    """Reads nodes, checking each against the columns."""

    def __init__(self, schema: Schema, coding: Coding, n_nodes: int) -> None:
        self.n_nodes, self.n_classes = n_nodes, schema.target.n_labels
        self.n_codes = [
            len(coding.cuts[column.name]) + 1 if column.name in coding
            else column.n_labels if column.is_nominal else None
            for column in schema.features
        ]  # fmt: skip

    def counts(self, node: Any) -> FloatArray:
        expect(isinstance(node, dict), "a node is no object")
        counts = numbers(node.get("counts"), "class weights")
        expect(len(counts) == self.n_classes, "a node has the wrong number of classes")
        expect(bool((counts >= 0).all()), "a class weight is negative")
        # Twice as many as there may be: weights altered by costs are rounded.
        expect(0 < sum(counts.tolist()) <= 2 * HEAVIEST, "a node has no cases, or far too many")
        return counts

    def test(self, node: dict[str, Any], place: int) -> _Test:
        if "children" not in node:
            check_entries("a leaf", node, {"counts"}, {"label"})
            return _Test(label=whole(node["label"], 0, self.n_classes) if "label" in node else -1)
        n_branches = len(items(node["children"], "'children'"))
        expect(n_branches >= 2, "a test has fewer than two branches")
        feature = whole(node.get("feature"), 0, len(self.n_codes))
        n_codes = self.n_codes[feature]
        way = "threshold" if n_codes is None else "branches"
        check_entries("a test", node, {"counts", "feature", way, "score", "children"}, {"missing"})
        missing = whole(node["missing"], 0, n_branches) if "missing" in node else -1
        branch_of = () if n_codes is None else _branches(node["branches"], n_codes, n_branches)
        reached = {*(branch_of if n_codes is not None else (0, 1)), missing}
        expect(reached >= set(range(n_branches)), "no value leads to one of the branches")
        return _Test(
            feature,
            number(node["threshold"], "a threshold") if n_codes is None else math.nan,
            branch_of,
            missing,
            math.nan if node["score"] is None else number(node["score"], "a score"),
            [whole(child, place + 1, self.n_nodes) for child in node["children"]],
        )


def _branches(given: Any, n_codes: int, n_branches: int) -> Sequence[int]:
    codes = [whole(branch, -1, n_branches) for branch in items(given, "'branches'")]
    expect(len(codes) == n_codes, "a test does not fit its feature's values")
    return codes


def _check_preorder(tests: list[_Test]) -> None:
    """Raise unless every child comes after its parent, once, in preorder."""
    expected = [0]
    for place, test in enumerate(tests):
        expect(bool(expected) and expected.pop() == place, "the nodes are not in order")
        expected.extend(reversed(test.children))
    expect(not expected, "there are no nodes, or one is missing")
