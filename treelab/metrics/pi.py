"""Vilalta's framework Pi = (F, theta, alpha, f) (vilalta2001 sections 4 and 5).

Pair tables hold the matrices R_m: R_m[class, case], the four cases being same value and class,
same value and other class, other value and same class, other value and class.
"""

from collections.abc import Callable, Iterable
from math import isfinite
from numbers import Real
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError, check_function
from treelab.metrics.registry import MetricInfo, register
from treelab.protocols import FeatureScores, NodeView
from treelab.stats.schemes import AllPairs, Decay

Aggregate = Callable[[FloatArray, FloatArray], float]
"""From the matrices R_m (value, class, case) of a feature and the shares |T_m| / |T| to a score."""


def experiments(matrices: FloatArray, shares: FloatArray) -> float:
    """F = sum_m |T_m|/|T| sum_r (R_m[r,1] + R_m[r,4] - R_m[r,2] - R_m[r,3]) (eqs. 14, 15)."""
    return float((shares * (matrices.sum(axis=1) @ [1.0, -1.0, -1.0, 1.0])).sum())


def _four_numbers(given: Any) -> tuple[float, float, float, float]:
    four = tuple(given) if isinstance(given, Iterable) else (given,)
    if len(four) != 4 or not all(isinstance(number, Real) and isfinite(number) for number in four):
        raise ParameterError(f"theta must be four numbers, got {given!r}")
    return four


@register(
    MetricInfo(
        "pi",
        "agreement of value and class among near pairs",
        "vilalta2001 eqs. 10-15",
        "(-inf, inf)",
        needs="pairs",
    )
)
@attrs.frozen
class Pi:
    """The framework Pi with the metric of the experiments, or any other of its instances.

    Numeric features are cut into `bins` intervals of equal width at every node, for Pi knows
    only nominal features. Cost: all pairs of cases.

    Parameters
    ----------
    theta
        The weights of the four cases (eq. 10).
    alpha
        How fast pairs lose weight with distance x.
    decay
        'exponential': 2^(-alpha x); 'power': 1 / x^alpha, with f(0) = 1; 'radius': x < alpha.
    aggregate
        F: from the matrices R_m (value, class, case) of a feature and the shares of its values to a
        score; eqs. 14 and 15 by default.
    self_pairs
        Whether a case is paired with itself (algorithm 2 does).
    bins
        The number of intervals of a numeric feature.
    max_cases
        Look at no more than so many distinct cases of a node, chosen at random; None: at all.
    """

    theta: tuple[float, float, float, float] = attrs.field(
        default=(1.0, 1.0, 1.0, 1.0), converter=_four_numbers
    )
    alpha: float = 0.1
    decay: Decay = "exponential"
    aggregate: Aggregate = attrs.field(default=experiments, repr=lambda f: f.__qualname__)
    self_pairs: bool = True
    bins: int = 10
    max_cases: int | None = None

    signed = True

    def __attrs_post_init__(self) -> None:
        check_function("aggregate", self.aggregate)
        self._scheme()  # checks the rest

    def _scheme(self) -> AllPairs:
        return AllPairs(
            self.decay, self.alpha, self.self_pairs, bins=self.bins, max_cases=self.max_cases
        )

    def __call__(self, node: NodeView) -> FeatureScores:
        scheme = self._scheme()
        tables = node.pairs(scheme)
        matrices = tables.reshape(*tables.shape[:3], 4) * np.array(self.theta)
        shares = node.value_shares(scheme)
        return FeatureScores(
            np.array([self.aggregate(m, s) for m, s in zip(matrices, shares, strict=True)])
        )
