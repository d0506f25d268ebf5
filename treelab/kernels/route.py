"""Send cases down a flat tree.

A case is a row of numbers: the number itself
for a numeric feature, the code for a nominal or cut one, NaN for missing. A code that the node
never saw has no branch (-1), and the case stops at that node; so does one with infinity, which
stands for what has no place in the order of a numeric feature. A missing value follows
`missing_branch`; where there is none, the case either stops or, in a *fractional* tree, goes
down every branch with a weight in proportion to the cases there (C4.5).
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel

STOP, SPREAD = -1, -2
LARGEST = float(np.finfo(np.float64).max)


class FlatTree(NamedTuple):
    """What routing needs of a tree; node 0 is the root.

    The children of node i are `children[first_child[i] : first_child[i + 1]]`, in the order of
    its branches; the branch of code c is `branch_of[first_code[i] + c]`. `feature` is -1 at a
    leaf and `threshold` NaN where the branch is found by code.
    """

    feature: IntArray
    threshold: FloatArray
    first_child: IndexArray
    children: IndexArray
    first_code: IndexArray
    branch_of: IntArray
    missing_branch: IntArray
    weight: FloatArray
    fractional: bool


@kernel
def next_branch(tree: FlatTree, node: int, value: float) -> int:
    """Return the branch of a value at a node, or STOP, or SPREAD."""
    threshold = tree.threshold[np.uint64(node)]
    if value <= LARGEST and not np.isnan(threshold):  # neither NaN nor infinity
        return int(value > threshold)  # without a branch that the processor could guess wrong
    if value > LARGEST:
        return STOP
    if np.isnan(value):
        if tree.missing_branch[node] < 0 and tree.fractional:
            return SPREAD
        return int(tree.missing_branch[node])
    place = tree.first_code[node] + np.int64(value)
    return int(tree.branch_of[place]) if place < tree.first_code[node + 1] else STOP


@kernel
def leaf_shares(
    tree: FlatTree, root: int, case: FloatArray, stack: IndexArray, shares: FloatArray
) -> int:
    """Find where one case ends below `root`.

    `stack[:k]` and `shares[:k]` receive the nodes it ends in and its share in each; returns k.
    Both need room for one entry per node.
    """
    # What is still to be followed grows down from the end of the room, the ends of the case grow up
    # from its beginning: no node is both, so they do not meet.
    n_ended, top = 0, len(stack) - 1
    stack[top], shares[top] = root, 1.0
    while top < len(stack):
        node, share = stack[top], shares[top]
        top += 1
        branch = STOP
        if tree.feature[node] >= 0:
            branch = next_branch(tree, node, case[tree.feature[node]])
        if branch >= 0:
            top -= 1
            stack[top], shares[top] = tree.children[tree.first_child[node] + branch], share
        elif branch == STOP:
            stack[n_ended], shares[n_ended] = node, share
            n_ended += 1
        else:
            below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
            total = tree.weight[below].sum()
            for child in below:
                top -= 1
                stack[top], shares[top] = child, share * tree.weight[child] / total
    return n_ended


@kernel
def whole_leaves(tree: FlatTree, matrix: FloatArray) -> IndexArray:
    """Return the node where each case ends as a whole, or SPREAD if it is shared out on its way.

    All cases take one step before any takes the next: the steps do not wait for each other.
    """
    ends = np.zeros(len(matrix), np.int64)
    rows = np.arange(len(matrix))
    n = len(rows) if tree.feature[0] >= 0 else 0
    while n > 0:
        n = _step(tree, matrix, rows[:n], ends)
    return ends


@kernel
def _step(tree: FlatTree, matrix: FloatArray, rows: IndexArray, ends: IndexArray) -> int:
    """Move cases to the next node; return how many, at the front of `rows`, must go further."""
    n_further = np.uint64(0)
    for i in range(np.uint64(len(rows))):
        # Unsigned, because such an index need not be checked.
        row = np.uint64(rows[i])
        node, place = ends[row], np.uint64(ends[row])
        branch = next_branch(tree, node, matrix[row, np.uint64(tree.feature[place])])
        if branch >= 0:
            child = tree.children[np.uint64(tree.first_child[place] + branch)]
            ends[row] = child
            rows[n_further] = row
            n_further += np.uint64(tree.feature[np.uint64(child)] >= 0)
        elif branch == SPREAD:
            ends[row] = SPREAD
    return int(n_further)


@kernel
def spread(
    tree: FlatTree,
    root: int,
    matrix: FloatArray,
    y: IntArray,
    rows: IndexArray,
    weights: FloatArray,
    unit: float,
    ended: FloatArray,
) -> None:
    """Add the weight of each case to `ended[node - root, class]` of the nodes it ends in.

    Weights are multiples of a unit; shares of them are rounded to such, so that sums are exact and
    neither the order of the cases nor the place where they lie leaves a trace.
    """
    stack, shares = _scratch(tree)
    for i in range(len(rows)):
        n_ended = leaf_shares(tree, root, matrix[rows[i]], stack, shares)
        for k in range(n_ended):
            share = np.rint(shares[k] * weights[i] / unit) * unit
            ended[stack[k] - root, y[rows[i]]] += share


@kernel
def distribute(tree: FlatTree, matrix: FloatArray, class_shares: FloatArray) -> FloatArray:
    """Return the class shares of each case: the mean over the nodes it ends in."""
    # All cases that end as a whole are routed together, which is faster; only those that are
    # shared out are followed one by one.
    stack, shares = _scratch(tree)
    ends = whole_leaves(tree, matrix)
    result = np.zeros((len(matrix), class_shares.shape[1]))
    for row in range(len(matrix)):
        if ends[row] >= 0:
            for c in range(result.shape[1]):
                result[row, c] = class_shares[ends[row], c]
            continue
        n_ended = leaf_shares(tree, 0, matrix[row], stack, shares)
        for k in range(n_ended):
            for c in range(result.shape[1]):
                result[row, c] += shares[k] * class_shares[stack[k], c]
    return result


@kernel
def main_leaf(tree: FlatTree, matrix: FloatArray) -> IndexArray:
    """Return the node in which the largest share of each case ends; the first among equals."""
    # As in `distribute`, only cases that are shared out are followed one by one. Numbers are
    # negated, so that the lowest of equal shares is the largest pair.
    stack, shares = _scratch(tree)
    result = whole_leaves(tree, matrix)
    for row in range(len(matrix)):
        if result[row] >= 0:
            continue
        n_ended = leaf_shares(tree, 0, matrix[row], stack, shares)
        best = 0
        for k in range(1, n_ended):
            if (shares[k], -stack[k]) > (shares[best], -stack[best]):
                best = k
        result[row] = stack[best]
    return result


@kernel
def _scratch(tree: FlatTree) -> tuple[IndexArray, FloatArray]:
    n_nodes = len(tree.feature)
    return np.empty(n_nodes + 1, np.int64), np.empty(n_nodes + 1)
