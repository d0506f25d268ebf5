"""What is counted of data before any of their characteristics is computed."""

from functools import cached_property, partial

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import FloatArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.order import by_content
from treelab.errors import DataError
from treelab.kernels.pairs import RAMP
from treelab.stats.formulas.impurity import share
from treelab.stats.pairs.pair_profile import (
    four_cases,
    hamming,
    other_class,
    pair_weights,
    pairs_by_distance,
)
from treelab.stats.pairs.pairing import PairCases

BINS = 10
"""Numbers are cut into so many intervals of equal width (vilalta2001 section 6)."""

ALPHA = 2.0
"""How fast weights fall in concept variation (Vilalta 1999)."""


@attrs.frozen(eq=False)
class Facts:
    """The cases of known class, whole and as pairs see at most `max_cases` of them.

    `binned` has numbers cut into intervals, `scaled` has them on the scale of their range.
    """

    data: Dataset
    binned: PairCases
    scaled: PairCases
    max_cases: int | None

    @classmethod
    def of(cls, data: Dataset, max_cases: int | None, seed: int) -> "Facts":
        """Count the cases of known class and weight above 0."""
        known = by_content(data.usable())
        if not len(known):
            raise DataError("characteristics need a case with a known class and weight above 0")
        if not known.features:
            raise DataError("characteristics need a feature, and the data have none")
        coded, rows = Coded.of(known, Coding()), np.arange(len(known))
        binned, scaled = (
            attrs.evolve(
                PairCases.of(coded, rows, known.weights, 1.0, bins), rng=partial(stream, seed)
            )
            for bins in (BINS, 0)
        )
        return cls(known, binned, scaled, max_cases)

    @cached_property
    def class_shares(self) -> FloatArray:
        """The share of each class that occurs."""
        weights = self.binned.class_weights
        return np.asarray(weights[weights > 0] / weights.sum())

    @cached_property
    def n_values(self) -> FloatArray:
        """How many values of each feature occur, intervals of numbers being values."""
        known = [column[~np.isnan(column)] for column in self.binned.cases.T]
        return np.array([len(np.unique(column)) for column in known], dtype=float)

    @cached_property
    def missing(self) -> FloatArray:
        """The share of the cases in which each feature is missing."""
        lost = np.isnan(self.binned.cases) * self.binned.weights[:, None]
        return np.asarray(lost.sum(axis=0) / self.binned.weights.sum())

    @cached_property
    def uncertainty(self) -> FloatArray:
        """I(C; F) / H(C) of each feature, missing being a value; 0 where there is one class."""
        whole = entropy(self.class_shares)
        left = [self._entropy_left(f) for f in range(self.binned.value.shape[1])]
        return share(whole - np.array(left), np.full(len(left), whole))

    def _entropy_left(self, f: int) -> float:
        pairs = self.binned
        place = pairs.value[:, f] * pairs.n_classes + pairs.y
        size = pairs.n_values * pairs.n_classes
        table = np.bincount(place, pairs.weights, minlength=size).reshape(-1, pairs.n_classes)
        table = table / table.sum()
        return entropy(table.ravel()) - entropy(table.sum(axis=1))

    @cached_property
    def pairs(self) -> FloatArray:
        """(distance, other class): pairs of different cases by the number of features they differ.

        As shares of all pairs.
        """
        counted = pairs_by_distance(self.binned.sampled(self.max_cases).distinct)
        return share(counted, np.full(counted.shape, counted.sum()))

    @cached_property
    def cases(self) -> FloatArray:
        """(distance, case): the share of all pairs in each of the four cases, mean of features."""
        return four_cases(self.pairs)

    @cached_property
    def agreement(self) -> float:
        """The share of the pairs that are of the same class."""
        return float(self.pairs[:, 0].sum())

    @cached_property
    def near_agreement(self) -> float:
        """For the average case, the share of the same class, the others weighing 2^-distance."""
        pairs = self.binned.sampled(self.max_cases).distinct
        return 1.0 - _of_others(pairs, 2.0 ** -hamming(pairs).astype(np.float64))

    @cached_property
    def variation(self) -> float:
        """Concept variation: how often near cases are of other classes (Vilalta 1999)."""
        pairs = self.scaled.sampled(self.max_cases).distinct
        apart, most = np.sqrt(_squares(pairs)), np.sqrt(pairs.cases.shape[1])
        room = np.maximum(most - apart, 1e-9)  # the farthest there can be have no weight
        return _of_others(pairs, 2.0 ** (-ALPHA * apart / room))


def _of_others(pairs: PairCases, nearness: FloatArray) -> float:
    """Return for the average case the share of other classes among the others, by nearness."""
    weights = pair_weights(pairs) * nearness
    of_case = share((weights * other_class(pairs)).sum(axis=1), weights.sum(axis=1))
    return float(pairs.weights @ of_case / pairs.weights.sum())


def entropy(shares: FloatArray) -> float:
    """Return the entropy of shares, in bits."""
    positive = shares[shares > 0]
    return float(-(positive * np.log2(positive)).sum())


def _squares(pairs: PairCases) -> FloatArray:
    """Return (case, case): squared Euclidean distances, numbers on the scale of their range."""
    n, n_features = pairs.cases.shape
    total = np.zeros((n, n))
    for f in range(n_features):
        column = pairs.cases[:, f]
        if pairs.kind[f] == RAMP:
            apart = np.minimum(np.abs(column[:, None] - column), 1.0)
            lost = np.isnan(column)
            apart = np.where(np.isnan(apart), (lost[:, None] != lost).astype(float), apart)
            total += apart**2
        else:
            total += pairs.value[:, f, None] != pairs.value[:, f]
    return total
