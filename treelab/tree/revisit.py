"""Back to a node of a finished tree, as the metric saw it when the tree grew."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs
import numpy as np

from treelab._typing import BoolArray
from treelab.data.coded import ANY_NUMBER, Axis, Coded
from treelab.data.coding import Coding
from treelab.data.cut_rule import cut_rule
from treelab.data.dataset import Dataset
from treelab.data.order import canonical_order
from treelab.errors import DataError
from treelab.stats.candidates.splits import NONE, Splits
from treelab.stats.stores.context import SplitStrategy
from treelab.stats.stores.in_memory import InMemoryStore
from treelab.stats.stores.node import InMemoryNode
from treelab.stats.stores.nodes import NodeBatch
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.optimal.settings import Optimal, bins_for
from treelab.tree.path import write_path
from treelab.tree.predict import as_dataset, matrix
from treelab.tree.prune.cutting import class_codes
from treelab.tree.searches import search
from treelab.tree.stop import Stop
from treelab.tree.weighting import weighted


@attrs.frozen
class Settings:
    """What the candidates of a node depend on, apart from the data."""

    splits: SplitStrategy = "auto"
    bins: int | None = None
    min_branch: float = Stop().min_branch
    seed: int = 0
    cuts: str = "all"

    @classmethod
    def of(cls, tree: Tree, changed: Mapping[str, Any] = MappingProxyType({})) -> "Settings":
        """Return the settings a tree was grown with, of which some may be changed."""
        given = {**tree.settings, **changed}
        names = [field.name for field in attrs.fields(cls)]
        found = cls(**{name: given[name] for name in names if name in given})
        # The bins are the whole tree's, whatever a part of it is searched by.
        is_optimal = isinstance(search(tree.settings.get("search", "greedy")), Optimal)
        return attrs.evolve(found, bins=bins_for(found.bins)) if is_optimal else found


def training_data(tree: Tree, data: Any = None) -> Dataset:
    """Return the data a tree was grown from, or the given ones in the tree's own terms."""
    if data is None:
        data = tree.grown_from and tree.grown_from()
        if data is None:
            raise DataError("the data the tree was grown from are gone: pass them as data=")
    data = as_dataset(tree, data, tree.schema.target.name)
    if data.target != tree.schema.target.name:
        raise DataError(
            f"the data need the target {tree.schema.target.name!r} of the tree, "
            f"theirs is {data.target!r}"
        )
    return data if data.schema == tree.schema else _in_terms_of(tree, data)


def _in_terms_of(tree: Tree, data: Dataset) -> Dataset:
    """Return data with the columns and labels of the tree; what it does not know is missing."""
    columns = []
    # Without the coding numbers stay numbers.
    cases = matrix(attrs.evolve(tree, coding=Coding()), data)
    for column, values in zip(tree.schema.features, cases.T, strict=True):
        is_known = values < (column.n_labels if column.is_nominal else np.inf)
        columns.append(np.where(is_known, values, -1 if column.is_nominal else np.nan))
    y = class_codes(tree, data)
    y = np.where(y < len(tree.classes), y, -1)
    return Dataset.of(tree.schema, columns, y, data.weights, data.name, len(data))


def revisit(tree: Tree, path: Sequence[int], data: Dataset) -> InMemoryNode:
    """Return the view of a node, made as when the tree grew."""
    store = store_of(tree, cases_of(tree, data))
    here = reached(tree, path, store)
    if not here.sizes[0] > 0:
        raise DataError(f"no case of the data reaches node {write_path(path)}")
    return store.view(here)


def cases_of(tree: Tree, data: Dataset) -> Dataset:
    """Return the data a tree was grown from as they were then: weighted, in their order."""
    return canonical_order(weighted(data, tree.settings), shared_out=tree.missing == "fractional")


def store_of(
    tree: Tree, cases: Dataset, changed: Mapping[str, Any] = MappingProxyType({})
) -> InMemoryStore:
    """Return where cases lie as when the tree grew, or as they would with other settings."""
    how = Settings.of(tree, changed)
    coded = Coded.of(cases, tree.coding, how.bins, cut_rule(how.cuts))
    branch = tree.missing == "branch"
    return InMemoryStore.of(coded, how.splits, branch, how.min_branch, how.seed)


def reached(tree: Tree, path: Sequence[int], store: InMemoryStore) -> NodeBatch:
    """Return the cases that reach a node, if any do."""
    here, node = store.root(), tree.root
    for number in path:
        here, node = _branch(store, here, node, number), node.children[number]
    return here


def _branch(store: InMemoryStore, here: NodeBatch, node: Node, branch: int) -> NodeBatch:
    """Return a child, which other data than those of growing may leave empty."""
    axis = store.coded.axes[int(node.tree.feature[node.number])]
    _check_border(node, axis)
    splits = split_of(node, axis)
    here = moving(store, here, splits)
    children = here.split(splits, node.tree.missing)
    if branch < len(children):
        return children.keep(np.array([branch]))
    return store.node_of(np.empty(0, np.int64), np.empty(0), here.lineage)


def moving(store: InMemoryStore, here: NodeBatch, splits: Splits) -> NodeBatch:
    """Return a node without the cases that a split sends nowhere: they stay, as in prediction."""
    view = store.view(here)
    moves = _moves(view, splits, store.coded.axes[int(splits.feature[0])].n_codes)
    if moves.all():
        return here
    return store.node_of(view.rows[moves], view.weights[moves], here.lineage)


def split_of(node: Node, axis: Axis) -> Splits:
    """Return the split that a finished test carries out."""
    feature = node.tree.feature[node.number : node.number + 1].astype(np.int64)
    if node.threshold is not None:
        low = np.searchsorted(axis.points, [node.threshold], side="right") - 1
        high = np.where(node.threshold == ANY_NUMBER, NONE, low + 1)
        return Splits(feature, low, high)
    splits = Splits.groupings(feature, np.array([axis.n_codes]))
    splits.maps[: len(node.branch_of)] = node.branch_of
    if node.tree.missing == "branch" and node.missing_branch is not None:
        splits.maps[-1] = node.missing_branch
    return splits


def _check_border(node: Node, axis: Axis) -> None:
    if axis.binned and node.threshold not in (*axis.points, ANY_NUMBER):
        raise DataError(
            "the tree was grown with bins, which other data do not share: "
            "pass the data it was grown from"
        )


def _moves(view: InMemoryNode, splits: Splits, n_codes: int) -> BoolArray:
    """Tell which cases go on: those of a value without a branch stay, as in prediction.

    Only pruning, which moves subtrees, or other data can bring such cases to a node. Without any
    known value there is nothing by which to deal out the missing ones.
    """
    codes = view.coded.codes[splits.feature[0]][view.rows].astype(np.int64)
    is_missing = codes >= n_codes
    has_branch = np.asarray(~is_missing)
    if splits.is_grouping[0]:
        has_branch = splits.maps[np.minimum(codes, n_codes)] >= 0
    if not has_branch.any() and not view.context.missing_is_value:
        return has_branch
    return np.asarray(has_branch | is_missing)
