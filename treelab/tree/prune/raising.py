"""Subtree raising: a node may be replaced by its largest branch (C4.5 release 8; SPEC 6.2)."""

from typing import Any

import numpy as np

from treelab.data.dataset import Dataset
from treelab.kernels.raising import Pruned, raise_branches
from treelab.kernels.route import FlatTree
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import rebuilt
from treelab.tree.prune.dealt import CasesElsewhere, DealtCases, dealt_cases
from treelab.tree.prune.unseen import with_empty_leaves


def raised(
    tree: Tree, data: Dataset | CasesElsewhere, formula: Any, confidence: float, deviate: float
) -> Tree:
    """Return the tree pruned bottom-up by training cases: nodes become leaves or a branch.

    While it is pruned, each value that a test never saw has an empty leaf: when a branch is
    raised, cases that come from beside it end there. Those that stay empty go again.

    Parameters
    ----------
    formula, confidence, deviate
        The errors to expect; see `treelab.kernels.error_limits`.
    """
    cases, flat = dealt_cases(tree, data), with_empty_leaves(tree.flat)
    pruned, rows = _to_prune(tree, flat, cases), cases.rows
    held, share = np.empty((2, 2 * len(rows)), np.int64), np.empty(2 * len(rows))
    held[0, : len(rows)], share[: len(rows)] = rows, cases.weights
    root = raise_branches(formula, confidence, deviate, pruned, held, share, len(rows))
    is_gone = np.asarray(~pruned.counts.any(axis=1))
    return rebuilt(tree, flat, pruned.feature, pruned.children, pruned.counts, is_gone, root)


def _to_prune(tree: Tree, flat: FlatTree, cases: DealtCases) -> Pruned:
    counts, n_slots = np.zeros((len(flat.feature), len(tree.classes))), len(flat.children)
    counts[: tree.n_nodes] = tree.counts
    return Pruned(
        tree=flat,
        feature=flat.feature.copy(),
        children=flat.children.copy(),
        counts=counts,
        weight=flat.weight.copy(),
        begin=np.zeros(n_slots, np.int64),
        end=np.zeros(n_slots, np.int64),
        known=np.zeros(n_slots),
        matrix=cases.matrix,
        values=cases.values,
        column=cases.column,
        y=cases.y,
        unit=cases.unit,
    )
