"""Minimum-error pruning with m-estimates (Cestnik and Bratko 1991)."""

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import check_number
from treelab.protocols import Regrow
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import cut


@attrs.frozen
class MinimumError:
    """Replaces a subtree by a leaf where the estimated error is no larger.

    A leaf errs with probability min_c 1 - (n_c + m p_c) / (N + m), p_c being the share of class
    c at the root; a subtree with the mean over its branches.

    Parameters
    ----------
    m
        How many cases the shares at the root are worth; larger prunes more.
    """

    m: float = 2.0

    def __attrs_post_init__(self) -> None:
        check_number("m", self.m, 0)

    def __call__(
        self, tree: Tree, _data: Dataset | None = None, _regrow: Regrow | None = None
    ) -> Tree:
        return cut(tree, self._worse_than_leaf(tree, self.leaf_error(tree.counts)))

    def leaf_error(self, counts: FloatArray) -> FloatArray:
        """Return the error probability of each row of class counts; the first is the root's."""
        prior = counts[0] / counts[0].sum()
        estimate = (counts + self.m * prior) / (counts.sum(axis=1, keepdims=True) + self.m)
        return np.asarray(1.0 - estimate.max(axis=1))

    def _worse_than_leaf(self, tree: Tree, as_leaf: FloatArray) -> BoolArray:
        at = np.zeros(tree.n_nodes, bool)
        error, weight = as_leaf.copy(), tree.counts.sum(axis=1)
        for node in range(tree.n_nodes - 1, -1, -1):
            below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
            if len(below):
                as_tree = np.average(error[below], weights=weight[below])
                at[node] = as_leaf[node] <= as_tree + 1e-12
                error[node] = as_leaf[node] if at[node] else as_tree
        return at
