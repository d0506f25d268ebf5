"""Sums over tables (..., value, class) that the formulas are made of."""

import math

import numpy as np
from scipy.special import gammaln, xlogy

from treelab._typing import FloatArray, IndexArray
from treelab.kernels._jit import compiled_as, elementwise
from treelab.kernels.ties import TIE

BITS = 1.0 / np.log(2.0)
"""Turns nats into bits."""


def _n_log_n_of_one(counts: float) -> float:
    return counts * math.log(counts) * BITS if counts > 0.0 else 0.0


def _log_gamma_of_one(counts: float) -> float:
    return math.lgamma(counts)


@compiled_as(_log_gamma_of_one)
def log_gamma(counts: FloatArray) -> FloatArray:
    """Return the logarithm of the gamma function."""
    return np.asarray(gammaln(counts))


@compiled_as(_n_log_n_of_one)
def n_log_n(counts: FloatArray) -> FloatArray:
    """Return x log2 x, with 0 log 0 = 0."""
    return np.asarray(xlogy(counts, counts) * BITS)


@elementwise
def square(counts: FloatArray) -> FloatArray:
    """Return x squared."""
    return counts * counts


def total(table: FloatArray) -> FloatArray:
    """Return the number of cases n."""
    return np.asarray(table.sum(axis=(-2, -1)))


def of_classes(table: FloatArray) -> FloatArray:
    """Return the class margin n_i."""
    return np.asarray(table.sum(axis=-2))


def of_values(table: FloatArray) -> FloatArray:
    """Return the value margin n_j."""
    return np.asarray(table.sum(axis=-1))


def majority(weights: FloatArray) -> IndexArray:
    """Return the place of the largest weight of the last axis.

    Among weights that are equal but for rounding it is the first, so that fractional cases do
    not decide a tie by the order in which they were added up.
    """
    return np.asarray((weights >= weights.max(axis=-1, keepdims=True) * (1 - TIE)).argmax(axis=-1))


@elementwise
def ratio(numerator: FloatArray, denominator: FloatArray, zero: float = 1e-12) -> FloatArray:
    """Divide two measures; 0 where the denominator is 0 within 1e-12 (SPEC 0.2, rules 4, 6)."""
    safe = np.abs(denominator) > zero
    # [()]: where numbers are compiled, `where` makes an array without axes of them.
    return np.where(safe, numerator / np.where(safe, denominator, 1.0), 0.0)[()]


def independent(values: FloatArray, classes: FloatArray) -> FloatArray:
    """Return the tables (..., value, class) of class margins in which each value has its share.

    The margin n_j of the values says in which proportions: e_ij = n_i n_j / (sum over j of n_j).
    """
    cells = values[..., :, None] * classes[..., None, :]
    return np.asarray(cells / values.sum(axis=-1)[..., None, None])


def share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Divide two counts; 0 where there is no case, however small the weights are."""
    return ratio(part, whole, zero=0.0)


def cleared(shares: FloatArray) -> FloatArray:
    """Return shares without those that are 0 but for rounding, whose roots would not be small."""
    return np.where(shares < TIE, 0.0, shares)


def entropy(counts: FloatArray) -> FloatArray:
    """Return the entropy in bits of the last axis."""
    n = counts.sum(axis=-1)
    return np.asarray(np.log2(n) - n_log_n(counts).sum(axis=-1) / n)


def sum_of_squares(counts: FloatArray) -> FloatArray:
    """Return the sum of the squared shares of the last axis."""
    return np.asarray((counts**2).sum(axis=-1) / counts.sum(axis=-1) ** 2)


def weighted_gini(counts: FloatArray) -> FloatArray:
    """Return the Gini impurity of the last axis times its weight; 0 where there is no case."""
    weight = counts.sum(axis=-1)
    return np.asarray(weight - share((counts**2).sum(axis=-1), weight))


def gini_decrease(nodes: FloatArray, children: FloatArray, parent: IndexArray) -> FloatArray:
    """Return by how much splits lower the weighted Gini impurity of nodes: 0 for no split.

    In the same units whatever metric chose the split, so nodes can be compared by it.

    Parameters
    ----------
    nodes, children
        Class weights (node, class) and (child, class).
    parent
        The node of each child.
    """
    below = np.bincount(parent, weighted_gini(children), minlength=len(nodes))
    return np.asarray(weighted_gini(nodes) - below)


def n_present(counts: FloatArray) -> FloatArray:
    """Return how many entries of the last axis occur."""
    return np.asarray((counts > 0).sum(axis=-1), dtype=np.float64)
