"""The tree while it grows: nodes in the order in which they are made, in arrays."""

from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.schema import Schema
from treelab.kernels.numbering import preorder
from treelab.stats.candidates import NONE, Splits
from treelab.tree.model import Missing, Tree
from treelab.tree.optimal.optimum import Optimum


@attrs.frozen(eq=False)
class Made:
    """Nodes that were made together: whose branches they are, and their class weights."""

    parent: IndexArray
    branch: IndexArray
    counts: FloatArray


@attrs.frozen(eq=False)
class Tests:
    """What some nodes ask, by their numbers."""

    nodes: IndexArray
    splits: Splits
    missing_branch: IndexArray
    score: FloatArray

    @classmethod
    def joined(cls, parts: list["Tests"]) -> "Tests":
        """Return the tests of several parts in one."""
        nothing = np.empty(0, np.int64)
        return cls(
            np.concatenate([nothing, *(part.nodes for part in parts)]),
            Splits.joined([part.splits for part in parts]),
            np.concatenate([nothing, *(part.missing_branch for part in parts)]),
            np.concatenate([np.empty(0), *(part.score for part in parts)]),
        )


class Sketch:
    """Collects nodes and tests, and becomes a flat `Tree`."""

    def __init__(self, root: FloatArray) -> None:
        nowhere = np.array([-1])
        self.made = [Made(nowhere, nowhere, root[None, :])]
        self.tests: list[Tests] = []
        self.n_nodes = 1
        self.by_counts = True
        self.optimum: Optimum | None = None

    def add(self, parent: IndexArray, branch: IndexArray, counts: FloatArray) -> IndexArray:
        """Add children, siblings together and in order; return their numbers."""
        self.made.append(Made(parent, branch, counts))
        self.n_nodes += len(parent)
        return np.arange(self.n_nodes - len(parent), self.n_nodes)

    def finish(
        self, coded: Coded, schema: Schema, coding: Coding, missing: Missing, learner: str
    ) -> Tree:
        """Return the tree, its nodes numbered in preorder."""
        parent, branch = (
            np.concatenate([getattr(made, name) for made in self.made])
            for name in ("parent", "branch")
        )
        number, first_child, children = preorder(parent, branch)
        return Tree(
            schema=schema,
            coding=coding,
            missing=missing,
            first_child=first_child,
            children=children,
            counts=_placed(np.concatenate([made.counts for made in self.made]), number),
            learner=learner,
            by_counts=self.by_counts,
            optimum=self.optimum,
            **self._tests_in(number, coded),
        )

    def _tests_in(self, number: IndexArray, coded: Coded) -> dict[str, Any]:
        """Return the arrays of the tests, in preorder."""
        n = self.n_nodes
        feature, missing_branch = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
        threshold, score = np.full(n, np.nan), np.full(n, np.nan)
        tests = Tests.joined(self.tests)
        here, splits = number[tests.nodes], tests.splits
        feature[here], missing_branch[here] = splits.feature, tests.missing_branch
        threshold[here], score[here] = thresholds(splits, coded), tests.score
        order, first_code = here.argsort(), np.zeros(n + 1, np.int64)
        first_code[here[order] + 1], branch_of = maps(splits.take(order), coded)
        return {
            "feature": feature,
            "missing_branch": missing_branch,
            "threshold": threshold,
            "score": score,
            "first_code": first_code.cumsum(),
            "branch_of": branch_of,
        }


def thresholds(splits: Splits, coded: Coded) -> FloatArray:
    """Return the threshold of each cut of a number, NaN for all other splits."""
    found = np.full(len(splits.feature), np.nan)
    if all(axis.kind != "numeric" for axis in coded.axes):
        return found
    by_feature = np.argsort(splits.feature, kind="stable")
    ends = np.cumsum(np.bincount(splits.feature, minlength=len(coded.axes)))
    for axis, here in zip(coded.axes, np.split(by_feature, ends)[:-1], strict=True):
        if axis.kind == "numeric" and len(here):
            found[here] = axis.thresholds(splits.low[here], splits.high[here])
    return found


def maps(splits: Splits, coded: Coded) -> tuple[IndexArray, IntArray]:
    """Return the branch of every code, -1 for none, of one split after the other.

    Returns also how many codes each split takes: a cut of a number has none.
    """
    n_codes = np.array(
        [0 if axis.kind == "numeric" else axis.n_codes for axis in coded.axes], np.int64
    )
    lengths = np.asarray(n_codes[splits.feature])
    split = np.repeat(np.arange(len(lengths)), lengths)
    code = np.arange(len(split)) - (lengths.cumsum() - lengths)[split]
    low = np.where(splits.high == NONE, lengths, splits.low)
    branch_of = (code > low[split]).astype(np.int32)
    mapped = splits.is_grouping[split]
    branch_of[mapped] = splits.maps[(splits.first_map[split] + code)[mapped]]
    return lengths, branch_of


def _placed(values: FloatArray, places: IndexArray) -> FloatArray:
    placed = np.empty_like(values)
    placed[places] = values
    return placed
