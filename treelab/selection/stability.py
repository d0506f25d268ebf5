"""How often features keep their places when the cases are drawn again (bootstrap)."""

from collections.abc import Callable

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.selection.ranking import Ranking
from treelab.stats.stores.bootstrap import bootstrap


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
    for sample in bootstrap(data, samples, seed):
        for p, name in enumerate(again(sample).features):
            shares[place[name], p] += 1 / samples
    return Stability(samples, shares)
