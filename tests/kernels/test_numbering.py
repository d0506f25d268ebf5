"""The numbers of nodes against a walk through the tree."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from treelab.kernels.numbering import preorder


def naive_preorder(children, node=0):
    """Return a node and all below it, parents first."""
    return [node, *(n for child in children[node] for n in naive_preorder(children, child))]


@st.composite
def trees(draw):
    """Return the children of every node, the nodes numbered as they were made."""
    children, leaves = [[]], [0]
    for width in draw(st.lists(st.integers(1, 4), max_size=8)):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        made = range(len(children), len(children) + width)
        children[node] = list(made)
        children += [[] for _ in made]
        leaves += made
    return children


@steady(200)
@given(trees())
def test_nodes_are_numbered_as_a_walk_meets_them(tree):
    parent, branch = np.full(len(tree), -1), np.full(len(tree), -1)
    for node, children in enumerate(tree):
        parent[children], branch[children] = node, np.arange(len(children))
    number, first_child, children = preorder(parent, branch)
    met = naive_preorder(tree)

    assert [number[node] for node in met] == list(range(len(tree)))
    for node, below in enumerate(tree):
        first, last = first_child[number[node] : number[node] + 2]
        assert children[first:last].tolist() == [number[child] for child in below]
