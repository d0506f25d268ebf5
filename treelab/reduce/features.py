"""One door to all feature reductions, by name."""

from collections.abc import Callable
from typing import Any

import attrs

from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.errors import (
    DataError,
    ParameterError,
    UnknownNameError,
    check_choice,
    check_number,
)
from treelab.reduce.correlation import backward_elimination, correlations
from treelab.reduce.distance import best_by_dm, dm_distance
from treelab.reduce.entropy import entropy_ranking
from treelab.reduce.filling import Fill, filled
from treelab.reduce.judged import Reduction, by_threshold, keeping, numeric_names
from treelab.reduce.means import means_and_variances
from treelab.reduce.nearest import relief
from treelab.reduce.outcome import CLASSES, check_numeric, pseudo_classes


def features(
    data: Dataset,
    method: str,
    threshold: float | None = None,
    k: int | None = None,
    *,
    fill: Fill | None = None,
    outcome: str | None = None,
    classes: int = CLASSES,
    **options: Any,
) -> Reduction:
    """Judge the features and keep the good ones.

    Parameters
    ----------
    data
        The cases.
    method
        'means' (means and variances), 'correlation' (``|R|`` with the class), 'elimination'
        (correlation, then covariance), 'dm' (the best set of `k`), 'relief', or 'entropy' (no
        class needed; the score is the round in which a feature is removed).
    threshold
        What a feature must score; None for the method's own. 'dm' has none; of 'entropy' it is
        the change of the entropy at which the removal of features stops.
    k
        Keep the k best of the features that were judged; None to go by the threshold.
    fill
        Judge with missing numbers filled in: by the 'mean', the 'median' or the 'nearest' case
        (see `filled`). None: 'elimination' and 'dm' refuse them, the others judge what is known.
    outcome
        A numeric feature that stands in place of the class, and is kept: 'correlation' and
        'elimination' take it as it is, other methods see intervals of it.
    classes
        How many intervals of the outcome there are (see `pseudo_classes`).
    options
        What a method has beside: `alpha`, `m`, `seed`, `normalize`, `euclid` and `ties` of
        'relief'; `alpha`, `kind` and `bins` of 'entropy'; `loss` of 'elimination'.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.reduce.features(tl.load("iris"), "relief", k=2).kept
    ('sepal width', 'petal width')
    """
    check_choice("method", method, FEATURE_METHODS)
    check_dataset(data)
    _check_options(method, options)
    if len(data.features) <= (outcome is not None):
        raise DataError("the data have no features")
    if fill is not None:
        data = filled(data, fill, but=outcome)
    if threshold is not None:
        options["threshold"] = threshold
    if outcome is None:
        return _judged(data, method, k, options)
    check_numeric(data, outcome)
    if method in BY_NUMBER:
        return _judged(data, method, k, options | {"target": outcome})
    judged = _judged(pseudo_classes(data, outcome, classes), method, k, options)
    return attrs.evolve(judged, kept=keeping(data, judged.dropped))


def _judged(data: Dataset, method: str, k: int | None, options: dict[str, Any]) -> Reduction:
    if method == "dm":
        return _by_dm(data, k)
    judged = JUDGES[method](data, **options)
    return judged if k is None else best_of(data, judged, k)


def _check_options(method: str, options: dict[str, Any]) -> None:
    known = OPTIONS.get(method, ())
    for name in options:
        if not known:
            raise ParameterError(f"method {method!r} has no options, got {name!r}")
        if name not in known:
            raise UnknownNameError("option", name, known, of=f"method {method!r}")


def best_of(data: Dataset, judged: Reduction, k: int) -> Reduction:
    """Keep the k best of the features that were judged, and all others."""
    check_number("k", k, 1, whole=True)
    if k > len(judged.scores):
        raise ParameterError(
            f"k must be at most the number of judged features, {len(judged.scores)}, got {k}"
        )
    return attrs.evolve(judged, kept=keeping(data, judged.ranking[k:]))


def _by_correlation(data: Dataset, threshold: float = 0.1, target: str | None = None) -> Reduction:
    scores = {name: abs(r) for name, r in correlations(data, target).items()}
    return by_threshold(data, scores, threshold)


def _by_entropy(data: Dataset, threshold: float | None = None, **options: Any) -> Reduction:
    found = entropy_ranking(data, threshold=threshold, **options)
    rounds = dict.fromkeys(data.features, float(len(found.removed) + 1))
    rounds |= {name: place + 1.0 for place, name in enumerate(found.removed)}
    return Reduction(rounds, data.features if threshold is None else keeping(data, found.removed))


def _by_dm(data: Dataset, k: int | None) -> Reduction:
    if k is None:
        raise ParameterError("method 'dm' needs k, the number of features of a set")
    names = numeric_names(data)
    best = best_by_dm(data, k)
    scores = {name: dm_distance(data, [name]) for name in names}
    return Reduction(scores, keeping(data, [name for name in names if name not in best]))


JUDGES: dict[str, Callable[..., Reduction]] = {
    "means": means_and_variances,
    "correlation": _by_correlation,
    "elimination": backward_elimination,
    "relief": relief,
    "entropy": _by_entropy,
}
FEATURE_METHODS = (*JUDGES, "dm")
BY_NUMBER = ("correlation", "elimination")
"""Methods that judge by a numeric outcome as it is."""

OPTIONS: dict[str, tuple[str, ...]] = {
    "elimination": ("loss",),
    "relief": ("alpha", "m", "seed", "normalize", "euclid", "ties"),
    "entropy": ("alpha", "kind", "bins"),
}
