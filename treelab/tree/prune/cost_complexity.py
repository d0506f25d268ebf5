"""Cost-complexity pruning (Breiman et al. 1984), alpha given or found by cross-validation."""

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_number
from treelab.kernels.weakest_links import weakest_links
from treelab.protocols import Regrow
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import (
    cut,
    errors,
    is_leaf,
    own_errors,
    sum_up,
)
from treelab.tree.prune.held import Foldable, HeldOut, held_out, known_cases_of


@attrs.frozen
class CostComplexity:
    """Keeps the subtree that minimizes (training error rate) + alpha (number of leaves).

    Parameters
    ----------
    alpha
        The price of a leaf. None chooses it: as the pruner of `grow` by cross-validation within
        the training cases, given to `prune` by the data, which then must be held-out cases.
    folds
        How many parts the cross-validation has.
    se
        The largest alpha within so many standard errors of the best one is taken (the 1-SE rule).
    seed
        For the choice of the parts; None: the learner's. The order of the cases does not matter,
        but a case of weight 2 is dealt out once, two equal cases each on its own. Of more than
        262,144 cases the parts are drawn by a hash: see `treelab.data.hashed_folds`.
    """

    alpha: float | None = None
    folds: int = 10
    se: float = 1.0
    seed: int | None = None

    def __attrs_post_init__(self) -> None:
        if self.alpha is not None:
            check_number("alpha", self.alpha, 0)
        check_number("folds", self.folds, 2, whole=True)
        check_number("se", self.se, 0)

    @property
    def needs_cases(self) -> bool:
        """Whether class weights of the nodes are not enough."""
        return self.alpha is None

    @property
    def holds_out(self) -> bool:
        """Whether cases are held out to choose alpha."""
        return self.alpha is None

    def __call__(
        self,
        tree: Tree,
        data: Dataset | Foldable | None = None,
        regrow: Regrow | None = None,
    ) -> Tree:
        if self.alpha is not None:
            return cut(tree, critical_alphas(tree) <= self.alpha + 1e-12)
        if data is None:
            raise ParameterError("cost-complexity pruning needs an alpha, or data to choose it by")
        critical = critical_alphas(tree)
        alpha = self._chosen(critical, data, tree, regrow)
        return cut(tree, critical <= alpha + 1e-12)

    def _chosen(
        self, critical: FloatArray, data: Dataset | Foldable, tree: Tree, regrow: Regrow | None
    ) -> float:
        alphas, known = typical_alphas(critical), known_cases_of(data)
        if isinstance(data, Dataset) and regrow is None:
            wrong = errors_by_alpha(tree, data, alphas)
        elif known.n_cases < 2:
            return 0.0
        else:
            assert regrow is not None
            folds = known.parted(min(self.folds, known.n_cases), self.seed or 0)
            found = [errors_by_alpha(regrow(rest), held, alphas) for rest, held in folds]
            wrong = np.sum(found, axis=0)
        n = known.weight
        rate = wrong / n
        best = rate.argmin()
        allowed = rate[best] + self.se * np.sqrt(rate[best] * (1 - rate[best]) / n)
        return float(alphas[np.flatnonzero(rate <= allowed + 1e-12)[-1]])


def critical_alphas(tree: Tree) -> FloatArray:
    """Return for each node the least alpha at which it is a leaf or gone; inf at a leaf.

    Weakest-link pruning: the node with the least g = (R(t) - R(T_t)) / (leaves - 1) becomes a
    leaf, and so on up to the root.
    """
    n = tree.counts[0].sum()
    below = sum_up(tree, np.column_stack([own_errors(tree) / n, is_leaf(tree)]))
    below_cost, leaves = np.ascontiguousarray(below.T)
    return weakest_links(tree.flat, tree.parents, errors(tree) / n, below_cost, leaves)


def pruning_path(tree: Tree) -> tuple[FloatArray, FloatArray]:
    """Return the alphas at which the tree shrinks, from 0 on, and its training error rates."""
    critical, n = critical_alphas(tree), tree.counts[0].sum()
    alphas = _steps(critical)
    trees = (cut(tree, critical <= alpha + 1e-12) for alpha in alphas)
    return alphas, np.array([own_errors(each).sum() / n for each in trees])


def _steps(critical: FloatArray) -> FloatArray:
    steps = np.unique(np.concatenate([[0.0], critical[np.isfinite(critical)]]))
    return np.asarray(steps[np.append(True, np.diff(steps) > 1e-12)])  # rounding makes no step


def typical_alphas(critical: FloatArray) -> FloatArray:
    """Return one alpha for each tree of the sequence: geometric means of neighbours."""
    steps = _steps(critical)
    return np.concatenate([np.sqrt(steps[:-1] * steps[1:]), steps[-1:]])


def errors_by_alpha(tree: Tree, data: Dataset | HeldOut, alphas: FloatArray) -> FloatArray:
    """Return the errors on held-out cases of the tree pruned at each alpha."""
    critical, held = critical_alphas(tree), held_out(tree, data)
    as_tree = sum_up(tree, held.stays)
    saved = held.as_leaf - as_tree
    # A node is gone no later than its parent, so the leaves made by pruning are the pruned nodes
    # whose parent is not pruned.
    until = np.append(critical, np.inf)[tree.parents]
    made = [(critical <= alpha + 1e-12) & (until > alpha + 1e-12) for alpha in alphas]
    return np.array([as_tree[0] + saved[leaves].sum() for leaves in made])
