"""A set of features is worth what a learner makes of it, cross-validated (duch2004 section 4)."""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from treelab._typing import AnyArray, BoolArray, FloatArray, IndexArray
from treelab.data.dataset import Dataset, is_missing
from treelab.data.folds import stratified_folds
from treelab.data.order import by_content
from treelab.data.schema import Column
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.selection.criteria import Problem, Worth
from treelab.selection.joint_codes import Subset
from treelab.selection.weighted import weights_for

BINARY = 2
"""So many labels are one column of 0 and 1."""


@attrs.frozen
class Wrapper:
    """The accuracy of a learner on folds it has not seen.

    Parameters
    ----------
    model
        A scikit-learn classifier, or anything whose `fit` makes of a data set something that can
        `predict` labels, such as a `treelab.Learner`. A classifier is given numbers: nominal
        features a column for each label, those of two labels one column, missing numbers the mean
        of the training cases; and the weights, which it must take as `sample_weight` if they are
        not all the same.
    folds
        The number of stratified folds.
    seed
        For the choice of the folds.
    scales
        Factors of the features by name, such as the `weights` of a `Ranking`: the classifier is
        given columns that are standardized by the training cases and multiplied by them. It must
        not standardize again. None: the columns as they are.
    """

    model: Any
    folds: int = 5
    seed: int = 0
    scales: Mapping[str, float] | None = None

    def __attrs_post_init__(self) -> None:
        if self.scales is not None and not hasattr(self.model, "get_params"):
            raise ParameterError("scales are for scikit-learn classifiers: trees do not use them")
        if isinstance(self.model, type) or not hasattr(self.model, "fit"):
            raise ParameterError(
                f"model must be a classifier, or anything else that can fit, got {self.model!r}"
            )

    def on(self, problem: Problem) -> Worth:
        """Return the accuracy by sets."""
        # In an order of their content, so that the order of the rows decides nothing.
        data = by_content(problem.data)
        fold = stratified_folds(data.y, self.folds, self.seed)
        right = self._right_by_class if hasattr(self.model, "get_params") else self._right_by_label

        def worth(subset: Subset) -> float:
            part = data.select([data.features[f] for f in sorted(subset)])
            hits = right(part, fold) if subset else _right_by_majority(data, fold)
            return float(np.average(hits, weights=data.weights))

        return worth

    def _right_by_label(self, data: Dataset, fold: IndexArray) -> BoolArray:
        right = np.zeros(len(data), bool)
        for f in range(self.folds):
            test = data.take(fold == f)
            right[fold == f] = self.model.fit(data.take(fold != f)).predict(test) == test.labels
        return right

    def _right_by_class(self, data: Dataset, fold: IndexArray) -> BoolArray:
        from sklearn.base import clone

        matrix, right = as_matrix(data), np.zeros(len(data), bool)
        factors = None if self.scales is None else _factors(data, self.scales)
        for f in range(self.folds):
            train, test = fold != f, fold == f
            given = weights_for(self.model, data.weights[train])
            filled = _filled(matrix, train)
            if factors is not None:
                filled = _standardized(filled, train) * factors
            try:
                model = clone(self.model).fit(filled[train], data.y[train], **given)
                right[test] = model.predict(filled[test]) == data.y[test]
            except ValueError as error:
                name = type(self.model).__name__
                raise DataError(f"{name} cannot learn from the data: {error}") from error
        return right


def _right_by_majority(data: Dataset, fold: IndexArray) -> BoolArray:
    """Without features, the most frequent class of the training cases is predicted."""
    right = np.zeros(len(data), bool)
    for f in np.unique(fold):
        train = fold != f
        counts = np.bincount(data.y[train], data.weights[train])
        right[~train] = data.y[~train] == counts.argmax()
    return right


def as_matrix(data: Dataset) -> FloatArray:
    """Return numbers as they are, and a column of 0 and 1 for each label of nominal features.

    A feature of two labels is one column: two of them, each the other's mirror, would count double
    in distances. Where its label is missing, so is the number.
    """
    columns = [_columns(*both) for both in zip(data.schema.features, data.columns, strict=True)]
    return np.column_stack([column for group in columns for column in group])


def _columns(column: Column, values: AnyArray) -> list[FloatArray]:
    if not column.is_nominal:
        return [np.asarray(values, np.float64)]
    if column.n_labels == BINARY:
        return [np.where(values < 0, np.nan, values)]
    return [np.asarray(values == code, np.float64) for code in range(column.n_labels)]


def _factors(data: Dataset, scales: Mapping[str, float]) -> FloatArray:
    """Return the factor of each column of the matrix."""
    for name in data.features:
        if name not in scales:
            raise UnknownNameError("feature among the scales", name, scales)
    groups = [
        [scales[column.name]] * len(_columns(column, values))
        for column, values in zip(data.schema.features, data.columns, strict=True)
    ]
    return np.array([factor for group in groups for factor in group])


def _standardized(matrix: FloatArray, train: BoolArray) -> FloatArray:
    """Return columns whose training cases have mean 0 and variance 1; constant ones are 0."""
    center, spread = matrix[train].mean(axis=0), matrix[train].std(axis=0)
    return np.asarray((matrix - center) / np.where(spread > 0, spread, 1.0))


def _filled(matrix: FloatArray, train: BoolArray) -> FloatArray:
    """Put the mean of the training cases, or 0, where numbers are missing."""
    holes = is_missing(matrix)
    if not holes.any():
        return matrix
    known = train[:, None] & ~holes
    means = np.where(known, matrix, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where(holes, means, matrix)
