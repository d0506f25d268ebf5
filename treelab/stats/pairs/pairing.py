"""`PairCases`: the cases of a node as pairs see them."""

from collections.abc import Callable
from functools import cached_property, partial

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import BoolArray, CodeArray, FloatArray, IndexArray, IntArray
from treelab.data.coded import Coded
from treelab.data.ranges import in_units
from treelab.errors import LARGEST, ParameterError, check_number
from treelab.kernels import pairs as kernels
from treelab.protocols import Ramp
from treelab.stats.pairs.gaps import Missing, gaps

SEEDED = partial(stream, 0)
SMALLEST = float(np.finfo(np.float64).tiny)
"""Numbers below it lose digits."""


@attrs.frozen(eq=False)
class PairCases:
    """The cases of a node as a pair scheme is given them.

    Attributes
    ----------
    cases
        (case, feature): numbers on the scale of distances, codes of nominal values, NaN if missing.
    value
        (case, feature): where in a pair table the value of a case is counted. A numeric feature has
        a single value, 0; missing is a value of its own, the last.
    kind
        How values of a feature are compared: `kernels.pairs.NOMINAL`, `RAMP` or `RAW`.
    y, weights
        The class and the weight of each case.
    n_values, n_classes
        How many values a feature may have, missing included, and how many classes there are.
    rng
        Returns the random stream of a key.
    """

    cases: FloatArray
    value: IndexArray
    kind: IntArray
    y: IntArray
    weights: FloatArray
    n_values: int
    n_classes: int
    rng: Callable[[str], np.random.Generator] = SEEDED

    @classmethod
    def of(
        cls, coded: Coded, rows: IndexArray, weights: FloatArray, ramp: Ramp | None, bins: int
    ) -> "PairCases":
        """Scale the features of some cases.

        Two numbers are at distance |a - b| / (ramp * range), at most 1 (hong1996 eq. 28), the range
        being that of the cases; None: at distance |a - b|. Several ramps are for the features in
        turn. With `bins`, numeric features are cut into so many intervals of equal width first.
        """
        ramps = _ramps(ramp, len(coded.axes))
        columns = [_scaled(coded, f, rows, ramps[f], bins) for f in range(len(coded.axes))]
        cases = np.column_stack([numbers for numbers, _ in columns])
        kind = np.array([kind for _, kind in columns], np.int32)
        known = np.where(np.isnan(cases), -1, cases)
        value = np.where(kind == kernels.NOMINAL, known, 0).astype(np.int64)
        # Missing is a value of its own, behind all others.
        n_values = int(value.max(initial=0)) + 2
        value[np.isnan(cases)] = n_values - 1
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

    def take(self, cases: IndexArray) -> "PairCases":
        """Return some of the cases."""
        return attrs.evolve(
            self, cases=self.cases[cases], value=self.value[cases], y=self.y[cases],
            weights=self.weights[cases],
        )  # fmt: skip

    @cached_property
    def distinct(self) -> "PairCases":
        """The cases class after class, equal ones put together; their order does not matter."""
        content = np.column_stack([self.y, np.nan_to_num(self.cases, nan=np.inf)])
        order = _order_of_rows(content)
        content = content[order]
        firsts = np.flatnonzero(np.append(True, (content[1:] != content[:-1]).any(axis=1)))
        weights = np.add.reduceat(self.weights[order], firsts)
        return attrs.evolve(self.take(order[firsts]), weights=weights)

    def sampled(self, max_cases: int | None) -> "PairCases":
        """Return at most so many distinct cases, chosen at random whatever their order.

        Cases so light beside the others that rounding left them no weight are none.
        """
        weighs = self.weights > 0
        if not weighs.all():
            return self.take(np.flatnonzero(weighs)).sampled(max_cases)
        if max_cases is None or len(self.distinct.y) <= max_cases:
            return self
        chosen = self.rng("pairs").choice(len(self.distinct.y), max_cases, replace=False)
        return self.distinct.take(np.sort(chosen))

    def drawn(self, m: int, among: BoolArray) -> BoolArray:
        """Tell which of m distinct cases, chosen at random whatever their order, each one is."""
        content = np.column_stack([self.y, np.nan_to_num(self.cases, nan=np.inf)])
        _, distinct = np.unique(content, axis=0, return_inverse=True)
        distinct = distinct.reshape(-1)
        candidates = np.unique(distinct[among])
        chosen = self.rng("m").choice(candidates, min(m, len(candidates)), replace=False)
        return np.asarray(np.isin(distinct, chosen))

    @cached_property
    def class_starts(self) -> IndexArray:
        """Where each class starts, the cases being in the order of their classes."""
        return np.searchsorted(self.y, np.arange(self.n_classes + 1))

    @cached_property
    def varying(self) -> IndexArray:
        """The features that are not the same for all cases."""
        content = np.nan_to_num(self.cases, nan=np.inf)
        return np.flatnonzero((content != content[:1]).any(axis=0))

    def for_kernels(self, missing: Missing, features: IndexArray) -> kernels.Cases:
        """Return the arrays that kernels work on, of some features."""
        kind, value = self.kind[features], self.value[:, features]
        cases = np.asarray(self.cases[:, features])
        gap, known, toward = gaps(attrs.evolve(self, cases=cases, value=value, kind=kind), missing)
        wide = self.n_values > np.iinfo(np.uint16).max
        codes: CodeArray = np.ascontiguousarray(value.T, np.uint32 if wide else np.uint16)
        numbers = np.ascontiguousarray(cases.T)
        # A missing value of a nominal feature is a value, too.
        by_case = np.ascontiguousarray(np.where(np.isnan(cases), -1.0, cases))
        return kernels.Cases(
            codes, numbers, by_case, kind, gap, known, toward, self.y, self.weights
        )


def _order_of_rows(content: FloatArray) -> IndexArray:
    """Return rows in ascending order; by their first columns, where these tell all rows apart."""
    few = content[:, :3]
    order = np.lexsort(few.T[::-1])  # ten times as fast as np.unique by rows
    if (few[order[1:]] != few[order[:-1]]).any(axis=1).all():
        return order
    return np.lexsort(content.T[::-1])


def check_ramp(ramp: Ramp) -> None:
    """Raise unless it is a share of the range, or several."""
    for share in ramp if isinstance(ramp, tuple) else (ramp,):
        check_number("ramp", share, 1e-9)


def _ramps(ramp: Ramp | None, features: int) -> tuple[float | None, ...]:
    """Return the ramp of each feature."""
    if not isinstance(ramp, tuple):
        return (ramp,) * features
    if len(ramp) != features:
        raise ParameterError(
            f"ramp must be one number, or one for each of the {features} features (nominal ones "
            f"have no use for it), got {len(ramp)}"
        )
    return ramp


def _scaled(
    coded: Coded, f: int, rows: IndexArray, ramp: float | None, bins: int
) -> tuple[FloatArray, int]:
    axis, codes = coded.axes[f], coded.codes[f][rows].astype(np.int64)
    is_missing = codes >= axis.n_codes
    if axis.kind != "numeric":
        return np.where(is_missing, np.nan, codes), kernels.NOMINAL
    points = axis.values / 4 if _is_far(axis.values) else axis.values
    numbers = np.append(points, np.nan)[np.minimum(codes, axis.n_codes)]
    # As nanmax and nanmin, but much faster.
    width = np.fmax.reduce(numbers) - np.fmin.reduce(numbers) if not is_missing.all() else 0.0
    if bins:
        if width == 0:
            return numbers * 0.0, kernels.NOMINAL
        place = in_units(numbers - np.nanmin(numbers), width) * bins
        return np.minimum(np.floor(place), bins - 1), kernels.NOMINAL
    if ramp is None:
        return numbers, kernels.RAW
    return _in_ramps(numbers, ramp, width), kernels.RAMP


def _in_ramps(numbers: FloatArray, ramp: float, width: float) -> FloatArray:
    """Return numbers in units of a share of their range."""
    if width == 0:
        return numbers * 0.0
    # A share of the smallest range is 0, and many times the largest is infinite; but no number is
    # 2**53 times its range or more.
    unit = float(ramp) * float(width)
    fits = SMALLEST <= unit <= LARGEST
    return numbers / unit if fits else in_units(numbers, width) / ramp


def _is_far(points: FloatArray) -> bool:
    """Tell whether numbers are so large that their differences may not be."""
    return bool(len(points)) and max(-points[0], points[-1]) > LARGEST / 4
