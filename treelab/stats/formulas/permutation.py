"""What a quantity becomes where chance has dealt again (hong1996 section 2)."""

from collections.abc import Callable

import numpy as np

from treelab._typing import FloatArray
from treelab.protocols import FeatureScores, NodeView, NodeViews, Runs, Scores

MOST_PLACES = 2**21
"""About so many values are dealt out together."""

Quantity = Callable[[NodeView], Scores | FeatureScores]


def over_permuted_classes(quantity: Quantity, node: NodeView, rounds: int) -> FloatArray:
    """Return (round, candidate or feature): the quantity with the classes permuted.

    The candidates stay those of the node. The draws depend on seed, path and content of the node.
    """
    units, rng = node.units, node.rng("permuted classes")
    deals = (units.relabelled(rng.permutation(units.labels)) for _ in range(rounds))
    return np.stack([values_of(quantity(deal)) for deal in deals])


def best_by_chance(
    quantity: Quantity, node: NodeView, rounds: int, by_level: bool = False
) -> FloatArray:
    """Return (round, run): the largest a feature's candidates have with the classes permuted.

    A round deals the classes out once for all features (SPEC 12.2). Groups of values are looked for
    again: a search that sees the classes finds something in any of them. `by_level` says that the
    quantity of many nodes can be had at once, see `protocols.SplitMetric`.
    """
    units, rng = node.units, node.rng("permuted classes")
    runs = node.counts.runs
    step = max(1, MOST_PLACES // max(1, len(units.labels) * len(runs.feature)))
    draws = np.empty((rounds, len(runs.feature)))
    for first in range(0, rounds, step):
        part = draws[first : first + step]
        labels = np.stack([rng.permutation(units.labels) for _ in part])
        deals = units.dealt(labels)
        part[:] = _largest(quantity, deals, runs) if by_level else _one_by_one(quantity, deals)
    return draws


def _largest(quantity: Quantity, deals: NodeViews, own: Runs) -> FloatArray:
    """Return (node, run of the node that was dealt): its largest quantity."""
    runs = deals.counts.runs
    place = np.empty(own.feature.max(initial=-1) + 1, np.int64)
    place[own.feature] = np.arange(len(own.feature))
    largest = np.full((len(deals), len(own.feature)), np.nan)
    largest[runs.node, place[runs.feature]] = runs.largest(values_of(quantity(deals)))  # type: ignore[arg-type]
    return largest


def _one_by_one(quantity: Quantity, deals: NodeViews) -> FloatArray:
    nodes = (deals.node(k) for k in range(len(deals)))
    return np.stack([node.counts.runs.largest(values_of(quantity(node))) for node in nodes])


def over_shuffled_features(quantity: Quantity, node: NodeView, rounds: int) -> FloatArray:
    """Return (round, feature): the quantity of a feature when its own values are dealt again.

    All other features keep their values, so that the context stays (hong1996 section 3).
    """
    units, rng = node.units, node.rng("shuffled features")
    draws = np.empty((rounds, len(values_of(quantity(node)))))
    for place in np.ndindex(*draws.shape):
        feature = place[1]
        deal = units.shuffled(feature, rng.permutation(len(units.labels)))
        draws[place] = values_of(quantity(deal))[feature]
    return draws


def values_of(found: Scores | FeatureScores) -> FloatArray:
    """Return the numbers, of candidates or of features."""
    return np.asarray(found.values if isinstance(found, FeatureScores) else found)
