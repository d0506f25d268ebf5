"""Let any object with `fit` and `predict` learn from a data set, fed with numbers.

A nominal feature becomes one column a label ('one-hot') or one column of codes ('ordinal').
Missing values stay NaN where the object says that it takes them; else they are filled with the
training cases' medians. Weights are passed on; what takes none learns from equal ones only. What it
prints is not shown.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Literal

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.data.order import content_order
from treelab.errors import ParameterError
from treelab.experiment.fingerprint import fingerprint
from treelab.experiment.models import Model
from treelab.experiment.silence import silence
from treelab.selection.weighted import weights_for

Encoding = Literal["one-hot", "ordinal"]
Matrix = Callable[[Dataset], FloatArray]


def learns(thing: object) -> bool:
    """Tell whether something, or what a class makes, can be fitted and asked."""
    return all(callable(getattr(thing, name, None)) for name in ("fit", "predict"))


@attrs.frozen(eq=False)
class CopiedLearner:
    """An object that does not say its parameters: every trial fits a copy of it."""

    original: Any
    encoding: Encoding = "one-hot"

    def __attrs_post_init__(self) -> None:
        self._copy()

    def fit(self, data: Dataset, seed: int) -> Model:
        made = self._copy()
        if getattr(made, "random_state", 0) is None:
            made.random_state = seed % 2**32
        return fitted(made, self.encoding, data, seed)

    def _copy(self) -> Any:
        try:
            return deepcopy(self.original)
        except Exception as error:  # whatever an object may say to that
            name = type(self.original).__name__
            problem = f"{name} has no get_params and cannot be copied: {error}"
            raise ParameterError(problem) from None

    @property
    def fingerprint(self) -> str:
        return fingerprint([self.original, self.encoding])

    def __str__(self) -> str:
        kind = type(self.original)
        return f"{kind.__module__}:{kind.__name__}, {self.encoding}"


def fitted(estimator: Any, encoding: Encoding, data: Dataset, seed: int) -> Model:
    """Return the model of an estimator that nobody else uses."""
    data = _mixed(data, seed)
    matrix = _filled(estimator, encoding, data)
    with silence():
        estimator.fit(matrix(data), data.y, **weights_for(estimator, data.weights))
    present = np.unique(data.y)

    def codes(test: Dataset) -> IndexArray:
        with silence():
            return np.asarray(estimator.predict(matrix(test)), dtype=np.int64).reshape(len(test))

    def proba(test: Dataset) -> FloatArray:
        shares = np.zeros((len(test), len(data.classes)))
        with silence():
            given = estimator.predict_proba(matrix(test))
        shares[:, getattr(estimator, "classes_", present)] = given
        return shares

    return Model(codes, proba, _told(estimator, "get_n_leaves"), _told(estimator, "get_depth"))


def _mixed(data: Dataset, seed: int) -> Dataset:
    """Return the cases in an order of the seed's, whatever the one they came in.

    Their content alone would put class after class, which some classifiers suffer from.
    """
    order = content_order(data)
    return data.take(order[stream(seed, "peer").permutation(len(order))])


def _filled(estimator: Any, encoding: Encoding, data: Dataset) -> Matrix:
    """Return what makes matrices, with medians filled in where the estimator takes no NaN."""
    if _takes_nan(estimator):
        return lambda cases: encode(cases, encoding)
    from sklearn.impute import SimpleImputer

    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    imputer.fit(encode(data, encoding))
    return lambda cases: np.asarray(imputer.transform(encode(cases, encoding)))


def _takes_nan(estimator: Any) -> bool:
    from sklearn.utils import get_tags

    if not hasattr(estimator, "__sklearn_tags__"):
        return False
    return bool(get_tags(estimator).input_tags.allow_nan)


def _told(estimator: Any, method: str) -> float:
    """Return what a tree says of its size; NaN from what is no tree."""
    return float(getattr(estimator, method)()) if hasattr(estimator, method) else np.nan


def encode(data: Dataset, encoding: Encoding) -> FloatArray:
    """Return the matrix (case, column) of a data set; missing is NaN.

    A missing label is NaN in a column of codes, and none of the labels in one-hot columns.
    """
    columns: list[FloatArray] = [np.empty((len(data), 0))]
    for column, values in zip(data.schema.features, data.columns, strict=True):
        if not column.is_nominal:
            columns.append(values[:, None])
        elif encoding == "one-hot" and column.n_labels > 2:
            columns.append((values[:, None] == np.arange(column.n_labels)).astype(float))
        else:
            columns.append(np.where(values < 0, np.nan, values)[:, None])
    return np.hstack(columns)
