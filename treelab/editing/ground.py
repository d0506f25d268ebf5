"""`Ground`: the cases that a tree was grown from, as they lay then; edits stand on it."""

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import Any
from weakref import ref

import attrs
import numpy as np

from treelab._text import weight_text
from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import DataError, TreelabError
from treelab.kernels.counts import class_counts
from treelab.stats.stores.in_memory import InMemoryStore
from treelab.stats.stores.nodes import NodeBatch
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.path import read_path
from treelab.tree.prune import pruner
from treelab.tree.revisit import cases_of, reached, store_of, training_data
from treelab.tree.weighting import altered, restored_counts


@attrs.frozen(eq=False, slots=False)
class Ground:
    """The cases of a tree, the same whatever is edited.

    `data` are as they were given, `cases` as the tree grew from them.
    """

    tree: Tree
    data: Dataset
    cases: Dataset

    @classmethod
    def of(cls, tree: Tree, data: Any = None) -> "Ground":
        """Return the cases a tree was grown from, given or still alive."""
        found = training_data(tree, data)
        return cls(tree, found, cases_of(tree, found))

    @cached_property
    def store(self) -> InMemoryStore:
        """Where the cases lie."""
        return store_of(self.tree, self.cases)

    def store_with(self, changed: Mapping[str, Any]) -> InMemoryStore:
        """Return where they lie if some settings of the learner are changed."""
        return store_of(self.tree, self.cases, changed) if changed else self.store

    def at(
        self, node: Node, path: str, changed: Mapping[str, Any] = MappingProxyType({})
    ) -> NodeBatch:
        """Return the cases at a node, which must be those it was made of."""
        here = reached(node.tree, read_path(path), self.store_with(changed))
        there, given = altered(node.tree).counts[node.number], here.class_counts[0]
        # Sums of shares of cases differ by rounding, class weights by the digits that are kept.
        if not np.allclose(there, given, rtol=1e-6, atol=1e-6):
            raise DataError(
                f"these are not the data the tree was grown from: {weight_text(given.sum())} cases "
                f"reach node {path}, which has {weight_text(there.sum())}"
            )
        return here

    @cached_property
    def recounts(self) -> bool:
        """Whether class weights of the tree are sums over cases, as subtree raising leaves them.

        Else they are those of growing, which deals out the missing cases of a node as a whole:
        the same but for rounding.
        """
        with suppress(TreelabError):  # a function, or a pruner of a package that is not installed
            return bool(getattr(pruner(self.tree.settings.get("pruner")), "raising", False))
        return False

    def counts(self, nodes: NodeBatch) -> FloatArray:
        """Return the class weights of nodes, as the tree has them."""
        if not self.recounts:
            return nodes.class_counts
        views = [self.store.view(nodes.only(np.array([k]))) for k in range(len(nodes))]
        y, n_classes = self.cases.y, self.store.coded.n_classes
        return np.array([class_counts(y, view.rows, view.weights, n_classes) for view in views])

    def as_they_are(self, part: Tree) -> Tree:
        """Return a part of the tree without the altered priors that it was grown by."""
        if self.tree.costs is None:
            return part
        root = self.store.root().class_counts[0]
        return attrs.evolve(part, counts=restored_counts(part.counts, self.tree.costs, root))

    def under(self, tree: Tree) -> Tree:
        """Return a tree that knows its data, and whether they lack values that it asks for."""
        lacking = self.data.missing()
        complete = not any(tree.features[place] in lacking for place in tree.tested)
        return attrs.evolve(tree, grown_from=ref(self.data), complete=complete)
