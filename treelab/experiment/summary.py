"""What the records of a study come to: means, deviations, the best, and who beats whom.

Accuracies are in %. A cell is (data set, learner); what is not known yet is NaN.
"""

from collections.abc import Collection
from functools import cached_property
from itertools import combinations

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.evaluate import (
    Friedman,
    PairedTest,
    bayesian_t,
    corrected_t,
    friedman,
    holm,
    paired_t,
    sign_test,
    wilcoxon,
    wins,
)
from treelab.experiment.results import Results
from treelab.experiment.study import OF_ONE_SET, Study

ALL = "all"
"""The scope of a test over all data sets."""


@attrs.frozen
class Tested:
    """A test of two learners on one data set or over all; differences are in points.

    `p_holm` is corrected for all pairs of the same scope and test; `belief` are the chances that
    the first is worse, equal in practice, better. What cannot be computed is None.
    """

    scope: str
    test: str
    first: str
    second: str
    difference: float
    statistic: float | None = None
    p: float | None = None
    p_holm: float | None = None
    belief: tuple[float, float, float] | None = None

    @property
    def corrected_p(self) -> float | None:
        """The P-value after all corrections; Nemenyi's is corrected by itself."""
        return self.p if self.p_holm is None else self.p_holm


@attrs.frozen
class BesidePaper:
    """An accuracy that a paper prints, and ours, in %; NaN where we have none."""

    data: str
    learner: str
    paper: float
    ours: float

    @property
    def difference(self) -> float:
        """Ours minus the paper's, in points."""
        return self.ours - self.paper


@attrs.frozen(eq=False, slots=False)
class Summary:
    """The results of a study in the form of its tables."""

    results: Results

    @property
    def study(self) -> Study:
        return self.results.study

    @property
    def data(self) -> list[str]:
        """The names of the data sets."""
        return [each.label for each in self.study.data]

    @property
    def learners(self) -> list[str]:
        """The names of the learners."""
        return [each.name for each in self.study.learners]

    @cached_property
    def contest(self) -> "Summary":
        """The same without the learners that stand apart."""
        names = [each.name for each in self.study.learners if not each.apart]
        return self if len(names) == len(self.learners) else self.of(names)

    def of(self, learners: Collection[str]) -> "Summary":
        """Return the summary of some of the learners only."""
        return Summary(self.results.of(learners))

    def rounds(self, measure: str) -> FloatArray:
        """Return (data, learner, round): means over the folds of rounds that are complete."""
        return np.asarray(self.results.cube(measure).mean(axis=3))

    def mean(self, measure: str) -> FloatArray:
        """Return (data, learner): means over the complete rounds."""
        return _mean_of_known(self.rounds(measure))

    @cached_property
    def accuracy(self) -> FloatArray:
        """The accuracy of each cell in %."""
        return 100 * self.mean("accuracy")

    @cached_property
    def deviation(self) -> FloatArray:
        """The standard deviation of each cell over the rounds; NaN for a single one."""
        rounds = 100 * self.rounds("accuracy")
        known = np.isfinite(rounds).sum(axis=2)
        centred = np.where(np.isfinite(rounds), rounds - self.accuracy[:, :, None], 0.0)
        squares = (centred**2).sum(axis=2)
        return np.where(known > 1, np.sqrt(squares / np.maximum(known - 1, 1)), np.nan)

    @cached_property
    def best(self) -> BoolArray:
        """Which cells print the highest accuracy of their row."""
        shown = np.round(self.accuracy, 2)
        top = np.max(np.where(np.isnan(shown), -np.inf, shown), axis=1, keepdims=True)
        return np.asarray(shown == top)

    @cached_property
    def marked(self) -> BoolArray:
        """Which cells are the best of their row, significantly better than the second best."""
        marked = np.zeros(self.accuracy.shape, bool)
        for row in range(len(marked)):
            if np.isfinite(self.accuracy[row]).all() and len(self.learners) > 1:
                second, first = np.argsort(self.accuracy[row], kind="stable")[-2:]
                marked[row, first] = self._is_significant(row, int(first), int(second))
        return marked

    def _is_significant(self, row: int, first: int, second: int) -> bool:
        test = self.study.marking_test
        found = None if test is None else self._paired(test, row, first, second)
        return found is not None and found.difference > 0 and found.p < self.study.alpha

    @cached_property
    def complete(self) -> BoolArray:
        """The data sets on which all learners have results."""
        return np.asarray(np.isfinite(self.accuracy).all(axis=1))

    @property
    def beside_paper(self) -> list[BesidePaper]:
        """Every figure of the paper's learners that are among ours, in the paper's order."""
        paper = self.study.paper
        expected = {} if paper is None else paper.expected
        return [
            BesidePaper(data, learner, mean, self.accuracy_of(data, learner))
            for (data, learner), (mean, _) in expected.items()
            if learner in self.learners
        ]

    def accuracy_of(self, data: str, learner: str) -> float:
        """Return an accuracy in %; NaN of what is not in the study."""
        if data not in self.data or learner not in self.learners:
            return float("nan")
        return float(self.accuracy[self.data.index(data), self.learners.index(learner)])

    def averages(self) -> FloatArray:
        """Return the mean accuracy of each learner over the complete data sets."""
        return _mean_of_known(self.accuracy[self.complete].T)

    def n_best(self) -> list[int]:
        """Return on how many data sets each learner is the only best."""
        alone = self.best & (self.best.sum(axis=1, keepdims=True) == 1)
        return [int(n) for n in alone.sum(axis=0)]

    @cached_property
    def friedman(self) -> Friedman | None:
        """Friedman's test over the complete data sets, if there are enough."""
        if self.complete.sum() < 2 or len(self.learners) < 3:
            return None
        return friedman(self.accuracy[self.complete])

    def wins(self, first: int, second: int) -> str:
        """Return 'wins/ties/losses' of two learners, accuracies being as printed."""
        shown = np.round(self.accuracy[self.complete], 2)
        return str(wins(shown[:, first], shown[:, second])) if len(shown) else "0/0/0"

    @cached_property
    def tested(self) -> list[Tested]:
        """All tests the study asks for."""
        pairs = list(combinations(range(len(self.learners)), 2))
        found: list[Tested] = []
        for test in self.study.tests:
            if test in OF_ONE_SET:
                for row in np.flatnonzero(self.complete):
                    found += self._of_one_set(test, int(row), pairs)
            else:
                found += self._over_sets(test, pairs)
        return found

    def _of_one_set(self, test: str, row: int, pairs: list[tuple[int, int]]) -> list[Tested]:
        scope = self.data[row]
        if test == "bayes":
            return [self._belief(row, *pair) for pair in pairs if self._folds(row).shape[1] > 1]
        outcomes = [self._paired(test, row, *pair) for pair in pairs]
        return self._family(scope, test, pairs, outcomes)

    def _over_sets(self, test: str, pairs: list[tuple[int, int]]) -> list[Tested]:
        scores = np.round(self.accuracy[self.complete], 2)
        if test == "friedman":
            return self._nemenyi(pairs)
        if not len(scores):
            return []
        make = {"wilcoxon": wilcoxon, "sign": sign_test}[test]
        return self._family(ALL, test, pairs, [make(scores[:, i], scores[:, j]) for i, j in pairs])

    def _nemenyi(self, pairs: list[tuple[int, int]]) -> list[Tested]:
        if self.friedman is None:
            return []
        p, ranks, means = self.friedman.nemenyi(), self.friedman.ranks, self.averages()
        return [
            Tested(
                ALL, "nemenyi", self.learners[i], self.learners[j], float(means[i] - means[j]),
                float(ranks[i] - ranks[j]), float(p[i, j]),
            )
            for i, j in pairs
        ]  # fmt: skip

    def _family(
        self,
        scope: str,
        test: str,
        pairs: list[tuple[int, int]],
        outcomes: list[PairedTest | None],
    ) -> list[Tested]:
        known = [(pair, found) for pair, found in zip(pairs, outcomes, strict=True) if found]
        corrected = holm([found.p for _, found in known])
        return [
            Tested(
                scope, test, self.learners[i], self.learners[j], found.difference,
                _known(found.statistic), _known(found.p), _known(float(p)),
            )
            for ((i, j), found), p in zip(known, corrected, strict=True)
        ]  # fmt: skip

    def _paired(self, test: str, row: int, first: int, second: int) -> PairedTest | None:
        """Return a test of two learners on a data set; None where there are too few results."""
        if test == "t":
            rounds = self._rounds(row)
            return paired_t(rounds[first], rounds[second]) if rounds.shape[1] > 1 else None
        folds = self._folds(row)
        if folds.shape[1] < 2:
            return None
        return corrected_t(folds[first], folds[second], 1 / self.study.folds)

    def _belief(self, row: int, first: int, second: int) -> Tested:
        a, b = self._folds(row)[[first, second]]
        belief = bayesian_t(a, b, 1 / self.study.folds, 100 * self.study.rope)
        chances = (belief.worse, belief.equal, belief.better)
        names = (self.learners[first], self.learners[second])
        return Tested(self.data[row], "bayes", *names, float((a - b).mean()), belief=chances)

    @cached_property
    def _cube(self) -> FloatArray:
        """The accuracy of every trial in %."""
        return 100 * self.results.cube("accuracy")

    def _rounds(self, row: int) -> FloatArray:
        """Return (learner, round) in %, of the rounds that all learners have."""
        return np.asarray(self._whole(row).mean(axis=2))

    def _folds(self, row: int) -> FloatArray:
        """Return (learner, fold of any round) in %, of the rounds that all learners have."""
        return self._whole(row).reshape(len(self.learners), -1)

    def _whole(self, row: int) -> FloatArray:
        cube = self._cube[row]
        return np.asarray(cube[:, np.isfinite(cube).all(axis=(0, 2))])


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def _mean_of_known(values: FloatArray) -> FloatArray:
    """Return the mean over the last axis of what is not NaN; NaN where nothing is known."""
    known = np.isfinite(values)
    n = known.sum(axis=-1)
    sums = np.where(known, values, 0.0).sum(axis=-1)
    return np.where(n > 0, sums / np.maximum(n, 1), np.nan)
