"""C4.5's gain ratio with its gate (Quinlan's C4.5 release 8; SPEC 6.4)."""

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.metrics.information import gain
from treelab.metrics.registry import MetricInfo, register
from treelab.protocols import NodeView, Runs, Scores
from treelab.stats.impurity import TIE, entropy, n_log_n, ratio
from treelab.stats.sums import Sum, sums_of


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

    Each feature enters with its candidate of largest gain, reduced by log2(ways) / n: what
    release 8 charges a numeric feature for choosing its cut among many is asked of every choice,
    also that of a group among all groups of values there are. Where nothing at the node is worth
    its price, the price is waived, so that features may be found that tell something only
    together; the pruner decides whether they did (`treelab.tree.prune.chance`). What has no gain
    cannot be judged. The gain is scaled by the share of known cases, and
    missing cases count as one more branch in the cost of the split. Features with at least 0.3
    times as many values, occurring or not, as there are training cases do not enter the average.

    Parameters
    ----------
    gate
        Whether to ask for an average gain at all.
    price
        Whether a feature pays for choosing among many candidates.
    waive
        Whether the price is waived where nothing is worth it; C4.5 makes a leaf there.
    """

    gate: bool = True
    price: bool = True
    waive: bool = True

    by_level = True

    def __call__(self, node: NodeView) -> Scores:
        counts = node.counts
        gains = counts.map(gain) * counts.known
        worthy = first_of_each_run(gains, counts.runs)
        if self.price:
            priced = gains - _prices(node)
            pays = _any_at(node, worthy & (priced > 1e-9))
            gains = np.where(pays, priced, gains) if self.waive else priced
        worthy &= gains > 1e-9
        if self.gate:
            worthy &= gains >= _average(node, gains, worthy) - 1e-3
        cost = split_information(counts.map(_entropy_of_values), counts.known)
        return np.where(worthy, ratio(gains, cost), np.nan)


def _prices(node: NodeView) -> FloatArray:
    """Return what each candidate pays for being chosen among those of its feature."""
    runs = node.counts.runs
    return runs.spread(runs.log2_ways / node.sizes[runs.node])


def _average(node: NodeView, gains: FloatArray, worthy: BoolArray) -> FloatArray:
    """Return, for each candidate, the mean gain of the worthy ones of few values at its node."""
    counts = node.counts
    many = node.n_values >= 0.3 * node.n_training * (1 - TIE)
    few = worthy & ~many[counts.feature]
    judged = np.where(_any_at(node, few), few, worthy)
    n, total = (
        np.bincount(counts.node[judged], weights, minlength=len(node.sizes))
        for weights in (None, gains[judged])
    )
    return np.asarray((total / np.maximum(n, 1))[counts.node])


def _any_at(node: NodeView, chosen: BoolArray) -> BoolArray:
    """Tell, for each candidate, whether any is chosen at its node."""
    at = np.zeros(len(node.sizes), bool)
    at[node.counts.node[chosen]] = True
    return at[node.counts.node]


@sums_of(n_log_n)
def _entropy_of_values(
    _cells: Sum, branches: Sum, _shares: Sum, _classes: Sum, whole: Sum, n: Sum
) -> Sum:
    return (whole - branches) / n


def split_information(entropy_of_known: FloatArray, known: FloatArray) -> FloatArray:
    """Return the entropy of the branches when the missing cases are one more branch."""
    both = np.stack([known, 1.0 - known], axis=-1)
    return entropy(both) + known * entropy_of_known


def first_of_each_run(scores: Scores, runs: Runs) -> BoolArray:
    """Tell which candidates are the first best one of their feature at their node."""
    first = np.zeros(len(scores), bool)
    starts = (runs.ends - runs.lengths)[runs.lengths > 0]
    if len(starts):
        run = np.repeat(np.arange(len(starts)), runs.lengths[runs.lengths > 0])
        equal = np.flatnonzero(scores >= np.maximum.reduceat(scores, starts)[run] - 1e-12)
        first[equal[np.append(True, np.diff(run[equal]) > 0)]] = True
    return first
