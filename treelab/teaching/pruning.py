"""Pruning step by step: the weakest link goes first (Breiman et al. 1984; SPEC 6)."""

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import DataError
from treelab.tree.model import Tree
from treelab.tree.prune.cost_complexity import critical_alphas, errors_by_alpha, pruning_path
from treelab.tree.prune.cutting import cut, ended, own_errors
from treelab.tree.prune.pessimistic import Pessimistic
from treelab.tree.weighting import altered

SLACK = 1e-12
"""What rounding may make of an alpha."""


@attrs.frozen
class PruningStep:
    """A tree of the sequence: its price of a leaf, its leaves, and its error rates.

    `pessimistic` is C4.5's estimate from the training cases; `held_out` is None without such cases.
    """

    alpha: float
    leaves: int
    training: float
    pessimistic: float
    held_out: float | None


def pruning_steps(
    tree: Tree, held_out: Dataset | None = None
) -> tuple[tuple[PruningStep, ...], list[int]]:
    """Return the sequence of trees, and from which of them on each node is a leaf or gone.

    Leaves, which are never replaced, have the length of the sequence there.
    """
    grown = altered(tree)
    critical = critical_alphas(grown)
    alphas, _ = pruning_path(grown)
    if (critical <= SLACK).any():
        # Some tests save nothing: before they go, the whole tree is to be seen.
        alphas = np.append(-1.0, alphas)
    trees = [cut(grown, critical <= alpha + SLACK) for alpha in alphas]
    unseen = _unseen_errors(grown, held_out, alphas)
    steps = tuple(
        PruningStep(max(float(alpha), 0.0), each.n_leaves, *_errors(each), new)
        for alpha, each, new in zip(alphas, trees, unseen, strict=True)
    )
    return steps, np.searchsorted(alphas + SLACK, critical).tolist()


def _errors(tree: Tree) -> tuple[float, float]:
    """Return the error rate in training, and C4.5's estimate of the true one."""
    wrong, cases = own_errors(tree), tree.counts[0].sum()
    estimated = Pessimistic().predicted(ended(tree).sum(axis=1), wrong)
    return float(wrong.sum() / cases), float(estimated.sum() / cases)


def _unseen_errors(tree: Tree, data: Dataset | None, alphas: FloatArray) -> list[float | None]:
    if data is None:
        return [None] * len(alphas)
    known = data.usable()
    if not len(known):
        raise DataError("there is no held-out case of known class and weight above 0")
    wrong = errors_by_alpha(tree, known, alphas)
    return [float(each) for each in wrong / known.weights.sum()]
