"""What a tree is grown from where classes have weights or mistakes have costs, and the way back.

Weights of classes stay in the class weights of a tree, as the cases' own do. Costs alter the priors
for growing and pruning only (Breiman et al. 1984, section 4.4; `treelab.data.costs`): what is left
in the tree are the cases as they are, so that its probabilities are theirs, and the costs.
"""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.class_weight import class_weight, of_classes, reweighted, totals_of
from treelab.data.costs import altered_priors, costs
from treelab.data.dataset import Dataset
from treelab.data.weights import digits_of
from treelab.tree.model import Tree


def weighted(data: Dataset, settings: Mapping[str, Any]) -> Dataset:
    """Return data as a tree is grown from them by a learner of such settings."""
    given, matrix = class_weight(settings.get("class_weight")), costs(settings.get("costs"))
    if given is not None:
        data = reweighted(data, of_classes(given, data.classes, totals_of(data)))
    if matrix is not None:
        data = reweighted(data, altered_priors(matrix.matrix(data.classes)))
    return data


def altered(tree: Tree) -> Tree:
    """Return a tree with costs as it was grown: by altered priors, the total being the same."""
    if tree.costs is None:
        return tree
    return attrs.evolve(
        tree, counts=_reweighted(tree.counts, altered_priors(tree.costs), tree.counts[0])
    )


def restored(tree: Tree, matrix: FloatArray | None) -> Tree:
    """Return a tree grown by altered priors with its cases as they are, and with the costs."""
    if matrix is None:
        return tree
    counts = restored_counts(tree.counts, matrix, tree.counts[0])
    return attrs.evolve(tree, counts=counts, costs=matrix)


def restored_counts(counts: FloatArray, matrix: FloatArray, root: FloatArray) -> FloatArray:
    """Return class weights by altered priors, in a tree of such a root, as they are."""
    priors = altered_priors(matrix)
    # A power of two changes no digit, and no quotient overflows.
    return _reweighted(counts, np.ldexp(1.0, np.frexp(priors.min())[1]) / priors, root)


def _reweighted(counts: FloatArray, factors: FloatArray, root: FloatArray) -> FloatArray:
    """Return class weights times factors, scaled so that the root weighs what it did."""
    total = root.sum()
    power = np.frexp(total)[1]  # powers of two change no digit, and nothing overflows or vanishes
    counts, root = np.ldexp(counts, -power), np.ldexp(root, -power)
    scaled = np.ldexp(counts * factors * (root.sum() / (root * factors).sum()), power)
    return np.asarray(np.round(scaled, digits_of(total)))
