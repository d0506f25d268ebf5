"""What a tree costs: the pessimistic errors of its leaves and a price for each (SPEC 12.6)."""

import numpy as np

from treelab._typing import FloatArray
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import is_leaf, with_leaves
from treelab.tree.prune.estimate import extra_errors

PRICE, CF = 0.5, 0.25
"""What a leaf costs, in errors, and the confidence of the pessimistic errors."""

ROUNDING = 1e-9
"""Sums of parts of cases may differ by so much and are the same cost."""


def as_leaves(counts: FloatArray, price: float = PRICE, cf: float = CF) -> FloatArray:
    """Return what nodes of some class weights cost as leaves."""
    cases = counts.sum(axis=1)
    errors = cases - counts.max(axis=1)
    return np.asarray(errors + extra_errors("c45", cases, errors, cf) + price)


def cheapest(tree: Tree) -> Tree:
    """Return the tree in which subtrees that cost as much as a leaf are leaves."""
    costs = as_leaves(tree.counts)
    return with_leaves(tree, costs, np.where(is_leaf(tree), costs, 0.0), ROUNDING)


def cost(tree: Tree) -> float:
    """Return what the leaves of a tree cost together."""
    return float(as_leaves(tree.counts[is_leaf(tree)]).sum())
