"""Subtrees that spare no training error become leaves (C4.5 release 8; SPEC 12.4, item 5)."""

from typing import ClassVar

import attrs

from treelab.data.dataset import Dataset
from treelab.protocols import Regrow
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import errors, of_one_sample, own_errors, with_leaves

NO_ERROR = 1e-3
"""C4.5 takes a subtree that spares fewer training errors for one that spares none."""


@attrs.frozen
class Collapse:
    """Replaces each subtree that makes no fewer training errors than a leaf by a leaf.

    C4.5 does so as it builds the tree, J48 before it prunes and also where it does not (-U). Other
    pruners may follow: `pessimistic` begins with it.

    A tree that was pruned by other cases than it was grown from, some leaf of which none of them
    reached, stays as it is: that leaf has its old weights, whose errors are none of those above.
    """

    needs_cases: ClassVar[bool] = False

    def __call__(
        self, tree: Tree, _data: Dataset | None = None, _regrow: Regrow | None = None
    ) -> Tree:
        if not of_one_sample(tree):
            return tree
        return with_leaves(tree, errors(tree), own_errors(tree), NO_ERROR)
