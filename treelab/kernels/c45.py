"""C4.5's choice among the features of nodes; see `metrics.c45`, which says what is computed."""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import BoolArray, FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.choosing import first_of_runs

NO_GAIN = 1e-9
"""A gain of so little is none."""

SLACK = 1e-3
"""Release 8 lets a feature in whose gain is below the average by so much."""


class Entrants(NamedTuple):
    """The runs of candidates: their feature and node, where they end, and what each run pays."""

    feature: IndexArray
    node: IndexArray
    ends: IndexArray
    price: FloatArray


class Terms(NamedTuple):
    """On what terms features enter; see the parameters of `metrics.c45.GainRatioC45`.

    By feature: `many` are left out of the average, those of `idle` enter it also without any gain,
    and may be taken if `take_idle`; the candidate of `by_ratio` is that of the largest ratio. With
    `strict`, no others stand in for the features of few values. Gains and ratios that differ by no
    more than `tie` are equal.
    """

    waive: bool
    gate: bool
    strict: bool
    take_idle: bool
    tie: float
    many: BoolArray
    idle: BoolArray
    by_ratio: BoolArray


@kernel
def gated_ratios(
    gains: FloatArray,
    entropies: FloatArray,
    known: FloatArray,
    entrants: Entrants,
    terms: Terms,
    least: FloatArray,
    scores: FloatArray,
) -> None:
    """Fill the gain ratio of the first best candidate of each run that may enter, else NaN.

    `entropies` are those of the branches. `least` (node) is room for what each node asks.
    """
    best = _candidates(gains, entropies, known, entrants, terms)
    worth, no_gain = np.empty(len(best)), max(NO_GAIN, terms.tie)
    for k in range(len(least)):
        least[k] = 0.0 if terms.waive else 1.0
    for r in range(len(best)):
        worth[r] = gains[best[r]] if best[r] >= 0 else -np.inf
        if worth[r] - entrants.price[r] > no_gain:
            least[entrants.node[r]] = 1.0
    for r in range(len(best)):
        worth[r] -= least[entrants.node[r]] * entrants.price[r]
    averages(worth, entrants, terms, no_gain, least)
    for i in range(len(scores)):
        scores[i] = np.nan
    for r in range(len(best)):
        is_idle = terms.take_idle and terms.idle[entrants.feature[r]] and best[r] >= 0
        is_below = terms.gate and worth[r] < least[entrants.node[r]] - SLACK
        if (worth[r] > no_gain or is_idle) and not is_below:
            scores[best[r]] = ratio(worth[r], entropies[best[r]], known[best[r]])
    if terms.tie > NO_GAIN:
        _level(best, entrants, terms.tie, scores)


@kernel
def ratio(gain: float, entropy: float, known: float) -> float:
    """Return the ratio of a gain to the cost of the split, missing cases being one more branch."""
    cost = known * entropy
    for share in (known, 1.0 - known):
        cost -= share * np.log2(share) if share > 0.0 else 0.0
    return gain / cost if abs(cost) > 1e-12 else 0.0


@kernel
def _candidates(
    gains: FloatArray, entropies: FloatArray, known: FloatArray, entrants: Entrants, terms: Terms
) -> IndexArray:
    """Return the candidate that each run enters with."""
    best = first_of_runs(gains, entrants.ends, terms.tie)
    if not terms.by_ratio.any():
        return best
    ratios = np.empty(len(gains))
    for i in range(len(gains)):
        ratios[i] = ratio(gains[i], entropies[i], known[i])
    by_ratio = first_of_runs(ratios, entrants.ends, terms.tie)
    for r in range(len(best)):
        if terms.by_ratio[entrants.feature[r]]:
            best[r] = by_ratio[r]
    return best


@kernel
def averages(
    worth: FloatArray, entrants: Entrants, terms: Terms, no_gain: float, mean: FloatArray
) -> None:
    """Fill the mean gain at each node: of the features of few values, if any has a gain.

    With `strict` it is infinite where none of them can be split.
    """
    n, n_few = np.zeros(len(mean)), np.zeros(len(mean))
    enters = np.zeros(len(worth), np.bool_)
    for k in range(len(mean)):
        mean[k] = 0.0
    for r in range(len(worth)):
        f = entrants.feature[r]
        enters[r] = worth[r] > no_gain or (terms.idle[f] and worth[r] > -np.inf)
        if enters[r] and not terms.many[f]:
            n_few[entrants.node[r]] += 1.0
    for r in range(len(worth)):
        k = entrants.node[r]
        stands_in = n_few[k] == 0.0 and not terms.strict
        if enters[r] and (stands_in or not terms.many[entrants.feature[r]]):
            n[k] += 1.0
            mean[k] += worth[r]
    for k in range(len(mean)):
        mean[k] = np.inf if terms.strict and n[k] == 0.0 else mean[k] / max(n[k], 1.0)


@kernel
def _level(best: IndexArray, entrants: Entrants, tie: float, scores: FloatArray) -> None:
    """Lower the scores of each node that are above the first best one's to it, by less than a tie.

    The first best one is that of the lowest feature among those within a tie of the highest.
    """
    n_nodes = entrants.node.max() + 1 if len(best) else 0
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
