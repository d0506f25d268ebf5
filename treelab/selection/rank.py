"""`rank`: the features in the order of what a metric says of them at the root."""

from functools import partial
from typing import Any, Literal, get_args, overload

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import Coded
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_choice, check_number
from treelab.metrics import metric as find_metric
from treelab.metrics.names import name_of, unique_names
from treelab.protocols import Discretizer, SplitMetric
from treelab.selection.coding import (
    against_rest,
    check_all_cut,
    check_row,
    check_seed,
    fitted,
    usable,
)
from treelab.selection.estimators import estimated_scores
from treelab.selection.local import OF_VALUES, as_questions
from treelab.selection.ranking import Ranking, Rankings
from treelab.selection.scoring import feature_scores
from treelab.selection.stability import stability

Estimator = Literal["counts", "kernel", "fuzzy"]
Metric = str | SplitMetric
Metrics = list[Any] | tuple[Any, ...]


@overload
def rank(
    data: Dataset, metric: Metric = ..., discretizer: str | Discretizer | None = ..., *,
    case: int | None = ..., for_class: str | None = ..., estimator: Estimator = ...,
    bootstrap: int = ..., seed: int = ...,
) -> Ranking: ...  # fmt: skip
@overload
def rank(
    data: Dataset, metric: Metrics, discretizer: str | Discretizer | None = ..., *,
    case: int | None = ..., for_class: str | None = ..., estimator: Estimator = ...,
    bootstrap: int = ..., seed: int = ...,
) -> Rankings: ...  # fmt: skip
def rank(
    data: Dataset,
    metric: Metric | Metrics = "gain",
    discretizer: str | Discretizer | None = None,
    *,
    case: int | None = None,
    for_class: str | None = None,
    estimator: Estimator = "counts",
    bootstrap: int = 0,
    seed: int = 0,
) -> Ranking | Rankings:
    """Rank the features by what a metric says of them.

    A nominal or discretized feature is judged as a whole, a branch for each value; a numeric one by
    its best cut, where the metric does not judge features as they are, as `relieff` does.

    Parameters
    ----------
    data
        The cases; those of unknown class are left out.
    metric
        A metric by name (`treelab.metric_names()`) or itself; or several, to compare them.
    discretizer
        Cuts numeric features into intervals first, such as 'equal-width:8'; None keeps them.
    case
        Rank for the case at this row: by what the values it has say, each against all others.
        Two more metrics judge single values, 'j-value' and 'imc-value' (the J-measure of the value
        and the share of its commonest class).
    for_class
        Rank for one class: by what the features say of it against all other classes.
    estimator
        How the probabilities of numeric features are found, in the intervals of the discretizer or
        in 64 equally wide ones: 'counts'; 'kernel', integrals of Gaussian kernel densities;
        'fuzzy', memberships in intervals that pass into each other.
    bootstrap
        Draw the cases again so many times, and tell how often each feature keeps its place. A case
        of weight 2 is two cases; one of a fractional weight is one, drawn in proportion to it.
    seed
        For everything that is left to chance.

    Examples
    --------
    >>> import treelab as tl
    >>> print(tl.rank(tl.load("iris"), "gain", "mdlp"))
    rank  feature           gain
       1  petal width     1.3784
       2  petal length   1.35655
       3  sepal length  0.652284
       4  sepal width    0.37605
    """
    check_choice("estimator", estimator, get_args(Estimator))
    check_number("bootstrap", bootstrap, 0, whole=True)
    check_seed(seed)
    row = None if case is None else check_row(case, data)
    data = data if for_class is None else against_rest(data, for_class)
    how = discretizer, row, estimator, bootstrap, seed
    if not isinstance(metric, list | tuple):
        return _Question(name_of(metric), metric, *how).of(data)
    rankings = {
        name: _Question(name, each, *how).of(data) for name, each in unique_names(metric).items()
    }
    return Rankings(data.features, rankings)


@attrs.frozen
class _Question:
    """Everything but the data."""

    name: str
    spec: Metric
    discretizer: str | Discretizer | None
    case: int | None
    estimator: Estimator
    bootstrap: int
    seed: int

    def of(self, data: Dataset) -> Ranking:
        ranking = self._of_usable(usable(data), data)
        if not self.bootstrap:
            return ranking
        again = partial(self._of_usable, whole=data)
        found = stability(usable(data), ranking, again, self.bootstrap, self.seed)
        return attrs.evolve(ranking, stability=found)

    def _of_usable(self, data: Dataset, whole: Dataset) -> Ranking:
        scores = self._local(data, whole) if self.case is not None else self._global(data)
        return Ranking.of(self.name, data.features, scores)

    def _global(self, data: Dataset) -> FloatArray:
        metric, coding = find_metric(self.spec), fitted(data, self.discretizer)
        scores = feature_scores(Coded.of(data, coding), metric, self.seed)
        if self.estimator != "counts":
            found = estimated_scores(data, coding, metric, self.estimator)
            scores[list(found)] = list(found.values())
        return scores

    def _local(self, data: Dataset, whole: Dataset) -> FloatArray:
        if self.estimator != "counts":
            raise ParameterError(
                f"the ranking for one case goes by counts, not by estimator={self.estimator!r}"
            )
        metric = OF_VALUES.get(self.spec) if isinstance(self.spec, str) else None
        coding = fitted(data, self.discretizer)
        check_all_cut(data, coding)
        # The case itself need not be among those that count: its class may be unknown.
        both = Coded.of(joined(whole, self.case, data), coding)
        asked = as_questions(both, 0).take(np.arange(1, len(data) + 1))
        return feature_scores(asked, metric or find_metric(self.spec), self.seed)


def joined(whole: Dataset, case: int | None, data: Dataset) -> Dataset:
    """Return one case of some data, followed by other data of the same columns."""
    assert case is not None
    first = whole.take([case])
    columns = [np.append(a, b) for a, b in zip(first.columns, data.columns, strict=True)]
    weights = np.append(first.weights, data.weights)
    return Dataset.of(whole.schema, columns, np.append(first.y, data.y), weights)
