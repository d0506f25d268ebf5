"""Pairs of cases by their distance: what the framework Pi weighs (vilalta2001 algorithm 2).

Only for nominal features, numbers being cut into intervals first: distances are whole numbers.
"""

import numpy as np

from treelab._typing import FloatArray, IntArray
from treelab.stats.formulas.impurity import share
from treelab.stats.pairs.pairing import PairCases

N_CASES = 4
"""Same value and class; same value, other class; other value, same class; other value and class."""


def hamming(pairs: PairCases) -> IntArray:
    """Return (case, case): on how many features two cases differ; missing is a value."""
    n, n_features = pairs.value.shape
    apart = np.zeros((n, n), np.int32)
    for f in range(n_features):
        apart += pairs.value[:, f, None] != pairs.value[:, f]
    return apart


def pair_weights(pairs: PairCases, self_pairs: bool = False) -> FloatArray:
    """Return (case, case): how many pairs they make, a case of weight w being w equal cases."""
    weights = np.outer(pairs.weights, pairs.weights)
    alone = pairs.weights if self_pairs else 0.0
    np.fill_diagonal(weights, pairs.weights * np.maximum(pairs.weights - 1.0, 0.0) + alone)
    return weights


def other_class(pairs: PairCases) -> IntArray:
    """Return (case, case): 1 where two cases are of different classes, else 0."""
    return np.asarray(pairs.y[:, None] != pairs.y, np.int32)


def pairs_by_distance(pairs: PairCases) -> FloatArray:
    """Return (distance, other class): the weight of the ordered pairs of different cases.

    Distances are 0, 1, ..., the number of features.
    """
    n_distances = pairs.value.shape[1] + 1
    return _binned(2 * hamming(pairs) + other_class(pairs), pair_weights(pairs), n_distances, 2)


def feature_cases(pairs: PairCases, feature: int, apart: IntArray, by: FloatArray) -> FloatArray:
    """Return (distance, case): the weights `by` of pairs in the four cases of a feature."""
    value = pairs.value[:, feature]
    case = 2 * (value[:, None] != value) + other_class(pairs)
    return _binned(N_CASES * apart + case, by, pairs.value.shape[1] + 1, N_CASES)


def value_shares(whole: PairCases, pairs: PairCases, feature: int) -> FloatArray:
    """Return for some of all cases the share |T_m| / |T| that their value has among all."""
    weights = np.bincount(whole.value[:, feature], whole.weights)
    return np.asarray(weights[pairs.value[:, feature]] / whole.weights.sum())


def four_cases(by_distance: FloatArray) -> FloatArray:
    """Return (distance, case): pairs by distance in the four cases, averaged over the features.

    At distance x two cases differ on x features of p: on the average feature x / p of such pairs
    have other values, whatever their classes.
    """
    n_features = len(by_distance) - 1
    differs = share(np.arange(n_features + 1.0), np.full(n_features + 1, float(n_features)))
    same, other = by_distance.T
    agree = 1.0 - differs
    return np.stack([agree * same, agree * other, differs * same, differs * other], axis=1)


def _binned(place: IntArray, weights: FloatArray, n_distances: int, columns: int) -> FloatArray:
    size = n_distances * columns
    sums = np.bincount(place.ravel(), weights.ravel(), minlength=size)
    return np.asarray(sums, np.float64).reshape(n_distances, columns)
