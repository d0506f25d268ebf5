"""`Learner`: everything it takes to grow a tree, as a value; and `grow`, its short form."""

import ast
from math import inf
from typing import get_args
from weakref import ref

import attrs

from treelab.data.checks import check_target
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.order import steady
from treelab.discretize import discretizer as find_discretizer
from treelab.errors import check_choice, check_number
from treelab.metrics import metric as find_metric
from treelab.protocols import Discretizer, Pruner, SplitMetric
from treelab.stats.view import HowToSplit
from treelab.tree.grow import Growth, find_search
from treelab.tree.model import Missing, Tree
from treelab.tree.optimal.settings import Optimal
from treelab.tree.prune import check_pruned
from treelab.tree.prune import pruner as find_pruner
from treelab.tree.stop import Stop


def _written(part: object) -> str:
    """Write a part of a learner: a function by its name, what is no expression as a text.

    So the whole can be parsed, and its other parameters read back.
    """
    if part is None or isinstance(part, str):
        return repr(part)
    text = str(getattr(part, "__qualname__", None) or repr(part))
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return repr(text)
    return text


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
    cut_metric
        Chooses the threshold or group where the metric judges a feature as a whole.
    search, width
        'greedy': every node gets the best split; 'beam': `width` trees grow side by side, so that
        a split may be taken for what comes after it; see `treelab.tree.beam`. 'optimal': of all
        trees of `max_depth` 4 at most, or `max_leaves` 16 at most, the one with the least share of
        training errors + price x leaves, whatever the metric; 'optimal:price=0.01,time_limit=60',
        see `treelab.Optimal`.
    seed
        For everything that is left to chance.
    """

    metric: str | SplitMetric = attrs.field(default="gain-ratio-c45", repr=_written)
    discretizer: str | Discretizer | None = attrs.field(default=None, repr=_written)
    pruner: str | Pruner | None = attrs.field(
        default="pessimistic:cf=0.2,chance=0.5", repr=_written
    )
    missing: Missing = "fractional"
    min_cases: float = 2
    min_branch: float = 2
    max_depth: int | None = None
    max_leaves: int | None = None
    splits: HowToSplit = "auto"
    bins: int | None = None
    cut_metric: str | SplitMetric = attrs.field(default="gain", repr=_written)
    search: str | Optimal = "greedy"
    width: int = 5
    seed: int = 0

    def fit(self, data: Dataset) -> Tree:
        """Return the pruned tree of some data."""
        check_target(data)
        cases = steady(data, shared_out=self.missing == "fractional")
        growth, prune = self._growth(cases), find_pruner(self.pruner)
        if getattr(prune, "seed", self.seed) is None:
            prune = attrs.evolve(prune, seed=self.seed)  # type: ignore[misc]
        grown = growth(cases)
        tree = check_pruned(prune(grown, cases, self._regrow))
        return attrs.evolve(tree, grown_from=ref(data), optimum=grown.optimum)

    def _regrow(self, data: Dataset) -> Tree:
        return self._growth(data)(data)

    def _growth(self, data: Dataset) -> Growth:
        check_choice("missing", self.missing, get_args(Missing))
        check_choice("splits", self.splits, get_args(HowToSplit))
        check_number("width", self.width, 1, whole=True)
        check_number("seed", self.seed, -inf, whole=True)
        if self.bins is not None:
            check_number("bins", self.bins, 2, whole=True)
        return Growth(
            metric=find_metric(self.metric),
            cut_metric=find_metric(self.cut_metric),
            coding=self._coding(data),
            splits=self.splits,
            bins=self.bins,
            missing=self.missing,
            stop=Stop(self.min_cases, self.min_branch, self.max_depth, self.max_leaves),
            search=find_search(self.search),
            width=self.width,
            seed=self.seed,
            learner=repr(self),
        )

    def _coding(self, data: Dataset) -> Coding:
        if self.discretizer is None:
            return Coding()
        found = find_discretizer(self.discretizer).fit(data.take(data.y >= 0))
        return found.on(data.schema) if isinstance(found, Coding) else found  # refused by `grow`


_DEFAULT = Learner()


def grow(
    data: Dataset,
    metric: str | SplitMetric = _DEFAULT.metric,
    discretizer: str | Discretizer | None = _DEFAULT.discretizer,
    pruner: str | Pruner | None = _DEFAULT.pruner,
    missing: Missing = _DEFAULT.missing,
    *,
    min_cases: float = _DEFAULT.min_cases,
    min_branch: float = _DEFAULT.min_branch,
    max_depth: int | None = _DEFAULT.max_depth,
    max_leaves: int | None = _DEFAULT.max_leaves,
    splits: HowToSplit = _DEFAULT.splits,
    bins: int | None = _DEFAULT.bins,
    cut_metric: str | SplitMetric = _DEFAULT.cut_metric,
    search: str | Optimal = _DEFAULT.search,
    width: int = _DEFAULT.width,
    seed: int = _DEFAULT.seed,
) -> Tree:
    """Grow and prune a tree: short for `Learner(...).fit(data)`.

    Parameters
    ----------
    data
        The cases to learn from.
    metric, discretizer, pruner, missing, splits, bins, cut_metric, search, width, seed
        How to grow and prune; see `Learner`.
    min_cases, min_branch, max_depth, max_leaves
        When to stop; see `Learner`.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.grow(tl.load("lenses"), "gain", pruner="none", min_branch=1)
    <Tree for 'class': 7 leaves, 13 nodes, depth 4>
    """
    learner = Learner(
        metric=metric,
        discretizer=discretizer,
        pruner=pruner,
        missing=missing,
        min_cases=min_cases,
        min_branch=min_branch,
        max_depth=max_depth,
        max_leaves=max_leaves,
        splits=splits,
        bins=bins,
        cut_metric=cut_metric,
        search=search,
        width=width,
        seed=seed,
    )
    return learner.fit(data)
