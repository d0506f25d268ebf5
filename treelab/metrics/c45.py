"""C4.5's gain ratio with its gate (Quinlan's C4.5 release 8; SPEC 6.4)."""

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.metrics.information import gain
from treelab.metrics.registry import MetricInfo, register
from treelab.protocols import NodeView, Scores
from treelab.stats.impurity import entropy, n_present, of_values, ratio


@register(
    MetricInfo(
        "gain-ratio-c45",
        "gain ratio among the features of at least average gain",
        "Quinlan's C4.5 release 8, SPEC 6.4",
        "[0, 1]; NaN below the average gain",
    )
)
@attrs.frozen
class GainRatioC45:
    """C4.5's choice: the best gain ratio among features whose gain is at least average.

    Each feature enters with its candidate of largest gain, reduced by log2(candidates) / n: what
    release 8 charges a numeric feature for choosing its cut among many is asked of every choice,
    also that of a group of values. Where nothing at the node is worth its price, the price is
    waived; what has no gain cannot be judged. The gain is scaled by the share of known cases, and
    missing cases count as one more branch in the cost of the split. Features with at least 0.3
    times as many branches as there are cases do not enter the average.

    Parameters
    ----------
    gate
        Whether to ask for an average gain at all.
    price
        Whether a feature pays for choosing among many candidates.
    """

    gate: bool = True
    price: bool = True

    def __call__(self, node: NodeView) -> Scores:
        counts, n = node.counts, node.class_counts.sum()
        gains = counts.map(gain) * counts.known
        worthy = first_of_each_feature(gains, counts.feature)
        if self.price:
            priced = gains - np.log2(np.bincount(counts.feature)[counts.feature]) / n
            # Where nothing is worth its price the price is waived, and pruning has the last word.
            gains = priced if np.any(priced[worthy] > 1e-9) else gains
        worthy &= gains > 1e-9
        if self.gate and worthy.any():
            few = counts.map(_n_branches) < 0.3 * n
            judged = gains[worthy & few] if np.any(worthy & few) else gains[worthy]
            worthy &= gains >= judged.mean() - 1e-3
        cost = split_information(counts.map(_entropy_of_values), counts.known)
        return np.where(worthy, ratio(gains, cost), np.nan)


def _entropy_of_values(table: FloatArray) -> FloatArray:
    return entropy(of_values(table))


def _n_branches(table: FloatArray) -> FloatArray:
    return n_present(of_values(table))


def split_information(entropy_of_known: FloatArray, known: FloatArray) -> FloatArray:
    """Return the entropy of the branches when the missing cases are one more branch."""
    both = np.stack([known, 1.0 - known], axis=-1)
    return entropy(both) + known * entropy_of_known


def first_of_each_feature(scores: Scores, feature: IndexArray) -> BoolArray:
    """Tell which candidates are the first best one of their feature."""
    best = np.full(feature.max(initial=-1) + 1, -np.inf)
    np.maximum.at(best, feature, scores)
    equal = np.flatnonzero(scores >= best[feature] - 1e-12)
    first = np.zeros(len(scores), bool)
    first[equal[np.unique(feature[equal], return_index=True)[1]]] = True
    return first
