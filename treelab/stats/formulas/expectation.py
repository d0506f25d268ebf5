"""What random permutation of the classes makes of a table on average (hong1996 sections 2, 3).

Each function takes tables (..., value, class) and looks at their margins only. Entropies are in
bits. Values and classes that do not occur count for nothing.
"""

import numpy as np

from treelab._typing import FloatArray
from treelab.kernels.by_size import entropy_by_size
from treelab.kernels.expectation import entropy_parts
from treelab.kernels.ties import TIE
from treelab.stats.formulas.composed import Composed
from treelab.stats.formulas.impurity import (
    entropy,
    n_log_n,
    n_present,
    of_classes,
    of_values,
    ratio,
    share,
    sum_of_squares,
    total,
)
from treelab.stats.formulas.margin_formula import by_size
from treelab.stats.formulas.sums import Sum, sums_of

SMALL_VALUE = 20
"""Eq. 26 treats values of up to so many cases exactly."""


def expected_gini(table: FloatArray) -> FloatArray:
    """E{G(C|F)} = G(C) (N - F) / (N - 1), exactly (hong1996 eq. 16)."""
    return np.asarray(_gini_of_classes(table) * (1.0 - _lost_freedom(table)))


def expected_gini_gain(table: FloatArray) -> FloatArray:
    """Return G(C) - E{G(C|F)} = G(C) (F - 1) / (N - 1) (hong1996 eq. 16)."""
    return np.asarray(_gini_of_classes(table) * _lost_freedom(table))


def _gini_of_classes(table: FloatArray) -> FloatArray:
    return np.asarray(1.0 - sum_of_squares(of_classes(table)))


def _lost_freedom(table: FloatArray) -> FloatArray:
    """Return (F - 1) / (N - 1), at most 1: cases of small weight may be fewer than values."""
    more_values = n_present(of_values(table)) - 1.0
    return np.minimum(share(more_values, np.maximum(total(table) - 1.0, TIE)), 1.0)


def expected_chi2(table: FloatArray) -> FloatArray:
    """E{chi2} = (V - 1)(C - 1) N / (N - 1), exactly (from hong1996 eq. 13)."""
    freedom = (n_present(of_values(table)) - 1.0) * (n_present(of_classes(table)) - 1.0)
    n = total(table)
    return np.asarray(freedom * share(n, np.maximum(n - 1.0, TIE)))


def expected_squares(table: FloatArray) -> FloatArray:
    """E{sum_ij n_ij^2} / N^2 = (1 - A - B + N A B) / (N - 1), exactly (from hong1996 eq. 13).

    A and B are the sums of squares of the shares of values and classes.
    """
    values, classes = sum_of_squares(of_values(table)), sum_of_squares(of_classes(table))
    n = total(table)
    return share(1.0 - values - classes + n * values * classes, np.maximum(n - 1.0, TIE))


@by_size(entropy_by_size)
def expected_entropy(table: FloatArray) -> FloatArray:
    """E{H(C|F)}, the hypergeometric sum, exactly (hong1996 eqs. 10 and 22; SPEC 1.4).

    H(C) less scikit-learn's `expected_mutual_information`. Margins that are no whole numbers
    are interpolated between whole ones; a feature of one value always keeps H(C).
    """
    return expected_entropy_26(table, np.inf)


def expected_entropy_24(table: FloatArray) -> FloatArray:
    """E{H(C|F)} ~ H(C) - (F - 1)(C - 1) / (2 N ln 2), at least 0 (hong1996 eq. 24, in bits)."""
    return expected_entropy_26(table, 0)


def expected_entropy_26(table: FloatArray, small: float = SMALL_VALUE) -> FloatArray:
    """Return eq. 24 for values of more than `small` cases, exact for others (hong1996 eq. 26).

    The equation as put right (SPEC 1.4). At least 0.
    """
    parts = expected_entropy_of_values(table, small)
    return np.asarray(np.maximum(parts.sum(axis=-1), 0.0))


def expected_entropy_of_values(table: FloatArray, small: float = np.inf) -> FloatArray:
    """Return the part of each value in `expected_entropy_26`: (..., value)."""
    tables = np.ascontiguousarray(table, np.float64).reshape(-1, *table.shape[-2:])
    return entropy_parts(tables, float(small)).reshape(table.shape[:-1])


@sums_of(n_log_n)
def class_entropy(
    _cells: Sum, _branches: Sum, _shares: Sum, classes: Sum, whole: Sum, n: Sum
) -> Sum:
    """H(C), in bits."""
    return (whole - classes) / n


expected_gain = Composed(np.subtract, (class_entropy, expected_entropy))
"""H(C) - E{H(C|F)}, exactly."""


def expected_gain_26(table: FloatArray) -> FloatArray:
    """Return H(C) - E{H(C|F)} by eq. 26."""
    return np.asarray(entropy(of_classes(table)) - expected_entropy_26(table))


def against_chance(found: FloatArray, expected: FloatArray) -> FloatArray:
    """Return found / expected; 1 where both are equal, also 0 (SPEC 1.5), within 1e-12."""
    return np.where(np.abs(found - expected) <= TIE, 1.0, ratio(found, _away_from_0(expected), 0.0))


def _away_from_0(expected: FloatArray) -> FloatArray:
    """Keep a ratio finite where chance gives nothing."""
    return np.where(np.abs(expected) > TIE, expected, TIE)
