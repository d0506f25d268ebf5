"""Pi with weights that leave out the judged feature, and so a chance that can be computed.

As in hong1996's CM1, the distance of a pair is that on all other features. Where the values of the
feature are dealt out again, weights and classes of the pairs stay as they are, and every pair of
cases i != j gets two values at random (hong1996 eq. 35; SPEC 1.7). With n_m cases of value m and
q_m = n_m / n, a pair adds to eq. 14 on average

    A = sum_m q_m n_m (n_m - 1) / (n (n - 1))   for agreeing in value,
    B = sum_m q_m n_m (n - n_m) / (n (n - 1))   for differing in it,

so that with the weights W_same and W_other of all pairs i != j of the same and of other classes,
and W_self of the cases paired with themselves,

    E{F} = A (theta_1 W_same - theta_2 W_other) + B (theta_4 W_other - theta_3 W_same)
           + theta_1 W_self sum_m q_m^2.
"""

from typing import ClassVar

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.metrics.comparison import Summary
from treelab.metrics.normalized import Normalized
from treelab.metrics.pi import Pi, Theta, experiments
from treelab.metrics.registry import MetricInfo, register
from treelab.protocols import Closeness, FeatureScores, NodeView
from treelab.stats.formulas.permutation import over_shuffled_features
from treelab.stats.pairs.schemes import Decay, LeftOut


@register(
    MetricInfo(
        "pi-1",
        "pi, near by the other features",
        "vilalta2001 eqs. 14-15, weights after hong1996's CM1",
        "(-inf, inf)",
        needs="pairs",
    )
)
@attrs.frozen
class Pi1(Pi):
    """Pi whose weights leave out the feature that is judged, as CM1 leaves it out.

    Near pairs are then those that are alike in all else, and what chance gives the score has a
    formula (`treelab.metrics.pi_context`). Parameters and bias as `Pi`'s; cost: all pairs of cases.
    """

    expectations: ClassVar[tuple[Closeness, ...]] = ("exact",)

    @property
    def scheme(self) -> LeftOut:
        """Which pairs count, with what weight."""
        return LeftOut(
            self.decay, self.alpha, self.self_pairs, bins=self.bins, max_cases=self.max_cases
        )

    @property
    def lower_is_better(self) -> bool:
        return False

    def quantity(self, node: NodeView) -> FeatureScores:
        return self(node)

    def expected(self, node: NodeView, how: Closeness) -> FloatArray | None:
        """Return E{F} where the values of a feature are dealt out again; none for other F."""
        if how != "exact" or self.aggregate is not experiments:
            return None
        same, other = _totals(node, attrs.evolve(self.scheme, self_pairs=False))
        alone = _totals(node, self.scheme)[0] - same
        agree, differ = chances(node.value_shares(self.scheme), float(node.class_counts.sum()))
        t1, t2, t3, t4 = self.theta
        return np.asarray(
            agree * (t1 * same - t2 * other)
            + differ * (t4 * other - t3 * same)
            + (agree + differ) * t1 * alone
        )

    def null_samples(self, node: NodeView, rounds: int) -> FloatArray:
        return over_shuffled_features(self, node, rounds)


def chances(shares: FloatArray, n: float) -> tuple[FloatArray, FloatArray]:
    """Return A and B of each feature, from the shares of its values among n cases."""
    whole = (shares**2).sum(axis=1)
    differ = (shares**2 * (1.0 - shares)).sum(axis=1) * (n / (n - 1.0) if n > 1.0 else 0.0)
    return np.asarray(whole - differ), np.asarray(differ)


def _totals(node: NodeView, scheme: LeftOut) -> tuple[FloatArray, FloatArray]:
    """Return the weight of all pairs of the same class and of other classes, for each feature."""
    same, other = np.moveaxis(node.pairs(scheme).sum(axis=(1, 2, 3)), -1, 0)
    return same, other


@register(
    MetricInfo(
        "normalized-pi",
        "pi-1 less its expectation with the feature shuffled",
        "hong1996 eq. 35 for vilalta2001 eqs. 14-15",
        "(-inf, inf); 0 by chance",
        needs="pairs",
    )
)
def normalized_pi(
    theta: Theta = (1.0, 1.0, 1.0, 1.0),
    alpha: float = 0.1,
    decay: Decay = "exponential",
    summary: Summary = "difference",
    bins: int = 10,
    max_cases: int | None = None,
) -> Normalized:
    """F - E{F} of Pi with weights that leave the feature out, exactly.

    Noise scores 0 on average, whatever its number of values. `summary` may be 'z' or 'p-value',
    for which the feature is shuffled; the other parameters are `Pi`'s. Cost: twice that of `Pi`.
    """
    pi = Pi1(theta, alpha, decay, self_pairs=False, bins=bins, max_cases=max_cases)
    return Normalized(pi, summary=summary)
