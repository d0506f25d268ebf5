"""What is known of a metric that was chosen for the data."""

from collections.abc import Mapping

import attrs


@attrs.frozen
class MetricChoice:
    """A metric that a learner chose before it grew a tree, and why.

    Parameters
    ----------
    metric
        The name of the metric.
    by
        How it was chosen: 'folds' or 'rule'.
    why
        The reason, in words.
    considered
        What was considered: the accuracy on the inner folds, or the lead that the rule expects.

    Examples
    --------
    >>> print(MetricChoice("gini", "folds", "the most accurate of 2", {"gini": 0.9, "gain": 0.8}))
    gini, by folds: the most accurate of 2
    """

    metric: str
    by: str
    why: str
    considered: Mapping[str, float]

    def __str__(self) -> str:
        return f"{self.metric}, by {self.by}: {self.why}"
