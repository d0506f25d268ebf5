"""Costs in whole numbers: sums are exact, whatever their order, and ties are ties."""

from math import ceil, floor, frexp, log10

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.weights import digits_of

BITS = 60
"""Costs are whole numbers of at most so many bits."""

SLACK = 1e-9
"""A branch may be smaller than wanted by so much: weights that are not whole add up inexactly."""

MOST = 2**62
"""No cost is larger: all cases together cost less."""


def price_of(price: float, weight: float) -> float:
    """Return what a leaf is worth in weight, free of the noise of the product."""
    return round(price * weight, digits_of(weight))


@attrs.frozen
class Costs:
    """From weights to costs: a power of 10 times the weight, so that 0.1 + 0.2 is 0.3.

    A leaf costs its price and 1, which is less than any error: of trees that cost the same
    otherwise the one with fewer leaves is better. Errors cost multiples of `step`, more than all
    leaves' 1 together.
    """

    per_weight: float
    step: int

    @classmethod
    def of(cls, weight: float, n_units: int, n_branches: int) -> "Costs":
        """Choose units so small that all cases, and as many leaves, can just be added up."""
        bits = n_units.bit_length()
        free = BITS - bits - n_branches.bit_length() - frexp(weight)[1]
        return cls(10.0 ** floor(free * log10(2)), 2**bits)

    def of_weights(self, weights: FloatArray) -> IndexArray:
        """Return what errors cost."""
        most = float(MOST // self.step)  # a case may weigh more than all data do
        return np.minimum(np.round(weights * self.per_weight), most).astype(np.int64) * self.step

    def of_leaf(self, price: float, weight: float) -> int:
        """Return what a leaf costs, a share of all weight; 0.07 x 100 is 7, as it was meant."""
        return round(price_of(price, weight) * self.per_weight) * self.step + 1

    def at_least(self, weight: float) -> int:
        """Return the least cost of all errors of a branch that is large enough."""
        least = max(0, ceil((weight - SLACK) * self.per_weight))
        return min(least, MOST // self.step) * self.step

    def to_weight(self, cost: int) -> float:
        """Return the weight a cost stands for."""
        return cost // self.step / self.per_weight
