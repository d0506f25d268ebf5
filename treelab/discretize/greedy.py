"""Top-down cut points by any split metric."""

from collections.abc import Mapping
from heapq import heappush
from typing import Any, ClassVar, Literal, NamedTuple

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.quantiles import cut_between
from treelab.discretize.checks import at_least, choice, positive_or_none
from treelab.discretize.profile import labelled
from treelab.kernels.discretize import FAYYAD_IRANI, KONONENKO, accepts
from treelab.kernels.ties import TIE
from treelab.metrics import metric as find_metric
from treelab.protocols import SplitMetric
from treelab.stats.candidates.choice import Chosen, Judgement, check_judges_cuts, cut_scores
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.in_memory import InMemoryStore
from treelab.stats.stores.node import InMemoryNode
from treelab.stats.stores.nodes import Children, NodeBatch
from treelab.stats.ties import pop_first

StopRule = Literal["mdlp", "kononenko-mdl"]
WHO = "the metric of a discretizer"
RULES: dict[StopRule, int] = {"mdlp": FAYYAD_IRANI, "kononenko-mdl": KONONENKO}


def _named(given: Any) -> str | SplitMetric:
    """Return a metric as it was given, one that a table names made."""
    return find_metric(given) if isinstance(given, Mapping) else given


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
        check_judges_cuts(find_metric(given), WHO)

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
        coded = Coded.of(known, Coding())
        store = InMemoryStore.of(coded, min_branch=self.min_cases, seed=self.seed)
        search = _Search(self, find_metric(self.metric), store)
        points = coded.axes[0].points
        low, high = np.array(search.sides(), dtype=np.int64).reshape(-1, 2).T
        return np.sort(cut_between(points[low], points[high]))


class _Open(NamedTuple):
    """An interval that can be cut; that of the largest win, then the leftmost, comes first."""

    loss: float
    first: int
    splits: Splits
    sides: Children


class _Search:
    def __init__(self, rules: Greedy, metric: SplitMetric, store: InMemoryStore) -> None:
        self.rules, self.metric, self.store = rules, metric, store
        self.codes = store.coded.codes[0].astype(np.int64)

    def sides(self) -> list[tuple[int, int]]:
        """Return the codes below and above every cut."""
        found: list[tuple[int, int]] = []
        waiting: list[_Open] = []
        self._push(waiting, self.store.root())
        while waiting and len(found) + 1 < (self.rules.bins or np.inf):
            interval = pop_first(waiting)
            found.append((int(interval.splits.low[0]), int(interval.splits.high[0])))
            below = interval.sides.keep(np.arange(2))
            for side in range(2):
                self._push(waiting, below.only(np.array([side])))
        return found

    def _push(self, waiting: list[_Open], interval: NodeBatch) -> None:
        view = self.store.view(interval)
        if np.count_nonzero(view.class_counts) < 2:
            return
        chosen = self._chosen(view)
        if not len(chosen.nodes):
            return
        sides = interval.split(chosen.splits, "majority")
        if self._stands(view, sides, float(chosen.scores[0])):
            first = int(self.codes[view.rows].min())
            heappush(waiting, _Open(-sides.decrease[0], first, chosen.splits, sides))

    def _chosen(self, view: InMemoryNode) -> Chosen:
        scores = np.empty(0)
        if len(view.counts):
            scores = cut_scores(view, self.metric, WHO)
        return Judgement.of_candidates(view.counts, scores).best()

    def _stands(self, view: InMemoryNode, sides: Children, score: float) -> bool:
        least = self.rules.min_score
        if least is not None and score <= least + TIE:
            return False
        if self.rules.stop is None:
            return True
        n_points, n_classes = len(np.unique(self.codes[view.rows])), self.store.coded.n_classes
        left, right = sides.counts
        return bool(accepts(left, right, n_points, RULES[self.rules.stop], n_classes))
