"""What a learner grows under some nodes of a tree, pruned by the cases that reach them."""

from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import fixed
from treelab.data.dataset import Dataset
from treelab.editing.ground import Ground
from treelab.learner import Learner
from treelab.stats.stores.nodes import NodeBatch
from treelab.tree.model import Tree
from treelab.tree.predict import matrix
from treelab.tree.prune import check_pruned
from treelab.tree.prune import pruner as find_pruner
from treelab.tree.prune.chance import distinct_numbers
from treelab.tree.prune.cutting import class_codes
from treelab.tree.prune.dealt import DealtCases
from treelab.tree.recorder import TreeRecorder
from treelab.tree.stop import Stop


@attrs.frozen(eq=False)
class CasesAtNode:
    """The cases at a node as pruners ask for them: parts of cases, by the units of the whole.

    It is a `treelab.tree.prune.dealt.CasesElsewhere`: how many values a feature has is a fact of
    all cases, not of those at the node.
    """

    cases: Dataset
    nodes: NodeBatch

    def n_distinct(self, tested: set[int]) -> FloatArray:
        """Return how many values each numeric feature has."""
        is_numeric = [not column.is_nominal for column in self.cases.schema.features]
        return distinct_numbers(self.cases, tested, np.where(is_numeric, np.inf, 0.0))

    def dealt(self, tree: Tree) -> DealtCases:
        """Return the cases as a tree tests them."""
        view = self.nodes.node(0)
        column, values = np.append(np.arange(len(tree.features)), -1), np.empty((0, 0))
        return DealtCases(
            matrix(tree, self.cases, tested=True), values, column,
            fixed(class_codes(tree, self.cases)), view.rows, view.weights, self.nodes.context.unit,
        )  # fmt: skip

    @property
    def data(self) -> Dataset:
        """The cases at the node as data of their own."""
        view = self.nodes.node(0)
        return self.cases.take(view.rows).reweighted(view.weights)


@attrs.frozen(eq=False)
class Grower:
    """A learner that grows parts of a tree.

    `stop` are its rules as they hold for the part: depths from the root of the whole tree, leaves
    of the part alone.
    """

    learner: Learner
    ground: Ground
    stop: Stop
    raising: bool = True

    def grown(self, roots: NodeBatch, depth: int) -> TreeRecorder:
        """Return the trees under nodes of some depth."""
        growth = attrs.evolve(self.learner.growth(self.ground.tree.coding), stop=self.stop)
        return growth.below(roots, self.ground.cases.schema, depth)

    def pruned(self, part: Tree, root: NodeBatch) -> Tree:
        """Return a part that grew from a node as the learner prunes it."""
        prune: Any = find_pruner(self.learner.pruner)
        if getattr(prune, "seed", self.learner.seed) is None:
            prune = attrs.evolve(prune, seed=self.learner.seed)
        if not self.raising and getattr(prune, "raising", False):
            prune = attrs.evolve(prune, raising=False)
        at_node = CasesAtNode(self.ground.cases, root)
        data = at_node if getattr(prune, "takes_elsewhere", False) else at_node.data
        return check_pruned(prune(part, data, self.learner.regrow))
