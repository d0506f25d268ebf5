"""Cases as the writers' form reads them: the value of each feature by name, None for missing."""

from typing import Any

import numpy as np

from treelab.data.schema import Column
from treelab.tree.model import Tree
from treelab.tree.predict import as_dataset, matrix

UNSEEN = "\0unseen"
"""Stands for every label the tree does not know."""


def cases_of(tree: Tree, data: Any) -> list[dict[str, Any]]:
    """Return the cases of data, labels in the tree's words."""
    data = as_dataset(tree, data)
    codes = matrix(tree, data)
    columns = [
        _labels(column, codes[:, place]) if column.is_nominal else _numbers(data[column.name])
        for place, column in enumerate(tree.schema.features)
    ]
    return [dict(zip(tree.features, row, strict=True)) for row in zip(*columns, strict=True)]


def _labels(column: Column, codes: Any) -> list[str | None]:
    labels = (*(column.labels or ()), UNSEEN)
    return [None if np.isnan(code) else labels[int(code)] for code in codes.tolist()]


def _numbers(values: Any) -> list[float | None]:
    # A column that is missing throughout may have been read as nominal.
    if values.dtype.kind != "f":
        return [None] * len(values)
    return [None if np.isnan(value) else value for value in values.tolist()]
