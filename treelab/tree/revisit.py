"""Back to a node of a finished tree, as the metric saw it when the tree grew."""

import ast
from collections.abc import Sequence
from math import inf
from typing import Any, get_args

import attrs
import numpy as np

from treelab._text import expression
from treelab._typing import BoolArray
from treelab.data.coded import ANY_NUMBER, Axis, Coded
from treelab.data.coding import Coding
from treelab.data.cut_rule import cut_rule
from treelab.data.dataset import Dataset
from treelab.data.order import steady
from treelab.errors import DataError, check_choice, check_number
from treelab.stats.candidates import Splits
from treelab.stats.view import HowToSplit, Level, Space, View
from treelab.tree.model import Node, Tree
from treelab.tree.partition import Division, split_of
from treelab.tree.path import write_path
from treelab.tree.predict import as_dataset, matrix
from treelab.tree.prune.cutting import class_codes
from treelab.tree.stop import Stop


@attrs.frozen
class Settings:
    """What the candidates of a node depend on, apart from the data."""

    splits: HowToSplit = "auto"
    bins: int | None = None
    cuts: str = "all"
    min_branch: float = Stop().min_branch
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        # They may come from a file that somebody else wrote.
        check_choice("splits", self.splits, get_args(HowToSplit))
        check_number("min_branch", self.min_branch, 0)
        check_number("seed", self.seed, -inf, whole=True)
        if self.bins is not None:
            check_number("bins", self.bins, 2, whole=True)
        cut_rule(self.cuts)

    @classmethod
    def of(cls, tree: Tree) -> "Settings":
        """Return the settings a tree was grown with, as its learner tells them."""
        told = parameters(tree.learner)
        names = [field.name for field in attrs.fields(cls)]
        return cls(**{name: told[name] for name in names if name in told})


def parameters(learner: str) -> dict[str, Any]:
    """Return the parameters in the text of a learner that are plain values; nothing is run.

    >>> parameters("Learner(metric=ReliefF(k=5), splits='binary', bins=None)")
    {'splits': 'binary', 'bins': None}
    """
    try:
        call = expression(learner)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    given = call.keywords if isinstance(call, ast.Call) else []
    return {k.arg: ast.literal_eval(k.value) for k in given if k.arg and _is_plain(k.value)}


def _is_plain(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


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


def revisit(tree: Tree, path: Sequence[int], data: Dataset) -> View:
    """Return the view of a node, made as when the tree grew."""
    how = Settings.of(tree)
    cases = steady(data, shared_out=tree.missing == "fractional")
    coded = Coded.of(cases, tree.coding, how.bins, cut_rule(how.cuts))
    space = Space(coded, how.splits, tree.missing == "branch", how.min_branch, how.seed)
    level, node = Level.root(space), tree.root
    for branch in path:
        level, node = _branch(level, node, branch), node.children[branch]
    if not level.sizes[0] > 0:
        raise DataError(f"no case of the data reaches node {write_path(path)}")
    return level.node(0)


def _branch(level: Level, node: Node, branch: int) -> Level:
    """Return the level of a branch, which other data than those of growing may leave empty."""
    axis = level.space.coded.axes[int(node.tree.feature[node.number])]
    _check_border(node, axis)
    splits, view = split_of(node, axis), level.node(0)
    moves = _moves(view, splits, axis.n_codes)
    if not moves.all():
        rows, weights = view.rows[moves], view.weights[moves]
        level = Level.of(level.space, rows, weights, level.lineage)
    parts = Division.of(level, splits, node.tree.missing)
    if branch < len(parts.counts):
        return parts.children(np.array([branch]))
    nobody = view.rows[:0]
    return Level.of(level.space, nobody, view.weights[:0], level.lineage)


def _check_border(node: Node, axis: Axis) -> None:
    if axis.binned and node.threshold not in (*axis.points, ANY_NUMBER):
        raise DataError(
            "the tree was grown with bins, which other data do not share: "
            "pass the data it was grown from"
        )


def _moves(view: View, splits: Splits, n_codes: int) -> BoolArray:
    """Tell which cases go on: those of a value without a branch stay, as in prediction.

    Only pruning, which moves subtrees, or other data can bring such cases to a node. Without any
    known value there is nothing by which to deal out the missing ones.
    """
    codes = view.space.coded.codes[splits.feature[0]][view.rows].astype(np.int64)
    is_missing = codes >= n_codes
    has_branch = np.asarray(~is_missing)
    if splits.is_grouping[0]:
        has_branch = splits.maps[np.minimum(codes, n_codes)] >= 0
    if not has_branch.any() and not view.space.missing_is_value:
        return has_branch
    return np.asarray(has_branch | is_missing)
