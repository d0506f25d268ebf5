"""No pruning."""

from typing import ClassVar

import attrs

from treelab.data.dataset import Dataset
from treelab.protocols import Regrow
from treelab.tree.model import Tree


@attrs.frozen
class NoPruning:
    """Leaves the tree as it grew."""

    needs_cases: ClassVar[bool] = False

    def __call__(
        self, tree: Tree, _data: Dataset | None = None, _regrow: Regrow | None = None
    ) -> Tree:
        return tree
