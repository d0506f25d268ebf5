"""Cases as the writers' form reads them: the value of each feature by name, None for missing."""

from typing import Any

import attrs
import numpy as np

from treelab.data.coding import Coding
from treelab.data.schema import Column
from treelab.tree.model import Tree
from treelab.tree.predict import as_dataset, matrix

UNSEEN = "\0unseen"
"""Stands for every label the tree does not know."""


def cases_of(tree: Tree, data: Any) -> list[dict[str, Any]]:
    """Return the cases of data, labels in the tree's words."""
    data = as_dataset(tree, data)
    codes = matrix(attrs.evolve(tree, coding=Coding()), data)  # without it numbers stay numbers
    columns = [
        _labels(column, codes[:, place]) if column.has_labels else _numbers(codes[:, place])
        for place, column in enumerate(tree.schema.features)
    ]
    return [dict(zip(tree.features, row, strict=True)) for row in zip(*columns, strict=True)]


def _labels(column: Column, codes: Any) -> list[str | None]:
    labels = (*column.words, UNSEEN)
    last = len(column.words)
    return [None if np.isnan(code) else labels[int(min(code, last))] for code in codes.tolist()]


def _numbers(values: Any) -> list[float | None]:
    return [None if np.isnan(value) else value for value in values.tolist()]
