"""Whether a finished tree keeps to the constraints on its features, and what to say where not."""

import warnings

import numpy as np

from treelab.data.constraints import Constraints
from treelab.errors import DataWarning, ParameterError
from treelab.tree.model import Tree


def misplaced(tree: Tree, constraints: Constraints) -> bool:
    """Tell whether some node tests what it should not at its depth, as raising may bring about.

    A leaf is never misplaced: that is for `check_kept` to report.
    """
    place, tested = tree.schema.places, tree.feature >= 0
    for depth, name in enumerate(constraints.first):
        if np.any(tested & (tree.depths == depth) & (tree.feature != place[name])):
            return True
    for name, depths in constraints.never:
        where = np.isin(tree.depths, depths) if depths else np.ones(tree.n_nodes, bool)
        if np.any(where & (tree.feature == place[name])):
            return True
    return False


def check_kept(tree: Tree, constraints: Constraints) -> None:
    """Raise where the root does not test what it must, and warn where nodes below it do not."""
    for depth, name in enumerate(constraints.first):
        at_depth = tree.depths == depth
        is_leaf = tree.feature[at_depth] < 0
        others = int(np.sum(~is_leaf & (tree.feature[at_depth] != tree.schema.places[name])))
        if depth == 0 and is_leaf.all():
            _warn(
                f"the tree is a single leaf, so that its root does not test {name!r}; "
                "pruner=None keeps tests that the pruner removes"
            )
        elif depth == 0 and others:
            raise ParameterError(
                f"the root cannot test {name!r}: no split by it leaves two branches of min_branch "
                "cases"
            )
        elif others:
            nodes = "1 node" if others == 1 else f"{others} nodes"
            _warn(f"{nodes} of depth {depth} cannot test {name!r} and test another feature")


def _warn(sentence: str) -> None:
    warnings.warn(DataWarning(f"constraints: {sentence}"), stacklevel=4)
