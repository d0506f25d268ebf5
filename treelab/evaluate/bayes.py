"""The Bayesian correlated t-test: the chance that a learner is better in practice."""

import attrs
from numpy.typing import ArrayLike
from scipy.special import stdtr

from treelab.errors import check_number
from treelab.evaluate.student import differences, mean_and_corrected_error, overlap_of
from treelab.stats.units import unit_of


@attrs.frozen
class Belief:
    """Probabilities that the first is worse, that both are equal in practice, that it is better."""

    worse: float
    equal: float
    better: float


def bayesian_t(a: ArrayLike, b: ArrayLike, test_share: float, rope: float = 0.01) -> Belief:
    """Return what to believe of two learners after cross-validation on one data set.

    The posterior of the mean difference is Student's t with n - 1 degrees of freedom around the
    mean of a - b, of squared scale s^2 (1/n + r / (1 - r)), where r, the correlation of the
    folds, is the share of test cases (Corani and Benavoli 2015).

    Parameters
    ----------
    a, b
        The results of all folds of all repetitions, in the same order.
    test_share
        The share of the cases that a fold tests: 0.1 in 10-fold cross-validation.
    rope
        Differences of at most this are equal in practice (the region of practical equivalence).

    Examples
    --------
    >>> belief = bayesian_t([0.9, 0.95, 0.92, 0.93], [0.8, 0.86, 0.85, 0.81], test_share=0.1)
    >>> round(belief.better, 2)
    1.0
    """
    overlap = overlap_of(test_share)
    check_number("rope", rope, 0)
    d = differences(a, b)
    unit = float(unit_of(d))
    mean, scale = mean_and_corrected_error(d / unit, overlap)
    rope = float(rope) / unit
    if scale == 0:
        edge = rope * (1 + 1e-12)  # what exceeds the rope by rounding only is equal
        return Belief(float(mean < -edge), float(abs(mean) <= edge), float(mean > edge))
    worse = float(stdtr(len(d) - 1, (-rope - mean) / scale))
    better = float(stdtr(len(d) - 1, (mean - rope) / scale))
    return Belief(worse, max(0.0, 1.0 - worse - better), better)
