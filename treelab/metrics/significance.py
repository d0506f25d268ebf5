"""Statistics of independence tests (kononenko1995 section 2.4)."""

import numpy as np
from scipy.special import gammainc, gammaincc, gammaln, xlog1py

from treelab._typing import FloatArray
from treelab.metrics.information import linear_in_gain
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.stats.formulas.expectation import expected_chi2
from treelab.stats.formulas.impurity import (
    BITS,
    independent,
    n_present,
    of_classes,
    of_values,
    share,
    total,
)

_TERMS = 60
"""Of the continued fraction; where the survival function is below 1e-290, 30 would do."""


@register_formula(
    MetricInfo(
        "chi2",
        "distance from what independence would give",
        "kononenko1995 eq. 11",
        "[0, n (min(C, V) - 1)]",
    ),
    expectation=expected_chi2,
    uninformed=0.0,
)
def chi2(table: FloatArray) -> FloatArray:
    """Pearson's chi-square: sum_ij (n_ij - e_ij)^2 / e_ij (kononenko1995 eq. 11).

    e_ij = n_i n_j / n. Range 0 to n (min(C, V) - 1). Grows with the number of values and of
    cases. Cost: one pass over the table.
    """
    expected = independent(of_values(table), of_classes(table))
    return np.asarray(share((table - expected) ** 2, expected).sum(axis=(-2, -1)))


def _g_of(bits: FloatArray, table: FloatArray) -> FloatArray:
    return np.asarray(2 * total(table) * bits / BITS)


@register_formula(
    MetricInfo("g", "likelihood ratio against independence", "kononenko1995 eq. 12", "[0, inf)"),
    **linear_in_gain(_g_of),
    uninformed=0.0,
)
def g(table: FloatArray) -> FloatArray:
    """G = 2 sum_ij n_ij ln(n_ij / e_ij) = 2 n ln 2 Gain (kononenko1995 eq. 12).

    From 0. Ranks the candidates of a node as the gain does, with its bias. Cost: as the gain.
    """
    expected = independent(of_values(table), of_classes(table))
    excess = table - expected
    # The excess adds up to 0; subtracted cell by cell it leaves no rounding of the size of n.
    terms = xlog1py(table, share(excess, expected)) - excess
    return np.asarray(np.maximum(2 * terms.sum(axis=(-2, -1)), 0.0))


def degrees_of_freedom(table: FloatArray) -> FloatArray:
    """Return (V - 1)(C - 1), counting values and classes that occur (SPEC 2.6, erratum E9)."""
    return (n_present(of_values(table)) - 1) * (n_present(of_classes(table)) - 1)


def _log10_survival(statistic: FloatArray, table: FloatArray) -> FloatArray:
    """Return log10 of the probability of a larger statistic by chance; 0 without freedom."""
    freedom = degrees_of_freedom(table)
    log = log_survival(statistic, np.maximum(freedom, 1.0)) / np.log(10)
    return np.where(freedom > 0, log, 0.0)


def log_survival(statistic: FloatArray, freedom: FloatArray) -> FloatArray:
    """Return ln Q(freedom / 2, statistic / 2), also where Q is below the least number."""
    shape, x = np.broadcast_arrays(np.asarray(freedom) / 2, np.asarray(statistic) / 2)
    survival = gammaincc(shape, x)
    far = survival < 1e-290
    log = np.asarray(np.log(np.where(far, 1.0, survival)))
    log[far] = _log_far_tail(shape[far], x[far])
    return log


def _log_far_tail(shape: FloatArray, x: FloatArray) -> FloatArray:
    """Return ln Q(shape, x) by Legendre's continued fraction (DLMF 8.9.2), for x far above shape.

    Q = x^shape e^-x / (Gamma(shape) f), f = x + 1 - shape - 1 (1 - shape) / (x + 3 - shape - ...).
    """
    f = x + 2 * _TERMS + 1 - shape
    for k in range(_TERMS, 0, -1):
        f = x + 2 * k - 1 - shape - k * (k - shape) / f
    return np.asarray(shape * np.log(x) - x - gammaln(shape) - np.log(f))


def _probability(statistic: FloatArray, table: FloatArray) -> FloatArray:
    freedom = degrees_of_freedom(table)
    p = gammainc(np.maximum(freedom, 1.0) / 2, statistic / 2)
    return np.where(freedom > 0, p, 0.0)


def evidence_of_chi2(table: FloatArray) -> FloatArray:
    """Return -log10 of the survival function of chi2, which never saturates."""
    return -_log10_survival(chi2(table), table)


def evidence_of_g(table: FloatArray) -> FloatArray:
    """Return -log10 of the survival function of G, which never saturates."""
    return -_log10_survival(g(table), table)


@register_formula(
    MetricInfo(
        "p-chi2",
        "confidence P that test and class depend, as -log10(1 - P)",
        "kononenko1995 eqs. 10, 11",
        "[0, inf)",
    ),
    score=evidence_of_chi2,
    uninformed=0.0,
)
def p_chi2(table: FloatArray) -> FloatArray:
    """P = chi-square distribution function at chi2, (V-1)(C-1) degrees of freedom (eqs. 10, 11).

    P is from 0 to 1 and rounds to 1 for informative features, so the score of a candidate is
    -log10(1 - P), that of `log-p-chi2`; `formula` gives P itself. Cost: an incomplete gamma
    function a table.

    P is the chance of one candidate: unbiased among features with a branch for each value. Where a
    feature has many candidates, cuts or groups of values, the best of them is compared as if it
    were the only one, and a numeric feature that knows nothing is chosen nearly always (SPEC
    12.2). `normalized:chi2,summary=p-value` asks for the chance of the best.
    """
    return _probability(chi2(table), table)


@register_formula(
    MetricInfo("p-g", "the same by the likelihood ratio", "kononenko1995 eqs. 10, 12", "[0, inf)"),
    score=evidence_of_g,
    uninformed=0.0,
)
def p_g(table: FloatArray) -> FloatArray:
    """P = chi-square distribution function at G (kononenko1995 eqs. 10, 12).

    P is from 0 to 1. Prefers many values where cells are sparse; scored as `p-chi2` is, and like it
    the chance of one candidate: `normalized:g,summary=p-value` is that of a feature's best.
    """
    return _probability(g(table), table)


@register_formula(
    MetricInfo(
        "log-p-chi2",
        "how unlikely chi2 is by chance, -log10",
        "SPEC 2.6",
        "[0, inf)",
        lower_is_better=True,
    ),
    uninformed=0.0,
)
def log_p_chi2(table: FloatArray) -> FloatArray:
    """Log10 of the survival function of chi2 (SPEC 2.6); lower is better, never saturates.

    The chance of one candidate, see `p-chi2`.
    """
    return _log10_survival(chi2(table), table)


@register_formula(
    MetricInfo(
        "log-p-g",
        "how unlikely G is by chance, -log10",
        "SPEC 2.6",
        "[0, inf)",
        lower_is_better=True,
    ),
    uninformed=0.0,
)
def log_p_g(table: FloatArray) -> FloatArray:
    """Log10 of the survival function of G (SPEC 2.6); lower is better, never saturates.

    The chance of one candidate, see `p-chi2`.
    """
    return _log10_survival(g(table), table)
