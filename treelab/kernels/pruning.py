"""Pruning on the flat arrays of a tree: sums over subtrees, new leaves, new numbers."""

import numpy as np

from treelab.kernels._arrays import BoolArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.route import FlatTree


@kernel
def summed_up(parent: IndexArray, values: FloatArray) -> FloatArray:
    """Return for each node the sum of each column over all nodes of its subtree."""
    result = values.copy()
    for node in range(len(parent) - 1, 0, -1):
        for column in range(values.shape[1]):
            result[parent[node], column] += result[node, column]
    return result


@kernel
def new_leaves(
    tree: FlatTree, as_leaf: FloatArray, stays: FloatArray, share: FloatArray, slack: float
) -> BoolArray:
    """Mark the tests that cost at most `slack` more as leaves, bottom-up.

    A subtree costs what the cases that stay at its root do, `stays`, and the sum over its children,
    each taken `share` times; one that was made a leaf costs what it does as a leaf.
    """
    # Children have higher numbers than their parents, so backwards is bottom-up, without recursion.
    marked, cost = np.zeros(len(as_leaf), np.bool_), stays.copy()
    for node in range(len(as_leaf) - 1, -1, -1):
        if tree.feature[node] < 0:
            continue
        for child in tree.children[tree.first_child[node] : tree.first_child[node + 1]]:
            cost[node] += share[child] * cost[child]
        if as_leaf[node] <= cost[node] + slack:
            marked[node], cost[node] = True, as_leaf[node]
    return marked


@kernel
def renumbered(
    tree: FlatTree, feature: IntArray, children: IndexArray, root: int, is_gone: BoolArray
) -> tuple[IndexArray, IndexArray, IndexArray, IndexArray, IntArray, IntArray, int]:
    """Give the nodes below `root` numbers in preorder, in a tree that pruning has changed.

    `feature` and `children` stand in for those of the tree: a leaf has feature -1, a child may be
    another node than it was. Children that are gone leave no branch.

    Returns the old number of each node, `first_child`, `children`, `first_code`, `branch_of` and
    `missing_branch` of the new tree, all as long as for the old one, and how many nodes it has.
    """
    # Slots for the children are taken when their parent gets its number, in the order of numbers,
    # so one walk fills everything; the stack holds nodes whose slots wait for their numbers.
    nodes, stack = np.empty(len(feature), np.int64), np.empty((len(children) + 1, 2), np.int64)
    first_child = np.zeros(len(feature) + 1, np.int64)
    first_code = np.zeros(len(feature) + 1, np.int64)
    below, branch_of = np.empty(len(children), np.int64), np.empty(len(tree.branch_of), np.int32)
    missing_branch, number = np.empty(len(feature), np.int32), np.empty(len(children), np.int32)
    n, n_children, n_codes, top = 0, 0, 0, 1
    stack[0, 0], stack[0, 1] = root, -1
    while top > 0:
        top -= 1
        node, slot = stack[top, 0], stack[top, 1]
        nodes[n], missing_branch[n] = node, -1
        if slot >= 0:
            below[slot] = n
        if feature[node] >= 0:
            first, last = tree.first_child[node], tree.first_child[node + 1]
            n_kept = _numbers_of_branches(children, first, last, is_gone, number)
            for branch in range(last - first - 1, -1, -1):
                if number[branch] >= 0:
                    stack[top, 0] = children[first + branch]
                    stack[top, 1] = n_children + number[branch]
                    top += 1
            for code in range(tree.first_code[node], tree.first_code[node + 1]):
                branch = tree.branch_of[code]
                branch_of[n_codes] = number[branch] if branch >= 0 else -1
                n_codes += 1
            if tree.missing_branch[node] >= 0:
                missing_branch[n] = number[tree.missing_branch[node]]
            n_children += n_kept
        n += 1
        first_child[n], first_code[n] = n_children, n_codes
    return nodes, first_child, below, first_code, branch_of, missing_branch, n


@kernel
def _numbers_of_branches(
    children: IndexArray, first: int, last: int, is_gone: BoolArray, number: IntArray
) -> int:
    """Fill in the numbers of branches among those that stay, -1 for others; return how many."""
    # Found before the branches are walked, because codes and missing values are sent to branches
    # by the same numbers.
    n_kept = 0
    for branch in range(last - first):
        number[branch] = -1
        if not is_gone[children[first + branch]]:
            number[branch] = n_kept
            n_kept += 1
    return n_kept


@kernel
def empty_leaves(tree: FlatTree) -> tuple[IndexArray, IndexArray, IntArray]:
    """Give each value that a test has no branch for a leaf; one for all where it groups values.

    Returns `first_child`, `children` and `branch_of` of a tree in which the new leaves have the
    numbers behind all others: nobody but `renumbered` needs the order, and it makes its own.
    """
    # `seen_at` holds the node where a branch was last seen, so it need not be cleared for the next.
    n, branch_of = len(tree.feature), tree.branch_of.copy()
    children = np.empty(len(tree.children) + len(branch_of), np.int64)
    first_child, seen_at = np.zeros(n + 1, np.int64), np.full(len(tree.children), -1, np.int64)
    place, added = 0, 0
    for node in range(n):
        first, last = tree.first_child[node], tree.first_child[node + 1]
        for slot in range(first, last):
            children[place] = tree.children[slot]
            place += 1
        is_grouped, new = False, -1
        codes = branch_of[tree.first_code[node] : tree.first_code[node + 1]]
        for branch in codes:
            if branch >= 0:
                is_grouped |= seen_at[branch] == node
                seen_at[branch] = node
        for code in range(len(codes)):
            if codes[code] < 0:
                if new < 0 or not is_grouped:
                    new = place - first_child[node]
                    children[place] = n + added
                    place, added = place + 1, added + 1
                codes[code] = new
        first_child[node + 1] = place
    return first_child, children[:place].copy(), branch_of


@kernel
def subtree_prices(parent: IndexArray, as_leaf: FloatArray) -> FloatArray:
    """Return the least that the tree under each node costs: as a leaf, or its children together.

    Parents come before their children; that of a root is -1.
    """
    # Backwards, so all children of a node have added their price before it is looked at. A flag
    # tells leaves apart, because children may cost 0 together.
    cheapest, below = as_leaf.copy(), np.zeros(len(parent))
    has_children = np.zeros(len(parent), np.bool_)
    for node in range(len(parent) - 1, -1, -1):
        if has_children[node]:
            cheapest[node] = min(cheapest[node], below[node])
        if parent[node] >= 0:
            has_children[parent[node]] = True
            below[parent[node]] += cheapest[node]
    return cheapest
