"""C4.5's gain ratio with its gate (Quinlan's C4.5 release 8; SPEC 6.4)."""

import attrs
import numpy as np

from treelab._typing import BoolArray
from treelab.kernels.c45 import Entrants, gated_ratios
from treelab.kernels.choosing import first_of_runs
from treelab.metrics.information import gain
from treelab.metrics.registry import MetricInfo, register
from treelab.protocols import NodeView, Runs, Scores
from treelab.stats.impurity import TIE, n_log_n
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
        counts, runs = node.counts, node.counts.runs
        many = node.n_values >= 0.3 * node.n_training * (1 - TIE)
        price = runs.log2_ways / node.sizes[runs.node] if self.price else np.zeros(len(runs.ends))
        entrants = Entrants(runs.feature, runs.node, runs.ends, price)
        gains = counts.map(gain) * counts.known
        entropies, scores = counts.map(_entropy_of_values), np.empty(len(gains))
        gated_ratios(
            gains, entropies, counts.known, entrants, many, self.waive, self.gate,
            np.empty(len(node.sizes)), scores,
        )  # fmt: skip
        return scores


@sums_of(n_log_n)
def _entropy_of_values(
    _cells: Sum, branches: Sum, _shares: Sum, _classes: Sum, whole: Sum, n: Sum
) -> Sum:
    return (whole - branches) / n


def first_of_each_run(scores: Scores, runs: Runs) -> BoolArray:
    """Tell which candidates are the first best one of their feature at their node."""
    first, best = np.zeros(len(scores), bool), first_of_runs(scores, runs.ends)
    first[best[best >= 0]] = True
    return first
