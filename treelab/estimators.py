"""`TreeClassifier`: treelab's trees as a scikit-learn classifier.

scikit-learn addresses the features of an array, and in the end those of a frame too, by place.
So does this module: columns are read by place and take the names they had in `fit`.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any, Literal, Self

import attrs
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from treelab._typing import AnyArray, BoolArray, FloatArray, IndexArray
from treelab.choosing import Auto
from treelab.data.classes import as_given, check_few, check_none_missing
from treelab.data.dataset import Dataset
from treelab.data.frames import coded, eager, is_null, label_of
from treelab.data.schema import Column, Schema
from treelab.data.weights import in_cases
from treelab.errors import (
    DataError,
    ParameterError,
    TreelabError,
    UnknownNameError,
    check_number,
    shown,
)
from treelab.learner import Learner
from treelab.protocols import Discretizer, Pruner, SplitMetric
from treelab.scale.dask_frames import fitted_to_dask, is_dask_frame
from treelab.stats.context import SplitStrategy
from treelab.stats.nodes import Missing
from treelab.tree.cases import Cases, Numbers, cases_of_columns, cases_of_frame, tests_numbers
from treelab.tree.grow import Unseen
from treelab.tree.model import Tree
from treelab.tree.predict import most_probable
from treelab.tree.probabilities import Estimate
from treelab.tree.searches import Search

Features = tuple[tuple[Column, ...], tuple[AnyArray, ...]]
"""What the features are, and the values of each."""

_DEFAULT = Learner()


class TreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # sklearn has no types
    """A decision tree with any split metric, for pipelines, searches and cross-validation.

    Arrays are numeric, NaN being a missing value. Of a frame (pandas, polars, pyarrow, ...),
    text, categories and truth values are nominal; a category that is missing is null, and one
    that `fit` did not see gets the probabilities of the node that asks for it.

    Parameters
    ----------
    metric, discretizer, pruner, missing, splits, bins, cuts, unseen, cut_metric
        How to grow and prune; see `treelab.Learner`.
    search, width, seed
        How to search; see `treelab.Learner`.
    min_cases, min_branch, max_depth, max_leaves
        When to stop; see `treelab.Learner`.
    probabilities
        How class weights become probabilities: 'shares', 'laplace', 'm-estimate' or 'shrunk'; see
        `treelab.Learner`.
    categorical_features
        The nominal features, all others being numeric: their places, their names, or a mask.
        None or 'from_dtype': what the types of a frame's columns say; none in an array. An array
        of objects may hold text in nominal features.
    class_weight
        The weight of the cases of each class, on top of `sample_weight`: a dictionary (1 where it
        says nothing), 'balanced' for the same total in each class, or None. It shifts weight
        between the classes; the total stays that of the cases of a class of weight above 0.

    Attributes
    ----------
    classes_
        The classes, sorted, as they came in `y`.
    n_classes_, n_features_in_
        How many classes and features there were in `fit`.
    feature_names_in_
        The names of the features, where `fit` was given a frame whose names are all text.
    tree_
        The `treelab.Tree`, to be shown, exported or saved.
    feature_importances_
        How much each feature lowers the Gini impurity, as shares that sum to 1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from treelab import TreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> cross_val_score(TreeClassifier("gini"), X, y, cv=10).mean() > 0.9
    np.True_
    """

    def __init__(
        self,
        metric: str | SplitMetric | Auto = _DEFAULT.metric,
        *,
        discretizer: str | Discretizer | None = _DEFAULT.discretizer,
        pruner: str | Pruner | None = _DEFAULT.pruner,
        missing: Missing = _DEFAULT.missing,
        min_cases: float = _DEFAULT.min_cases,
        min_branch: float = _DEFAULT.min_branch,
        max_depth: int | None = _DEFAULT.max_depth,
        max_leaves: int | None = _DEFAULT.max_leaves,
        splits: SplitStrategy = _DEFAULT.splits,
        bins: int | None = _DEFAULT.bins,
        cuts: str = _DEFAULT.cuts,
        unseen: Unseen = _DEFAULT.unseen,
        cut_metric: str | SplitMetric = _DEFAULT.cut_metric,
        search: str | Search = _DEFAULT.search,
        width: int = _DEFAULT.width,
        seed: int = _DEFAULT.seed,
        probabilities: str | Estimate = _DEFAULT.probabilities,
        categorical_features: Literal["from_dtype"]
        | Sequence[int]
        | Sequence[str]
        | Sequence[bool]
        | None = None,
        class_weight: Literal["balanced"] | Mapping[Any, float] | None = None,
    ) -> None:
        self.metric = metric
        self.discretizer = discretizer
        self.pruner = pruner
        self.missing = missing
        self.min_cases = min_cases
        self.min_branch = min_branch
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.splits = splits
        self.bins = bins
        self.cuts = cuts
        self.unseen = unseen
        self.cut_metric = cut_metric
        self.search = search
        self.width = width
        self.seed = seed
        self.probabilities = probabilities
        self.categorical_features = categorical_features
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X
            The cases: an array (case, feature) of numbers or a frame. NaN or null is missing. A
            `dask.dataframe` stays where it is: see `treelab.scan`.
        y
            The class of each case: text, whole numbers or truth values; of a `dask.dataframe` a
            series of the same partitions.
        sample_weight
            The weight of each case. Where all are whole numbers, one of weight 2 counts as two
            cases, of weight 0 as none. Other weights are scaled to the number of cases of weight
            above 0, so that `min_cases`, `min_branch` and the pruner mean cases: np.ones(n) / n
            is the same as none, and weights times a constant make the same tree.
        """
        if is_dask_frame(X):
            return self._fit_scanned(X, y, sample_weight)
        from_dtype = _is_from_dtype(self.categorical_features)
        table = self._checked_frame(X, reset=True)
        X = self._checked_array(X, not from_dtype, reset=True) if table is None else table
        labels = _checked_y(X, y)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        names = self._names()
        read = _read_array if table is None else _read_frame
        columns, values = read(X, names, None if from_dtype else self._nominal())
        target = Column(_target_name(y, names), tuple(map(label_of, self.classes_.tolist())))
        weights = self._weights(codes, sample_weight)
        data = Dataset.of(Schema(columns, target), values, codes, weights)
        self.tree_: Tree = self._learner().fit(data)
        return self

    def _fit_scanned(self, X: Any, y: Any, sample_weight: Any) -> Self:
        given = {"sample_weight": sample_weight, "class_weight": self.class_weight}
        for name, value in given.items():
            if value is not None:
                raise ParameterError(
                    f"{name} is not for a dask.dataframe: name a column of whole weights with "
                    "treelab.scan(frame, target, weights=...), and grow a tree of it"
                )
        self.n_features_in_ = len(X.columns)
        self.feature_names_in_ = np.array([str(name) for name in X.columns], dtype=object)
        nominal: Any = ()
        if not _is_from_dtype(self.categorical_features):
            nominal = self.feature_names_in_[self._nominal()].tolist()
        self.tree_, classes = fitted_to_dask(self._learner(), X, y, nominal)
        self.classes_ = np.array(classes)
        self.n_classes_ = len(self.classes_)
        return self

    def predict(self, X: Any) -> AnyArray:
        """Return the most probable class of each case; the first one among equals."""
        codes = most_probable(self._fitted_tree(), self._cases(X))
        return np.asarray(self.classes_[codes])

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class (column) for each case (row)."""
        return self._fitted_tree().predict_proba(self._cases(X))

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return the logarithm of the probabilities; minus infinity for 0."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def apply(self, X: Any) -> IndexArray:
        """Return the number of the node where each case ends, or the largest part of it."""
        return self._fitted_tree().apply(self._cases(X))

    def get_depth(self) -> int:
        """Return the largest number of tests on a path from the root to a leaf."""
        return self._fitted_tree().depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self._fitted_tree().n_leaves

    @property
    def feature_importances_(self) -> FloatArray:
        """How much each feature lowers the Gini impurity, as shares that sum to 1."""
        return self._fitted_tree().feature_importances

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _fitted_tree(self) -> Tree:
        check_is_fitted(self)
        return self.tree_

    def _learner(self) -> Learner:
        return Learner(**{field.name: getattr(self, field.name) for field in attrs.fields(Learner)})

    def _checked_frame(self, X: Any, reset: bool) -> Any:
        """Return the narwhals view of a frame whose columns are those of `fit`; None: no frame."""
        if not _is_frame(X):
            return None
        table = eager(X)  # collected, and with names that differ
        validate_data(self, table.to_native(), reset=reset, skip_check_array=True)
        if 0 in table.shape:
            raise DataError(f"expected at least one case and one feature, got shape {table.shape}")
        return table

    def _checked_array(self, X: Any, with_text: bool, reset: bool) -> AnyArray:
        """Return what is no frame as an array: of floats, or as given if with text."""
        kind = getattr(getattr(X, "dtype", None), "kind", None)
        if kind in ("m", "M"):
            raise DataError("X holds dates or times; turn them into numbers")
        # Lists of text and numbers must not become text as a whole; objects may be pandas' NA.
        as_given = None if hasattr(X, "dtype") else object
        dtype = as_given if with_text or kind == "O" else np.float64
        checked = validate_data(self, X, reset=reset, dtype=dtype, ensure_all_finite="allow-nan")
        return np.asarray(checked)

    def _names(self) -> Sequence[str]:
        generic = [f"x{place}" for place in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", generic))

    def _nominal(self) -> BoolArray:
        """Tell which features `categorical_features` calls nominal."""
        given = np.asarray(as_given(self.categorical_features))
        is_text = given.ndim == 1 and all(isinstance(name, str) for name in given)
        if given.ndim != 1 or not (is_text or given.dtype.kind in "biu"):
            raise ParameterError(
                "categorical_features must be 'from_dtype', None, or a list of places, names or "
                f"truth values, got {self.categorical_features!r}"
            )
        if given.dtype.kind == "b":
            return _checked_mask(given, self.n_features_in_)
        if given.dtype.kind in "iu":
            return _mask_of_places(given, self.n_features_in_)
        return _mask_of_names(given, getattr(self, "feature_names_in_", ()), self.n_features_in_)

    def _weights(self, codes: IndexArray, sample_weight: Any) -> FloatArray:
        weights: FloatArray = _check_sample_weight(sample_weight, codes, dtype=np.float64)
        if self.class_weight is None:
            return in_cases(weights)
        if isinstance(self.class_weight, Mapping):
            of_class = _class_weights(self.class_weight, self.classes_.tolist())
            return in_cases(weights, of_class[codes])
        if self.class_weight == "balanced":
            return in_cases(weights, _balance(codes, weights)[codes])
        raise ParameterError(
            f"class_weight must be a dictionary, 'balanced' or None, got {self.class_weight!r}"
        )

    def _cases(self, X: Any) -> Cases:
        """Read cases to predict, each feature being of the kind it was in `fit`."""
        tree = self._fitted_tree()
        columns = tree.schema.features
        table = self._checked_frame(X, reset=False)
        if table is not None:
            return cases_of_frame(tree, table, dict(zip(tree.features, table.columns, strict=True)))
        X = self._checked_array(X, any(column.is_nominal for column in columns), reset=False)
        if X.dtype == np.float64 and tests_numbers(tree):
            return Numbers(X, tree)
        read = {
            at: _read_column(tree.features[at], X[:, at], columns[at].is_nominal)
            for at in tree.tested
        }
        return cases_of_columns(tree, read, len(X))


def _is_from_dtype(categorical_features: object) -> bool:
    is_word = isinstance(categorical_features, str) and categorical_features == "from_dtype"
    return categorical_features is None or is_word


def _is_frame(X: object) -> bool:
    import narwhals as nw

    if isinstance(X, np.ndarray):  # which takes longer to find out otherwise
        return False
    is_eager = nw.dependencies.is_into_dataframe(X)
    return is_eager or isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame)


def _checked_y(X: Any, y: Any) -> AnyArray:
    if y is None:
        raise DataError("TreeClassifier requires y to be passed, but the target y is None")
    labels: AnyArray = column_or_1d(as_given(y), warn=True)
    check_none_missing(labels)
    assert_all_finite(labels, input_name="y")
    check_consistent_length(X, labels)
    check_classification_targets(labels)
    check_few(labels)
    return labels


def _target_name(y: Any, names: Sequence[str]) -> str:
    name = getattr(y, "name", None)
    name = name if name and isinstance(name, str) else "class"
    while name in names:
        name += "_"
    return name


def _read_array(X: AnyArray, names: Sequence[str], nominal: BoolArray | None) -> Features:
    """Read the features of an array; None: all of them are numbers."""
    is_nominal = np.zeros(len(names), bool) if nominal is None else nominal
    read = list(map(_read_column, names, X.T, is_nominal))
    return tuple(column for column, _ in read), tuple(values for _, values in read)


def _read_frame(table: Any, names: Sequence[str], nominal: BoolArray | None) -> Features:
    """Read the features of a frame; None: their types say which are nominal."""
    own = [str(name) for name in table.columns]
    as_nominal = [] if nominal is None else list(compress(own, nominal))
    data = Dataset.from_frame(table, nominal=as_nominal)
    if nominal is not None:
        read = np.array([column.is_nominal for column in data.schema.features])
        as_numeric = list(compress(own, read & ~nominal))
        if as_numeric:  # labels that are to be numbers, truth values say
            data = Dataset.from_frame(table, nominal=as_nominal, numeric=as_numeric)
    columns = zip(names, data.schema.features, strict=True)
    return tuple(attrs.evolve(column, name=name) for name, column in columns), data.columns


def _read_column(name: str, values: AnyArray, is_nominal: bool) -> tuple[Column, AnyArray]:
    return _read_nominal(name, values) if is_nominal else _read_numeric(name, values)


def _read_numeric(name: str, values: AnyArray) -> tuple[Column, AnyArray]:
    if values.dtype == object:
        values = np.where(np.fromiter(map(is_null, values), bool), np.nan, values)
    try:
        return Column(name), np.asarray(values, np.float64)
    except ValueError:
        raise DataError(
            f"feature {name!r} holds values that are not numbers; "
            "name it in categorical_features if it is nominal"
        ) from None


def _read_nominal(name: str, values: AnyArray) -> tuple[Column, AnyArray]:
    try:
        labels, codes = coded(values.tolist())
    except TypeError:
        # The kind of error, and the words, that scikit-learn's checks ask for.
        message = (
            f"feature {name!r} holds lists or records, but an argument must be a string or a number"
        )
        raise TypeError(message) from None
    return Column(name, labels), codes


def _checked_mask(given: BoolArray, n_features: int) -> BoolArray:
    if len(given) != n_features:
        raise ParameterError(
            f"categorical_features must have a truth value for each of {n_features} features, "
            f"got {len(given)}"
        )
    return given


def _mask_of_places(given: IndexArray, n_features: int) -> BoolArray:
    for place in given:
        if not 0 <= place < n_features:
            raise ParameterError(
                f"categorical_features must lie between 0 and {n_features - 1}, got {place}"
            )
    return np.isin(np.arange(n_features), given)


def _mask_of_names(given: AnyArray, names: Sequence[str], n_features: int) -> BoolArray:
    if given.size and not len(names):
        raise ParameterError(
            "categorical_features may be names only where X is a frame with text for names"
        )
    for name in given:
        if name not in names:
            raise UnknownNameError("categorical feature", str(name), names)
    nominal = set(given.tolist())  # numpy's `isin` would take no notice of NULs at the end
    return np.array([name in nominal for name in names] if nominal else [False] * n_features)


def _class_weights(given: Mapping[Any, float], classes: list[Any]) -> FloatArray:
    """Return the weight of each class.

    A key that is no class is a slip of the pen only where some class has no weight: the training
    cases of a fold may lack a class.
    """
    unknown = [key for key in given if key not in classes]
    if unknown and any(label not in given for label in classes):
        raise _unknown_class(unknown[0], classes)
    for label in classes:
        check_number(f"class_weight of {label!r}", given.get(label, 1.0), 0)
    return np.array([given.get(label, 1.0) for label in classes], np.float64)


def _unknown_class(key: object, classes: list[Any]) -> TreelabError:
    if all(isinstance(word, str) for word in (key, *classes)):
        return UnknownNameError("class in class_weight", key, classes)
    known = ", ".join(map(repr, classes[:12])) + (", ..." if len(classes) > 12 else "")
    return ParameterError(f"unknown class in class_weight {shown(key)}: known are {known}")


def _balance(codes: IndexArray, weights: FloatArray) -> FloatArray:
    """Return factors that give all classes that occur the same share of the total weight."""
    totals = np.bincount(codes, weights)
    occurs = totals > 0
    fair = weights.sum() / occurs.sum()
    return np.asarray(np.divide(fair, totals, out=np.zeros_like(totals), where=occurs))
