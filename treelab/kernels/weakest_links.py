"""Weakest-link pruning (Breiman et al. 1984) on the flat arrays of a tree."""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.route import FlatTree
from treelab.kernels.ties import TIE


@kernel
def weakest_links(
    tree: FlatTree,
    parent: IndexArray,
    cost: FloatArray,
    below_cost: FloatArray,
    leaves: FloatArray,
) -> FloatArray:
    """Return for each node the least alpha at which it is a leaf or gone; inf at a leaf.

    `cost` is the error of a node as a leaf, `below_cost` that of its subtree, `leaves` the number
    of its leaves; the last two are changed on the way.
    """
    # Every node knows the weakest link below it, so a round walks only to the links that break, and
    # what breaks changes the nodes above it only: not quadratic, however many rounds there are.
    n = len(parent)
    critical, link, weakest = np.full(n, np.inf), np.full(n, np.inf), np.full(n, np.inf)
    waiting, alpha = np.empty(n, np.int64), 0.0
    for node in range(n - 1, -1, -1):
        if tree.feature[node] >= 0:
            link[node] = (cost[node] - below_cost[node]) / (leaves[node] - 1.0)
            weakest[node] = _weakest(tree, node, link, weakest)
    while weakest[0] < np.inf:
        alpha = max(alpha, weakest[0])
        waiting[0], top = 0, 1
        while top > 0:
            top -= 1
            node = waiting[top]
            if link[node] <= alpha + TIE:
                _break(tree, node, alpha, critical, link, weakest)
                _shrink(tree, node, parent, cost, below_cost, leaves, link, weakest)
            elif weakest[node] <= alpha + TIE:
                for slot in range(tree.first_child[node + 1] - 1, tree.first_child[node] - 1, -1):
                    waiting[top] = tree.children[slot]
                    top += 1
    return critical


@kernel
def _weakest(tree: FlatTree, node: int, link: FloatArray, weakest: FloatArray) -> float:
    """Return the weakest link of a subtree, by those of its children."""
    least: float = link[node]
    for child in tree.children[tree.first_child[node] : tree.first_child[node + 1]]:
        least = min(least, weakest[child])
    return least


@kernel
def _break(
    tree: FlatTree,
    node: int,
    alpha: float,
    critical: FloatArray,
    link: FloatArray,
    weakest: FloatArray,
) -> None:
    """Make a node a leaf: in preorder its subtree is all that follows up to its last leaf."""
    # What broke before has an infinite link, and keeps its alpha.
    last = node
    while tree.first_child[last + 1] > tree.first_child[last]:
        last = tree.children[tree.first_child[last + 1] - 1]
    for gone in range(node, last + 1):
        if link[gone] < np.inf:
            critical[gone] = alpha
            link[gone] = weakest[gone] = np.inf


@kernel
def _shrink(
    tree: FlatTree,
    node: int,
    parent: IndexArray,
    cost: FloatArray,
    below_cost: FloatArray,
    leaves: FloatArray,
    link: FloatArray,
    weakest: FloatArray,
) -> None:
    """Let all nodes above a new leaf know that its subtree is gone."""
    # Bottom-up, because the weakest link of a node is found by those of its children; no node
    # beside the path to the root changes.
    more, fewer = cost[node] - below_cost[node], leaves[node] - 1.0
    above = parent[node]
    while above >= 0:
        below_cost[above] += more
        leaves[above] -= fewer
        link[above] = (cost[above] - below_cost[above]) / (leaves[above] - 1.0)
        weakest[above] = _weakest(tree, above, link, weakest)
        above = parent[above]
