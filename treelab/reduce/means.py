"""Features whose means differ between the classes (kantardzic2011 3.2.1, SPEC 4.1)."""

from math import inf, sqrt

import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data.checks import finite, weights_for
from treelab.data.dataset import Dataset
from treelab.data.order import by_content
from treelab.errors import DataError, check_number
from treelab.reduce.judged import (
    Reduction,
    by_threshold,
    numeric_names,
    one_against_rest,
    with_class,
)
from treelab.stats.units import unit_of


def mean_variance_test(
    a: AnyArray,
    b: AnyArray,
    weights_a: AnyArray | None = None,
    weights_b: AnyArray | None = None,
) -> float:
    """Return ``T = |mean A - mean B| / sqrt(s_A^2 / n_A + s_B^2 / n_B)``, s^2 with n - 1.

    Without spread it is infinite where the means differ, else 0; a group of fewer than two
    cases has no variance, and T is 0: nothing can be said.

    Parameters
    ----------
    a, b
        The values of the groups; missing ones are left out.
    weights_a, weights_b
        Their weights; None for 1 each.

    Examples
    --------
    >>> round(mean_variance_test([0.7, 0.6, 0.5], [0.9, 0.7, 0.9]), 6)
    2.645751
    """
    groups = [_known(a, weights_a), _known(b, weights_b)]
    if any(weights.sum() < 2 for _, weights in groups):
        return 0.0
    unit = unit_of(np.concatenate([values for values, _ in groups]))
    (mean_a, error_a), (mean_b, error_b) = (
        _mean_and_its_variance(values / unit, weights) for values, weights in groups
    )
    difference = abs(mean_a - mean_b)
    # Means that differ by rounding only do not differ.
    if difference <= 1e-12 * max(abs(mean_a), abs(mean_b)):
        return 0.0
    standard_error = sqrt(error_a + error_b)
    return difference / standard_error if standard_error > 0 else inf


def means_and_variances(data: Dataset, threshold: float = 0.5) -> Reduction:
    """Keep numeric features whose means differ for some class against the others.

    Parameters
    ----------
    data
        The cases.
    threshold
        What T must exceed for some class (with two classes there is one comparison).

    Examples
    --------
    >>> import treelab as tl
    >>> means_and_variances(tl.load("iris")).ranking[0]
    'petal length'
    """
    check_number("threshold", threshold, 0)
    cases = by_content(with_class(data))
    scores = {name: _best(cases, cases[name]) for name in numeric_names(data)}
    return by_threshold(data, scores, threshold)


def _best(data: Dataset, values: FloatArray) -> float:
    return max(
        mean_variance_test(values[group], values[~group], data.weights[group], data.weights[~group])
        for group in one_against_rest(data)
    )


def _known(values: AnyArray, weights: AnyArray | None) -> tuple[FloatArray, FloatArray]:
    values = finite("values", values)
    weights = weights_for(values, weights)
    if values.ndim != 1 or values.shape != weights.shape:
        raise DataError(
            f"a group needs a row of values, and a weight of each, got shapes {values.shape} and "
            f"{weights.shape}"
        )
    known = ~np.isnan(values)
    return values[known], weights[known]


def _mean_and_its_variance(values: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Return the mean and its squared standard error."""
    n = weights.sum()
    mean = (weights * values).sum() / n
    variance = (weights * (values - mean) ** 2).sum() / (n - 1)
    return float(mean), float(variance / n)
