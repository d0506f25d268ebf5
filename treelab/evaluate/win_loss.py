"""Wins, ties and losses over data sets, and the sign test on them."""

import attrs
import numpy as np
import scipy  # whose `stats` is loaded when it is needed: it takes half a second
from numpy.typing import ArrayLike

from treelab.evaluate.student import PairedTest, differences, mean_of


@attrs.frozen
class Wins:
    """How often the first of two learners was better, equal, worse."""

    wins: int
    ties: int
    losses: int

    def __str__(self) -> str:
        return f"{self.wins}/{self.ties}/{self.losses}"


def wins(a: ArrayLike, b: ArrayLike, tie: float = 0.0) -> Wins:
    """Count wins, ties (results that differ by at most `tie`) and losses of a against b.

    >>> print(wins([0.9, 0.8, 0.7], [0.8, 0.8, 0.9]))
    1/1/1
    """
    d = differences(a, b, least=1)
    return Wins(int(np.sum(d > tie)), int(np.sum(np.abs(d) <= tie)), int(np.sum(d < -tie)))


def sign_test(a: ArrayLike, b: ArrayLike) -> PairedTest:
    """Test whether wins and losses are as frequent; ties are left out.

    The statistic is the number of wins.

    >>> round(sign_test([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 2]).p, 4)
    0.2188
    """
    counted = wins(a, b)
    decided = counted.wins + counted.losses
    p = float(scipy.stats.binomtest(counted.wins, decided).pvalue) if decided else 1.0
    return PairedTest(mean_of(differences(a, b, least=1)), float(counted.wins), p)
