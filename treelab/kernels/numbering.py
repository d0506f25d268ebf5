"""The numbers of the nodes of a tree."""

import numpy as np

from treelab.kernels._arrays import IndexArray
from treelab.kernels._jit import kernel


@kernel
def preorder(parent: IndexArray, branch: IndexArray) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Give the nodes of a tree their numbers in preorder: a node before its children in order.

    The nodes are given in the order in which they were made, the root first; node i is branch
    `branch[i]` of node `parent[i]`. Siblings were made together and in order.

    Returns the number of each node, and the numbers of all children, those of node number p from
    `first_child[p]` to `first_child[p + 1]`.
    """
    n = len(parent)
    # Children were made after their parents: backwards, sizes of subtrees add up in one sweep.
    # Forwards, `free[p]` is the number that the next child of p gets: behind its elder siblings'.
    below = np.ones(n, np.int64)
    for i in range(n - 1, 0, -1):
        below[parent[i]] += below[i]
    number, free = np.zeros(n, np.int64), np.ones(n, np.int64)
    first_child = np.zeros(n + 1, np.int64)
    for i in range(1, n):
        number[i] = free[parent[i]]
        free[parent[i]] += below[i]
        free[i] = number[i] + 1
        first_child[number[parent[i]] + 1] += 1
    for p in range(n):
        first_child[p + 1] += first_child[p]
    children = np.empty(n - 1, np.int64)
    for i in range(1, n):
        children[first_child[number[parent[i]]] + branch[i]] = number[i]
    return number, first_child, children
