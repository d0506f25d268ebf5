"""Which subtree each branch of a new split keeps."""

import numpy as np

from treelab._typing import IntArray
from treelab.data.coded import ANY_NUMBER
from treelab.editing.splitting import Asked
from treelab.errors import ParameterError
from treelab.stats.candidates.splits import NONE
from treelab.stats.stores.nodes import NodeBatch
from treelab.tree.edits import Split
from treelab.tree.node import Node
from treelab.tree.recorder import maps


def kept_branches(node: Node, edit: Split, here: NodeBatch, asked: Asked) -> list[int | None]:
    """Return for each new branch the old one whose subtree it keeps; None where there is none.

    Of thresholds it is the one on the same side; of groups the one that most of the cases were in,
    the first among equals.
    """
    if node.feature != edit.feature:
        what = "is a leaf" if node.is_leaf else f"tests {node.feature!r}"
        raise ParameterError(
            f"node {edit.node} {what}: below='keep' is for another split of the feature that a "
            "node tests already"
        )
    if node.threshold is None:
        return _by_cases(node, here, asked)
    if (node.threshold == ANY_NUMBER) != (asked.splits.high[0] == NONE):
        raise ParameterError(
            f"node {edit.node}: the sides of a threshold are not those of known and missing "
            "values: below='grow' or below='leaves'"
        )
    return [0, 1, 2 if len(node.children) > 2 else None]


def _by_cases(node: Node, here: NodeBatch, asked: Asked) -> list[int | None]:
    view, feature = here.node(0), int(asked.splits.feature[0])
    old, new = _with_missing(node.branch_of, node.missing_branch), _map_of(asked, here)
    codes = np.minimum(view.coded.codes[feature][view.rows].astype(np.int64), len(old) - 1)
    was, is_now = old[codes], new[codes]
    moved = (was >= 0) & (is_now >= 0)
    weights = np.zeros((int(new.max()) + 1, len(node.children)))
    np.add.at(weights, (is_now[moved], was[moved]), view.weights[moved])
    return [int(row.argmax()) if row.any() else None for row in weights]


def _map_of(asked: Asked, here: NodeBatch) -> IntArray:
    """Return the branch of every code, that of missing being the last."""
    branch_of = maps(asked.splits, here.context)[1]
    if asked.splits.is_grouping[0]:
        first = asked.splits.first_map[0]
        return asked.splits.maps[first : first + len(branch_of) + 1]
    return _with_missing(branch_of, None)


def _with_missing(branch_of: IntArray, missing: int | None) -> IntArray:
    return np.append(branch_of, np.int32(-1 if missing is None else missing))
