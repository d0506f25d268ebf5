"""Relief with a threshold (kantardzic2011 3.3, SPEC 4.3)."""

from math import sqrt

import numpy as np

from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_number
from treelab.metrics import metric
from treelab.protocols import FeatureScores
from treelab.reduce.judged import Reduction, by_threshold, with_class
from treelab.stats.pairs.schemes import Ties
from treelab.stats.stores.in_memory import root_of


def relief(
    data: Dataset,
    threshold: float | None = None,
    *,
    alpha: float | None = None,
    m: int | None = None,
    seed: int = 0,
    normalize: bool = True,
    euclid: bool = True,
    ties: Ties = "shared",
) -> Reduction:
    """Keep the features that tell a case from its nearest case of another class.

    W = mean of diff(miss)^2 - diff(hit)^2 over all cases, or over m of them; nominal features
    differ by 0 or 1.

    Parameters
    ----------
    data
        The cases.
    threshold
        What W must exceed; None for 0, the mean of what an irrelevant feature scores.
    alpha
        Give the threshold as a chance instead: 1 / sqrt(alpha m), above which, by Chebyshev, an
        irrelevant feature comes with probability alpha at most. That is far: at 0.05 no feature of
        most data sets is as good.
    m
        How many distinct cases, chosen at random, look for their neighbours, which may be any
        case; None: all do.
    seed
        For the choice of m cases.
    normalize
        Whether numbers differ by their share of the range, or (the book's example) as they are.
    euclid
        Whether neighbours are near by Euclidean distance, or by the sum of differences.
    ties
        'shared': cases at the same distance share their place; 'first': the first one takes it.

    Examples
    --------
    >>> import treelab as tl
    >>> relief(tl.load("iris"), 0.02).kept
    ('sepal width', 'petal length', 'petal width')
    """
    cases = with_class(data)
    if alpha is not None:
        asked = float(cases.weights.sum()) if m is None else m
        threshold = _chebyshev(threshold, alpha, asked)
    judge = metric("relief", normalize=normalize, euclid=euclid, ties=ties, m=m)
    found = judge(root_of(cases, seed=seed))
    assert isinstance(found, FeatureScores)
    scores = dict(zip(data.features, np.asarray(found.values).tolist(), strict=True))
    return by_threshold(data, scores, 0.0 if threshold is None else threshold)


def _chebyshev(threshold: float | None, alpha: float, cases: float) -> float:
    if threshold is not None:
        raise ParameterError("threshold and alpha both say what is good enough: give one of them")
    check_number("alpha", alpha, 0)
    if not 0 < alpha < 1:
        raise ParameterError(f"alpha must lie between 0 and 1, got {alpha!r}")
    return 1 / sqrt(alpha * cases)
