"""The tree while it grows: nodes in the order in which they are made, in arrays."""

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.schema import Schema
from treelab.stats.candidates import NONE, Splits
from treelab.tree.model import Missing, Tree


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

    def add(self, parent: IndexArray, branch: IndexArray, counts: FloatArray) -> IndexArray:
        """Add children, siblings together and in order; return their numbers."""
        self.made.append(Made(parent, branch, counts))
        self.n_nodes += len(parent)
        return np.arange(self.n_nodes - len(parent), self.n_nodes)

    def finish(
        self, coded: Coded, schema: Schema, coding: Coding, missing: Missing, learner: str
    ) -> Tree:
        """Return the tree, its nodes numbered in preorder."""
        number = self._preorder()
        parent, branch = (
            np.concatenate([getattr(made, name) for made in self.made])
            for name in ("parent", "branch")
        )
        n_children = np.bincount(number[parent[1:]], minlength=self.n_nodes)
        tests = self._tests_in(number, coded)
        return Tree(
            schema=schema,
            coding=coding,
            missing=missing,
            first_child=_starts(n_children),
            children=number[1:][np.lexsort((branch[1:], number[parent[1:]]))],
            counts=_placed(np.concatenate([made.counts for made in self.made]), number),
            learner=learner,
            **tests,
        )

    def _preorder(self) -> IndexArray:
        """Return the number of each node in preorder, in the order in which they were made."""
        ends = np.cumsum([len(made.parent) for made in self.made])
        below = np.ones(self.n_nodes, np.int64)
        for made, end in zip(reversed(self.made[1:]), reversed(ends[1:]), strict=True):
            np.add.at(below, made.parent, below[end - len(made.parent) : end])
        number = np.zeros(self.n_nodes, np.int64)
        for made, end in zip(self.made[1:], ends[1:], strict=True):
            size = below[end - len(made.parent) : end]
            before = np.cumsum(size) - size
            first = np.flatnonzero(made.branch == 0)
            older = before - np.repeat(before[first], np.diff(first, append=len(size)))
            number[end - len(size) : end] = number[made.parent] + 1 + older
        return number

    def _tests_in(self, number: IndexArray, coded: Coded) -> dict[str, Any]:
        """Return the arrays of the tests, in preorder."""
        n = self.n_nodes
        feature, missing_branch = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
        threshold, score = np.full(n, np.nan), np.full(n, np.nan)
        tests = Tests.joined(self.tests)
        here, splits = number[tests.nodes], tests.splits
        feature[here], missing_branch[here] = splits.feature, tests.missing_branch
        threshold[here], score[here] = thresholds(splits, coded), tests.score
        branch_of = {int(here[k]): branches for k, branches in maps(splits, coded)}
        lengths = np.zeros(n, np.int64)
        lengths[list(branch_of)] = [len(branches) for branches in branch_of.values()]
        return {
            "feature": feature,
            "missing_branch": missing_branch,
            "threshold": threshold,
            "score": score,
            "first_code": _starts(lengths),
            "branch_of": np.concatenate(
                [np.empty(0, np.int32), *(branch_of[node] for node in sorted(branch_of))]
            ),
        }


def thresholds(splits: Splits, coded: Coded) -> FloatArray:
    """Return the threshold of each cut of a number, NaN for all other splits."""
    found = np.full(len(splits.feature), np.nan)
    by_feature = np.argsort(splits.feature, kind="stable")
    ends = np.cumsum(np.bincount(splits.feature, minlength=len(coded.axes)))
    for axis, here in zip(coded.axes, np.split(by_feature, ends)[:-1], strict=True):
        if axis.kind == "numeric" and len(here):
            found[here] = axis.thresholds(splits.low[here], splits.high[here])
    return found


def maps(splits: Splits, coded: Coded) -> Iterator[tuple[int, IntArray]]:
    """Yield the branch of every code, -1 for none, of each split that is no cut of a number."""
    for k, f in enumerate(splits.feature.tolist()):
        axis = coded.axes[f]
        if splits.first_map[k] >= 0:
            yield k, splits.maps[splits.first_map[k] :][: axis.n_codes]
        elif axis.kind != "numeric":
            low = axis.n_codes if splits.high[k] == NONE else splits.low[k]
            yield k, (np.arange(axis.n_codes) > low).astype(np.int32)


def _placed(values: FloatArray, places: IndexArray) -> FloatArray:
    placed = np.empty_like(values)
    placed[places] = values
    return placed


def _starts(lengths: IndexArray) -> IndexArray:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
