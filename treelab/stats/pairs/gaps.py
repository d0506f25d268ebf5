"""How far a case is from one whose value is missing.

*value*     missing is a value of its own: at distance 0 from missing, 1 from all else.
*expected*  the expected distance from a random case of the class of the one that misses it
            (Kononenko 1994 for ReliefF; SPEC 2.11): with nominal values 1 - P(value | class),
            with both missing 1 - sum over values of P(v | class of i) P(v | class of j).

A handful of known values says little of a class, and of two classes never the same: P(v | class)
is the m-estimate (n_vc + m P(v)) / (n_c + m), with m = 10 unknown cases for each known one of the
class (SPEC 12.3). The fewer values are known, the more a gap is as far from all classes alike.
"""

from typing import TYPE_CHECKING, Literal

import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.kernels.pairs import NOMINAL, RAMP
from treelab.stats.formulas.impurity import share

if TYPE_CHECKING:
    from treelab.stats.pairs.pairing import PairCases

Missing = Literal["value", "expected"]

CAUTION = 10.0
"""So many cases of the overall distribution for each unknown value that a known one stands for.

Noise decides, not accuracy: on bundled data of which half or nine tenths of some features were
deleted any smoothing won about 2 points; this one, others and no class at all were within 0.4 of
each other. But an m of 10 for all features alike leaves noise of ten values with nine tenths
missing at half of what a weak feature scores, this one at a twentieth.
"""


def gaps(pairs: "PairCases", missing: Missing) -> tuple[IndexArray, BoolArray, FloatArray]:
    """Return which features have gaps, where they are known, and the distance from a gap.

    As `kernels.pairs.Cases` wants them: `gap` (feature), `known` (gap, case) and `toward` (gap,
    class, case). A missing value of a nominal feature that is a value of its own is no gap.
    """
    is_missing = np.isnan(pairs.cases)
    has_gaps = is_missing.any(axis=0)
    if missing == "value":
        has_gaps &= pairs.kind != NOMINAL
    features = np.flatnonzero(has_gaps)
    gap = np.full(len(pairs.kind), -1)
    gap[features] = np.arange(len(features))
    known = np.ascontiguousarray(~is_missing[:, features].T)
    toward = np.empty((len(features), pairs.n_classes, len(pairs.y)))
    for g, f in enumerate(features):
        toward[g] = known[g] if missing == "value" else _expected(pairs, int(f), known[g])
    return gap, known, toward


def _expected(pairs: "PairCases", f: int, known: BoolArray) -> FloatArray:
    """Return the expected distance of every case from one of every class that misses its value.

    Where nothing is known it is 0.
    """
    toward = np.zeros((pairs.n_classes, len(known)))
    if not known.any():
        return toward
    shares, values = _shares(pairs, known), pairs.cases[known, f]
    toward[:, known] = [mean_from(int(pairs.kind[f]), values, values, each) for each in shares]
    # A case that misses its value stands for all that its class may have.
    mean = np.array([(toward[:, known] * each).sum(axis=1) for each in shares])
    toward[:, ~known] = mean[pairs.y[~known]].T
    return toward


def _shares(pairs: "PairCases", known: BoolArray) -> FloatArray:
    """Return P(v | class) as what each known case contributes to it: (class, known case)."""
    weights, classes = pairs.weights[known], np.arange(pairs.n_classes)
    of_class = np.where(pairs.y[known] == classes[:, None], weights, 0.0)
    n = of_class.sum(axis=1)
    unknown = np.maximum(pairs.class_weights - n, 0.0)
    m = CAUTION * share(unknown, n)
    trust = share(n, n + m)[:, None]
    return np.asarray(trust * share(of_class, n[:, None]) + (1.0 - trust) * weights / weights.sum())


def mean_from(kind: int, values: FloatArray, of: FloatArray, weights: FloatArray) -> FloatArray:
    """Return for each value of a feature its weighted mean distance from the values `of`."""
    if kind == NOMINAL:
        return share_that_differs(values, of, weights)
    return mean_distance(values, of, weights, 1.0 if kind == RAMP else np.inf)


def share_that_differs(codes: FloatArray, of: FloatArray, weights: FloatArray) -> FloatArray:
    """Return for each code the weighted share of the codes `of` that are not it."""
    counts = np.bincount(of.astype(np.int64), weights, minlength=int(codes.max()) + 1)
    return np.asarray(1.0 - counts[codes.astype(np.int64)] / weights.sum())


def mean_distance(
    numbers: FloatArray, of: FloatArray, weights: FloatArray, most: float = np.inf
) -> FloatArray:
    """Return for each number its weighted mean distance from the numbers `of`, `most` at most.

    By sorting: those far below, below, above and far above are sums between two places.

    >>> mean_distance(np.array([0.0, 2.0]), np.array([0.0, 1.0, 5.0]), np.ones(3), 3.0)
    array([1.33333333, 2.        ])
    """
    order = np.argsort(of, kind="stable")
    of, weights = of[order], weights[order]
    # Far from 0 the sums would lose what the differences have.
    numbers, of = numbers - of[0], of - of[0]
    count = np.append(0.0, np.cumsum(weights))
    total = np.append(0.0, np.cumsum(weights * of))
    low, here, high = (np.searchsorted(of, numbers + shift) for shift in (-most, 0.0, most))
    below = numbers * (count[here] - count[low]) - (total[here] - total[low])
    above = (total[high] - total[here]) - numbers * (count[high] - count[here])
    far = count[low] + count[-1] - count[high]
    with np.errstate(invalid="ignore"):
        beyond = np.where(far > 0, far * most, 0.0)
    return np.asarray((below + above + beyond) / count[-1])
