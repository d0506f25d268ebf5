"""The normalized metrics of hong1996 by name: what is left of an impurity, over its expectation."""

import warnings
from typing import Literal

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import DataWarning, ParameterError, check_choice, check_number
from treelab.metrics.discrimination import ContextualMerit, ContextualMerit1
from treelab.metrics.gini import gini
from treelab.metrics.normalized import Normalized
from treelab.metrics.options import ParametricFormula
from treelab.metrics.registry import MetricInfo, register, register_formula
from treelab.protocols import Formula, Ramp
from treelab.stats.formulas.composed import Composed
from treelab.stats.formulas.expectation import (
    SMALL_VALUE,
    against_chance,
    expected_entropy,
    expected_entropy_24,
    expected_entropy_26,
    expected_gini,
)
from treelab.stats.formulas.impurity import n_log_n, of_classes, sum_of_squares
from treelab.stats.formulas.sums import Sum, sums_of
from treelab.stats.pairs.schemes import Rows, Ties

EXPECTED_ENTROPY: dict[str, Formula] = {
    "exact": expected_entropy,
    "eq24": expected_entropy_24,
    "eq26": expected_entropy_26,
}


@attrs.frozen
class ExpectedEntropy26:
    """Eq. 26 with its threshold A: values of up to so many cases are treated exactly."""

    small: float

    def __call__(self, table: FloatArray) -> FloatArray:
        return expected_entropy_26(table, self.small)


@register_formula(
    MetricInfo(
        "normalized-gini",
        "Gini impurity left over its expectation, negated",
        "hong1996 eq. 16, SPEC 1.5",
        "(-inf, 0]; -1 by chance",
        lower_is_better=True,
    ),
    uninformed=1.0,
)
def normalized_gini(table: FloatArray) -> FloatArray:
    """G(C|F) / E{G(C|F)}; 1 where both are 0 (hong1996 eq. 16); lower is better.

    From 0; 1 is as good as chance, whatever the number of values. Cost: as Gini.
    """
    left = 1.0 - sum_of_squares(of_classes(table)) - gini(table)
    return against_chance(left, expected_gini(table))


def check_expectation(expectation: str = "exact", small: int = SMALL_VALUE) -> None:
    """Raise if there is no such expectation, and warn of the one that identifiers deceive."""
    check_choice("expectation", expectation, EXPECTED_ENTROPY)
    check_number("small", small, 0, whole=True)
    if small != SMALL_VALUE and expectation != "eq26":
        raise ParameterError(f"small is of expectation 'eq26', got expectation {expectation!r}")
    if expectation == "eq24":
        warnings.warn(
            "by expectation 'eq24' a column with a value for every case, such as an identifier, "
            "gets the best value: take 'exact' or 'eq26', or leave such columns out",
            DataWarning,
            stacklevel=2,
        )


@register_formula(
    MetricInfo(
        "normalized-entropy",
        "class entropy left over its expectation, negated",
        "hong1996 eqs. 17-26, SPEC 1.4",
        "(-inf, 0]; -1 by chance",
        lower_is_better=True,
    ),
    check=check_expectation,
    uninformed=1.0,
)
@ParametricFormula
def normalized_entropy(expectation: str = "exact", small: int = SMALL_VALUE) -> Formula:
    """H(C|F) / E{H(C|F)}; 1 where both are 0 (hong1996 section 2); lower is better.

    `expectation` is 'exact' (a hypergeometric sum), 'eq24' (second order), or 'eq26' (second order
    for values of more than `small` cases, the paper's A; exact for others). From 0; 1 is as good as
    chance. Cost: twice the gain for cuts; elsewhere the exact sum takes about the square root of
    the number of cases for each size of a branch and each class.

    'eq24' warns: for values of few cases it expects far too much to be left (SPEC 1.4), and an
    identifier, of which nothing is left, gets the best value there is; by 'exact' it is worth 1.
    """
    check_choice("expectation", expectation, EXPECTED_ENTROPY)
    expected = EXPECTED_ENTROPY[expectation]
    if expectation == "eq26" and small != SMALL_VALUE:
        expected = ExpectedEntropy26(small)
    return Composed(against_chance, (entropy_left, expected))


@sums_of(n_log_n)
def entropy_left(
    cells: Sum, branches: Sum, _shares: Sum, _classes: Sum, _whole: Sum, n: Sum
) -> Sum:
    """H(C|F), in bits."""
    return np.maximum(branches - cells, 0.0) / n


@register(
    MetricInfo(
        "normalized-contextual-merit",
        "CM0 over its mean with the feature shuffled",
        "hong1996 section 3, SPEC 1.7",
        "[0, inf); 1 by chance",
        needs="pairs",
    )
)
def normalized_contextual_merit(
    k: int | Literal["all"] | None = None,
    ramp: Ramp = 0.5,
    rows: Rows = "all",
    ties: Ties = "shared",
    rounds: int = 10,
) -> Normalized:
    """NCM0 = M0 / RM0: the values of one feature are shuffled `rounds` times (hong1996).

    The other parameters are those of `ContextualMerit`. Cost: CM0 for each feature and round.
    """
    return Normalized(ContextualMerit(k, ramp, rows, ties), rounds=rounds)


@register(
    MetricInfo(
        "normalized-contextual-merit-1",
        "CM1 over its expectation",
        "hong1996 eq. 35, SPEC 1.7",
        "[0, inf); 1 by chance",
        needs="pairs",
    )
)
def normalized_contextual_merit_1(
    k: int | Literal["all"] | None = None,
    ramp: Ramp = 0.5,
    rows: Rows = "all",
    ties: Ties = "shared",
) -> Normalized:
    """NCM1 = M1 / RM1 (hong1996 eq. 35), exactly. Parameters as `ContextualMerit`; cost as CM1."""
    return Normalized(ContextualMerit1(k, ramp, rows, ties))
