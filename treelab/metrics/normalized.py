"""Metrics measured against chance (hong1996; SPEC section 1).

A random feature should be worth the same whatever its number of values: a metric is compared with
what it gives on average when chance deals the classes out anew.
"""

from collections.abc import Callable
from typing import Literal, get_args

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError, check_choice, check_number
from treelab.metrics.lift import CountMetric, penalize_missing
from treelab.metrics.registry import metric
from treelab.protocols import Closeness, FeatureScores, KnowsChance, NodeView, Scores, SplitMetric
from treelab.stats.expectation import against_chance
from treelab.stats.impurity import TIE
from treelab.stats.permutation import over_permuted_classes, values_of

Expectation = Literal["auto", "exact", "approximate", "permutation"]
Summary = Literal["ratio", "difference", "z", "p-value"]


MOST_ROUNDS = 10_000
"""All draws of a node are kept; no P-value needs more."""


@attrs.frozen(eq=False)
class Comparison:
    """What was found beside what chance gives, both turned so that larger is better.

    `draws` (round, candidate or feature) is empty where the expectation is a formula.
    """

    found: FloatArray
    expected: FloatArray
    draws: FloatArray

    def ratio(self) -> FloatArray:
        """Return 1 for chance, and so many times its size more or less."""
        times = against_chance(self.found, self.expected)
        return np.where(self.expected < -TIE, 2.0 - times, times)

    def difference(self) -> FloatArray:
        """Return how much more was found."""
        return np.asarray(self.found - self.expected)

    def z(self) -> FloatArray:
        """Return the difference in standard deviations of the draws."""
        more = self.difference()
        deviation = np.maximum(self.draws.std(axis=0, ddof=1), TIE)
        return np.where(np.abs(more) <= TIE, 0.0, more / deviation)

    def confidence(self) -> FloatArray:
        """Return 1 less (1 + draws as good) / (1 + draws), equal but for rounding being as good."""
        as_good = self.draws >= self.found - TIE * np.maximum(1.0, np.abs(self.found))
        p = (1.0 + as_good.sum(axis=0)) / (1.0 + len(self.draws))
        return np.where(np.isnan(self.found), np.nan, 1.0 - p)


SCORES: dict[Summary, Callable[[Comparison], FloatArray]] = {
    "ratio": Comparison.ratio,
    "difference": Comparison.difference,
    "z": Comparison.z,
    "p-value": Comparison.confidence,
}

UNINFORMED: dict[Summary, float] = {"ratio": 1.0, "difference": 0.0, "z": 0.0, "p-value": 0.5}
"""What a feature that tells nothing scores on average (SPEC 12.1)."""


@attrs.frozen
class ByTrial:
    """A metric that says nothing about chance: it is asked again on permuted classes."""

    metric: SplitMetric
    lower_is_better = False

    def __call__(self, node: NodeView) -> Scores | FeatureScores:
        return self.metric(node)

    quantity = __call__

    def expected(self, node: NodeView, how: Closeness) -> FloatArray | None:  # noqa: ARG002
        return None

    def draws(self, node: NodeView, rounds: int) -> FloatArray:
        return over_permuted_classes(self.metric, node, rounds)


@attrs.frozen
class Normalized:
    """Any metric against what chance gives it; itself a metric (hong1996, SPEC 1.5).

    Larger is better, whatever the metric: its own quantity, which may be better the lower it is,
    is what is normalized, and `raw` shows the result in its own direction. Where a feature is
    unknown for some cases, the score is shrunk by their share towards that of chance, as that of
    every count metric is towards that of no information.

    Parameters
    ----------
    metric
        The name of a metric, or a metric.
    expectation
        'exact' and 'approximate': the metric's own formula for the mean over all permutations;
        'permutation': the mean over some; 'auto': exact where there is such a formula.
    summary
        'ratio': to the expectation; 1 is as good as chance, also where both are 0.
        'difference': from it. 'z': the difference in standard deviations of the permutations.
        'p-value': (1 + permutations as good) / (1 + permutations); the score is 1 less that.
        Ratio and difference are fair on average but vary with the number of values, so that of
        many features that know nothing some are chosen more often; 'p-value' chooses evenly
        (`experiments/trust/null.py`).
    rounds
        How many permutations are drawn, where any are. A case of weight 2 is permuted as two
        cases; one of a fractional weight keeps its weight.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.Normalized("gain")
    Normalized(metric=metric('gain'), expectation='auto', summary='ratio', rounds=10)
    >>> tl.grow(tl.load("voting"), tl.Normalized("mantaras", summary="z")).root.feature
    'physician-fee-freeze'
    """

    metric: SplitMetric = attrs.field(converter=metric)
    expectation: Expectation = "auto"
    summary: Summary = "ratio"
    rounds: int = 10

    def __attrs_post_init__(self) -> None:
        check_choice("expectation", self.expectation, get_args(Expectation))
        check_choice("summary", self.summary, SCORES)
        fewest = 2 if self.summary == "z" else 1
        check_number("rounds", self.rounds, fewest, MOST_ROUNDS, whole=True)
        if self._needs_draws and self.expectation in get_args(Closeness):
            raise ParameterError(
                f"summary {self.summary!r} needs permutations: "
                f"expectation must be 'auto' or 'permutation', got {self.expectation!r}"
            )

    def __call__(self, node: NodeView) -> Scores | FeatureScores:
        found = self._source.quantity(node)
        scores = SCORES[self.summary](self._compared(node, values_of(found)))
        if isinstance(found, FeatureScores):
            return FeatureScores(scores)
        return penalize_missing(scores, node, UNINFORMED[self.summary])

    def compared(self, node: NodeView) -> Comparison:
        """Return what the metric finds beside what chance gives it: M and E{M} of hong1996."""
        return self._compared(node, values_of(self._source.quantity(node)))

    def raw(self, node: NodeView) -> FloatArray:
        """Return ratio, difference, z or P-value of the metric's quantity, in its own direction."""
        compared = self.compared(node)
        if self.summary == "ratio":
            return against_chance(compared.found, compared.expected)
        scores = SCORES[self.summary](compared)
        return np.asarray(1.0 - scores if self.summary == "p-value" else self._sign * scores)

    @property
    def by_level(self) -> bool:
        """Whether several nodes may be judged at once: where a formula says what chance gives."""
        name = "approximation" if self.expectation == "approximate" else "expectation"
        has_formula = (
            isinstance(self.metric, CountMetric) and getattr(self.metric, name) is not None
        )
        return has_formula and self.expectation != "permutation" and not self._needs_draws

    @property
    def _source(self) -> KnowsChance:
        return self.metric if isinstance(self.metric, KnowsChance) else ByTrial(self.metric)

    @property
    def _sign(self) -> float:
        return -1.0 if self._source.lower_is_better else 1.0

    @property
    def _needs_draws(self) -> bool:
        return self.summary in ("z", "p-value")

    def _compared(self, node: NodeView, found: FloatArray) -> Comparison:
        expected, draws = self._expected(node), np.empty((0, len(found)))
        if expected is None:
            draws = self._source.draws(node, self.rounds)
            # What the metric cannot judge by chance is worth nothing by chance.
            draws = np.where(np.isnan(draws), 0.0, draws)
            expected = draws.mean(axis=0)
        return Comparison(self._sign * found, self._sign * expected, self._sign * draws)

    def _expected(self, node: NodeView) -> FloatArray | None:
        """Return the metric's own formula, or None where permutations are to be drawn."""
        if self._needs_draws or self.expectation == "permutation":
            return None
        how = "exact" if self.expectation == "auto" else self.expectation
        expected = self._source.expected(node, how)
        if expected is None and self.expectation != "auto":
            raise ParameterError(
                f"{self.metric!r} has no {self.expectation} expectation: take 'permutation'"
            )
        return expected
