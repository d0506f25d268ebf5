"""The numbers of the nodes of a tree."""

import numpy as np

from treelab.kernels._arrays import IndexArray
from treelab.kernels._jit import kernel


@kernel
def preorder(parent: IndexArray) -> IndexArray:
    """Return the number of each node in preorder.

    Node 0 is the root; every other comes after its parent, and siblings come in order.
    """
    n = len(parent)
    below = np.ones(n, np.int64)
    for k in range(n - 1, 0, -1):
        below[parent[k]] += below[k]
    number, free = np.zeros(n, np.int64), np.ones(n, np.int64)
    for k in range(1, n):
        number[k] = free[parent[k]]
        free[parent[k]] += below[k]
        free[k] = number[k] + 1
    return number
