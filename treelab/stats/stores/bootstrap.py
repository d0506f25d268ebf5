"""Bootstrap samples that depend on a seed and on what is in the cases, not on their order."""

from collections.abc import Iterator

import numpy as np

from treelab._random import stream
from treelab._typing import IndexArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.order import by_content
from treelab.stats.stores.node import n_cases


def bootstrap(data: Dataset, samples: int, seed: int) -> Iterator[Dataset]:
    """Yield samples drawn with replacement, as large as the data.

    A case that is drawn several times is there once, with that weight.
    """
    data = by_content(data)
    group = _groups(data)
    mass = np.bincount(group, data.weights)
    first = np.unique(group, return_index=True)[1]
    size = n_cases(data.weights)
    for sample in range(samples):
        drawn = stream(seed, "bootstrap", sample).multinomial(size, mass / mass.sum())
        # Which of several equal cases is kept changes nothing.
        rows, weights = first[drawn > 0], drawn[drawn > 0]
        yield data.take(rows).reweighted(weights)


def _groups(data: Dataset) -> IndexArray:
    """Return a number for each case, by content: equal cases have the same one."""
    codes = np.column_stack([data.y, *Coded.of(data, Coding()).codes])
    return np.asarray(np.unique(codes, axis=0, return_inverse=True)[1].ravel(), np.int64)
