"""Minimum description length (kononenko1995 section 2.5).

The number of classes C is that of the whole problem, the width of the table: a class absent at
the node still has to be coded (SPEC 2.9).
"""

import numpy as np
from scipy.special import gammaln

from treelab._typing import FloatArray
from treelab.metrics.information import gain, linear_in_gain
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.protocols import Formula
from treelab.stats.formulas.composed import Composed, OfClasses
from treelab.stats.formulas.fixed_point import Cell
from treelab.stats.formulas.impurity import BITS, log_gamma, of_values, total
from treelab.stats.formulas.sums import Sum, SumFormula, sums_of


def _with_decoder(bits: FloatArray, table: FloatArray) -> FloatArray:
    return np.asarray(bits + _decoder(table) / total(table))


@register_formula(
    MetricInfo(
        "mdl-prime",
        "compression, class entropies as code",
        "kononenko1995 eq. 13",
        "(-inf, log2 C]",
    ),
    **linear_in_gain(_with_decoder),
    signed=True,
)
def mdl_prime(table: FloatArray) -> FloatArray:
    """MDL' = Gain + (log2 C(n+C-1, C-1) - sum_j log2 C(n_j+C-1, C-1)) / n (eq. 13).

    Bits saved per case; negative where the test does not compress. Against features with many
    values, strongly. Cost: a log-gamma function a branch.
    """
    return _with_decoder(gain(table), table)


@register_formula(
    MetricInfo(
        "mdl", "compression, class sequences as code", "kononenko1995 eq. 14", "(-inf, log2 C]"
    ),
    signed=True,
)
@OfClasses
def mdl(n_classes: int) -> Formula:
    """MDL: bits saved per case by coding the classes in each branch (kononenko1995 eq. 14).

    (log2 multinomial(n; n_i) - sum_j log2 multinomial(n_j; n_ij) + decoder) / n, the decoder
    being that of MDL' (erratum E10: inside 1/n). Nearly unbiased. Cost: twice the gain.
    """
    # n! and n_j! cancel: the decoder has them with the other sign.
    return Composed(np.add, (_of_cells, SumFormula(_log_rising(n_classes), _of_branches)))


def _log_factorial(n: FloatArray) -> FloatArray:
    """Return log2 n!."""
    bits: FloatArray = log_gamma(n + 1.0) * BITS  # `asarray` would not be compiled
    return bits


def _log_rising(n_classes: int) -> Cell:
    """Return the function log2 of C (C + 1) ... (C + n - 1)."""
    of_none = float(gammaln(n_classes))

    def log_rising(n: FloatArray) -> FloatArray:
        bits: FloatArray = (log_gamma(n + n_classes) - of_none) * BITS
        return bits

    return log_rising


@sums_of(_log_factorial)
def _of_cells(cells: Sum, _branches: Sum, _shares: Sum, classes: Sum, _whole: Sum, n: Sum) -> Sum:
    return (cells - classes) / n


def _of_branches(
    _cells: Sum, branches: Sum, _shares: Sum, _classes: Sum, whole: Sum, n: Sum
) -> Sum:
    return (whole - branches) / n


def _decoder(table: FloatArray) -> FloatArray:
    """Return the bits saved on telling the class frequencies, negative for a real test."""
    n_classes = table.shape[-1]
    after = _log_distributions(of_values(table), n_classes).sum(axis=-1)
    return np.asarray(_log_distributions(total(table), n_classes) - after)


def _log_distributions(n: FloatArray, n_classes: int) -> FloatArray:
    """Return log2 of the number of ways to part n cases among the classes."""
    return np.asarray((gammaln(n + n_classes) - gammaln(n_classes) - gammaln(n + 1)) * BITS)
