"""Trees made by hand: linked nodes that become a flat `Tree`."""

import attrs
import numpy as np

from treelab.tree.model import Tree


@attrs.define(eq=False)
class MutableNode:
    """A node; without children it is a leaf."""

    counts: np.ndarray
    feature: int = -1
    threshold: float = np.nan
    branch_of: np.ndarray = attrs.field(factory=lambda: np.empty(0, np.int32))
    missing_branch: int = -1
    score: float = np.nan
    children: list["MutableNode"] = attrs.field(factory=list)

    def preorder(self):
        """Yield this node and all below it, parents first, without recursion."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def flat_tree(root, schema, coding, missing, settings=None):
    """Return the tree of linked nodes."""
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
        scores=np.array([node.score for node in nodes]),
        settings=settings or {},
    )


def _starts(lengths):
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
