"""Parts of trees: a subtree as a tree of its own, and one tree in the place of another's node.

Nodes are numbered in preorder, so a subtree is a stretch of every array.
"""

from typing import Any, TypeVar, cast

import attrs
import numpy as np

from treelab._typing import AnyArray, IndexArray, IntArray
from treelab.tree.model import Tree

Array = TypeVar("Array", bound=AnyArray)

BY_NODE = ("feature", "threshold", "missing_branch", "counts", "scores")
"""Arrays with a place for each node, besides those that say where children and codes begin."""


def end_of(tree: Tree, node: int) -> int:
    """Return the number behind the last node under a node."""
    after = np.flatnonzero(tree.depths[node + 1 :] <= tree.depths[node])
    return node + 1 + int(after[0]) if len(after) else tree.n_nodes


def part_of(tree: Tree, node: int) -> Tree:
    """Return a node with all that is under it as a tree of its own."""
    end = end_of(tree, node)
    children, codes = tree.first_child[node : end + 1], tree.first_code[node : end + 1]
    return attrs.evolve(
        tree,
        **{name: getattr(tree, name)[node:end].copy() for name in BY_NODE},
        first_child=children - children[0],
        children=tree.children[children[0] : children[-1]] - node,
        first_code=codes - codes[0],
        branch_of=tree.branch_of[codes[0] : codes[-1]].copy(),
        relabelled=_labels(tree)[node:end].copy(),
    )


def grafted(tree: Tree, node: int, part: Tree) -> Tree:
    """Return a tree in which a node, with all that is under it, is replaced by a part."""
    end, more = end_of(tree, node), part.n_nodes - (end_of(tree, node) - node)
    children, grown = tree.children, part.children + node
    children = np.where(children >= end, children + more, children)
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(tree, name)[:node], new, getattr(tree, name)[end:]])
        for name in BY_NODE
        for new in [getattr(part, name)]
    }
    first_child, below = _spliced(tree.first_child, children, node, end, part.first_child, grown)
    first_code, branch_of = _spliced(
        tree.first_code, tree.branch_of, node, end, part.first_code, part.branch_of
    )
    labels = _labels(tree)[:node], _labels(part), _labels(tree)[end:]
    return attrs.evolve(
        tree,
        **joined,
        first_child=first_child,
        children=below,
        first_code=first_code,
        branch_of=branch_of,
        relabelled=np.concatenate(labels),
        by_counts=tree.by_counts and part.by_counts,
    )


def _spliced(
    first: IndexArray,
    values: Array,
    node: int,
    end: int,
    new_first: IndexArray,
    new_values: Array,
) -> tuple[IndexArray, Array]:
    """Return lists of values, of which those of the nodes up to `end` are replaced by new ones."""
    start, stop = first[node], first[end]
    shift = start + new_first[-1] - stop
    joined = cast(Array, np.concatenate([values[:start], new_values, values[stop:]]))
    starts = np.concatenate([first[:node], new_first[:-1] + start, first[end:] + shift])
    return starts, joined


def _labels(tree: Tree) -> IntArray:
    return np.full(tree.n_nodes, -1, np.int32) if tree.relabelled is None else tree.relabelled
