"""Probabilities of nodes, shrunk towards those of the nodes above them."""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel


@kernel
def shrunk_shares(
    parent: IndexArray, shares: FloatArray, weight: FloatArray, penalty: float
) -> FloatArray:
    """Return p(root) + sum over t of (p(t) - p(parent t)) / (1 + penalty / n(parent t)).

    The sum is over the nodes t on the path to each node (SPEC 12.7); `shares` are p, `weight` n.
    """
    result = shares.copy()
    for node in range(1, len(parent)):  # in preorder a parent is done before its children
        above = parent[node]
        kept = 1.0 / (1.0 + penalty / weight[above])
        for c in range(shares.shape[1]):
            result[node, c] = result[above, c] + kept * (shares[node, c] - shares[above, c])
    # Never negative where no node weighs more than its parent; a file may say otherwise.
    return np.maximum(result, 0.0)
