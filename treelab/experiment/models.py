"""What learning makes, whoever learns."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.data.dataset import Dataset


@attrs.frozen
class Model:
    """What learning made: `right` tells which cases it predicts rightly."""

    right: Callable[[Dataset], BoolArray]
    proba: Callable[[Dataset], FloatArray]
    leaves: float = np.nan
    depth: float = np.nan


@runtime_checkable
class ModelFactory(Protocol):
    """Makes models."""

    def fit(self, data: Dataset, seed: int) -> Model: ...

    @property
    def fingerprint(self) -> str: ...
