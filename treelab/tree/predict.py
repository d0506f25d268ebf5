"""From data to predictions: align the columns, code the values, send the cases down."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from treelab._threads import in_parallel
from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.data import frames
from treelab.data.dataset import Dataset
from treelab.kernels.route import SPREAD, distribute, main_leaf, whole_leaves
from treelab.stats.decision import decided
from treelab.stats.formulas.impurity import weighted_gini
from treelab.tree.cases import cases_of, cases_of_dataset, kinds, marks_for
from treelab.tree.columns import check_present

if TYPE_CHECKING:
    from treelab.tree.model import Tree

Array = TypeVar("Array", bound=AnyArray)

PART = 8_000
"""So many cases are routed at a time."""


def matrix(tree: "Tree", data: Any, *, tested: bool = False) -> FloatArray:
    """Return the cases as the tree reads them: one row a case, one column a feature.

    Numbers as they are, codes for nominal and cut features, NaN for missing, and a code beyond
    all labels for a category the tree does not know. With `tested`, columns that no node tests
    are 0.
    """
    data, places = as_dataset(tree, data), tree.tested if tested else range(len(tree.features))
    return cases_of_dataset(tree, data, places).part(slice(0, len(data)))


def as_dataset(tree: "Tree", data: Any, target: str | None = None) -> Dataset:
    """Return data as a `Dataset`, a frame being read by the kinds of the tree's columns."""
    if isinstance(data, Dataset):
        return data
    table = frames.eager(data)
    known, needed = frames.by_name(table), [*tree.features, *([target] if target else [])]
    for name in needed:
        check_present(name, known)
    # Whether the target may be one was settled when the tree was grown.
    parts = frames.read_frame(
        table, target, None, *kinds(tree, known), needed, marks_for(tree), target_is_class=True
    )
    return Dataset.of(*parts, name="frame")


def probabilities(tree: "Tree", data: Any) -> FloatArray:
    """Return the class probabilities of cases."""
    shares = tree.class_probabilities
    return _in_parts(tree, data, lambda cases: distribute(tree.flat, cases, shares))


def predicted_codes(tree: "Tree", data: Any) -> IndexArray:
    """Return the code of the class predicted for each case: see `stats.decision`."""
    return _in_parts(tree, data, lambda cases: _won(tree, cases))


def _won(tree: "Tree", cases: FloatArray) -> IndexArray:
    """Return the winner of the node where each case ends; over several nodes, of their mean."""
    ends = whole_leaves(tree.flat, cases)
    codes, split = tree.winners[ends], np.flatnonzero(ends == SPREAD)
    if len(split):
        parted = cases.T.take(split, axis=1).T
        codes[split] = decided(distribute(tree.flat, parted, tree.class_probabilities), tree.costs)
    return codes


def ends(tree: "Tree", data: Any) -> IndexArray:
    """Return the node where the largest part of each case ends."""
    return _in_parts(tree, data, lambda cases: main_leaf(tree.flat, cases))


def _in_parts(tree: "Tree", data: Any, route: Callable[[FloatArray], Array]) -> Array:
    """Route the cases of some data, as many at a time as fit into the cache, by threads."""
    cases = cases_of(tree, data)
    parts = [slice(first, min(first + PART, cases.n)) for first in range(0, max(cases.n, 1), PART)]
    routed = in_parallel(lambda rows: route(cases.part(rows)), parts)
    return cast(Array, np.concatenate(routed) if len(routed) > 1 else routed[0])


def importances(tree: "Tree") -> FloatArray:
    """Return each feature's share in lowering the weighted Gini impurity."""
    impurity = weighted_gini(tree.counts)
    result = np.zeros(len(tree.features))
    for node in np.flatnonzero(tree.feature >= 0):
        below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
        result[tree.feature[node]] += impurity[node] - impurity[below].sum()
    result = np.maximum(result, 0.0)
    return result / result.sum() if result.sum() > 0 else result
