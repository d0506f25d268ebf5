"""What data must be before anything is learnt from them, each told in one sentence."""

import numpy as np
from numpy.typing import ArrayLike

from treelab._typing import AnyArray, FloatArray
from treelab.data.continuous import FEW, numbers_of
from treelab.data.dataset import HEAVIEST, Dataset
from treelab.data.schema import Column
from treelab.errors import DataError, shown


def check_dataset(data: object) -> None:
    """Raise unless what was given is a data set."""
    if not isinstance(data, Dataset):
        raise DataError(
            f"expected a Dataset, got {type(data).__name__}; "
            "make one with treelab.read, treelab.load or Dataset.from_frame"
        )


def numbers(what: str, given: ArrayLike) -> FloatArray:
    """Return what was given as an array of numbers."""
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{what} must be numbers, got {shown(given)}") from None


def finite(what: str, given: ArrayLike) -> FloatArray:
    """Return what was given as an array of numbers, or of missing ones."""
    found = numbers(what, given)
    if np.isinf(found).any():
        raise DataError(f"{what} must be finite numbers, got {shown(given)}")
    return found


def weights_for(values: FloatArray, given: ArrayLike | None) -> FloatArray:
    """Return the weights of some values, 1 each where none are given."""
    weights = np.ones(values.shape) if given is None else finite("weights", given)
    with np.errstate(over="ignore"):
        total = weights.sum()
    if (weights < 0).any() or total > HEAVIEST:
        raise DataError(
            f"weights must be at least 0 and sum to at most {HEAVIEST}, got {shown(given)}"
        )
    return weights


def check_target(data: Dataset) -> None:
    """Raise unless there is a target, and one that is no identifier.

    Whether many numbers are classes was settled when the data were read (`data.continuous`).
    """
    check_dataset(data)
    if not data.target:
        raise DataError("the data have no target: name the column to predict with target=")
    check_no_identifier(data.schema.target, np.bincount(data.y + 1)[1:], len(data))


def check_no_identifier(target: Column, found: AnyArray, n_cases: int) -> None:
    """Raise if almost every case has a class of its own; `found` are the cases of each class."""
    used = np.flatnonzero(found)
    if len(used) <= FEW or 2 * len(used) <= n_cases:
        return
    if numbers_of(tuple((target.labels or ())[code] for code in used)) is None:
        raise DataError(
            f"the target {shown(target.name)} has {len(used)} classes among {n_cases} cases: it "
            "looks like an identifier, not a class"
        )
