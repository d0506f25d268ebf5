"""The first cases of a data set, as a notebook shows them."""

from typing import TYPE_CHECKING

import numpy as np

from treelab._markup import Table, notebook_html
from treelab._text import count, weight_text
from treelab._typing import AnyArray
from treelab.data.schema import Column

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset

CASES, COLUMNS = 5, 12
"""So many cases and features are shown."""


def preview(data: "Dataset") -> str:
    """Return what the data are, and their first cases."""
    hidden = (len(data) - CASES, "case"), (len(data.features) - COLUMNS, "feature")
    more = [f"{count(n, f'more {what}')} not shown" for n, what in hidden if n > 0]
    return notebook_html(repr(data), _table(data), remarks=more)


def _table(data: "Dataset") -> Table:
    features = data.schema.features[:COLUMNS]
    heads = [column.name for column in features]
    columns = [_cells(*each) for each in zip(features, data.columns, strict=False)]
    right = [not column.has_labels for column in features]
    if data.target:
        heads, right = [*heads, data.target], [*right, False]
        columns.append(_cells(data.schema.target, data.y))
    if np.any(data.weights != 1):
        heads, right = [*heads, "weight"], [*right, True]
        columns.append([weight_text(float(weight)) for weight in data.weights[:CASES]])
    return heads, list(zip(*columns, strict=True)), right


def _cells(column: Column, values: AnyArray) -> list[str]:
    """Return the first values of a column in words."""
    return [written(column, float(value)) for value in values[:CASES]]


def written(column: Column, value: float) -> str:
    """Return a value in the words of the data; a missing one is a question mark."""
    if np.isnan(value) or (column.labels is not None and value < 0):
        return "?"
    if column.labels is not None:
        return column.labels[int(value)]
    return f"{value:.6g}" if column.scale is None else column.scale.write(value)
