"""Metrics that see the context: a feature is judged by pairs of cases near by all features.

Sources: kantardzic2011 section 3.3 (Relief), kononenko1995 (ReliefF), hong1996 (Contextual
Merit), vilalta2001 algorithm 1. All judge a feature as a whole.
"""

from typing import Any, ClassVar, Literal

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError, check_choice, check_number
from treelab.metrics.adapters import from_pairs
from treelab.metrics.registry import MetricInfo, register
from treelab.protocols import Closeness, FeatureScores, NodeView, PairScheme, Ramp
from treelab.stats.formulas.permutation import over_shuffled_features
from treelab.stats.pairs.gaps import Missing
from treelab.stats.pairs.schemes import ALL, AllPairs, Contextual, Nearest, Rows, Ties


def difference_in_class(tables: FloatArray) -> FloatArray:
    """Return, for each feature, what other classes differ minus what the own class differs."""
    differs = tables[:, :, :, 1].sum(axis=(1, 2))
    return np.asarray(differs[:, 1] - differs[:, 0])


def difference_of_others(tables: FloatArray) -> FloatArray:
    """Return, for each feature, what cases of other classes differ."""
    return np.asarray(tables[:, :, :, 1, 1].sum(axis=(1, 2)))


def _number_of_neighbours(k: int | str | None) -> int:
    """Return k as the schemes write it."""
    if k is None:
        return 0
    if k == "all":
        return ALL
    if isinstance(k, int) and not isinstance(k, bool) and k >= 1:
        return k
    raise ParameterError(f"k must be a whole number of at least 1, 'all' or None, got {k!r}")


@register(
    MetricInfo(
        "relief", "nearest hit against nearest miss", "kantardzic2011 3.3", "[-1, 1]", needs="pairs"
    )
)
@attrs.frozen
class Relief:
    """Kira and Rendell's Relief: mean of diff(miss)^2 - diff(hit)^2 (kantardzic2011, SPEC 4.3).

    Range -1 to 1. Finds features that tell the class only together. Missing is a value of its
    own: the book is silent. Cost: all pairs of cases.

    Parameters
    ----------
    normalize
        Whether numbers differ by their share of the range, or (the book's example) as they are.
    ties
        'shared': cases at the same distance share their place; 'first': the first one takes it.
    euclid
        Whether neighbours are near by Euclidean distance, or by the sum of differences.
    max_cases
        Look at no more than so many distinct cases of a node, chosen at random; None: at all.
    m
        No more than so many distinct cases, chosen at random, look for neighbours, which may be
        any case (the book's m); None: all do.
    """

    normalize: bool = True
    ties: Ties = "shared"
    euclid: bool = True
    max_cases: int | None = None
    m: int | None = None

    signed = judges_features = True

    def __attrs_post_init__(self) -> None:
        self._scheme()  # checks the parameters

    def __call__(self, node: NodeView) -> FeatureScores:
        return from_pairs(self._scheme(), difference_in_class)(node)

    def _scheme(self) -> Nearest:
        ramp = 1.0 if self.normalize else None
        return Nearest(
            1, each_class=False, euclid=self.euclid, squared=True, ties=self.ties, ramp=ramp,
            max_cases=self.max_cases, m=self.m,
        )  # fmt: skip


@register(
    MetricInfo(
        "relieff",
        "k nearest of each class, by prior",
        "kononenko1995 section 5, SPEC 2.11",
        "[-1, 1]",
        needs="pairs",
    )
)
@attrs.frozen
class ReliefF:
    """ReliefF: k nearest hits against the k nearest misses of each class, weighted by priors.

    W_f = mean over cases of sum_c p_c / (1 - p_own) mean diff(misses of c) - mean diff(hits)
    (SPEC 2.11). Range -1 to 1. Robust to noise; k trades context against noise. Cost: all pairs.

    Parameters
    ----------
    k
        How many neighbours of each class.
    ties
        'shared' or 'first', see `Relief`.
    missing
        'expected': a missing value is as far as a random value of its class is expected to be
        (Kononenko 1994), where enough of the class is known, else one of any class (SPEC 12.3);
        'value': missing is a value of its own.
    max_cases
        Look at no more than so many distinct cases of a node, chosen at random; None: at all.
    """

    k: int = 10
    ties: Ties = "shared"
    missing: Missing = "expected"
    max_cases: int | None = None

    signed = judges_features = True

    def __attrs_post_init__(self) -> None:
        self._scheme()  # checks the parameters

    def __call__(self, node: NodeView) -> FeatureScores:
        return from_pairs(self._scheme(), difference_in_class)(node)

    def _scheme(self) -> Nearest:
        return Nearest(
            _number_of_neighbours(self.k), ties=self.ties,
            missing=self.missing, max_cases=self.max_cases,
        )  # fmt: skip


@register(
    MetricInfo(
        "relieff-exp-rank",
        "ReliefF, nearer neighbours count more",
        "Robnik-Sikonja and Kononenko 2003",
        "[-1, 1]",
        needs="pairs",
    )
)
@attrs.frozen
class ReliefFExpRank:
    """ReliefF in which the neighbour of rank r counts exp(-(r / spread)^2).

    Range -1 to 1; less sensitive to k than ReliefF. Cost: all pairs of cases. Parameters else as
    those of `ReliefF`.
    """

    k: int = 70
    spread: float = 20.0
    ties: Ties = "shared"
    missing: Missing = "expected"
    max_cases: int | None = None

    signed = judges_features = True

    def __attrs_post_init__(self) -> None:
        check_number("k", self.k, 1, whole=True)
        check_number("spread", self.spread, 1e-9)
        self._scheme()  # checks the rest

    def __call__(self, node: NodeView) -> FeatureScores:
        return from_pairs(self._scheme(), difference_in_class)(node)

    def _scheme(self) -> Nearest:
        return Nearest(
            self.k, rank_spread=self.spread, ties=self.ties,
            missing=self.missing, max_cases=self.max_cases,
        )  # fmt: skip


def _ramp(given: Any) -> Any:
    """Return several ramps as a value that can be hashed."""
    return tuple(given) if isinstance(given, list) else given


@register(
    MetricInfo(
        "contextual-merit",
        "differences from near counter-examples",
        "hong1996 eq. 32",
        "[0, inf)",
        needs="pairs",
    )
)
@attrs.frozen
class ContextualMerit:
    """CM0: sum of d / D^2 over the nearest counter-examples of every case (hong1996 eq. 32).

    From 0. Prefers numeric features and those with many values. Cost: all pairs of cases.

    Parameters
    ----------
    k
        How many counter-examples; None: max(1, floor(log2 n)) of n; or 'all'.
    ramp
        Numbers that differ by this share of the range differ fully (eq. 28); a list has one for
        each feature in turn, the paper's t_k: 'ramp=0.5/0.5/0.3' (nominal ones ignore theirs).
    rows
        'all' cases look for counter-examples, or those of the 'smaller' class (hong1996 Table 2).
    ties
        'shared' or 'first', see `Relief`.
    max_cases
        Sum over no more than so many distinct cases of a node, chosen at random; None: over all.
    """

    k: int | Literal["all"] | None = None
    ramp: Ramp = attrs.field(default=0.5, converter=_ramp)
    rows: Rows = "all"
    ties: Ties = "shared"
    max_cases: int | None = None

    judges_features = True
    expectations: ClassVar[tuple[Closeness, ...]] = ()

    def __attrs_post_init__(self) -> None:
        check_choice("rows", self.rows, ("all", "smaller"))
        check_choice("ties", self.ties, ("shared", "first"))
        self._scheme()  # checks the rest

    def __call__(self, node: NodeView) -> FeatureScores:
        return from_pairs(self._scheme(), difference_of_others)(node)

    @property
    def lower_is_better(self) -> bool:
        return False

    def quantity(self, node: NodeView) -> FeatureScores:
        return self(node)

    def expected(self, node: NodeView, how: Closeness) -> FloatArray | None:  # noqa: ARG002
        """Return nothing: neighbours and weights depend on the shuffled feature (SPEC 1.7)."""
        return None

    def null_samples(self, node: NodeView, rounds: int) -> FloatArray:
        return over_shuffled_features(self, node, rounds)

    def _scheme(self) -> PairScheme:
        # All of all: the same pairs, without looking for the nearest.
        if self.k == "all" and self.rows == "all":
            return AllPairs("power", 2.0, ramp=self.ramp, max_cases=self.max_cases)
        return Nearest(
            _number_of_neighbours(self.k), each_class=False, mean=False, alpha=2.0,
            ties=self.ties, rows=self.rows, ramp=self.ramp, max_cases=self.max_cases,
        )  # fmt: skip


@register(
    MetricInfo(
        "contextual-merit-1",
        "the same, near by the other features",
        "hong1996 eqs. 31, 32",
        "[0, inf)",
        needs="pairs",
    )
)
@attrs.frozen
class ContextualMerit1(ContextualMerit):
    """CM1: the distance of a pair leaves out the feature that is judged (hong1996, SPEC 1.6).

    Counter-examples near by Delta = D - d_f count d / (1 + Delta)^2. Parameters as CM0's.
    """

    expectations: ClassVar[tuple[Closeness, ...]] = ("exact",)

    def _scheme(self) -> PairScheme:
        k = _number_of_neighbours(self.k)
        return Contextual(k, self.rows, self.ties, ramp=self.ramp, max_cases=self.max_cases)

    def expected(self, node: NodeView, how: Closeness) -> FloatArray | None:
        """RM1 = sum of the pairs' weights times the feature's mean distance (hong1996 eq. 35)."""
        if how != "exact":
            return None
        weights = node.pairs(self._scheme())[..., 1].sum(axis=(1, 2, 3))
        return np.asarray(weights * node.mean_distances(self._scheme()))


@register(
    MetricInfo(
        "algorithm-1",
        "all pairs closer than a radius",
        "vilalta2001 algorithm 1",
        "(-inf, inf)",
        needs="pairs",
    )
)
@attrs.frozen
class Algorithm1:
    """Vilalta's general form of a discrimination metric (vilalta2001 algorithm 1, eqs. 8, 9).

    Every ordered pair of cases closer than `radius` updates the features: with `update`
    'relief' by +d for different classes and -d for equal ones (eq. 8), with 'merit' by d / D^2 for
    different classes only (eq. 9). None: all pairs are close. `max_cases` as in `ContextualMerit`.
    """

    update: Literal["relief", "merit"] = "relief"
    radius: float | None = 2.0
    max_cases: int | None = None

    judges_features = True

    def __attrs_post_init__(self) -> None:
        check_choice("update", self.update, ("relief", "merit"))
        if self.radius is not None:
            check_number("radius", self.radius, 0)
        self._scheme(0.0)  # checks the rest

    @property
    def signed(self) -> bool:
        """Whether differences within a class are taken away, so that chance gives about 0."""
        return self.update == "relief"

    def __call__(self, node: NodeView) -> FeatureScores:
        if self.update == "merit":
            return from_pairs(self._scheme(2.0), difference_of_others)(node)
        return from_pairs(self._scheme(0.0), difference_in_class)(node)

    def _scheme(self, alpha: float) -> AllPairs:
        return AllPairs("power", alpha, within=self.radius, max_cases=self.max_cases)
