"""Metrics measured against chance (hong1996; SPEC section 1).

A random feature should be worth the same whatever its number of values: a metric is compared with
what it gives on average when chance deals the classes out anew.
"""

from functools import partial
from typing import Literal, get_args

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError, check_choice, check_number
from treelab.metrics.adapters import CountMetric, penalize_missing
from treelab.metrics.c45 import first_of_each_run
from treelab.metrics.comparison import SCORES, Comparison, Summary
from treelab.metrics.registry import MetricInfo, metric, register
from treelab.protocols import (
    Closeness,
    FeatureScores,
    HasExpectation,
    NodeView,
    Scores,
    SplitMetric,
)
from treelab.stats.formulas.expectation import against_chance
from treelab.stats.formulas.permutation import best_by_chance, over_permuted_classes, values_of

Expectation = Literal["auto", "exact", "approximate", "permutation"]
Of = Literal["candidate", "feature"]

SIGNIFICANCE = ("z", "p-value")
"""Summaries that ask how rare by chance something is: of what, matters most to them."""

ROUNDS, ROUNDS_OF_P = 10, 99
"""A mean needs few permutations; a P-value of 0.01 needs 99."""

MOST_ROUNDS = 10_000
"""All draws of a node are kept; no P-value needs more."""


UNINFORMED = {"ratio": 1.0, "difference": 0.0}
"""What a feature that tells nothing scores on average, by summary (SPEC 12.1)."""


@attrs.frozen
class ByTrial:
    """A metric that says nothing about chance: it is asked again on permuted classes."""

    metric: SplitMetric
    lower_is_better = False
    expectations = ()

    def __call__(self, node: NodeView) -> Scores | FeatureScores:
        return self.metric(node)

    quantity = __call__

    def expected(self, node: NodeView, how: Closeness) -> FloatArray | None:  # noqa: ARG002
        return None

    def null_samples(self, node: NodeView, rounds: int) -> FloatArray:
        return over_permuted_classes(self.metric, node, rounds)


@register(
    MetricInfo(
        "normalized",
        "any metric beside what chance gives it: normalized:gini,summary=p-value",
        "hong1996, SPEC 1.5 and 12.2",
        "by chance 1; difference, z 0",
        needs="any",
    )
)
@attrs.frozen
class Normalized:
    """Any metric against what chance gives it; itself a metric (hong1996, SPEC 1.5 and 12.2).

    Larger is better, whatever the metric: its own quantity, which may be better the lower it is,
    is what is normalized, and `raw` shows the result in its own direction. Where a feature is
    unknown for some cases, ratio and difference are shrunk by their share towards that of chance,
    as the score of every count metric is towards that of no information; z and P-value are not,
    for chance is dealt to the known cases only.

    Parameters
    ----------
    metric
        The name of a metric, or a metric; 'gain' by default.
    expectation
        'exact' and 'approximate': the metric's own formula for the mean over all permutations;
        'permutation': the mean over some; 'auto': exact where there is such a formula.
    summary
        'ratio': to the expectation; 1 is as good as chance, also where both are 0. Refused for a
        metric that is of either sign by chance (`signed`, such as ReliefF), where it means nothing.
        'difference': from it. 'z': the difference in standard deviations of the permutations.
        'p-value': (1 + permutations as good) / (1 + permutations); the score is 1 less that.
        Ratio, difference and z are fair on average but vary with the number of values, so that of
        many features that know nothing some are chosen more often; 'p-value' of 'feature' chooses
        evenly (`experiments/trust/null.py`).
    rounds
        How many permutations are drawn, where any are: 10, or 99 for 'p-value'. A case of weight 2
        is permuted as two cases; one of a fractional weight keeps its weight.
    of
        What is compared with chance. 'candidate': every cut and grouping by itself; the best of
        many then stands beside the chance of one, which favours numeric features. 'feature': the
        best of a feature's candidates, with the best of them when the classes are permuted, the
        same permutations for all features (SPEC 12.2); only the best candidate of each feature has
        a score. 'feature' is the default of z and P-value, 'candidate' that of ratio and
        difference, for which there are formulas. The score of a feature's P-value counts
        permutations equal to what was found half, and of features that no permutation reaches
        the one with the largest difference comes first (`Comparison.graded_confidence`); `raw` is
        the P-value itself.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.Normalized("g")
    Normalized(metric=metric('g'), expectation='auto', summary='ratio', rounds=10, of='candidate')
    >>> tl.grow(tl.load("voting"), tl.Normalized("mantaras", summary="z")).root.feature
    'physician-fee-freeze'
    >>> tl.metric("normalized:gini,summary=p-value") == tl.Normalized("gini", summary="p-value")
    True
    """

    metric: SplitMetric = attrs.field(factory=partial(metric, "gain"), converter=metric)
    expectation: Expectation = "auto"
    summary: Summary = "ratio"
    rounds: int = attrs.field()
    of: Of = attrs.field()

    @rounds.default
    def _usual_rounds(self) -> int:
        return ROUNDS_OF_P if self.summary == "p-value" else ROUNDS

    @of.default
    def _usual_of(self) -> Of:
        return "feature" if self.summary in SIGNIFICANCE else "candidate"

    def __attrs_post_init__(self) -> None:
        check_choice("expectation", self.expectation, get_args(Expectation))
        check_choice("summary", self.summary, SCORES)
        check_choice("of", self.of, get_args(Of))
        fewest = 2 if self.summary == "z" else 1
        check_number("rounds", self.rounds, fewest, MOST_ROUNDS, whole=True)
        self._check_ratio()
        self._check_draws()
        self._check_expectation()

    def _check_ratio(self) -> None:
        if self.summary == "ratio" and getattr(self.metric, "signed", False):
            raise ParameterError(
                f"{self.metric!r} is of either sign by chance, so that a ratio to chance means "
                "nothing: take summary 'difference', 'z' or 'p-value'"
            )

    def _check_draws(self) -> None:
        if self._needs_draws and self.expectation in get_args(Closeness):
            what = f"summary {self.summary!r}" if self.summary in SIGNIFICANCE else "of 'feature'"
            raise ParameterError(
                f"{what} needs permutations: "
                f"expectation must be 'auto' or 'permutation', got {self.expectation!r}"
            )

    def _check_expectation(self) -> None:
        """Raise where the metric says of itself that it has no such formula."""
        known = getattr(self._source, "expectations", get_args(Closeness))
        if self.expectation in get_args(Closeness) and self.expectation not in known:
            raise self._no_expectation()

    def _no_expectation(self) -> ParameterError:
        return ParameterError(
            f"{self.metric!r} has no {self.expectation} expectation: take 'permutation'"
        )

    def __call__(self, node: NodeView) -> Scores | FeatureScores:
        found = self._source.quantity(node)
        scores = self._scores(self._compared(node, found))
        if isinstance(found, FeatureScores):
            return FeatureScores(scores)
        scores = self._of_candidates(node, found, scores)
        if self.summary in SIGNIFICANCE:
            return scores
        return penalize_missing(scores, node, UNINFORMED[self.summary])

    def compared(self, node: NodeView) -> Comparison:
        """Return what the metric finds beside what chance gives it: M and E{M} of hong1996.

        For every candidate, or for every feature that has any.
        """
        return self._compared(node, self._source.quantity(node))

    def raw(self, node: NodeView) -> FloatArray:
        """Return ratio, difference, z or P-value of the metric's quantity, in its own direction."""
        found = self._source.quantity(node)
        compared = self._compared(node, found)
        if self.summary == "ratio":
            return self._of_candidates(
                node, found, against_chance(compared.found, compared.expected)
            )
        if self.summary == "p-value":
            return self._of_candidates(node, found, compared.p())
        return self._of_candidates(node, found, self._sign * SCORES[self.summary](compared))

    @property
    def by_level(self) -> bool:
        """Whether several nodes may be judged at once: where a formula says what chance gives."""
        name = "approximation" if self.expectation == "approximate" else "expectation"
        has_formula = (
            isinstance(self.metric, CountMetric) and getattr(self.metric, name) is not None
        )
        return has_formula and self.expectation != "permutation" and not self._needs_draws

    @property
    def signed(self) -> bool:
        """Whether chance gives about 0."""
        return self.summary in ("difference", "z")

    @property
    def judges_features(self) -> bool:
        """Whether the metric, and so this one, judges features as a whole."""
        return bool(getattr(self.metric, "judges_features", False))

    @property
    def _source(self) -> HasExpectation:
        return self.metric if isinstance(self.metric, HasExpectation) else ByTrial(self.metric)

    @property
    def _sign(self) -> float:
        return -1.0 if self._source.lower_is_better else 1.0

    @property
    def _needs_draws(self) -> bool:
        return self.summary in SIGNIFICANCE or self.of == "feature"

    @property
    def _at_once(self) -> bool:
        return bool(getattr(self.metric, "by_level", False))

    def _scores(self, compared: Comparison) -> FloatArray:
        if self.summary == "p-value" and self.of == "feature":
            return compared.graded_confidence()
        return SCORES[self.summary](compared)

    def _upward(self, node: NodeView) -> Scores:
        """Return the quantity of every candidate or feature, larger being better."""
        return self._sign * values_of(self._source.quantity(node))

    def _of_candidates(
        self, node: NodeView, found: Scores | FeatureScores, given: FloatArray
    ) -> FloatArray:
        """Return what is given for each feature for its first best candidate, NaN for others."""
        if self.of == "candidate" or isinstance(found, FeatureScores):
            return np.asarray(given)
        runs, upward = node.counts.runs, self._sign * found
        best = first_of_each_run(np.where(np.isnan(upward), -np.inf, upward), runs)
        return np.where(best, runs.spread(given), np.nan)

    def _compared(self, node: NodeView, found: Scores | FeatureScores) -> Comparison:
        values = self._sign * values_of(found)
        if self.of == "feature" and not isinstance(found, FeatureScores):
            draws = best_by_chance(self._upward, node, self.rounds, self._at_once)
            best, known = map(node.counts.runs.largest, (values, node.counts.known))
            return attrs.evolve(_beside(best, draws), known=known)
        expected = self._expected(node)
        if expected is None:
            return _beside(values, self._sign * self._source.null_samples(node, self.rounds))
        return Comparison(values, self._sign * expected, np.empty((0, len(values))))

    def _expected(self, node: NodeView) -> FloatArray | None:
        """Return the metric's own formula, or None where permutations are to be drawn."""
        if self._needs_draws or self.expectation == "permutation":
            return None
        how = "exact" if self.expectation == "auto" else self.expectation
        expected = self._source.expected(node, how)
        if expected is None and self.expectation != "auto":
            raise self._no_expectation()
        return expected


def _beside(found: FloatArray, draws: FloatArray) -> Comparison:
    # What the metric cannot judge by chance is worth nothing by chance.
    draws = np.where(np.isnan(draws), 0.0, draws)
    return Comparison(found, draws.mean(axis=0), draws)
