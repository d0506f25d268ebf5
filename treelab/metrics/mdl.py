"""Minimum description length (kononenko1995 section 2.5).

The number of classes C is that of the whole problem, the width of the table: a class absent at
the node still has to be coded (SPEC 2.9).
"""

import numpy as np
from scipy.special import gammaln

from treelab._typing import FloatArray
from treelab.metrics.information import gain, linear_in_gain
from treelab.metrics.registry import MetricInfo, register_formula
from treelab.stats.impurity import BITS, of_classes, of_values, total


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
def mdl(table: FloatArray) -> FloatArray:
    """MDL: bits saved per case by coding the classes in each branch (kononenko1995 eq. 14).

    (log2 multinomial(n; n_i) - sum_j log2 multinomial(n_j; n_ij) + decoder) / n, the decoder
    being that of MDL' (erratum E10: inside 1/n). Nearly unbiased. Cost: a log-gamma a cell.
    """
    before = _log_multinomial(of_classes(table))
    after = _log_multinomial(table).sum(axis=-1)
    return np.asarray((before - after + _decoder(table)) / total(table))


def _decoder(table: FloatArray) -> FloatArray:
    """Return the bits saved on telling the class frequencies, negative for a real test."""
    n_classes = table.shape[-1]
    after = _log_distributions(of_values(table), n_classes).sum(axis=-1)
    return np.asarray(_log_distributions(total(table), n_classes) - after)


def _log_distributions(n: FloatArray, n_classes: int) -> FloatArray:
    """Return log2 of the number of ways to part n cases among the classes."""
    return np.asarray((gammaln(n + n_classes) - gammaln(n_classes) - gammaln(n + 1)) * BITS)


def _log_multinomial(counts: FloatArray) -> FloatArray:
    """Return log2 of the number of class sequences with the given frequencies (last axis)."""
    return np.asarray((gammaln(counts.sum(axis=-1) + 1) - gammaln(counts + 1).sum(axis=-1)) * BITS)
