"""The four cases of a feature by distance, which show what alpha does (vilalta2001 section 4)."""

from math import inf

import attrs
import numpy as np

from treelab._text import aligned, visible
from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import DataError, check_number
from treelab.metrics.pi import Pi, Theta
from treelab.stats.formulas.impurity import share
from treelab.stats.pairs.pair_profile import feature_cases, hamming, pair_weights, value_shares
from treelab.stats.pairs.pairing import PairCases
from treelab.stats.stores.in_memory import root_of

MOST_CASES = 1000
SIGNS = np.array([1.0, -1.0, -1.0, 1.0])
HEADS = ("distance", "pairs", "same value, same class", "same value, other class",
         "other value, same class", "other value, other class", "agreement")  # fmt: skip


@attrs.frozen(eq=False, repr=False)
class PiCases:
    """Pairs of cases by the number of features they differ on; in print a line a distance.

    Attributes
    ----------
    feature, features
        The feature that is looked at, and all there are.
    pairs
        (distance, case): the weight of the pairs in the four cases of the feature.
    terms
        (feature, distance): what the pairs at a distance add to the score of every feature, before
        they are weighted by it: F(alpha) = sum over x of 2^(-alpha x) terms[x] (eqs. 14, 15).
    """

    feature: str
    features: tuple[str, ...]
    pairs: FloatArray
    terms: FloatArray

    @property
    def agreement(self) -> FloatArray:
        """(R1 + R4 - R2 - R3) / pairs at each distance: 1 where value and class go together."""
        return share(self.pairs @ SIGNS, self.pairs.sum(axis=1))

    def scores(self, alpha: float) -> FloatArray:
        """Return the score of every feature, as `Pi` gives it with the decay 2^(-alpha x)."""
        weights = 2.0 ** (-alpha * np.arange(self.terms.shape[1]))
        return np.asarray(self.terms @ weights)

    def mean_scores(self, alpha: float) -> FloatArray:
        """Return the scores over the weight of all pairs, so that those of any alpha compare."""
        weights = 2.0 ** (-alpha * np.arange(self.terms.shape[1]))
        return self.scores(alpha) / max(float(self.pairs.sum(axis=1) @ weights), 1e-300)

    def rank(self, alpha: float) -> int:
        """Return the rank of the feature at some alpha, 1 being the best."""
        scores = self.scores(alpha)
        mine = scores[self.features.index(self.feature)]
        return 1 + int((scores > mine * (1 + 1e-12) + 1e-12).sum())

    def __repr__(self) -> str:
        return f"<PiCases of {self.feature!r}: distances 0 to {len(self.pairs) - 1}>"

    def __str__(self) -> str:
        rows = [
            [str(x), f"{row.sum():,.6g}", *(f"{cell:,.6g}" for cell in row), f"{agreed:+.3f}"]
            for x, (row, agreed) in enumerate(zip(self.pairs, self.agreement, strict=True))
            if row.sum() > 0
        ]
        table = aligned([HEADS, *rows], [True] * len(HEADS))
        ranks = ", ".join(f"{self.rank(alpha)} at alpha {alpha:g}" for alpha in (0.0, 0.1, 1.0))
        return f"{table}\n\n{visible(self.feature)} is of rank {ranks}, of {len(self.features)}"


def pi_cases(
    data: Dataset,
    feature: str,
    theta: Theta = (1.0, 1.0, 1.0, 1.0),
    self_pairs: bool = True,
    bins: int = 10,
    max_cases: int | None = MOST_CASES,
    seed: int = 0,
) -> PiCases:
    """Return how many pairs there are in the four cases of a feature, by distance.

    The four cases are those of vilalta2001's algorithm 2: same or other value, same or other class.
    What alpha does is to say up to which distance they count; `treelab.plots.draw_pi_cases`
    draws them. The parameters are `Pi`'s.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.pi_cases(tl.make("exor", n=2, m=4, cases=200), "X1")
    >>> found.rank(0), found.rank(1)  # near pairs tell what all pairs together do not
    (4, 1)
    """
    pi = Pi(theta, self_pairs=self_pairs, bins=bins, max_cases=max_cases)
    check_number("bins", bins, 1, whole=True)
    check_number("seed", seed, -inf, whole=True)
    place = data.schema.index(feature)
    node = root_of(data, "multiway", seed=seed)
    if not len(node.rows):
        raise DataError("cases need at least one case with a known class and weight above 0")
    whole = attrs.evolve(
        PairCases.of(node.coded, node.rows, node.weights, pi.scheme.ramp, bins), rng=node.rng
    )
    pairs = whole.sampled(max_cases).distinct
    apart, weights = hamming(pairs), pair_weights(pairs, self_pairs)
    terms = [
        feature_cases(pairs, f, apart, value_shares(whole, pairs, f)[:, None] * weights)
        for f in range(len(data.features))
    ]
    signs = SIGNS * np.array(pi.theta)
    four = feature_cases(pairs, place, apart, weights)
    return PiCases(feature, data.features, four, np.stack(terms) @ signs)
