"""Probabilities that rise or fall with a feature, whatever was pruned or raised.

Every node has a range for the probability of the second class. A test of a monotone feature parts
the range of its node at the mean of what its two branches say: one branch stays below that, the
other above; other tests hand their range on. So all leaves on one side of such a test lie on one
side of a number, and cases that differ in a monotone feature only are never the wrong way round:
where they part, they part at a test of that feature (as in LightGBM's `monotone_constraints`).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import ANY_NUMBER

if TYPE_CHECKING:
    from treelab.tree.model import Tree


def monotone_probabilities(
    tree: "Tree", probabilities: FloatArray, monotone: Mapping[str, int]
) -> FloatArray:
    """Return probabilities (node, class) of two classes, each node's within its range."""
    direction = np.array([monotone.get(name, 0) for name in tree.features])
    wanted = probabilities[:, 1]
    low, high = np.zeros(tree.n_nodes), np.ones(tree.n_nodes)
    for node in np.flatnonzero(tree.feature >= 0):
        below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
        low[below], high[below] = low[node], high[node]
        way = direction[tree.feature[node]]
        if way and tree.threshold[node] != ANY_NUMBER:  # known against missing has no direction
            border = wanted[below[:2]].mean().clip(low[node], high[node])
            lower, upper = (below[0], below[1]) if way > 0 else (below[1], below[0])
            high[lower] = low[upper] = border
    kept = wanted.clip(low, high)
    return np.column_stack([1.0 - kept, kept])
