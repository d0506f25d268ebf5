"""Nominal columns whose labels have an order."""

from collections.abc import Sequence

import numpy as np

from treelab._typing import AnyArray
from treelab.data.scales import Ordered
from treelab.data.schema import Column
from treelab.errors import DataError, ParameterError, clipped, shown, words


def in_order(
    column: Column, codes: AnyArray, labels: Sequence[str] | None = None
) -> tuple[Column, AnyArray]:
    """Return a nominal column as one of labels in their order: its own, or the one given."""
    if column.labels is None:
        raise DataError(f"column {shown(column.name)} is numeric; only labels can be put in order")
    order = column.labels if labels is None else tuple(words("labels", labels))
    if sorted(order) != sorted(column.labels):
        raise ParameterError(
            f"the order of {shown(column.name)} must name each of its labels once "
            f"({', '.join(map(clipped, column.labels[:12]))}), got {shown(list(order))}"
        )
    places = np.array([*map(order.index, column.labels), np.nan])
    return Column(column.name, scale=Ordered(order)), places[codes]
