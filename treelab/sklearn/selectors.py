"""Ranking and selection of features as scikit-learn transformers."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treelab._typing import BoolArray, FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import check_number
from treelab.protocols import Discretizer, SplitMetric
from treelab.selection import Ranking, Selection, rank, select
from treelab.sklearn.inputs import Selector, require_y
from treelab.sklearn.transformers import as_dataset, generic_names, mask_of, validated_numbers


class _Selector(Selector):
    """Keeps the features a subclass marks in `support_`."""

    support_: BoolArray

    def _data(self, X: Any, y: Any, sample_weight: Any) -> Dataset:
        X = validated_numbers(self, X, ensure_all_finite="allow-nan")
        require_y(type(self).__name__, y)
        names = list(getattr(self, "feature_names_in_", generic_names(X)))
        return as_dataset(X, y, sample_weight, names)

    def _get_support_mask(self) -> BoolArray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


class MetricSelector(_Selector):
    """Keep the features that a metric ranks highest.

    Parameters
    ----------
    metric
        A metric by name (`treelab.metric_names()`) or itself.
    k
        How many to keep; all where there are fewer. None to go by the threshold.
    threshold
        What a feature must score, in addition; None for nothing.
    discretizer
        Cuts numbers into intervals first; None judges a number by its best cut.
    seed
        For everything that is left to chance.

    Attributes
    ----------
    scores_
        The score of each feature, NaN where it cannot be judged.
    ranking_
        The `treelab.Ranking`.
    support_
        Which features are kept.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import MetricSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> MetricSelector("relieff", k=2).fit(X, y).get_support()
    array([False, False,  True,  True])
    """

    def __init__(
        self,
        metric: str | SplitMetric = "gain",
        k: int | None = 10,
        *,
        threshold: float | None = None,
        discretizer: str | Discretizer | None = None,
        seed: int = 0,
    ) -> None:
        self.metric = metric
        self.k = k
        self.threshold = threshold
        self.discretizer = discretizer
        self.seed = seed

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Rank the features.

        Parameters
        ----------
        X
            The cases: an array or frame of numbers. NaN is missing.
        y
            The class of each case.
        sample_weight
            The weight of each case, as in `treelab.TreeClassifier`.
        """
        data = self._data(X, y, sample_weight)
        if self.k is not None:
            check_number("k", self.k, 1, whole=True)
        self.ranking_: Ranking = rank(data, self.metric, self.discretizer, seed=self.seed)
        self.scores_: FloatArray = np.array([self.ranking_[name] for name in data.features])
        self.support_ = mask_of(data.features, self.ranking_.features[: self.k])
        if self.threshold is not None:
            check_number("threshold", self.threshold, -np.inf)
            self.support_ &= self.scores_ >= self.threshold
        return self


class SubsetSelector(_Selector):
    """Keep the set of features that a search finds, see `treelab.select`.

    Parameters
    ----------
    metric
        A metric over tables, 'mifs', 'mrmr', 'cfs', 'gd', or a classifier to cross-validate.
    search
        'greedy', 'backward', 'floating', 'best-first', 'beam', 'exhaustive', 'tree' or 'tree-beam'.
    k
        How many features; None: as many as improve the score.
    discretizer, threshold, width, folds, seed
        As in `treelab.select`.

    Attributes
    ----------
    selection_
        The `treelab.Selection`.
    support_
        Which features are kept.
    """

    def __init__(
        self,
        metric: Any = "gain-ratio",
        search: str = "greedy",
        k: int | None = None,
        *,
        discretizer: str | Discretizer | None = None,
        threshold: float | None = None,
        width: int = 5,
        folds: int = 5,
        seed: int = 0,
    ) -> None:
        self.metric = metric
        self.search = search
        self.k = k
        self.discretizer = discretizer
        self.threshold = threshold
        self.width = width
        self.folds = folds
        self.seed = seed

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Search the sets of features.

        Parameters
        ----------
        X
            The cases: an array or frame of numbers. NaN is missing.
        y
            The class of each case.
        sample_weight
            The weight of each case, as in `treelab.TreeClassifier`.
        """
        data = self._data(X, y, sample_weight)
        settings = self.get_params(deep=False)
        self.selection_: Selection = select(data, settings.pop("metric"), **settings)
        self.support_ = mask_of(data.features, self.selection_.features)
        return self
