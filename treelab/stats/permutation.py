"""What a quantity becomes where chance has dealt again (hong1996 section 2)."""

from collections.abc import Callable

import numpy as np

from treelab._typing import FloatArray
from treelab.protocols import FeatureScores, NodeView, Scores

Quantity = Callable[[NodeView], Scores | FeatureScores]


def over_permuted_classes(quantity: Quantity, node: NodeView, rounds: int) -> FloatArray:
    """Return (round, candidate or feature): the quantity with the classes permuted.

    The candidates stay those of the node. The draws depend on seed, path and content of the node.
    """
    units, rng = node.units, node.rng("permuted classes")
    deals = (units.relabelled(rng.permutation(units.labels)) for _ in range(rounds))
    return np.stack([values_of(quantity(deal)) for deal in deals])


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
