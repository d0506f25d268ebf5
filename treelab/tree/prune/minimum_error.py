"""Minimum-error pruning with m-estimates (Cestnik and Bratko 1991)."""

from typing import ClassVar

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import check_number
from treelab.protocols import Regrow
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import is_leaf, with_leaves


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

    needs_cases: ClassVar[bool] = False

    def __call__(
        self, tree: Tree, _data: Dataset | None = None, _regrow: Regrow | None = None
    ) -> Tree:
        as_leaf, weight = self.leaf_error(tree.counts), tree.counts.sum(axis=1)
        above = tree.parents
        share = np.ones(tree.n_nodes)
        share[1:] = weight[1:] / np.bincount(above[1:], weight[1:])[above[1:]]
        return with_leaves(tree, as_leaf, np.where(is_leaf(tree), as_leaf, 0.0), 1e-12, share)

    def leaf_error(self, counts: FloatArray) -> FloatArray:
        """Return the error probability of each row of class counts; the first is the root's."""
        prior = counts[0] / counts[0].sum()
        estimate = (counts + self.m * prior) / (counts.sum(axis=1, keepdims=True) + self.m)
        return np.asarray(1.0 - estimate.max(axis=1))
