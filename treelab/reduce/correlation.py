"""Correlation with the target, one feature at a time and together (kantardzic2011 3.2.1, SPEC 4.2).

The target is a numeric feature or the class; a class counts as 1 against 0 for all others, and
of several classes the one that correlates most decides.
"""

from collections.abc import Sequence

import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data.checks import check_dataset, finite, weights_for
from treelab.data.dataset import Dataset
from treelab.data.order import by_content
from treelab.errors import DataError, check_number
from treelab.reduce.judged import (
    Reduction,
    in_ranges,
    keeping,
    matrix,
    numeric_names,
    one_against_rest,
    with_class,
)
from treelab.stats.ties import settled
from treelab.stats.units import unit_of


def pearson(x: AnyArray, y: AnyArray, weights: AnyArray | None = None) -> float:
    """Return Pearson's R of the cases that have both values; 0 without variance.

    >>> round(pearson([1, 2, 3, 4], [2, 4, 5, 9]), 6)
    0.964764
    """
    x, y = finite("x", x), finite("y", y)
    w = weights_for(x, weights)
    if x.ndim != 1 or not x.shape == y.shape == w.shape:
        raise DataError(
            f"a correlation needs rows of the same length, got shapes {x.shape}, {y.shape} and "
            f"{w.shape} of weights"
        )
    known = ~np.isnan(x) & ~np.isnan(y) & (w > 0)
    x, y, w = (values[known] for values in (x, y, w))
    if not len(x) or _is_constant(x) or _is_constant(y):
        return 0.0
    covariance = weighted_covariance(np.column_stack([x / unit_of(x), y / unit_of(y)]), w)
    return float(np.clip(covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]), -1, 1))


def correlations(data: Dataset, target: str | None = None) -> dict[str, float]:
    """Return R of every numeric feature; its square is the share of variance it explains.

    Parameters
    ----------
    data
        The cases.
    target
        A numeric feature to correlate with; None for the class.
    """
    data, goals = _goals(data, target)
    names = [name for name in numeric_names(data) if name != target]
    found = {n: [pearson(data[n], goal, data.weights) for goal in goals] for n in names}
    return {name: max(values, key=lambda r: (settled(abs(r)), r)) for name, values in found.items()}


def multiple_r_squared(data: Dataset, features: Sequence[str], target: str | None = None) -> float:
    """Return the share of the target's variance that features explain together.

    R^2 = c S^-1 c / var(y), with the pseudo-inverse of the covariances S of the features and
    their covariances c with the target.

    Parameters
    ----------
    data
        The cases, without missing values in the features.
    features
        Which numeric features.
    target
        A numeric feature; None for the class.
    """
    data, goals = _goals(data, target)
    cases = matrix(data, features)
    if target is not None:
        matrix(data, [target])
    return max(_r_squared(cases, goal, data.weights) for goal in goals)


def backward_elimination(
    data: Dataset, threshold: float = 0.1, *, loss: float | None = None, target: str | None = None
) -> Reduction:
    """Drop features of low correlation that are not needed together either.

    Of the features whose ``|R|`` is below the threshold, the worst first, one is dropped if the
    multiple R^2 of the others is less than `loss` lower without it (SPEC 4.2).

    Parameters
    ----------
    data
        The cases, without missing numbers.
    threshold
        Features of at least this ``|R|`` are kept.
    loss
        What dropping a feature may cost at most; None: as much as the threshold.
    target
        A numeric feature; None for the class.
    """
    check_number("threshold", threshold, 0)
    loss = threshold if loss is None else loss
    check_number("loss", loss, 0)
    scores = {name: abs(r) for name, r in correlations(data, target).items()}
    left = list(scores)
    for name in sorted(scores, key=lambda name: settled(scores[name])):
        others = [other for other in left if other != name]
        if scores[name] >= threshold or not others:
            break
        cost = multiple_r_squared(data, left, target) - multiple_r_squared(data, others, target)
        if cost < loss:
            left = others
    return Reduction(scores, keeping(data, [name for name in scores if name not in left]))


def weighted_covariance(cases: FloatArray, weights: FloatArray, ddof: int = 0) -> FloatArray:
    """Return the covariance matrix (1 / (n - ddof)) of the columns."""
    n = weights.sum()
    centred = cases - (weights / n) @ cases
    return np.asarray((centred * weights[:, None]).T @ centred / (n - ddof))


def _goals(data: Dataset, target: str | None) -> tuple[Dataset, list[FloatArray]]:
    """Return the cases with a target, and the target as numbers."""
    check_dataset(data)
    if target is None:
        data = by_content(with_class(data))
        return data, [group.astype(np.float64) for group in one_against_rest(data)]
    if data.schema.features[data.schema.index(target)].is_nominal:
        raise DataError(f"column {target!r} is nominal; a numeric target is needed")
    data = by_content(data.take(~np.isnan(data[target]) & (data.weights > 0)))
    return data, [data[target]]


def _r_squared(cases: FloatArray, goal: FloatArray, weights: FloatArray) -> float:
    if not len(goal) or _is_constant(goal):
        return 0.0
    scaled = np.column_stack([in_ranges(cases), goal / unit_of(goal)])
    covariance = weighted_covariance(scaled, weights)
    within, across, variance = covariance[:-1, :-1], covariance[:-1, -1], covariance[-1, -1]
    return float(across @ np.linalg.pinv(within, rcond=1e-12, hermitian=True) @ across / variance)


def _is_constant(values: FloatArray) -> bool:
    return bool(values.min() == values.max())
