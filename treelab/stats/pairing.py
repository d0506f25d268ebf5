"""Pairs of cases: which ones count, with what weight, and what they say of every feature."""

from functools import cached_property
from typing import Literal

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.kernels import pairs as kernels

Ties = Literal["shared", "first"]
Decay = Literal["exponential", "power", "radius"]
DECAYS: dict[Decay, int] = {
    "exponential": kernels.EXPONENTIAL,
    "power": kernels.POWER,
    "radius": kernels.RADIUS,
}
ALL = -1
"""As many neighbours as there are."""


@attrs.frozen(eq=False)
class PairCases:
    """The cases of a node as pairs see them; see `kernels.pairs`."""

    cases: FloatArray
    value: IndexArray
    kind: IntArray
    y: IntArray
    weights: FloatArray
    n_values: int
    n_classes: int

    @classmethod
    def of(
        cls, coded: Coded, rows: IndexArray, weights: FloatArray, ramp: float | None, bins: int
    ) -> "PairCases":
        """Scale the features of some cases.

        Two numbers are at distance |a - b| / (ramp * range), at most 1 (hong1996 eq. 28), the range
        being that of the cases; None: at distance |a - b|. With `bins`, numeric features are cut
        into so many intervals of equal width first.
        """
        columns = [_scaled(coded, f, rows, ramp, bins) for f in range(len(coded.axes))]
        cases = np.column_stack([numbers for numbers, _ in columns])
        kind = np.array([kind for _, kind in columns], np.int32)
        known = np.where(np.isnan(cases), -1, cases)
        value = np.where(kind == kernels.NOMINAL, known, 0).astype(np.int64)
        # Missing is a value of its own, behind all others.
        n_values = int(value.max(initial=0)) + 2
        value[value < 0] = n_values - 1
        y = coded.y[rows]
        return cls(cases, value, kind, y, weights, n_values, coded.n_classes)

    def relabelled(self, y: IntArray) -> "PairCases":
        """Return the same cases with other classes."""
        return attrs.evolve(self, y=y)

    def empty_tables(self) -> FloatArray:
        """Return tables of zeros: (feature, value, class, differs, other class)."""
        return np.zeros((self.cases.shape[1], self.n_values, self.n_classes, 2, 2))

    @cached_property
    def class_weights(self) -> FloatArray:
        totals = np.bincount(self.y, self.weights, minlength=self.n_classes)
        return np.asarray(totals, dtype=np.float64)


def _scaled(
    coded: Coded, f: int, rows: IndexArray, ramp: float | None, bins: int
) -> tuple[FloatArray, int]:
    axis, codes = coded.axes[f], coded.codes[f][rows].astype(np.int64)
    is_missing = codes >= axis.n_codes
    if axis.kind != "numeric":
        return np.where(is_missing, np.nan, codes), kernels.NOMINAL
    numbers = np.append(axis.values, np.nan)[np.minimum(codes, axis.n_codes)]
    width = np.nanmax(numbers) - np.nanmin(numbers) if not is_missing.all() else 0.0
    if bins:
        place = (numbers - np.nanmin(numbers)) / width * bins if width > 0 else numbers * 0.0
        return np.minimum(np.floor(place), bins - 1), kernels.NOMINAL
    if ramp is None:
        return numbers, kernels.RAW
    return (numbers / (ramp * width) if width > 0 else numbers * 0.0), kernels.RAMP


@attrs.frozen
class AllPairs:
    """Every ordered pair, weighted by its distance (vilalta2001 algorithm 2)."""

    decay: Decay = "exponential"
    alpha: float = 0.1
    self_pairs: bool = True
    within: float | None = None
    ramp: float | None = 1.0
    bins: int = 0

    def tables(self, pairs: PairCases) -> FloatArray:
        tables = pairs.empty_tables()
        within = np.inf if self.within is None else self.within
        kernels.all_pairs(
            pairs.cases, pairs.value, pairs.kind, pairs.y, pairs.weights, tables,
            DECAYS[self.decay], self.alpha, self.self_pairs, within,
        )  # fmt: skip
        return tables


@attrs.frozen
class Nearest:
    """Each case with its nearest cases, of its own class and of others.

    Parameters
    ----------
    k
        How many neighbours in each group; 0: max(1, floor(log2 n)) of n; `ALL`.
    each_class
        Whether every class is a group, weighted by its prior (ReliefF); else all other classes
        are one group (Relief, Contextual Merit).
    mean
        Whether the neighbours of a group count 1 together.
    rank_spread
        With a number s, the neighbour of rank r counts exp(-(r / s)^2); None: all alike.
    alpha
        Pairs count distance^-alpha.
    ties
        Whether cases at the same distance share places, or the first ones take them.
    euclid
        Whether distances are Euclidean, or sums of differences.
    squared
        Whether differences count squared (Relief).
    """

    k: int = 10
    each_class: bool = True
    mean: bool = True
    rank_spread: float | None = None
    alpha: float = 0.0
    ties: Ties = "shared"
    euclid: bool = False
    squared: bool = False
    rows: Literal["all", "smaller"] = "all"
    ramp: float | None = 1.0
    bins: int = 0

    def tables(self, pairs: PairCases) -> FloatArray:
        tables = pairs.empty_tables()
        own = np.eye(pairs.n_classes, dtype=bool)
        classes = np.arange(pairs.n_classes, dtype=np.int32)
        group = np.broadcast_to(classes, own.shape) if self.each_class else (~own).astype(np.int32)
        kernels.nearest_pairs(
            pairs.cases, pairs.value, pairs.kind, pairs.y, pairs.weights, tables,
            chosen_rows(pairs, self.rows), np.ascontiguousarray(group), self._factor(pairs, own),
            self._worth(), self.k, self.alpha, self.ties == "shared", self.euclid, self.squared,
            self.mean,
        )  # fmt: skip
        return tables

    def _factor(self, pairs: PairCases, own: BoolArray) -> FloatArray:
        """Return how much the neighbours of a class count: p_b / (1 - p_a) for a miss (ReliefF)."""
        if not self.each_class:
            return np.ones(own.shape)
        prior = pairs.class_weights / pairs.class_weights.sum()
        others = np.maximum(1.0 - prior, 1e-300)[:, None]
        return np.where(own, 1.0, prior[None, :] / others)

    def _worth(self) -> FloatArray:
        if self.rank_spread is None:
            return np.empty(0)
        rank = np.arange(1, self.k + 1)
        return np.concatenate([[0.0], np.cumsum(np.exp(-((rank / self.rank_spread) ** 2)))])


@attrs.frozen
class Contextual:
    """Counter-examples near by all other features (hong1996 CM1; SPEC 1.6)."""

    k: int = 0
    rows: Literal["all", "smaller"] = "all"
    ties: Ties = "shared"
    ramp: float | None = 0.5
    bins: int = 0

    def tables(self, pairs: PairCases) -> FloatArray:
        tables = pairs.empty_tables()
        kernels.contextual_pairs(
            pairs.cases, pairs.value, pairs.kind, pairs.y, pairs.weights, tables,
            chosen_rows(pairs, self.rows), self.k, self.ties == "shared",
        )  # fmt: skip
        return tables


def chosen_rows(pairs: PairCases, rows: Literal["all", "smaller"]) -> BoolArray:
    """Tell which cases look for neighbours: all, or those of the smaller class."""
    if rows == "all":
        return np.ones(len(pairs.y), bool)
    occurring = np.where(pairs.class_weights > 0, pairs.class_weights, np.inf)
    return np.asarray(pairs.y == occurring.argmin())
