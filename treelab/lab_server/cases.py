"""The cases that reach a node, a page of them at a time."""

from typing import Any

import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset, is_missing
from treelab.data.preview import written
from treelab.errors import check_choice, check_number
from treelab.kernels.route import distribute
from treelab.lab_server.arguments import path_of
from treelab.lab_server.desk import Desk
from treelab.lab_server.sessions import Session
from treelab.tree.cases import cases_of
from treelab.tree.model import Tree
from treelab.tree.predict import predicted_codes

LARGEST_PAGE = 500
LEAST = 1e-9
"""A smaller part of a case is none."""


def parts_at(tree: Tree, number: int, data: Dataset) -> FloatArray:
    """Return which part of each case reaches a node: all, nothing or, where values lack, some."""
    after = np.flatnonzero(tree.depths[number + 1 :] <= tree.depths[number])
    end = number + 1 + int(after[0]) if len(after) else tree.n_nodes
    below = np.zeros((tree.n_nodes, 1))
    below[number:end] = 1.0  # nodes are numbered in preorder: what is below it follows it
    cases = cases_of(tree, data)
    return np.asarray(distribute(tree.flat, cases.part(slice(0, cases.n)), below)[:, 0])


def ask_cases(_desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any]:
    """Return a page of the cases that reach a node, sorted as asked."""
    opened, grown = session.editable
    path, data, tree = path_of(asked), opened.training, grown.tree
    start, size = asked.get("start", 0), asked.get("size", 50)
    check_number("start", start, 0, whole=True)
    check_number("size", size, 1, LARGEST_PAGE, whole=True)
    parts = parts_at(tree, tree.node(path).number, data)
    there = np.flatnonzero((parts > LEAST) & (data.weights > 0))
    predicted = predicted_codes(tree, data.take(there))
    order = _order(data, there, predicted, parts, asked)
    shown = order[start : start + size]
    return {
        "path": list(path),
        "total": len(there),
        "start": start,
        "columns": ["case", *data.features, data.target, "predicted", "weight"],
        "rows": [
            _row(data, tree, int(there[at]), int(predicted[at]), parts, opened.rows) for at in shown
        ],
    }


def _order(
    data: Dataset,
    there: IndexArray,
    predicted: IndexArray,
    parts: FloatArray,
    asked: dict[str, Any],
) -> IndexArray:
    """Return the places of the cases in the order asked for; missing values come last."""
    by, descending = asked.get("order"), bool(asked.get("descending"))
    own: dict[str, Any] = {
        "case": there,
        "class": data.y[there],
        "predicted": predicted,
        "weight": (parts * data.weights)[there],
    }
    if by is None:
        return np.arange(len(there))
    if not isinstance(by, str) or by not in (*own, data.target, *data.features):
        check_choice("order", by, [*own, *data.features])
    keys = data[by][there] if by in data.features else own["class" if by == data.target else by]
    lacking = is_missing(keys)
    keys = -keys if descending else keys
    return np.lexsort((there, keys, lacking))


def _row(
    data: Dataset, tree: Tree, row: int, predicted: int, parts: FloatArray, rows: IndexArray
) -> list[Any]:
    cells = [
        None if is_missing(values[row : row + 1])[0] else written(column, float(values[row]))
        for column, values in zip(data.schema.features, data.columns, strict=True)
    ]
    label = data.classes[data.y[row]] if data.y[row] >= 0 else None
    weight = float(parts[row] * data.weights[row])
    return [int(rows[row]) + 1, *cells, label, tree.classes[predicted], weight]
