"""The distance between classes by a set of features (kantardzic2011 3.2.1, SPEC 4.2)."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.data.order import by_content
from treelab.errors import DataError, ParameterError, check_number
from treelab.reduce.correlation import weighted_covariance
from treelab.reduce.judged import in_ranges, matrix, numeric_names, with_class
from treelab.stats.ties import settled

MOST_SETS = 200_000
"""Trying more sets of features would take minutes."""


def dm_distance(data: Dataset, features: Sequence[str] | None = None, *, ddof: int = 0) -> float:
    """Return DM = (M1 - M2) (C1 + C2)^-1 (M1 - M2)^T of the class means M and covariances C.

    Of more than two classes, the two that are nearest to each other count. The pseudo-inverse
    stands in for a singular sum.

    Parameters
    ----------
    data
        The cases, without missing values in the features.
    features
        Which numeric features; None for all.
    ddof
        Covariances are divided by n - ddof; the book's is 0.
    """
    cases = by_content(with_class(data))
    present = np.unique(cases.y)
    if len(present) < 2:
        raise DataError("a distance between classes needs at least two of them")
    numbers = matrix(cases, numeric_names(data) if features is None else features)
    # The pseudo-inverse drops what is small: in one unit, a feature of small numbers.
    numbers = in_ranges(numbers)
    parts = []
    for code in present:
        weights = cases.weights[cases.y == code]
        if weights.sum() <= ddof:
            raise DataError(f"class {data.classes[code]!r} has too few cases for a covariance")
        values = numbers[cases.y == code]
        mean = (weights / weights.sum()) @ values
        parts.append((mean, weighted_covariance(values, weights, ddof)))
    return min(_between(*one, *other) for one, other in combinations(parts, 2))


def best_by_dm(data: Dataset, k: int, *, ddof: int = 0) -> tuple[str, ...]:
    """Return the k numeric features that keep the classes farthest apart, of all such sets.

    Parameters
    ----------
    data
        The cases, without missing numbers.
    k
        How many features.
    ddof
        See `dm_distance`.
    """
    names = numeric_names(data)
    check_number("k", k, 1, whole=True)
    if k > len(names):
        raise ParameterError(f"k must be at most the number of numeric features, {len(names)}")
    if comb(len(names), k) > MOST_SETS:
        raise ParameterError(
            f"there are {comb(len(names), k):,} sets of {k} features, more than {MOST_SETS:,}"
        )
    return max(
        combinations(names, k), key=lambda chosen: settled(dm_distance(data, chosen, ddof=ddof))
    )


def _between(
    mean: FloatArray,
    covariance: FloatArray,
    other_mean: FloatArray,
    other_covariance: FloatArray,
) -> float:
    difference = mean - other_mean
    inverse = np.linalg.pinv(covariance + other_covariance, rcond=1e-12, hermitian=True)
    return float(difference @ inverse @ difference)
