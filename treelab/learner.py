"""`Learner`: everything it takes to grow a tree, as a value; and `grow`, its short form."""

from typing import Any, get_args

import attrs
import numpy as np

from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.discretize import discretizer as find_discretizer
from treelab.errors import DataError, ParameterError, UnknownNameError, check_choice
from treelab.metrics import metric as find_metric
from treelab.protocols import Discretizer, Pruner, SplitMetric
from treelab.stats.view import Splits
from treelab.tree.grow import Growth
from treelab.tree.model import Missing, Tree
from treelab.tree.prune import pruner as find_pruner
from treelab.tree.stop import Stop


@attrs.frozen(kw_only=True)
class Learner:
    """How to make a tree of data. Names may stand for metric, discretizer and pruner.

    The defaults are those of small, accurate trees over the bundled data sets: see
    `experiments/defaults`.

    Parameters
    ----------
    metric
        What a split is worth: a name (`treelab.metric_names()`) or any callable that takes a
        node view and returns a score per candidate.
    discretizer
        Cuts numeric features into intervals first, by the training data; None keeps them numeric.
    pruner
        What makes the grown tree smaller; None or 'none' for nothing.
    missing
        'fractional': a case whose value is missing goes down all branches, in parts (C4.5);
        'branch': missing is a value of its own; 'majority': it goes with most cases.
    min_cases, min_branch, max_depth, max_leaves
        When to stop; see `treelab.tree.stop.Stop`.
    splits
        'multiway': a branch for each value of a nominal or discretized feature; 'binary': one
        value against the rest; 'subset': two groups of values; 'auto': two groups for nominal
        features, a branch for each interval for discretized ones. Numeric features are always
        cut at a threshold.
    bins
        Consider only the borders of so many equally filled bins as thresholds; None: all.
    seed
        For everything that is left to chance.
    """

    metric: str | SplitMetric = "gain-ratio-c45"
    discretizer: str | Discretizer | None = None
    pruner: str | Pruner | None = "pessimistic:cf=0.1"
    missing: Missing = "fractional"
    min_cases: float = 2
    min_branch: float = 2
    max_depth: int | None = None
    max_leaves: int | None = None
    splits: Splits = "auto"
    bins: int | None = None
    seed: int = 0

    def fit(self, data: Dataset) -> Tree:
        """Return the pruned tree of some data."""
        growth, prune = self._growth(data), find_pruner(self.pruner)
        tree = prune(growth(data), data, self._regrow)
        assert isinstance(tree, Tree)
        return tree

    def _regrow(self, data: Dataset) -> Tree:
        return self._growth(data)(data)

    def _growth(self, data: Dataset) -> Growth:
        check_choice("missing", self.missing, get_args(Missing))
        check_choice("splits", self.splits, get_args(Splits))
        _check_data(data)
        _check_bins(self.bins)
        return Growth(
            metric=find_metric(self.metric),
            coding=self._coding(data),
            splits=self.splits,
            bins=self.bins,
            missing=self.missing,
            stop=Stop(self.min_cases, self.min_branch, self.max_depth, self.max_leaves),
            seed=self.seed,
            learner=repr(self),
        )

    def _coding(self, data: Dataset) -> Coding:
        if self.discretizer is None:
            return Coding()
        return find_discretizer(self.discretizer).fit(data.take(data.y >= 0))


def grow(data: Dataset, metric: str | SplitMetric | None = None, **settings: Any) -> Tree:
    """Grow and prune a tree: short for `Learner(metric=metric, ...).fit(data)`.

    Parameters
    ----------
    data
        The cases to learn from.
    metric
        What a split is worth; None for the default.
    settings
        Everything else a `Learner` takes.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.grow(tl.load("lenses"), "gain", pruner="none", min_branch=1)
    <Tree for 'class': 7 leaves, 13 nodes, depth 4>
    """
    if metric is not None:
        settings["metric"] = metric
    unknown = [name for name in settings if name not in attrs.fields_dict(Learner)]
    if unknown:
        raise UnknownNameError("setting", unknown[0], attrs.fields_dict(Learner))
    return Learner(**settings).fit(data)


def _check_data(data: Dataset) -> None:
    if not isinstance(data, Dataset):
        raise DataError(
            f"expected a Dataset, got {type(data).__name__}; "
            "make one with treelab.read, treelab.load or Dataset.from_frame"
        )
    if not data.target:
        raise DataError("the data have no target: name the column to predict with target=")


def _check_bins(bins: int | None) -> None:
    if bins is not None and not (isinstance(bins, int | np.integer) and bins >= 2):
        raise ParameterError(f"bins must be a whole number of at least 2, got {bins!r}")
