"""Orders of the cases that depend on what is in them, not on how they came."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from treelab._typing import AnyArray, IndexArray
from treelab.data.dataset import Dataset

ODD, HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
"""What mixes bits: multiplication spreads them upwards, shifting brings them down again."""


def content_order(data: Dataset) -> IndexArray:
    """Return the rows in an order that depends on what is in them only."""
    return np.lexsort([data.weights, *data.columns, data.y])


def by_content(data: Dataset) -> Dataset:
    """Return the cases in that order, so that what is added up over them is always the same."""
    return data.take(content_order(data))


def canonical_order(data: Dataset, *, shared_out: bool) -> Dataset:
    """Return the cases so that sums of weights are the same to the last bit for any order of them.

    Sums of whole weights are exact and need no care. Other weights, and those of cases with missing
    values that are `shared_out` among branches, are added up in an order of the cases' own.
    """
    whole = bool((data.weights == np.floor(data.weights)).all())
    if whole and not (shared_out and _has_missing(data)):
        return data
    return data.take(np.argsort(_mixed(data), kind="stable"))


def _mixed(data: Dataset) -> NDArray[np.uint64]:
    """Return a number for each case that stands for all that is in it."""
    return mixed_bits((data.weights, *data.columns, data.y), len(data))


def mixed_bits(columns: Iterable[AnyArray], n_cases: int, start: int = 0) -> NDArray[np.uint64]:
    """Return a number for each case that stands for what is in some columns, in their order."""
    mixed = np.full(n_cases, start, np.uint64)
    for column in columns:
        # + 0.0 makes 0 of -0.
        bits = (
            (column + 0.0).view(np.uint64) if column.dtype.kind == "f" else column.astype(np.uint64)
        )
        mixed = (mixed ^ bits) * ODD
        mixed ^= mixed >> HALF
    return mixed


def _has_missing(data: Dataset) -> bool:
    pairs = zip(data.schema.features, data.columns, strict=True)
    return any((x != x).any() if c.labels is None else x.min(initial=0) < 0 for c, x in pairs)
