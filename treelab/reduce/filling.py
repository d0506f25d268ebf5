"""Numbers in place of missing ones, for methods that need all of them.

The methods of kantardzic2011 3.2 and 3.5 compute with means and covariances of whole columns; the
chapter does not say what becomes of holes.
"""

from typing import Literal

import attrs
import numpy as np

from treelab._typing import AnyArray, BoolArray, FloatArray
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.data.schema import Column
from treelab.errors import DataError, check_choice
from treelab.stats.units import unit_of

Fill = Literal["mean", "median", "nearest"]
FILLS: tuple[Fill, ...] = ("mean", "median", "nearest")
SAME = 1e-12
"""Cases whose distances differ by no more are equally near."""


def filled(data: Dataset, how: Fill = "mean", *, but: str | None = None) -> Dataset:
    """Return the same cases with a number wherever one was missing; labels stay as they are.

    Parameters
    ----------
    data
        The cases.
    how
        'mean' or 'median' of the known numbers of the feature, by weight; or 'nearest': the number
        of the case that is nearest by the other features, the mean where several are. Numbers are
        apart by their share of the range, labels by 0 or 1, what is missing by 1.
    but
        A feature to leave as it is, such as an outcome.

    Examples
    --------
    >>> import treelab as tl
    >>> data = tl.load("hepatitis")
    >>> len(data.missing()), len(filled(data).missing())
    (15, 10)
    """
    check_dataset(data)
    check_choice("fill", how, FILLS)
    columns = [
        _filled(data, f, how) if column.name != but and _has_holes(column, values) else values
        for f, (column, values) in enumerate(zip(data.schema.features, data.columns, strict=True))
    ]
    return Dataset.of(data.schema, columns, data.y, data.weights, data.name, len(data))


def _has_holes(column: Column, values: AnyArray) -> bool:
    return not column.is_nominal and bool(np.isnan(values).any())


def _filled(data: Dataset, feature: int, how: Fill) -> FloatArray:
    values = data.columns[feature]
    known = ~np.isnan(values) & (data.weights > 0)
    if not known.any():
        raise DataError(f"column {data.features[feature]!r} has no number to fill holes by")
    found = values.copy()
    holes = np.isnan(values)
    if how == "nearest":
        found[holes] = _nearest(data, feature, holes, known)
    else:
        found[holes] = _middle(values[known], data.weights[known], how)
    return found


def _middle(values: FloatArray, weights: FloatArray, how: Fill) -> float:
    unit = float(unit_of(values))
    order = np.lexsort((weights, values))
    values, weights = values[order] / unit, weights[order]
    if how == "mean":
        return float((weights / weights.sum()) @ values) * unit
    half = np.cumsum(weights) / weights.sum() - 0.5
    above = int(np.argmax(half > -SAME))
    # Exactly half of the weight may lie below: the median is midway to the next value then.
    upper = min(above + 1, len(values) - 1) if abs(half[above]) <= SAME else above
    return float(values[above] / 2 + values[upper] / 2) * unit


def _nearest(data: Dataset, feature: int, holes: BoolArray, known: BoolArray) -> FloatArray:
    """Return the numbers of the nearest cases, for the cases that have none."""
    rows = np.flatnonzero(known)
    rows = rows[np.lexsort((data.weights[rows], data.columns[feature][rows]))]
    values, weights = data.columns[feature][rows], data.weights[rows]
    others = [_scaled(data, f) for f in range(len(data.features)) if f != feature]
    found = []
    for case in np.flatnonzero(holes):
        apart = np.zeros(len(rows))
        for column, is_nominal in others:
            apart += _apart(column[case], column[rows], is_nominal)
        near = apart <= apart.min() + SAME * max(1, len(others))
        found.append(_middle(values[near], weights[near], "mean"))
    return np.array(found)


def _scaled(data: Dataset, feature: int) -> tuple[FloatArray, bool]:
    """Return a feature in shares of its range, missing as NaN, and whether it is of labels."""
    column, values = data.schema.features[feature], data.columns[feature]
    if column.is_nominal:
        return np.where(values < 0, np.nan, values), True
    known = values[~np.isnan(values)]
    if not len(known) or np.ptp(known / unit_of(known)) == 0:
        return np.where(np.isnan(values), np.nan, 0.0), False
    unit = unit_of(known)
    return np.asarray(values / unit / np.ptp(known / unit)), False


def _apart(one: float, others: FloatArray, is_nominal: bool) -> FloatArray:
    apart = (others != one).astype(np.float64) if is_nominal else np.abs(others - one)
    return np.where(np.isnan(others) | np.isnan(one), 1.0, apart)


@attrs.frozen
class Filling:
    """How many numbers were filled in, of which features, and how."""

    how: str
    holes: dict[str, int]

    def __str__(self) -> str:
        numbers = sum(self.holes.values())
        plural = "" if numbers == 1 else "s"
        names = ", ".join(map(repr, self.holes))
        return f"{numbers} missing number{plural} of {names}, by the {WORDS[self.how]}"


WORDS = {"mean": "mean", "median": "median", "nearest": "nearest case"}


def filling(data: Dataset, how: str, *, but: str | None = None) -> Filling:
    """Say what `filled` fills in."""
    holes = {
        column.name: int(np.isnan(values).sum())
        for column, values in zip(data.schema.features, data.columns, strict=True)
        if column.name != but and _has_holes(column, values)
    }
    return Filling(how, holes)
