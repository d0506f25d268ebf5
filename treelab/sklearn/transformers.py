"""Discretizers and reductions as scikit-learn transformers."""

from collections.abc import Collection, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.base import ClassNamePrefixFeaturesOutMixin as PrefixedNames
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from treelab._typing import BoolArray, FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.labels import label_of
from treelab.data.schema import Column, Schema
from treelab.data.weights import in_cases
from treelab.discretize import discretizer as find_discretizer
from treelab.errors import DataError, shown
from treelab.protocols import Discretizer as AnyDiscretizer
from treelab.reduce.components import principal_components
from treelab.reduce.features import features
from treelab.sklearn.inputs import Selector, checked_y, require_y, target_name, validated


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers to the numbers of their intervals, found on the training data.

    Parameters
    ----------
    method
        A discretizer by name, such as 'mdlp' or 'equal-width:5' (`treelab.discretizer_names()`),
        or one itself.

    Attributes
    ----------
    coding_
        The `treelab.Coding`: cut points by feature.
    n_features_in_, feature_names_in_
        How many features `fit` saw, and their names if they had any.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import Discretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> Discretizer("mdlp").fit(X, y).transform(X[:2])
    array([[0., 2., 0., 0.],
           [0., 1., 0., 0.]])
    """

    def __init__(self, method: str | AnyDiscretizer = "mdlp") -> None:
        self.method = method

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the cut points.

        Parameters
        ----------
        X
            The cases: an array or frame of numbers. NaN is missing.
        y
            The class of each case; needed by the methods that look at it.
        sample_weight
            The weight of each case, as in `treelab.TreeClassifier`.
        """
        method = find_discretizer(self.method)
        X = validated_numbers(self, X, ensure_all_finite="allow-nan")
        names = list(getattr(self, "feature_names_in_", generic_names(X)))
        data = as_dataset(X, y if _is_supervised(method) else None, sample_weight, names)
        if _is_supervised(method):
            require_y(self.method, y)
        self.coding_: Coding = method.fit(data)
        return self

    def transform(self, X: Any) -> FloatArray:
        """Return the number of the interval of each value, from 0; NaN stays NaN."""
        check_is_fitted(self)
        X = validated_numbers(self, X, reset=False, ensure_all_finite="allow-nan")
        columns = zip(self.coding_.cuts, X.T, strict=True)
        codes = [self.coding_.codes(name, values) for name, values in columns]
        return np.where(np.isnan(X), np.nan, np.column_stack(codes))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = _is_supervised(find_discretizer(self.method))
        return tags


class FeatureReducer(Selector):
    """Keep the features that `treelab.reduce.features` keeps.

    Parameters
    ----------
    method
        'means', 'correlation', 'elimination', 'relief', 'dm' or 'entropy' (no class needed); see
        `treelab.reduce.features`.
    threshold
        What a feature must score; None for the method's own.
    k
        Keep the k best instead; None to go by the threshold.

    Attributes
    ----------
    scores_
        The score of each feature; for 'entropy', the round in which it is removed.
    support_
        Which features are kept.
    """

    def __init__(
        self,
        method: str = "means",
        *,
        threshold: float | None = None,
        k: int | None = None,
    ) -> None:
        self.method = method
        self.threshold = threshold
        self.k = k

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Judge the features.

        Parameters
        ----------
        X
            The cases: an array or frame of numbers.
        y
            The class of each case; 'entropy' does without.
        sample_weight
            The weight of each case, as in `treelab.TreeClassifier`.
        """
        X = validated_numbers(self, X, ensure_min_samples=2)
        needs_classes = self.method != "entropy"
        if needs_classes:
            require_y("FeatureReducer", y)
        data = as_dataset(X, y if needs_classes else None, sample_weight, generic_names(X))
        judged = features(data, self.method, self.threshold, self.k)
        self.scores_: FloatArray = np.array([judged.scores[name] for name in data.features])
        self.support_: BoolArray = mask_of(data.features, judged.kept)
        return self

    def _get_support_mask(self) -> BoolArray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.method != "entropy"
        return tags


class ComponentReducer(PrefixedNames, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The fewest principal components that retain a share of the variance.

    Parameters
    ----------
    retain
        The share of the variance.
    standardize
        Whether to divide features by their standard deviations first.

    Attributes
    ----------
    components_
        The kept directions (component, feature).
    eigenvalues_
        The variances along all directions, the largest first.
    pca_
        The `treelab.reduce.PrincipalComponents`.
    """

    def __init__(self, retain: float = 0.95, *, standardize: bool = True) -> None:
        self.retain = retain
        self.standardize = standardize

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002
        """Find the components.

        Parameters
        ----------
        X
            The cases: an array or frame of numbers.
        y
            Not looked at.
        sample_weight
            The weight of each case, as in `treelab.TreeClassifier`.
        """
        X = validated_numbers(self, X, ensure_min_samples=2)
        data = as_dataset(X, None, sample_weight, generic_names(X))
        self.pca_ = principal_components(data, self.retain, standardize=self.standardize)
        self.components_: FloatArray = self.pca_.components[: self.pca_.kept]
        self.eigenvalues_: FloatArray = self.pca_.eigenvalues
        return self

    def transform(self, X: Any) -> FloatArray:
        """Return the components of each case."""
        check_is_fitted(self)
        X = validated_numbers(self, X, reset=False)
        return self.pca_.scores(X)

    @property
    def _n_features_out(self) -> int:
        return self.pca_.kept


def _is_supervised(method: AnyDiscretizer) -> bool:
    return bool(getattr(method, "supervised", False))


def validated_numbers(estimator: BaseEstimator, X: Any, **how: Any) -> FloatArray:
    """Return cases as an array of numbers, as scikit-learn checks them."""
    _check_no_moments(X)
    checked: FloatArray = validated(estimator, X, dtype=np.float64, **how)
    return checked


def _check_no_moments(X: Any) -> None:
    """Raise where a frame or an array has a type of dates or times.

    numpy makes an error of some that names no column, and polars makes numbers of them.
    """
    import narwhals as nw

    table = nw.from_native(X, pass_through=True)
    if isinstance(table, nw.DataFrame):
        for name, dtype in table.schema.items():
            if dtype.is_temporal():
                raise DataError(f"column {shown(name)} holds dates or times; turn it into numbers")
    elif getattr(getattr(X, "dtype", None), "kind", None) in ("m", "M"):
        raise DataError("X holds dates or times; turn them into numbers")


def generic_names(X: FloatArray) -> list[str]:
    """Return names for the columns of an array."""
    return [f"x{f}" for f in range(X.shape[1])]


def mask_of(names: Sequence[str], kept: Collection[str]) -> BoolArray:
    """Tell which names are kept; numpy's `isin` would take no notice of NULs at the end."""
    chosen = set(kept)
    return np.array([name in chosen for name in names], bool)


def as_dataset(X: FloatArray, y: Any, sample_weight: Any, names: list[str]) -> Dataset:
    """Return numbers, classes if there are any and weights, all checked, as a data set."""
    weights = in_cases(_check_sample_weight(sample_weight, X, dtype=np.float64))
    features = tuple(Column(name) for name in names)
    if y is None:
        return Dataset.of(Schema(features), list(X.T), weights=weights)
    classes, codes = np.unique(checked_y(X, y), return_inverse=True)
    target = Column(target_name(None, names), tuple(map(label_of, classes.tolist())))
    return Dataset.of(Schema(features, target), list(X.T), codes, weights)
