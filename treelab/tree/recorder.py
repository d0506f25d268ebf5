"""The tree while it grows: nodes in the order in which they are made, in arrays."""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.coding import Coding
from treelab.data.schema import Schema
from treelab.kernels.numbering import preorder
from treelab.stats.candidates.splits import NONE, Splits
from treelab.stats.stores.context import SplitContext
from treelab.stats.stores.nodes import Missing
from treelab.tree.model import Tree
from treelab.tree.optimal.optimum import Optimum


@attrs.frozen(eq=False)
class NewNodes:
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

    def moved(self, place: IndexArray, where: IndexArray) -> "Tests":
        """Return the tests of some nodes, each of which has a new number in `place`."""
        kept = np.flatnonzero(np.isin(self.nodes, where))
        return Tests(
            place[self.nodes[kept]],
            self.splits.take(kept),
            self.missing_branch[kept],
            self.score[kept],
        )


class TreeRecorder:
    """Collects nodes and tests, and becomes a flat `Tree`."""

    def __init__(self, roots: FloatArray) -> None:
        nowhere = np.full(len(roots), -1)
        self.new = [NewNodes(nowhere, nowhere, roots)]
        self.tests: list[Tests] = []
        self.n_nodes = len(roots)
        self.by_counts = True
        self.optimum: Optimum | None = None

    def add(self, parent: IndexArray, branch: IndexArray, counts: FloatArray) -> IndexArray:
        """Add children, siblings together and in order; return their numbers."""
        self.new.append(NewNodes(parent, branch, counts))
        self.n_nodes += len(parent)
        return np.arange(self.n_nodes - len(parent), self.n_nodes)

    def graft(self, nodes: IndexArray, grown: "TreeRecorder") -> None:
        """Put trees that were grown by themselves in the place of nodes, their roots."""
        place = np.append(nodes, np.arange(self.n_nodes, self.n_nodes + grown.n_nodes - len(nodes)))
        for new in grown.new[1:]:
            self.add(place[new.parent], new.branch, new.counts)
        self.tests += [attrs.evolve(tests, nodes=place[tests.nodes]) for tests in grown.tests]
        self.by_counts &= grown.by_counts

    @property
    def parent(self) -> IndexArray:
        """The parent of each node in the order in which they were made, -1 for roots."""
        return np.asarray(self._all("parent"))

    @property
    def branch(self) -> IndexArray:
        """Which branch of its parent each node is, -1 for roots."""
        return np.asarray(self._all("branch"))

    @property
    def counts(self) -> FloatArray:
        """The class weights of each node."""
        return np.asarray(self._all("counts"))

    @property
    def leaves(self) -> IndexArray:
        """The nodes that nothing is under."""
        return np.setdiff1d(np.arange(self.n_nodes), self.parent)

    def _all(self, name: str) -> Any:
        return np.concatenate([getattr(new, name) for new in self.new])

    def finish(
        self,
        context: SplitContext,
        schema: Schema,
        coding: Coding,
        missing: Missing,
        settings: Mapping[str, Any],
    ) -> Tree:
        """Return the tree of the only root, its nodes numbered in preorder."""
        number, first_child, children = preorder(self.parent, self.branch)
        return Tree(
            schema=schema,
            coding=coding,
            missing=missing,
            first_child=first_child,
            children=children,
            counts=_placed(self.counts, number),
            settings=settings,
            by_counts=self.by_counts,
            optimum=self.optimum,
            **self._tests_in(number, context),
        )

    def _tests_in(self, number: IndexArray, context: SplitContext) -> dict[str, Any]:
        """Return the arrays of the tests, in preorder."""
        n = self.n_nodes
        feature, missing_branch = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
        threshold, score = np.full(n, np.nan), np.full(n, np.nan)
        tests = Tests.joined(self.tests)
        here, splits = number[tests.nodes], tests.splits
        feature[here], missing_branch[here] = splits.feature, tests.missing_branch
        threshold[here], score[here] = thresholds(splits, context), tests.score
        order, first_code = here.argsort(), np.zeros(n + 1, np.int64)
        first_code[here[order] + 1], branch_of = maps(splits.take(order), context)
        return {
            "feature": feature,
            "missing_branch": missing_branch,
            "threshold": threshold,
            "scores": score,
            "first_code": first_code.cumsum(),
            "branch_of": branch_of,
        }


def thresholds(splits: Splits, context: SplitContext) -> FloatArray:
    """Return the threshold of each cut of a number, NaN for all other splits."""
    found = np.full(len(splits.feature), np.nan)
    if all(axis.kind != "numeric" for axis in context.axes):
        return found
    by_feature = np.argsort(splits.feature, kind="stable")
    ends = np.cumsum(np.bincount(splits.feature, minlength=len(context.axes)))
    for axis, here in zip(context.axes, np.split(by_feature, ends)[:-1], strict=True):
        if axis.kind == "numeric" and len(here):
            found[here] = axis.thresholds(splits.low[here], splits.high[here], context.cuts)
    return found


def maps(splits: Splits, context: SplitContext) -> tuple[IndexArray, IntArray]:
    """Return the branch of every code, -1 for none, of one split after the other.

    Returns also how many codes each split takes: a cut of a number has none.
    """
    n_codes = np.array(
        [0 if axis.kind == "numeric" else axis.n_codes for axis in context.axes], np.int64
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
