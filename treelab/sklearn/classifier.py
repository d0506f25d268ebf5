"""`TreeClassifier`: treelab's trees as a scikit-learn classifier.

scikit-learn addresses the features of an array, and in the end those of a frame too, by place.
So does this module: columns are read by place and take the names they had in `fit`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import attrs
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Bunch
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from treelab._hints import check_names, hinted
from treelab._typing import AnyArray, BoolArray, FloatArray, IndexArray
from treelab.choosing import Auto
from treelab.data.classes import check_few
from treelab.data.constraints import Constraints
from treelab.data.dataset import Dataset
from treelab.data.frames import eager
from treelab.data.labels import label_of
from treelab.data.schema import Column, Schema
from treelab.data.weights import in_cases
from treelab.errors import DataError, ParameterError
from treelab.learner import Learner
from treelab.protocols import Discretizer, Pruner, SplitMetric
from treelab.scale.dask_frames import fitted_to_dask, is_dask_frame
from treelab.sklearn.inputs import (
    checked_y,
    costs_by_label,
    is_frame,
    is_from_dtype,
    nominal_mask,
    read_array,
    read_column,
    read_frame,
    require_y,
    target_name,
    validated,
    weights_by_label,
)
from treelab.stats.stores.context import SplitStrategy
from treelab.stats.stores.nodes import Missing
from treelab.tree.cases import Cases, Numbers, cases_of_columns, cases_of_frame, tests_numbers
from treelab.tree.grow import Unseen
from treelab.tree.model import Tree
from treelab.tree.predict import predicted_codes
from treelab.tree.probabilities import Estimate
from treelab.tree.prune.cost_complexity import pruning_path
from treelab.tree.searches import Search

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

    costs
        What mistakes cost, {actual class: {predicted class: cost}}: `predict` gives the class of
        minimum expected cost; see `treelab.Learner`.
    constraints
        What the tree has to keep to, by the names of the features: `treelab.Constraints`. Those of
        an array are called x0, x1 and so on.

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
    >>> print(cross_val_score(TreeClassifier("gini"), X, y, cv=10).mean() > 0.9)
    True
    """

    @hinted
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
        costs: Any = None,
        constraints: Constraints | Mapping[str, Any] | None = None,
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
        self.costs = costs
        self.constraints = constraints

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
        from_dtype = is_from_dtype(self.categorical_features)
        table = self._checked_frame(X, reset=True)
        X = self._checked_array(X, not from_dtype, reset=True) if table is None else table
        require_y("TreeClassifier", y)
        labels = checked_y(X, y)
        check_few(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        names = self._names()
        read = read_array if table is None else read_frame
        columns, values = read(X, names, None if from_dtype else self._nominal())
        target = Column(target_name(y, names), tuple(map(label_of, self.classes_.tolist())))
        weights = in_cases(_check_sample_weight(sample_weight, codes, dtype=np.float64))
        data = Dataset.of(Schema(columns, target), values, codes, weights)
        self.tree_: Tree = self._learner().fit(data)
        return self

    def _fit_scanned(self, X: Any, y: Any, sample_weight: Any) -> Self:
        given = {
            "sample_weight": sample_weight, "class_weight": self.class_weight, "costs": self.costs
        }  # fmt: skip
        for name, value in given.items():
            if value is not None:
                raise ParameterError(
                    f"{name} is not for a dask.dataframe: name a column of whole weights with "
                    "treelab.scan(frame, target, weights=...), and grow a tree of it"
                )
        self.n_features_in_ = len(X.columns)
        self.feature_names_in_ = np.array([str(name) for name in X.columns], dtype=object)
        nominal: Any = ()
        if not is_from_dtype(self.categorical_features):
            nominal = self.feature_names_in_[self._nominal()].tolist()
        self.tree_, classes = fitted_to_dask(self._learner(), X, y, nominal)
        self.classes_ = np.array(classes)
        self.n_classes_ = len(self.classes_)
        return self

    def predict(self, X: Any) -> AnyArray:
        """Return the class of each case: the most probable, or with `costs` the cheapest."""
        codes = predicted_codes(self._fitted_tree(), self._cases(X))
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

    def decision_path(self, X: Any) -> Any:
        """Return which nodes (columns) each case (row) visits, as a sparse matrix of ones.

        With `missing="fractional"` a case may go down several branches, and visits all of them.
        """
        return self._fitted_tree().decision_path(self._cases(X))

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the alphas at which cost-complexity pruning makes the unpruned tree smaller.

        `ccp_alphas` are those of `pruner="cost-complexity:alpha=..."`, ascending from 0, and
        `impurities` the share of training errors of the tree that is left at each: errors are what
        that pruner counts, whatever the metric (Breiman et al. 1984).
        """
        grown = clone(self).set_params(pruner="none").fit(X, y, sample_weight).tree_
        alphas, errors = pruning_path(grown)
        return Bunch(ccp_alphas=alphas, impurities=errors)

    def set_params(self, **params: Any) -> Self:
        """Set parameters; see `__init__`."""
        check_names(params)
        super().set_params(**params)
        return self

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
        given = {field.name: getattr(self, field.name) for field in attrs.fields(Learner)}
        classes = self.classes_.tolist() if hasattr(self, "classes_") else []
        given["class_weight"] = weights_by_label(self.class_weight, classes)
        given["costs"] = costs_by_label(self.costs)
        return Learner(**given)

    def _checked_frame(self, X: Any, reset: bool) -> Any:
        """Return the narwhals view of a frame whose columns are those of `fit`; None: no frame."""
        if not is_frame(X):
            return None
        table = eager(X)  # collected, and with names that differ
        validated(self, table.to_native(), reset=reset, skip_check_array=True)
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
        checked = validated(self, X, reset=reset, dtype=dtype, ensure_all_finite="allow-nan")
        return np.asarray(checked)

    def _names(self) -> Sequence[str]:
        generic = [f"x{place}" for place in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", generic))

    def _nominal(self) -> BoolArray:
        names = getattr(self, "feature_names_in_", ())
        return nominal_mask(self.categorical_features, names, self.n_features_in_)

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
            at: read_column(tree.features[at], X[:, at], columns[at].is_nominal)
            for at in tree.tested
        }
        return cases_of_columns(tree, read, len(X))
