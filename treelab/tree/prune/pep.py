"""Quinlan's pessimistic pruning of 1987 (SPEC 6.3)."""

from typing import ClassVar

import attrs
import numpy as np

from treelab.data.dataset import Dataset
from treelab.protocols import Regrow
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import cut, errors, is_leaf, own_errors, sum_up


@attrs.frozen
class QuinlanPessimistic:
    """Top-down, each leaf charged with half an error: replace where e + 1/2 <= E + SE(E).

    E is the number of errors of the subtree's leaves plus half their number, and
    SE = sqrt(E (N - E) / N). Subtrees are judged as they are before anything is cut, so pruning
    a pruned tree again may cut more.
    """

    needs_cases: ClassVar[bool] = False

    def __call__(
        self, tree: Tree, _data: Dataset | None = None, _regrow: Regrow | None = None
    ) -> Tree:
        leaf, wrong = is_leaf(tree), errors(tree)
        expected = sum_up(tree, own_errors(tree) + 0.5 * leaf)
        n = tree.counts.sum(axis=1)
        deviation = np.sqrt(np.maximum(expected * (n - expected) / n, 0.0))
        # A node below a replaced one vanishes with it, so the order of cutting does not matter.
        return cut(tree, ~leaf & (wrong + 0.5 <= expected + deviation))
