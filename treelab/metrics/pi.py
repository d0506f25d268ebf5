"""Vilalta's framework Pi = (F, theta, alpha, f) (vilalta2001 sections 4 and 5).

Pair tables hold the matrices R_m: R_m[class, case], the four cases being same value and class,
same value and other class, other value and same class, other value and class.
"""

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from math import isfinite
from numbers import Real
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError, check_function
from treelab.metrics.registry import MetricInfo, register
from treelab.protocols import FeatureScores, NodeView
from treelab.stats.pairs.distances import shown_decay
from treelab.stats.pairs.schemes import AllPairs, Decay

Theta = tuple[float, float, float, float]
Aggregate = Callable[..., float]
"""From the matrices R_m (value, class, case) of a feature, the shares |T_m| / |T| and, where it
takes three arguments, the matrix R (class, case) of all cases to a score."""


def experiments(matrices: FloatArray, shares: FloatArray) -> float:
    """F = sum_m |T_m|/|T| sum_r (R_m[r,1] + R_m[r,4] - R_m[r,2] - R_m[r,3]) (eqs. 14, 15)."""
    return float((shares * (matrices.sum(axis=1) @ [1.0, -1.0, -1.0, 1.0])).sum())


def _four_numbers(given: Any) -> Theta:
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

    Known bias: features of about as many values as there are classes, or fewer, are preferred, for
    the weight counts the size of a value twice (SPEC 5.3). Of six that know nothing (2, 3, 5, 10,
    20 and 40 equally frequent values, 200 cases, 200 draws) that of 2 values scores above that of
    40 in all draws where there are two classes; those of 2 and 3 are chosen in 74 %, those of 20
    and 40 never. With five classes that of 5 values is always chosen.
    `normalized:pi,summary=p-value` weighs them alike.

    Parameters
    ----------
    theta
        The weights of the four cases (eq. 10): same value and class, same value and other class,
        other value and same class, other value and class.
    alpha
        How fast pairs lose weight with distance x.
    decay
        'exponential': 2^(-alpha x); 'power': 1 / x^alpha, with f(0) = 1; 'radius': x < alpha; or
        any function f(x) that gives finite numbers of at least 0, in which `alpha` has no part.
    aggregate
        F, a function (R_m, shares) or (R_m, shares, R): from the matrices R_m (value, class, case)
        of a feature, the shares of its values and, if it asks for it, the matrix R (class, case) of
        all cases to a score; eqs. 14 and 15 by default. `treelab.pi_matrices` shows them.
    self_pairs
        Whether a case is paired with itself (algorithm 2 does).
    bins
        The number of intervals of a numeric feature.
    max_cases
        Look at no more than so many distinct cases of a node, chosen at random; None: at all.

    Examples
    --------
    Contextual Merit is an instance (proposition 2): pairs that differ in value and class count.

    >>> import treelab as tl
    >>> merit = tl.metrics.Pi((0, 0, 0, 1), decay=lambda x: 1 / max(x, 1) ** 2,
    ...                       aggregate=lambda matrices, shares: matrices.sum())
    >>> data = tl.load("voting")
    >>> tl.rank(data, merit).top(3) == tl.rank(data, "contextual-merit:k=all").top(3)
    True
    """

    theta: Theta = attrs.field(default=(1.0, 1.0, 1.0, 1.0), converter=_four_numbers)
    alpha: float = 0.1
    decay: Decay = attrs.field(default="exponential", repr=shown_decay)
    aggregate: Aggregate = attrs.field(default=experiments, repr=shown_decay)
    self_pairs: bool = True
    bins: int = 10
    max_cases: int | None = None

    signed = judges_features = True

    def __attrs_post_init__(self) -> None:
        check_function("aggregate", self.aggregate)
        _ = self.scheme  # checks the rest

    @property
    def scheme(self) -> AllPairs:
        """Which pairs count, with what weight."""
        return AllPairs(
            self.decay, self.alpha, self.self_pairs, bins=self.bins, max_cases=self.max_cases
        )

    def __call__(self, node: NodeView) -> FeatureScores:
        of_values, of_all = self.matrices(node)
        shares = node.value_shares(self.scheme)
        given = (of_values, shares, of_all)[: 3 if _asks_for_three(self.aggregate) else 2]
        return FeatureScores(np.array([self.aggregate(*of) for of in zip(*given, strict=True)]))

    def matrices(self, node: NodeView) -> tuple[FloatArray, FloatArray]:
        """Return R_m (feature, value, class, case) and R (feature, class, case) (algorithm 2).

        In R all cases have one value, so that they differ in class only: its cases 3 and 4 are 0.
        """
        tables = node.pairs(self.scheme)
        theta = np.array(self.theta)
        of_values = tables.reshape(*tables.shape[:3], 4) * theta
        of_all = np.zeros((*tables.shape[:1], tables.shape[2], 4))
        of_all[..., :2] = tables.sum(axis=(1, 3)) * theta[:2]
        return of_values, of_all


def _asks_for_three(aggregate: Aggregate) -> bool:
    """Tell whether a function cannot be called with two arguments; what has defaults is its own."""
    try:
        parameters = signature(aggregate).parameters.values()
    except (TypeError, ValueError):  # some that are written in C say nothing
        return False
    placed = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in placed and p.default is Parameter.empty for p in parameters) >= 3
