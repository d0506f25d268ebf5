"""What a metric finds beside what chance gives it, and ways to sum that up (SPEC 1.5, 12.2)."""

from collections.abc import Callable
from typing import Literal

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.kernels.ties import TIE
from treelab.stats.formulas.expectation import against_chance

Summary = Literal["ratio", "difference", "z", "p-value"]


@attrs.frozen(eq=False)
class Comparison:
    """What was found beside what chance gives, both turned so that larger is better.

    `draws` (round, candidate or feature) is empty where the expectation is a formula. `known` is
    the share of cases whose value is known, all of them unless it is given.
    """

    found: FloatArray
    expected: FloatArray
    draws: FloatArray
    known: FloatArray | float = 1.0

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
        return np.where(np.abs(more) <= TIE, 0.0, more / self._deviation)

    def p(self) -> FloatArray:
        """Return (1 + draws as good) / (1 + draws), equal but for rounding being as good."""
        p = (1.0 + self._n_draws(at_least=-1.0)) / (1.0 + len(self.draws))
        return np.where(np.isnan(self.found), np.nan, p)

    def confidence(self) -> FloatArray:
        """Return 1 less the P-value."""
        return np.asarray(1.0 - self.p())

    def graded_confidence(self) -> FloatArray:
        """Return 1 less the P-value, but so that features compare evenly.

        Draws equal to what was found count half (Lancaster's mid-P): else a binary feature, whose
        table has few outcomes, were chosen too seldom where cases are few. Features of the same
        P-value differ by less than one draw (`grade`).
        """
        equal = self._n_draws(at_least=-1.0) - self._n_draws(at_least=1.0)
        more = (equal / 2.0 + self.grade()) / (1.0 + len(self.draws))
        return np.asarray(self.confidence() + more)

    def grade(self) -> FloatArray:
        """Return a number below 1 that tells features of the same P-value apart.

        Where some draws are as good it is below 1/2 and goes by `deviate`, evenly for features that
        know nothing. Beyond all draws it is above, and goes by the difference, times the share
        of known cases: the draws say little of so far away, but all such features are no chance,
        so the one that finds most wins.
        """
        deviate, more = self.deviate(), self.difference() * self.known
        beyond = self._n_draws(at_least=-1.0) == 0
        most = max(np.max(more, where=beyond & ~np.isnan(more), initial=0.0), TIE)
        near = (1.0 + deviate / (1.0 + np.abs(deviate))) / 4.0
        return np.where(beyond, 0.5 + 0.49 * np.clip(more / most, 0.0, 1.0), near)

    def _n_draws(self, at_least: float) -> FloatArray:
        """Count the draws of at least what was found and so many times what rounding may do."""
        rounding = TIE * np.maximum(1.0, np.abs(self.found))
        return np.asarray((self.draws >= self.found + at_least * rounding).sum(axis=0))

    def deviate(self) -> FloatArray:
        """Return z without the skewness of the draws, by Wilson and Hilferty's cube root.

        Maxima and sums of squares lean to the right, those of few candidates most: a z of 3 is rare
        for a numeric feature and not for a binary one. Exact for none, close for gamma
        distributions such as that of chi-square.
        """
        z, third = self.z(), ((self.draws - self.draws.mean(axis=0)) ** 3).mean(axis=0)
        lean = third / self._deviation**3
        upright = np.abs(lean) < 1e-6
        lean = np.where(upright, 1.0, lean)
        return np.where(upright, z, 6 / lean * (np.cbrt(1 + lean * z / 2) - 1) + lean / 6)

    @property
    def _deviation(self) -> FloatArray:
        if len(self.draws) < 2:
            return np.ones(len(self.found))
        return np.asarray(np.maximum(self.draws.std(axis=0, ddof=1), TIE))


SCORES: dict[Summary, Callable[[Comparison], FloatArray]] = {
    "ratio": Comparison.ratio,
    "difference": Comparison.difference,
    "z": Comparison.z,
    "p-value": Comparison.confidence,
}
