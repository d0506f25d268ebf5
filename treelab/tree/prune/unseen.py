"""Leaves for the values that a test never saw, which C4.5 has in every tree (SPEC 12.4, item 4).

A tree leaves them out, and a case of such a value stops at the test. Only where subtree raising
sends other cases to a test can training cases have such a value; then it has a leaf.
"""

import numpy as np

from treelab._typing import AnyArray
from treelab.data.coded import fixed
from treelab.kernels.pruning import empty_leaves
from treelab.kernels.route import FlatTree


def with_empty_leaves(tree: FlatTree) -> FlatTree:
    """Return the tree with an empty leaf for each value that a test has no branch for.

    Where a test sends values to branches in groups, there is one for all of them: they are one
    more group. The new leaves have the numbers behind all others.
    """
    if not (tree.branch_of < 0).any():
        return tree
    first_child, children, branch_of = empty_leaves(tree)
    more = len(children) - len(tree.children)
    n_children, n_codes = len(children), len(branch_of)
    return tree._replace(
        feature=_longer(tree.feature, more, -1),
        threshold=_longer(tree.threshold, more, np.nan),
        first_child=_longer(first_child, more, n_children),
        children=fixed(children),
        first_code=_longer(tree.first_code, more, n_codes),
        branch_of=fixed(branch_of),
        missing_branch=_longer(tree.missing_branch, more, -1),
        weight=np.append(tree.weight, np.zeros(more)),
    )


def _longer(values: AnyArray, more: int, value: float) -> AnyArray:
    return fixed(np.append(values, np.full(more, value, values.dtype)))
