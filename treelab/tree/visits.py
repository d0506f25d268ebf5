"""Which nodes of a tree cases visit on their way, as sparse matrices."""

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, vstack

from treelab._typing import FloatArray
from treelab.kernels.route import SPREAD, distribute, whole_leaves
from treelab.tree.cases import cases_of
from treelab.tree.model import Tree

MOST_CELLS = 2**22
"""Parts of cases at nodes are kept for so many at a time."""


def visits(tree: Tree, data: Any) -> Any:
    """Return a matrix (case, node) with a 1 where a case, or a part of it, passes by."""
    cases = cases_of(tree, data)
    step = max(1, MOST_CELLS // tree.n_nodes)
    parts = [
        _ends(tree, cases.part(slice(first, min(first + step, cases.n))))
        for first in range(0, cases.n, step)
    ]
    ends = vstack(parts) if parts else csr_matrix((0, tree.n_nodes))
    passed = ends @ _way_up(tree)
    found = csr_matrix(passed, dtype=np.int64)
    found.data[:] = 1
    found.sort_indices()
    return found


def _ends(tree: Tree, cases: FloatArray) -> Any:
    """Return a matrix (case, node) with what is above 0 where a case, or a part of it, ends."""
    ends = whole_leaves(tree.flat, cases)
    whole, parted = np.flatnonzero(ends != SPREAD), np.flatnonzero(ends == SPREAD)
    rows, nodes = whole, ends[whole]
    if len(parted):
        shares = distribute(tree.flat, cases.T.take(parted, axis=1).T, np.eye(tree.n_nodes))
        some, more = np.nonzero(shares > 0)
        rows, nodes = np.append(rows, parted[some]), np.append(nodes, more)
    return csr_matrix((np.ones(len(rows)), (rows, nodes)), shape=(len(cases), tree.n_nodes))


def _way_up(tree: Tree) -> Any:
    """Return a matrix (node, node) with a 1 for each node and all that are above it."""
    way: list[list[int]] = [[0]]
    for node in range(1, tree.n_nodes):
        way.append([*way[tree.parents[node]], node])
    rows = np.repeat(np.arange(tree.n_nodes), [len(each) for each in way])
    nodes = np.array([node for each in way for node in each])
    return csr_matrix((np.ones(len(rows)), (rows, nodes)), shape=(tree.n_nodes, tree.n_nodes))
