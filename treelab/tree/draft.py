"""The tree while it is being made: linked nodes that become a flat `Tree`."""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.coding import Coding
from treelab.data.schema import Schema
from treelab.tree.model import Missing, Tree


@attrs.define(eq=False)
class Draft:
    """A node in the making; without children it is a leaf."""

    counts: FloatArray
    feature: int = -1
    threshold: float = np.nan
    branch_of: IntArray = attrs.field(factory=lambda: np.empty(0, np.int32))
    missing_branch: int = -1
    score: float = np.nan
    children: list["Draft"] = attrs.field(factory=list)

    @property
    def is_leaf(self) -> bool:
        return not self.children

    def make_leaf(self) -> None:
        """Forget the test and all that is below."""
        self.become(Draft(self.counts))

    def become(self, other: "Draft") -> None:
        """Take over everything of another node."""
        for field in attrs.fields(Draft):
            setattr(self, field.name, getattr(other, field.name))

    def preorder(self) -> Iterator["Draft"]:
        """Yield this node and all below it, parents first, without recursion."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def freeze(
    root: Draft,
    schema: Schema,
    coding: Coding,
    missing: Missing,
    settings: Mapping[str, Any] | None = None,
    by_counts: bool = True,
) -> Tree:
    """Return the flat tree of a draft."""
    nodes = list(root.preorder())
    number = {id(node): place for place, node in enumerate(nodes)}
    return Tree(
        schema=schema,
        coding=coding,
        missing=missing,
        feature=np.array([node.feature for node in nodes], np.int32),
        threshold=np.array([node.threshold for node in nodes]),
        first_child=_starts([len(node.children) for node in nodes]),
        children=np.array([number[id(c)] for node in nodes for c in node.children], np.int64),
        first_code=_starts([len(node.branch_of) for node in nodes]),
        branch_of=np.concatenate([node.branch_of for node in nodes]).astype(np.int32),
        missing_branch=np.array([node.missing_branch for node in nodes], np.int32),
        counts=np.array([node.counts for node in nodes]),
        score=np.array([node.score for node in nodes]),
        settings=settings or {},
        by_counts=by_counts,
    )


def thaw(tree: Tree) -> list[Draft]:
    """Return the nodes of a tree, linked, to be changed."""
    drafts = [
        Draft(
            counts=node.counts,
            feature=int(tree.feature[node.number]),
            threshold=float(tree.threshold[node.number]),
            branch_of=node.branch_of,
            missing_branch=int(tree.missing_branch[node.number]),
            score=node.score,
        )
        for node in tree.nodes
    ]
    for place, draft in enumerate(drafts):
        first, last = tree.first_child[place : place + 2]
        draft.children = [drafts[child] for child in tree.children[first:last]]
    return drafts


def _starts(lengths: list[int]) -> IndexArray:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
