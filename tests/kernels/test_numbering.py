"""Numbers of nodes, against a walk."""

import numpy as np
import pytest

from treelab.kernels.numbering import preorder


def walked(parent):
    """Return the number of each node as a walk from the root meets it."""
    met = []

    def visit(node):
        met.append(node)
        for child in range(1, len(parent)):
            if parent[child] == node:
                visit(child)

    visit(0)
    return [met.index(node) for node in range(len(parent))]


@pytest.mark.parametrize("seed", range(20))
def test_nodes_are_numbered_as_a_walk_meets_them(seed):
    rng = np.random.default_rng(seed)
    parent = np.array([-1, *(rng.integers(0, k) for k in range(1, rng.integers(2, 40)))])

    assert preorder(parent).tolist() == walked(parent.tolist())


def test_a_root_alone_is_number_0():
    assert preorder(np.array([-1])).tolist() == [0]
