"""Top-down cut points by any split metric."""

from collections.abc import Mapping
from heapq import heappush
from typing import Any, ClassVar, Literal, NamedTuple

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.quantiles import cut_between
from treelab.discretize.checks import at_least, choice, positive_or_none
from treelab.discretize.profile import labelled
from treelab.errors import DataError, ParameterError
from treelab.kernels.splitting import FAYYAD_IRANI, KONONENKO, accepts
from treelab.metrics import metric as find_metric
from treelab.protocols import FeatureScores, SplitMetric
from treelab.stats.impurity import TIE, gini_decrease
from treelab.stats.ties import pop_first
from treelab.stats.view import Level, Lineage, Space, View

StopRule = Literal["mdlp", "kononenko-mdl"]
RULES: dict[StopRule, int] = {"mdlp": FAYYAD_IRANI, "kononenko-mdl": KONONENKO}


def _named(given: Any) -> str | SplitMetric:
    """Return a metric as it was given, one that a table names made."""
    return find_metric(given) if isinstance(given, Mapping) else given


def _no_cuts(metric: SplitMetric) -> ParameterError:
    return ParameterError(f"{metric!r} judges whole features, not the cuts of one")


@attrs.frozen
class Greedy:
    """Cut where a split metric says, the interval first that wins most by its best cut.

    What is won is the decrease of the Gini impurity times the weight of the interval, whatever the
    metric, as where a tree grows best first (`treelab.tree.stop.Stop`). Intervals of one class, and
    cuts of a score of at most `min_score`, are left alone.

    Parameters
    ----------
    metric
        A name or any callable over a node view that scores cuts; it sees a single feature.
    bins
        The most intervals; None for as many as the other rules allow.
    stop
        A cut must pay for its own description: 'mdlp' (Fayyad and Irani), 'kononenko-mdl', or
        None.
    min_cases
        The least weight of an interval.
    min_score
        A cut must score more; None for any score.
    seed
        For a metric that leaves something to chance.
    """

    supervised: ClassVar[bool] = True
    metric: str | SplitMetric = attrs.field(default="gain", converter=_named)
    bins: int | None = attrs.field(default=10, validator=positive_or_none)
    stop: StopRule | None = attrs.field(
        default=None, validator=attrs.validators.optional(choice(RULES))
    )
    min_cases: float = attrs.field(default=0.0, validator=at_least(0))
    min_score: float | None = attrs.field(
        default=None, validator=attrs.validators.optional(at_least(-np.inf))
    )
    seed: int = attrs.field(default=0, validator=at_least(-np.inf, whole=True))

    @metric.validator
    def _check_metric(self, _attribute: Any, given: str | SplitMetric) -> None:
        metric = find_metric(given)
        if getattr(metric, "judges_features", False):
            raise _no_cuts(metric)

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of every numeric feature."""
        cases = data.take(labelled(data))
        numeric = [column.name for column in data.schema.features if not column.is_nominal]
        cuts = {name: self._cuts(cases.select([name])) for name in numeric}
        return Coding(cuts).on(data.schema)

    def _cuts(self, data: Dataset) -> FloatArray:
        known = data.take(~np.isnan(data.columns[0]))
        if not len(known):
            return np.empty(0)
        space = Space(Coded.of(known, Coding()), min_branch=self.min_cases, seed=self.seed)
        search = _Search(self, find_metric(self.metric), space)
        points = space.coded.axes[0].points
        low, high = np.array(search.sides(), dtype=np.int64).reshape(-1, 2).T
        return np.sort(cut_between(points[low], points[high]))


class Cut(NamedTuple):
    """The codes below and above a cut."""

    low: int
    high: int


class _Open(NamedTuple):
    """An interval that can be cut; that of the largest win, then the leftmost, comes first."""

    loss: float
    first: int
    view: View
    cut: Cut


class _Search:
    def __init__(self, rules: Greedy, metric: SplitMetric, space: Space) -> None:
        self.rules, self.metric, self.space = rules, metric, space
        self.codes = space.coded.codes[0].astype(np.int64)

    def sides(self) -> list[Cut]:
        """Return the codes below and above every cut."""
        found: list[Cut] = []
        waiting: list[_Open] = []
        self._push(waiting, View.root(self.space))
        while waiting and len(found) + 1 < (self.rules.bins or np.inf):
            interval = pop_first(waiting)
            found.append(interval.cut)
            for branch, rows in enumerate(self._parted(interval)):
                self._push(waiting, self._child(interval.view, branch, rows))
        return found

    def _child(self, view: View, branch: int, rows: IndexArray) -> View:
        lineage = Lineage(view.level.lineage, np.array([0]), np.array([branch]))
        return View(Level.of(self.space, rows, self.space.coded.weights[rows], lineage))

    def _push(self, waiting: list[_Open], view: View) -> None:
        cut = self._best(view)
        if cut is not None:
            sides = np.array(self._counts(view, cut))
            won = gini_decrease(view.class_counts[None, :], sides, np.zeros(2, np.int64))
            heappush(waiting, _Open(-won[0], int(self.codes[view.rows].min()), view, cut))

    def _best(self, view: View) -> Cut | None:
        if np.count_nonzero(view.class_counts) < 2 or not len(view.counts):
            return None
        scores = _scores(self.metric, view)
        best = view.counts.best(scores)
        if best[0] < 0:
            return None
        split, score = view.counts.splits(best), float(scores[best[0]])
        cut = Cut(int(split.low[0]), int(split.high[0]))
        return cut if self._stands(view, cut, score) else None

    def _stands(self, view: View, cut: Cut, score: float) -> bool:
        least = self.rules.min_score
        if least is not None and score <= least + TIE:
            return False
        if self.rules.stop is None:
            return True
        n_points, n_classes = len(np.unique(self.codes[view.rows])), self.space.coded.n_classes
        left, right = self._counts(view, cut)
        return bool(accepts(left, right, n_points, RULES[self.rules.stop], n_classes))

    def _counts(self, view: View, cut: Cut) -> tuple[FloatArray, FloatArray]:
        """Return the class weights below and above a cut."""
        is_left, n_classes = self._is_left(view, cut), self.space.coded.n_classes
        y, weights = self.space.coded.y[view.rows], view.weights
        left, right = (
            np.asarray(np.bincount(y[side], weights[side], n_classes), np.float64)
            for side in (is_left, ~is_left)
        )
        return left, right

    def _is_left(self, view: View, cut: Cut) -> BoolArray:
        return np.asarray(self.codes[view.rows] <= cut.low)

    def _parted(self, interval: _Open) -> tuple[IndexArray, IndexArray]:
        rows, is_left = interval.view.rows, self._is_left(interval.view, interval.cut)
        return rows[is_left], rows[~is_left]


def _scores(metric: SplitMetric, view: View) -> FloatArray:
    given = metric(view)
    if isinstance(given, FeatureScores):
        raise _no_cuts(metric)
    scores = np.asarray(given, dtype=np.float64)
    if scores.shape != (len(view.counts),):
        raise DataError(
            f"a metric must return one score per candidate: expected shape ({len(view.counts)},), "
            f"got {scores.shape}"
        )
    return scores
