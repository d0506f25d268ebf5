"""From values to what JSON can hold: data, columns, histograms, trees.

No user's word is ever the key of an object: '__proto__' is a label like any other.
"""

import math
from typing import Any

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.checking import check
from treelab.data.dataset import Dataset, is_missing
from treelab.data.schema import Column
from treelab.evaluate import Assessment
from treelab.lab_server.sources import Opened
from treelab.plots.cuts import bar_edges, is_near
from treelab.plots.style import colours
from treelab.tree.model import Tree
from treelab.writers.export_tree import export_tree_of
from treelab.writers.html import page_model

MOST_LABELS = 40
"""So many labels of a column have a bar of their own."""


def plain(value: Any) -> Any:
    """Return a value as JSON has it: arrays as lists, and null for what is no number.

    >>> plain({"a": np.array([1.0, np.nan]), "b": (np.int64(2), float("inf"))})
    {'a': [1.0, None], 'b': [2, None]}
    """
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


# Data


def data_view(opened: Opened) -> dict[str, Any]:
    """Return what the page shows of data: the table of `check`, histograms, classes."""
    data, held_out = opened.training, opened.held_out
    found = check(data)
    columns = [*zip(data.schema.features, data.columns, strict=True), (data.schema.target, data.y)]
    weights = np.bincount(data.y[data.y >= 0], _known(data), minlength=len(data.classes))
    return {
        "name": data.name,
        "source": opened.source.plain,
        "asked": opened.asked.plain,
        "cases": len(opened.data),
        "training": len(data),
        "held_out": None if held_out is None else len(held_out),
        "weighted": bool(np.any(data.weights != 1)),
        "unknown_class": int((data.y < 0).sum()),
        "target": data.target,
        "classes": [
            {"label": label, "colour": colour, "cases": float(weight)}
            for label, colour, weight in zip(
                data.classes, colours(len(data.classes)), weights, strict=True
            )
        ],
        "columns": [
            {**attrs.asdict(row), "histogram": histogram(data, column, values)}
            for row, (column, values) in zip(found.rows, columns, strict=True)
        ],
        "dropped": list(opened.asked.drop),
        "warnings": list(opened.warnings),
    }


def _known(data: Dataset) -> FloatArray:
    return data.weights[data.y >= 0]


def histogram(
    data: Dataset, column: Column, values: AnyArray, weights: FloatArray | None = None
) -> dict[str, Any] | None:
    """Return the weight of each class in each bar of a column; None where nothing is known.

    Cases of unknown class are left out; `weights` are the cases' own unless others are given.
    """
    weights = data.weights if weights is None else weights
    counted = (data.y >= 0) & (weights > 0)
    missing = is_missing(values)
    lost = _by_class(data, weights, counted & missing)
    known = counted & ~missing
    if not known.any():
        return None
    bars = _labelled if column.is_nominal else _measured
    return {**bars(data, column, values, weights, known), "missing": lost.tolist()}


def _by_class(data: Dataset, weights: FloatArray, which: AnyArray) -> FloatArray:
    found = np.bincount(data.y[which], weights[which], minlength=len(data.classes))
    return np.asarray(found, np.float64)


def _table(
    data: Dataset, bar: AnyArray, weights: FloatArray, which: AnyArray, n_bars: int
) -> FloatArray:
    """Return the weight of each class (column) in each bar (row)."""
    n = len(data.classes)
    cells = bar[which] * n + data.y[which]
    found = np.bincount(cells, weights[which], minlength=n_bars * n).reshape(n_bars, n)
    return np.asarray(found, np.float64)


def _labelled(
    data: Dataset, column: Column, values: AnyArray, weights: FloatArray, known: AnyArray
) -> dict[str, Any]:
    counts = _table(data, values.astype(np.int64), weights, known, column.n_labels)
    most = np.argsort(-counts.sum(axis=1), kind="stable")[:MOST_LABELS]
    shown = np.sort(most)  # in the order of the data, which may mean something
    others = counts.sum(axis=0) - counts[shown].sum(axis=0)
    return {
        "kind": "nominal",
        "labels": [(column.labels or ())[code] for code in shown],
        "counts": counts[shown].tolist(),
        "others": np.maximum(others, 0.0).tolist(),
    }


def _measured(
    data: Dataset, column: Column, values: AnyArray, weights: FloatArray, known: AnyArray
) -> dict[str, Any]:
    near = known.copy()
    near[known] = is_near(values[known])
    edges = bar_edges(values[near])
    bar = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    scale = column.scale
    return {
        "kind": "numeric",
        "edges": edges.tolist(),
        "words": None if scale is None else [scale.write(scale.down(edge)) for edge in edges],
        "counts": _table(data, bar, weights, near, len(edges) - 1).tolist(),
        "beyond": int((known & ~near).sum()),
    }


# Trees


def page_of(tree: Tree) -> dict[str, Any]:
    """Return what the page draws of a tree: the same as the static export carries."""
    return page_model(export_tree_of(tree))


def assessment_view(found: Assessment) -> dict[str, Any]:
    """Return how good predictions are."""
    measures = found.to_dict()
    names = ("cases", "accuracy", "majority", "baseline", "balanced_accuracy", "confusion")
    more = ("recall", "precision", "mean_cost")
    return {
        **{name: measures[name] for name in (*names, *more)},
        "classes": list(found.classes),
        "error": math.sqrt(found.accuracy * (1 - found.accuracy) / len(found.actual)),
    }
