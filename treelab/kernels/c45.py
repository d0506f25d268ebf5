"""C4.5's choice among the features of nodes; see `metrics.c45`, which says what is computed."""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.argbest import first_of_runs

NO_GAIN = 1e-9
"""A gain of so little is none."""

SLACK = 1e-3
"""Release 8 lets a feature in whose gain is below the average by so much."""


class Entrants(NamedTuple):
    """The runs of candidates: their feature and node, and where they end.

    `known` is the share of the node's cases whose value of the feature is known; `searched` the
    bits that name one of the ways to split it, NaN where that is one of the candidates: so are all
    if it is empty.
    """

    feature: IndexArray
    node: IndexArray
    ends: IndexArray
    known: FloatArray
    searched: FloatArray


class Terms(NamedTuple):
    """On what terms features enter; see the parameters of `metrics.c45.GainRatioC45`.

    Features of at least so `many` values are left out of the average. With `strict`, others do not
    stand in for them, unless all are such; nominal ones enter the average also without any gain,
    and may be taken if `take_idle`. The candidate of a nominal one is, with `by_ratio`, that of
    the largest ratio. Numeric or nominal ones pay for the choice among their candidates. Gains and
    ratios that differ by no more than `tie` are equal.
    """

    waive: bool
    gate: bool
    strict: bool
    take_idle: bool
    by_ratio: bool
    numbers_pay: bool
    labels_pay: bool
    many: float
    tie: float


@kernel
def gated_ratios(
    found: FloatArray,
    entrants: Entrants,
    n_values: IndexArray,
    sizes: FloatArray,
    terms: Terms,
    scores: FloatArray,
) -> None:
    """Fill the gain ratio of the first best candidate of each run that may enter, else NaN.

    `found` are the gain, of the known cases, and the entropy of the branches of each candidate;
    the gain becomes that of all cases. `n_values` are by feature, `sizes` by node.
    """
    gains, entropies = found[0], found[1]
    _scale(gains, entrants)
    best = _candidates(gains, entropies, entrants, n_values, terms)
    price, least = prices(entrants, n_values, sizes, terms), np.empty(len(sizes))
    worth, no_gain = np.empty(len(best)), max(NO_GAIN, terms.tie)
    for k in range(len(least)):
        # Whether the price is paid: where no run is worth its own, `waive` lets all in without.
        least[k] = 0.0 if terms.waive else 1.0
    for r in range(len(best)):
        worth[r] = gains[best[r]] if best[r] >= 0 else -np.inf
        if worth[r] - price[r] > no_gain:
            least[entrants.node[r]] = 1.0
    for r in range(len(best)):
        worth[r] -= least[entrants.node[r]] * price[r]
    # From here on `least` is the average gain of the node, which a run has to reach.
    averages(worth, entrants, n_values, terms, no_gain, least)
    for i in range(len(scores)):
        scores[i] = np.nan
    for r in range(len(best)):
        may_idle = terms.take_idle and terms.strict and n_values[entrants.feature[r]] > 0
        is_idle = may_idle and best[r] >= 0
        is_below = terms.gate and worth[r] < least[entrants.node[r]] - SLACK
        if (worth[r] > no_gain or is_idle) and not is_below:
            scores[best[r]] = ratio(worth[r], entropies[best[r]], entrants.known[r])
    if terms.tie > NO_GAIN:
        _level(best, entrants, len(sizes), terms.tie, scores)


@kernel
def _scale(gains: FloatArray, entrants: Entrants) -> None:
    """Multiply the gains by the share of known cases."""
    start = 0
    for r in range(len(entrants.ends)):
        for i in range(start, entrants.ends[r]):
            gains[i] *= entrants.known[r]
        start = entrants.ends[r]


@kernel
def prices(entrants: Entrants, n_values: IndexArray, sizes: FloatArray, terms: Terms) -> FloatArray:
    """Return what each run pays: log2(ways) / n."""
    # Where an order of values led to a few groupings, the choice was among all of them, and that
    # is paid for: `searched`, not the number of candidates.
    price, start = np.zeros(len(entrants.ends)), 0
    for r in range(len(price)):
        if terms.labels_pay if n_values[entrants.feature[r]] > 0 else terms.numbers_pay:
            bits = np.log2(max(entrants.ends[r] - start, 1))
            if len(entrants.searched) and not np.isnan(entrants.searched[r]):
                bits = entrants.searched[r]
            price[r] = bits / sizes[entrants.node[r]]
        start = entrants.ends[r]
    return price


@kernel
def ratio(gain: float, entropy: float, known: float) -> float:
    """Return the ratio of a gain to the cost of the split, missing cases being one more branch."""
    cost = known * entropy
    for share in (known, 1.0 - known):
        cost -= share * np.log2(share) if share > 0.0 else 0.0
    return gain / cost if abs(cost) > 1e-12 else 0.0


@kernel
def _candidates(
    gains: FloatArray,
    entropies: FloatArray,
    entrants: Entrants,
    n_values: IndexArray,
    terms: Terms,
) -> IndexArray:
    """Return the candidate that each run enters with."""
    # Only a nominal feature may enter by its ratio; C4.5 chooses the cut of a numeric one by gain.
    best = first_of_runs(gains, entrants.ends, terms.tie)
    if not terms.by_ratio:
        return best
    ratios, start = np.empty(len(gains)), 0
    for r in range(len(best)):
        for i in range(start, entrants.ends[r]):
            ratios[i] = ratio(gains[i], entropies[i], entrants.known[r])
        start = entrants.ends[r]
    by_ratio = first_of_runs(ratios, entrants.ends, terms.tie)
    for r in range(len(best)):
        if n_values[entrants.feature[r]] > 0:
            best[r] = by_ratio[r]
    return best


@kernel
def _all_have(n_values: IndexArray, many: float) -> bool:
    """Tell whether no feature has fewer values; numba compiles `min` for half a second."""
    n_few = 0
    for n in n_values:
        n_few += int(n < many)
    return n_few == 0


@kernel
def averages(
    worth: FloatArray,
    entrants: Entrants,
    n_values: IndexArray,
    terms: Terms,
    no_gain: float,
    mean: FloatArray,
) -> None:
    """Fill the mean gain at each node: of the features of few values, if any has a gain.

    With `strict` it is infinite where none of them can be split.
    """
    # Twice through the runs: features of many values stand in where none of few enters, which is
    # known only when all were seen.
    n, n_few, many = np.zeros(len(mean)), np.zeros(len(mean)), terms.many
    if terms.strict and _all_have(n_values, many):
        many = np.inf
    enters = np.zeros(len(worth), np.bool_)
    for k in range(len(mean)):
        mean[k] = 0.0
    for r in range(len(worth)):
        f = entrants.feature[r]
        may_idle = terms.strict and n_values[f] > 0 and worth[r] > -np.inf
        enters[r] = worth[r] > no_gain or may_idle
        if enters[r] and n_values[f] < many:
            n_few[entrants.node[r]] += 1.0
    for r in range(len(worth)):
        k = entrants.node[r]
        stands_in = n_few[k] == 0.0 and not terms.strict
        if enters[r] and (stands_in or n_values[entrants.feature[r]] < many):
            n[k] += 1.0
            mean[k] += worth[r]
    for k in range(len(mean)):
        mean[k] = np.inf if terms.strict and n[k] == 0.0 else mean[k] / max(n[k], 1.0)


@kernel
def _level(
    best: IndexArray, entrants: Entrants, n_nodes: int, tie: float, scores: FloatArray
) -> None:
    """Lower the scores of each node that are above the first best one's to it, by less than a tie.

    The first best one is that of the lowest feature among those within a tie of the highest.
    """
    # The feature is chosen later, within the tie of all metrics, which is narrower: scores that
    # are equal by `tie` must be made equal here, so that the first feature is taken.
    highest, first, score = np.full(n_nodes, -np.inf), np.full(n_nodes, -1), np.empty(n_nodes)
    for r in range(len(best)):
        if best[r] >= 0 and scores[best[r]] > highest[entrants.node[r]]:
            highest[entrants.node[r]] = scores[best[r]]
    for r in range(len(best)):
        k = entrants.node[r]
        is_tied = best[r] >= 0 and scores[best[r]] >= highest[k] - tie
        if is_tied and (first[k] < 0 or entrants.feature[r] < first[k]):
            first[k], score[k] = entrants.feature[r], scores[best[r]]
    for r in range(len(best)):
        k = entrants.node[r]
        if best[r] >= 0 and scores[best[r]] > score[k]:
            scores[best[r]] = score[k]
