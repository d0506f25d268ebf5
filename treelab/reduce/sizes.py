"""How many cases it takes: P(|estimate - truth| >= eps) <= delta (kantardzic2011 3.8, SPEC 4.9)."""

from math import ceil, inf, isfinite, log
from typing import Literal

import attrs
import numpy as np
from scipy.special import ndtri

from treelab._typing import FloatArray
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.errors import (
    DataError,
    ParameterError,
    UnknownNameError,
    check_choice,
    check_number,
)
from treelab.reduce.sampling import Sample, random_sample, taken

Method = Literal["normal", "chebyshev", "hoeffding"]
METHODS = ("normal", "chebyshev", "hoeffding")


def mean_sample_size(
    eps: float,
    delta: float = 0.05,
    *,
    variance: float | None = None,
    width: float | None = None,
    method: Method = "normal",
    population: float | None = None,
) -> int:
    """Return how many cases estimate a mean to within `eps`.

    Parameters
    ----------
    eps
        The error that is not to be exceeded, ...
    delta
        ... but with this probability.
    variance
        The variance of the values, perhaps from a pilot sample; for 'normal' and 'chebyshev'.
    width
        The range of the values; for 'hoeffding'.
    method
        'normal': (z s / eps)^2; 'chebyshev': s^2 / (delta eps^2), for any distribution;
        'hoeffding': w^2 ln(2 / delta) / (2 eps^2), for values within a range.
    population
        The number of cases there are, if not far more than needed.

    Examples
    --------
    >>> mean_sample_size(0.5, 0.01, variance=4.0)
    107
    """
    _check_aim(eps, delta)
    check_choice("method", method, METHODS)
    what, given = ("width", width) if method == "hoeffding" else ("variance", variance)
    if given is None:
        raise ParameterError(f"method {method!r} needs the {what} of the values")
    check_number(what, given, 0)
    factor = {
        "normal": float(ndtri(delta / 2)) ** 2,
        "chebyshev": 1 / delta,
        "hoeffding": given * log(2 / delta) / 2,
    }[method]
    # Division by division: the square of a small number may be 0.
    return _whole(given * factor / eps / eps if given else 0.0, population)


def proportion_sample_size(
    eps: float,
    delta: float = 0.05,
    *,
    share: float = 0.5,
    method: Method = "normal",
    population: float | None = None,
) -> int:
    """Return how many cases estimate a proportion to within `eps`.

    Parameters
    ----------
    eps, delta, method, population
        See `mean_sample_size`.
    share
        The proportion as guessed, or from a pilot sample; 0.5 is the safe guess.

    Examples
    --------
    >>> proportion_sample_size(0.05), proportion_sample_size(0.05, population=1000)
    (385, 278)
    """
    check_number("share", share, 0)
    if share > 1:
        raise ParameterError(f"share must be at most 1, got {share!r}")
    spread = {"variance": share * (1 - share), "width": 1.0}
    return mean_sample_size(eps, delta, **spread, method=method, population=population)


def further_cases(pilot: int, needed: int) -> int:
    """Return how many more cases to draw after a pilot sample."""
    return max(0, needed - pilot)


@attrs.frozen(eq=False)
class TwoStage:
    """A sample that was drawn in two stages, and the mean (or proportion) it gives."""

    pilot: Sample
    variance: float
    needed: int
    sample: Sample
    mean: float


def two_stage(
    data: Dataset,
    feature: str,
    eps: float,
    delta: float = 0.05,
    *,
    label: str | None = None,
    pilot: float = 0.1,
    method: Literal["normal", "chebyshev"] = "normal",
    seed: int = 0,
) -> TwoStage:
    """Draw a pilot sample, learn the variance from it, and draw as many more as it takes.

    Parameters
    ----------
    data
        Where to draw from: the finite population.
    feature
        The numeric feature whose mean is wanted, or a nominal one; what is missing is not drawn.
    eps, delta, method
        See `mean_sample_size`.
    label
        The label of the nominal feature whose proportion is wanted.
    pilot
        The size of the pilot sample: a number of cases, or a share below 1.
    seed
        For both draws.
    """
    check_choice("method", method, METHODS[:2])
    values = _values(data, feature, label)
    known = np.flatnonzero(~np.isnan(values))
    first = known[random_sample(data.take(known), pilot, seed=seed).rows]
    if len(first) < 2:
        raise ParameterError("a pilot sample needs at least 2 cases to know the variance")
    with np.errstate(over="ignore", invalid="ignore"):
        variance, total = float(values[first].var(ddof=1)), float(values[known].sum())
    if not isfinite(variance + total):
        raise DataError(f"the numbers of {feature!r} are too large: their variance is no number")
    needed = mean_sample_size(eps, delta, variance=variance, method=method, population=len(known))
    rest = np.setdiff1d(known, first)
    more = min(further_cases(len(first), needed), len(rest))
    second = rest[random_sample(data.take(rest), more, seed=seed).rows] if more else rest[:0]
    rows = np.sort(np.concatenate([first, second]))
    mean = float(values[rows].mean())
    return TwoStage(taken(data, first), variance, needed, taken(data, rows), mean)


def _values(data: Dataset, feature: str, label: str | None) -> FloatArray:
    """Return the numbers of a feature, or 1 where a nominal one has a label, else 0."""
    check_dataset(data)
    column, values = data.schema.features[data.schema.index(feature)], data[feature]
    if (label is None) == column.is_nominal:
        needed = "name one of its labels" if column.is_nominal else "it has no labels"
        raise DataError(f"column {feature!r} is {column.kind}: {needed}")
    if column.labels is None or label is None:
        return values
    if label not in column.labels:
        raise UnknownNameError("label", label, column.labels)
    return np.where(values < 0, np.nan, values == column.labels.index(label))


def _check_aim(eps: float, delta: float) -> None:
    check_number("eps", eps, 0)
    check_number("delta", delta, 0)
    if eps == 0 or not 0 < delta < 1:
        raise ParameterError(
            f"eps must be above 0 and delta between 0 and 1, got {eps!r} and {delta!r}"
        )


def _whole(n: float, population: float | None) -> int:
    if population is not None:
        check_number("population", population, 1)
        if n > 0:
            n = n / (1 + (n - 1) / population) if n < inf else population
    if n == inf:
        raise ParameterError("eps is too small: the number of cases has no limit")
    # Rounding must not add a case to a whole number of them.
    return max(0, ceil(n - 1e-9))
