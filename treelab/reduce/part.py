"""Features chosen on a part of the cases that is large enough (kantardzic2011 3.2.2).

"We can randomly select a part, P, of a data set, use that portion to find the subset of features
[...], and test this subset on a different part of the data. [...] If an inconsistency is found, we
shall have to repeat the process with a slightly enlarged portion."
"""

from collections.abc import Callable
from math import inf
from typing import TypeAlias

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import IndexArray
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.data.order import content_order
from treelab.errors import ParameterError, check_number
from treelab.reduce.judged import Reduction
from treelab.reduce.sampling import number_of_cases

Judge: TypeAlias = Callable[[Dataset], Reduction]


@attrs.frozen
class PartStep:
    """What was kept by a part of so many cases, and by another part of as many."""

    cases: int
    kept: tuple[str, ...]
    other: tuple[str, ...]

    @property
    def is_consistent(self) -> bool:
        """Whether both parts keep the same features."""
        return self.kept == self.other


@attrs.frozen
class PartSelection:
    """The features that were chosen, and the parts that were tried, the smallest first.

    Where no two parts agreed, all cases have chosen.
    """

    reduction: Reduction
    steps: tuple[PartStep, ...]

    @property
    def cases(self) -> int | None:
        """The size of the part that was large enough; None if none was."""
        last = self.steps[-1]
        return last.cases if last.is_consistent else None


def on_part(
    data: Dataset, judge: Judge, part: float = 0.1, *, growth: float = 1.5, seed: int = 0
) -> PartSelection:
    """Choose features on a part of the cases; enlarge it until another part chooses the same.

    Parameters
    ----------
    data
        The cases.
    judge
        Judges the features of some cases, as `treelab.reduce.features` does.
    part
        The size of the first part: a share below 1, or a number of cases. The book: "say 10%".
    growth
        By how much a part is enlarged on inconsistency. Enlarged parts hold the smaller ones.
    seed
        For the choice of the parts.

    Examples
    --------
    >>> import treelab as tl
    >>> found = on_part(tl.load("kr-vs-kp"), lambda cases: tl.reduce.features(cases, "relief", k=3))
    >>> found.cases, found.reduction.kept
    (320, ('bxqsq', 'rimmx', 'wknck'))
    """
    check_dataset(data)
    check_number("growth", growth, 1)
    if growth == 1:
        raise ParameterError("growth must exceed 1: a part has to become larger")
    check_number("seed", seed, -inf, whole=True)
    size = max(2, number_of_cases(part, len(data)))
    order = content_order(data)[stream(seed, "part").permutation(len(data))]
    steps: list[PartStep] = []
    while 2 * size <= len(data):
        found = judge(_part(data, order[:size]))
        steps.append(PartStep(size, found.kept, judge(_part(data, order[size : 2 * size])).kept))
        if steps[-1].is_consistent:
            return PartSelection(found, tuple(steps))
        size = int(np.ceil(size * growth))
    if not steps:
        raise ParameterError(
            f"a part of {size} of {len(data)} cases leaves too few for a test on others"
        )
    return PartSelection(judge(data), tuple(steps))


def _part(data: Dataset, rows: IndexArray) -> Dataset:
    return data.take(np.sort(rows))
