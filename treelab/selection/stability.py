"""How often features keep their places when the cases are drawn again (bootstrap)."""

from collections.abc import Callable

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.selection.ranking import Ranking
from treelab.stats.node import n_cases


@attrs.frozen(eq=False)
class Stability:
    """Where features were in bootstrap samples.

    `shares[f, p]` is how often the feature at place f of the ranking was at place p; `kept` how
    often it was at its own; `deviation` how far its place strays (standard deviation).
    """

    samples: int
    shares: FloatArray

    @property
    def kept(self) -> FloatArray:
        return np.diagonal(self.shares).copy()

    @property
    def deviation(self) -> FloatArray:
        place = np.arange(len(self.shares))
        mean = self.shares @ place
        return np.asarray(np.sqrt(np.maximum(self.shares @ place**2 - mean**2, 0.0)))


def stability(
    data: Dataset, ranking: Ranking, again: Callable[[Dataset], Ranking], samples: int, seed: int
) -> Stability:
    """Rank so many samples, drawn with replacement, as large as the data."""
    place = {name: f for f, name in enumerate(ranking.features)}
    shares = np.zeros((len(place), len(place)))
    group = _groups(data)
    mass = np.bincount(group, data.weights)
    first = np.unique(group, return_index=True)[1]
    size = n_cases(data.weights)
    for sample in range(samples):
        drawn = stream(seed, "bootstrap", sample).multinomial(size, mass / mass.sum())
        # Which of several equal cases is kept changes nothing.
        rows, weights = first[drawn > 0], drawn[drawn > 0]
        for p, name in enumerate(again(data.take(rows).reweighted(weights)).features):
            shares[place[name], p] += 1 / samples
    return Stability(samples, shares)


def _groups(data: Dataset) -> IndexArray:
    """Return a number for each case, by content: equal cases have the same one."""
    codes = np.column_stack([data.y, *Coded.of(data, Coding()).codes])
    return np.asarray(np.unique(codes, axis=0, return_inverse=True)[1].ravel(), np.int64)
