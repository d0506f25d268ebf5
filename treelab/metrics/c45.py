"""C4.5's gain ratio with its gate (Quinlan's C4.5 release 8; SPEC 6.4)."""

from typing import Literal

import attrs
import numpy as np

from treelab._typing import BoolArray
from treelab.errors import ParameterError, check_choice, check_number, check_truth
from treelab.kernels.argbest import first_of_runs
from treelab.kernels.c45 import Entrants, Terms, gated_ratios
from treelab.kernels.ties import TIE
from treelab.metrics.information import bits_gained
from treelab.metrics.registry import MetricInfo, register
from treelab.protocols import Counted, NodeView, Runs, Scores
from treelab.stats.formulas.impurity import n_log_n
from treelab.stats.formulas.sums import Sum, sums_of


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
        Whether a feature pays for choosing among many candidates; 'numeric': only a numeric one, as
        in C4.5.
    waive
        Whether the price is waived where nothing is worth it; C4.5 makes a leaf there.
    average
        Which features enter the average: 'gaining': those with a gain, those of many values only
        where no other has one; 'admissible', as in C4.5: nominal ones also without a gain, those of
        many values only where all features are such.
    idle
        Whether a nominal feature without any gain may be taken, as in C4.5 (the parity of two bits
        has four leaves), where nothing is better; for `average='admissible'`.
    groups
        The group of values that a nominal feature enters with: that of the largest 'gain', or of
        the largest 'ratio', as in J48 with binary splits.
    tie
        Gains and ratios that differ by no more are equal: the first is taken.
    """

    gate: bool = True
    price: bool | Literal["numeric"] = True
    waive: bool = True
    average: Literal["gaining", "admissible"] = "gaining"
    idle: bool = False
    groups: Literal["gain", "ratio"] = "gain"
    tie: float = TIE

    by_level = True

    def __attrs_post_init__(self) -> None:
        if self.price not in (True, False, "numeric"):
            raise ParameterError(f"price must be True, False or 'numeric', got {self.price!r}")
        for name in ("gate", "waive", "idle"):
            check_truth(name, getattr(self, name))
        check_choice("average", self.average, ("gaining", "admissible"))
        check_choice("groups", self.groups, ("gain", "ratio"))
        check_number("tie", self.tie, 0)

    def __call__(self, node: NodeView) -> Scores:
        counts, runs = node.counts, node.counts.runs
        searched = np.empty(0) if runs.searched is None else runs.searched
        entrants = Entrants(runs.feature, runs.node, runs.ends, counts.known_of_runs, searched)
        found, scores = counts.map(_gain_and_entropy_of_values), np.empty(len(counts))
        gated_ratios(found, entrants, node.n_values, node.sizes, self._terms(node), scores)
        return scores

    def _terms(self, node: Counted) -> Terms:
        return Terms(
            waive=self.waive,
            gate=self.gate,
            strict=self.average == "admissible",
            take_idle=self.idle,
            by_ratio=self.groups == "ratio",
            numbers_pay=bool(self.price),
            labels_pay=self.price is True,
            many=0.3 * node.n_training * (1 - TIE),
            tie=float(self.tie),
        )


@sums_of(n_log_n, pairs=True)
def _gain_and_entropy_of_values(
    cells: Sum, branches: Sum, _shares: Sum, classes: Sum, whole: Sum, n: Sum
) -> tuple[Sum, Sum]:
    return bits_gained(cells, branches, classes, whole, n), (whole - branches) / n


def first_of_each_run(scores: Scores, runs: Runs) -> BoolArray:
    """Tell which candidates are the first best one of their feature at their node."""
    first, best = np.zeros(len(scores), bool), first_of_runs(scores, runs.ends, TIE)
    first[best[best >= 0]] = True
    return first
