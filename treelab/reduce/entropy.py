"""Features ranked without a class, by the entropy of similarities (kantardzic2011 3.4, SPEC 4.4).

The feature whose removal changes the entropy least tells least about how the cases lie.
"""

from collections.abc import Callable
from typing import Literal

import attrs
import numpy as np

from treelab._threads import in_parallel
from treelab._typing import FloatArray, IndexArray
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset, is_missing
from treelab.data.order import by_content
from treelab.discretize.unsupervised import EqualWidth
from treelab.errors import DataError, check_choice, check_number
from treelab.kernels.similarity import (
    STRIPES,
    agreement_counts,
    binary_entropy,
    distance_sums,
    similarity_entropies,
)
from treelab.reduce.judged import keeping
from treelab.stats.units import unit_of

Kind = Literal["auto", "numeric", "nominal"]


@attrs.frozen
class EntropyRanking:
    """The order in which features are removed, the least important first.

    `left` are those that were not, if the removal stopped before.
    """

    removed: tuple[str, ...]
    changes: tuple[float, ...]
    left: tuple[str, ...] = ()

    @property
    def ranking(self) -> tuple[str, ...]:
        """The features, the most important first; those left in the order of the data."""
        return self.left + self.removed[::-1]

    def apply(self, data: Dataset, k: int) -> Dataset:
        """Return the same cases with the k most important features, in the order of the data."""
        check_number("k", k, 1, whole=True)
        return data.select(keeping(data, self.ranking[k:]))


def entropy_ranking(
    data: Dataset,
    *,
    kind: Kind = "auto",
    bins: int = 2,
    alpha: float | None = None,
    threshold: float | None = None,
) -> EntropyRanking:
    """Remove one feature after the other, each time the one the entropy misses least.

    Features of one value tell nothing and go first, with a change of 0: where similarity is a share
    of features that agree, one that always agrees would be missed most.

    Parameters
    ----------
    data
        The cases; the class is not looked at. A missing number counts as the mean, a missing
        label as a label of its own.
    kind
        'numeric': S = exp(-alpha D), alpha such that the mean distance has S = 0.5, found anew
        for every set; 'nominal': S = share of features that agree, numbers being cut into
        `bins` intervals of equal width first; 'auto': numeric if all features are.
    bins
        See `kind`.
    alpha
        A constant alpha for 'numeric', such as the 0.5 that the book mentions.
    threshold
        Stop when the removal of the least important feature would change the entropy by as much;
        None: remove all.

    Examples
    --------
    >>> import treelab as tl
    >>> entropy_ranking(tl.load("iris")).ranking[0]
    'sepal length'
    """
    check_choice("kind", kind, ("auto", "numeric", "nominal"))
    check_dataset(data)
    if threshold is not None:
        check_number("threshold", threshold, 0)
    entropies = _Entropies(data, kind, bins, alpha)
    constant = entropies.constant
    left = [f for f in range(len(data.features)) if f not in constant]
    removed, changes = [data.features[f] for f in constant], [0.0] * len(constant)
    while left:
        found = entropies.without_each(left)
        change = np.abs(found[:-1] - found[-1])
        # Sums over all pairs are exact to about 1e-13 of themselves.
        least = int(np.flatnonzero(change <= change.min() + 1e-10 * max(1.0, found[-1]))[0])
        if threshold is not None and change[least] >= threshold:
            break
        changes.append(float(change[least]))
        removed.append(data.features[left.pop(least)])
    kept = tuple(data.features[f] for f in left)
    return EntropyRanking(tuple(removed), tuple(changes), kept)


def similarity_entropy(data: Dataset, *, kind: Kind = "auto", bins: int = 2) -> float:
    """Return the entropy, in bits, of the similarities of all pairs of cases.

    Parameters
    ----------
    data
        The cases.
    kind, bins
        See `entropy_ranking`.
    """
    check_choice("kind", kind, ("auto", "numeric", "nominal"))
    check_dataset(data)
    return float(_Entropies(data, kind, bins).without_each(range(len(data.features)))[-1])


def similarity_alpha(scaled: FloatArray, weights: FloatArray) -> FloatArray:
    """Return alpha = ln 2 / mean distance, without each feature and with all; 0 for no distance."""
    n = weights.sum()
    mean = _summed(distance_sums, scaled, weights) / max(n * (n - 1) / 2, 1e-300)
    return np.asarray(np.divide(np.log(2.0), mean, out=np.zeros(len(mean)), where=mean > 0))


def _summed(
    kernel: Callable[..., FloatArray], cases: FloatArray, weights: FloatArray, *more: FloatArray
) -> FloatArray:
    """Sum a kernel over all stripes, in their order however many threads there are."""
    parts = in_parallel(lambda stripe: kernel(cases, weights, stripe, *more), range(STRIPES))
    return np.asarray(np.sum(parts, axis=0))


class _Entropies:
    def __init__(self, data: Dataset, kind: Kind, bins: int, alpha: float | None = None) -> None:
        used = by_content(data.take(data.weights > 0))
        if not len(used):
            raise DataError("there are no cases to compare")
        nominal = any(column.is_nominal for column in data.schema.features)
        if kind == "numeric" and nominal:
            raise DataError("kind 'numeric' is for numeric features; some are nominal")
        if alpha is not None:
            check_number("alpha", alpha, 0)
        self.alpha = alpha
        self.weights = used.weights
        self.by_agreement = kind == "nominal" or (kind == "auto" and nominal)
        if self.by_agreement:
            self.codes = _codes(EqualWidth(bins).fit(used).apply(used))
        else:
            self.scaled = scaled(used)

    @property
    def constant(self) -> list[int]:
        """The features that have the same value in all cases."""
        columns = self.codes if self.by_agreement else self.scaled
        return np.flatnonzero((columns == columns[0]).all(axis=0)).tolist()

    def without_each(self, features: list[int] | range) -> FloatArray:
        """Return the entropy without each of some features, and in the end with all of them."""
        if self.by_agreement:
            return _of_agreement(self.codes[:, list(features)], self.weights)
        cases = np.ascontiguousarray(self.scaled[:, list(features)])
        alpha = similarity_alpha(cases, self.weights)
        if self.alpha is not None:
            alpha = np.full(len(alpha), float(self.alpha))
        return _summed(similarity_entropies, cases, self.weights, alpha)


def scaled(data: Dataset) -> FloatArray:
    """Return numeric features divided by their ranges, missing values by their means."""
    columns = [np.empty((len(data), 0))]
    for values in data.columns:
        known = ~np.isnan(values)
        weights, inside = data.weights[known], values[known] / unit_of(values[known])
        if not weights.any() or np.ptp(inside) == 0:
            columns.append(np.zeros((len(data), 1)))
            continue
        filled = np.full(len(data), (weights / weights.sum()) @ inside)
        filled[known] = inside
        columns.append((filled / np.ptp(inside))[:, None])
    return np.hstack(columns)


def _codes(data: Dataset) -> IndexArray:
    codes = [np.where(is_missing(values), -1, values) for values in data.columns]
    return np.column_stack([np.empty((len(data), 0), np.int64), *codes]).astype(np.int64)


def _of_agreement(codes: IndexArray, weights: FloatArray) -> FloatArray:
    counts = agreement_counts(np.ascontiguousarray(codes), weights)
    k = codes.shape[1]
    of_all = np.array([binary_entropy(agree / k) for agree in range(k + 1)])
    of_fewer = np.array([binary_entropy(agree / max(k - 1, 1)) for agree in range(k + 1)])
    return np.append(counts[:-1] @ of_fewer, counts[-1] @ of_all)
