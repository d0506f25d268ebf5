"""Metrics that compare cases with each other, on no more of them than there is time for."""

import attrs
import numpy as np

from treelab.metrics import metric_info
from treelab.metrics.names import name_of
from treelab.metrics.normalized import Normalized
from treelab.protocols import FeatureScores, Scores, SplitMetric
from treelab.stats.stores.node import InMemoryNode

MOST_CASES, MOST_DEALT = 1_000, 300
"""So many cases of a node are compared with each other: a million pairs; fewer where a metric may
do that again for every permutation of each feature."""


@attrs.frozen(eq=False)
class OnSample:
    """A metric that judges the features of a node by some of its cases.

    One that judges candidates, and not features as a whole, sees all cases: the candidates of
    some cases are not those of all.
    """

    metric: SplitMetric
    __name__: str
    most: int = MOST_CASES
    seen: list[int] = attrs.field(factory=list)

    def __call__(self, node: InMemoryNode) -> Scores | FeatureScores:
        """Return the scores."""
        n = len(node.rows)
        if n <= self.most:
            return self.metric(node)
        some = np.sort(node.rng("lab").choice(n, self.most, replace=False))
        store = node.store
        batch = store.node_of(node.rows[some], node.weights[some], node.batch.lineage)
        given = self.metric(store.view(batch))
        if not isinstance(given, FeatureScores):
            return self.metric(node)
        self.seen.append(n)
        return given


def compares_cases(name: str) -> bool:
    """Tell whether a metric, by name or specification, may look at pairs of cases."""
    return metric_info(name.partition(":")[0]).needs != "counts"


def on_sample(metric: SplitMetric, name: str) -> OnSample:
    """Return a metric that sees no more cases than there is time for."""
    most = MOST_DEALT if isinstance(metric, Normalized) else MOST_CASES
    return OnSample(metric, name_of(name), most)
