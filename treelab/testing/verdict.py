"""What a metric says of a node, how that is compared, and what is said where it is wrong."""

import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.data.dataset import Dataset
from treelab.protocols import FeatureScores, SplitMetric
from treelab.stats.stores.node import InMemoryNode


class ConformanceError(AssertionError):
    """A metric breaks a property that trees rely on; the text is one sentence."""


def scores_of(metric: SplitMetric, node: InMemoryNode, data: Dataset) -> FloatArray:
    """Return the score of each candidate: its own, or that of its feature."""
    given = answer(metric, node, data)
    if isinstance(given, FeatureScores):
        of_features = _checked(given.values, len(data.features), "feature", data)
        return np.asarray(of_features[node.counts.feature])
    return _checked(given, len(node.counts), "candidate", data)


def answer(metric: SplitMetric, node: InMemoryNode, data: Dataset) -> object:
    """Return whatever a metric says of a node."""
    try:
        return metric(node)
    except Exception as error:  # whatever somebody's metric may raise
        raise ConformanceError(
            f"a metric must judge any node, but on {data.name} it raised "
            f"{type(error).__name__}: {error}"
        ) from error


def close(found: FloatArray, expected: FloatArray) -> BoolArray:
    """Tell which scores agree, NaN with NaN.

    The same terms added in another order differ by some 1e-15 each, a wrong formula by far more.
    """
    return np.asarray(np.isclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True))


def expect_same(found: FloatArray, expected: FloatArray, rule: str, change: str) -> None:
    """Raise unless two arrays of scores agree."""
    agrees = close(found, expected)
    if not agrees.all():
        place = int(np.argmin(agrees))
        raise ConformanceError(
            f"{rule}, but {change} the score of candidate {place} is "
            f"{found[place]:.12g} instead of {expected[place]:.12g}"
        )


def expect_no_infinity(scores: FloatArray, data: Dataset) -> None:
    """Raise unless all scores are finite or NaN."""
    infinite = scores[np.isinf(scores)]
    if len(infinite):
        raise ConformanceError(
            f"a score must be finite or NaN, but on {data.name} {len(infinite)} of {len(scores)} "
            f"are {infinite[0]}"
        )


def _checked(given: object, expected: int, of_what: str, data: Dataset) -> FloatArray:
    """Return scores as an array, if they are numbers and as many as there should be."""
    try:
        scores = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ConformanceError(
            f"a metric must give numbers, but on {data.name} it gave {given!r}"
        ) from None
    if scores.shape != (expected,):
        raise ConformanceError(
            f"a metric must give one score per {of_what}, but on {data.name} it gave an array of "
            f"shape {scores.shape} instead of {(expected,)}"
        )
    return scores
