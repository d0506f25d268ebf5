"""One door to all feature reductions, by name."""

from collections.abc import Callable

import attrs

from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.errors import DataError, ParameterError, check_choice, check_number
from treelab.reduce.correlation import backward_elimination, correlations
from treelab.reduce.distance import best_by_dm, dm_distance
from treelab.reduce.entropy import entropy_ranking
from treelab.reduce.filling import Fill, filled
from treelab.reduce.judged import Reduction, by_threshold, keeping, numeric_names
from treelab.reduce.means import means_and_variances
from treelab.reduce.nearest import relief


def features(
    data: Dataset,
    method: str,
    threshold: float | None = None,
    k: int | None = None,
    *,
    fill: Fill | None = None,
) -> Reduction:
    """Judge the features and keep the good ones.

    Parameters
    ----------
    data
        The cases.
    method
        'means' (means and variances), 'correlation' (|R| with the class), 'elimination'
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

    Examples
    --------
    >>> import treelab as tl
    >>> tl.reduce.features(tl.load("iris"), "relief", k=2).kept
    ('sepal width', 'petal width')
    """
    check_choice("method", method, FEATURE_METHODS)
    check_dataset(data)
    if not data.features:
        raise DataError("the data have no features")
    data = data if fill is None else filled(data, fill)
    if method == "dm":
        return _by_dm(data, k)
    judged = JUDGES[method](data, **({} if threshold is None else {"threshold": threshold}))
    return judged if k is None else best_of(data, judged, k)


def best_of(data: Dataset, judged: Reduction, k: int) -> Reduction:
    """Keep the k best of the features that were judged, and all others."""
    check_number("k", k, 1, whole=True)
    if k > len(judged.scores):
        raise ParameterError(
            f"k must be at most the number of judged features, {len(judged.scores)}, got {k}"
        )
    return attrs.evolve(judged, kept=keeping(data, judged.ranking[k:]))


def _by_correlation(data: Dataset, threshold: float = 0.1) -> Reduction:
    scores = {name: abs(r) for name, r in correlations(data).items()}
    return by_threshold(data, scores, threshold)


def _by_entropy(data: Dataset, threshold: float | None = None) -> Reduction:
    found = entropy_ranking(data, threshold=threshold)
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
