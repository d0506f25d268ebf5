"""The thyroid data as the paper parts them: one year to train on, the next to test with."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from treelab import Dataset, load
from treelab.experiment import stream
from treelab.experiment.simulation import Settings

DATA = "ann-thyroid"
NUMERIC = (1, 17, 18, 19, 20, 21)
"""The features that are numbers, as the paper numbers them."""


def parted(settings: Settings, seed: int) -> tuple[Dataset, Dataset]:
    """Return the cases of the first year and of the second: the paper's training and test cases.

    Where the settings say how many of each class, for a quick look, these are drawn by chance.
    """
    train, test = (_some(load(DATA, part), settings.get(part), seed) for part in ("train", "test"))
    return train, test


def _some(data: Dataset, counts: Sequence[int] | None, seed: int) -> Dataset:
    if counts is None:
        return data
    chosen = []
    for code, (label, count) in enumerate(zip(data.classes, counts, strict=True)):
        of_class = np.flatnonzero(data.y == code)
        shuffled = stream(seed, "duch2004", label).permutation(len(of_class))
        chosen.append(of_class[shuffled[:count]])
    return data.take(np.concatenate(chosen))


def numbered(data: Dataset) -> dict[int, str]:
    """Return the features by the numbers that the paper uses."""
    return dict(enumerate(data.features, start=1))


def standardized(model: Any) -> Any:
    """Return a classifier that sees standardized numbers."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)
