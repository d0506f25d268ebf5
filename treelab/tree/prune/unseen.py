"""Leaves for the values that a test never saw, which C4.5 has in every tree (SPEC 12.4, item 4).

A tree leaves them out, and a case of such a value stops at the test. Only where subtree raising
sends other cases to a test can training cases have such a value; then it has a leaf.
"""

from itertools import compress

import numpy as np

from treelab.tree.draft import Draft, thaw
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import refreeze


def with_empty_leaves(tree: Tree) -> Tree:
    """Return the tree with an empty leaf for each value that a test has no branch for.

    Where a test sends values to branches in groups, there is one for all of them: they are one
    more group.
    """
    if not (tree.branch_of < 0).any():
        return tree
    drafts = thaw(tree)
    for draft in drafts:
        _add_empty_leaves(draft)
    return refreeze(tree, drafts[0])


def _add_empty_leaves(test: Draft) -> None:
    unseen = np.flatnonzero(test.branch_of < 0)
    if not len(unseen):
        return
    is_grouped = np.bincount(test.branch_of[test.branch_of >= 0], minlength=1).max() > 1
    places = np.zeros(len(unseen), np.int32) if is_grouped else np.arange(len(unseen))
    test.branch_of = test.branch_of.copy()
    test.branch_of[unseen] = len(test.children) + places
    test.children += [Draft(np.zeros_like(test.counts)) for _ in range(places[-1] + 1)]


def without_empty_leaves(test: Draft) -> None:
    """Take the leaves away that no case has come to."""
    is_kept = np.array([bool(child.counts.any()) for child in test.children], bool)
    if is_kept.all():
        return
    # The last entry is that of -1, no branch.
    number = np.append(np.where(is_kept, np.cumsum(is_kept) - 1, -1), -1)
    test.branch_of = number[test.branch_of].astype(np.int32)
    test.missing_branch = int(number[test.missing_branch])
    test.children = list(compress(test.children, is_kept))
