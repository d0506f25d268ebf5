"""Reduced-error pruning by held-out cases (Quinlan 1987)."""

from typing import Any, ClassVar

import attrs

from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_number
from treelab.protocols import Regrow
from treelab.tree.model import Tree
from treelab.tree.prune.cutting import with_leaves
from treelab.tree.prune.held import Foldable, held_out, known_cases_of


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
        matter, but a case of weight 2 is dealt out once, two equal cases each on its own. Of more
        than 262,144 cases the parts are drawn by a hash: see `treelab.data.hashed_folds`.
    """

    folds: int = 3
    seed: int | None = None
    holds_out: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        check_number("folds", self.folds, 2, whole=True)

    def __call__(
        self,
        tree: Tree,
        data: Dataset | Foldable | None = None,
        regrow: Regrow | None = None,
    ) -> Tree:
        if data is None:
            raise ParameterError("reduced-error pruning needs held-out cases: pass them as data")
        apart: Any = data
        if regrow is not None:
            cases = known_cases_of(data)
            if cases.n_cases < self.folds:
                return tree
            rest, apart = next(cases.parted(self.folds, self.seed or 0))
            tree = regrow(rest)
        held = held_out(tree, apart)
        return with_leaves(tree, held.as_leaf, held.stays, 1e-9)
