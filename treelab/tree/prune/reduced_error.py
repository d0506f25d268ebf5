"""Reduced-error pruning by held-out cases (Quinlan 1987)."""

import attrs
import numpy as np

from treelab._typing import BoolArray
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.errors import ParameterError, check_number
from treelab.protocols import Regrow
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import Held, cut, held_out


@attrs.frozen
class ReducedError:
    """Replaces a subtree by a leaf where held-out cases are predicted no worse.

    As the pruner of `grow` it holds out one of `folds` parts of the training cases and grows the
    tree on the others (with fewer cases than parts the tree stays as it is); given to `prune`,
    it takes all the data as held out.

    Parameters
    ----------
    folds
        One part of so many is held out.
    seed
        For the choice of the held-out cases; None: the learner's. The order of the cases does not
        matter, but a case of weight 2 is dealt out once, two equal cases each on its own.
    """

    folds: int = 3
    seed: int | None = None

    def __attrs_post_init__(self) -> None:
        check_number("folds", self.folds, 2, whole=True)

    def __call__(
        self, tree: Tree, data: Dataset | None = None, regrow: Regrow | None = None
    ) -> Tree:
        if data is None:
            raise ParameterError("reduced-error pruning needs held-out cases: pass them as data")
        if regrow is not None:
            data = data.take((data.y >= 0) & (data.weights > 0))
            if len(data) < self.folds:
                return tree
            fold = folds_by_content(data, self.folds, self.seed or 0)
            tree, data = regrow(data.take(fold > 0)), data.take(fold == 0)
        return cut(tree, self._worse_than_leaf(tree, held_out(tree, data)))

    def _worse_than_leaf(self, tree: Tree, held: Held) -> BoolArray:
        at = np.zeros(tree.n_nodes, bool)
        as_tree = held.as_tree.copy()
        for node in range(tree.n_nodes - 1, -1, -1):
            below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
            if len(below):
                as_tree[node] += (as_tree[below] - held.as_tree[below]).sum()
                at[node] = held.as_leaf[node] <= as_tree[node] + 1e-9
                as_tree[node] = held.as_leaf[node] if at[node] else as_tree[node]
        return at
