"""What learning makes, whoever learns."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset


@attrs.frozen
class Model:
    """What learning made: `codes` are the classes it predicts, by their places in the data's."""

    codes: Callable[[Dataset], IndexArray]
    proba: Callable[[Dataset], FloatArray]
    leaves: float = np.nan
    depth: float = np.nan


@runtime_checkable
class ModelFactory(Protocol):
    """Makes models."""

    def fit(self, data: Dataset, seed: int) -> Model: ...

    @property
    def fingerprint(self) -> str: ...
