"""`select`: search the sets of features for the one that tells most about the class."""

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from treelab._markup import Table, notebook_html
from treelab._text import aligned, count
from treelab.data.dataset import Dataset
from treelab.data.frames_out import frame_of
from treelab.errors import ParameterError, check_choice, check_function, check_number
from treelab.metrics.names import name_of
from treelab.protocols import Discretizer, Pruner, SplitMetric
from treelab.selection.by_tree import by_tree
from treelab.selection.coding import check_seed, usable
from treelab.selection.criteria import Criterion, Problem, criterion
from treelab.selection.search import SEARCHES, Goal, Judge, Step
from treelab.selection.wrapper import Wrapper
from treelab.tree.searches import BeamSearch, GreedySearch, Search

TREES: dict[str, Search] = {"tree": GreedySearch(), "tree-beam": BeamSearch()}
"""The searches that grow a tree, and how."""

CUTS = "ssv:8"
"""How numbers are cut for criteria over tables, where nothing else is said."""

LONG = 30
"""A criterion of a longer name is not written above its scores."""


@attrs.frozen
class Stage:
    """A set of features the search went through, and its score."""

    features: tuple[str, ...]
    score: float


@attrs.frozen
class Selection:
    """A set of features, and how it was found.

    Parameters
    ----------
    criterion, search
        What judged the sets, and what looked for them.
    path
        The sets the search went through, the result last.
    n_judged
        How many different sets were judged, the empty one included.
    """

    criterion: str
    search: str
    path: tuple[Stage, ...]
    n_judged: int

    @property
    def features(self) -> tuple[str, ...]:
        """The selected features, in the order in which they were chosen."""
        return self.path[-1].features if self.path else ()

    @property
    def score(self) -> float:
        """The score of the set."""
        return self.path[-1].score if self.path else float("nan")

    def apply(self, data: Dataset) -> Dataset:
        """Return data with the selected features only."""
        return data.select(self.features)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the path as a frame of the given library: 'pandas', 'polars' or 'pyarrow'."""
        table = {
            "size": np.array([len(stage.features) for stage in self.path], np.int64),
            "features": np.array([", ".join(stage.features) for stage in self.path], str),
            "score": np.array([stage.score for stage in self.path], np.float64),
        }
        return frame_of(table, backend)

    def _table(self) -> Table:
        rows = [
            [str(len(stage.features)), f"{stage.score:.6g}", ", ".join(stage.features)]
            for stage in self.path
        ]
        named = self.criterion if len(self.criterion) < LONG else "score"
        return ["size", named, "features"], rows, [True, True, False]

    @property
    def _work(self) -> str:
        return f"{self.search} search judged {count(self.n_judged, 'set')}"

    def __str__(self) -> str:
        heads, rows, to_the_right = self._table()
        return f"{aligned([heads, *rows], to_the_right)}\n\n{self._work}"

    def __repr__(self) -> str:
        chosen = ", ".join(map(repr, self.features)) or "no feature"
        return f"<Selection by {self.criterion}: {chosen}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html(self._work, self._table())


def select(
    data: Dataset,
    metric: Any = "gain-ratio",
    search: str = "greedy",
    k: int | None = None,
    *,
    discretizer: str | Discretizer | None = None,
    threshold: float | None = None,
    width: int = 5,
    pruner: str | Pruner = "none",
    folds: int = 5,
    seed: int = 0,
    watch: Callable[[int], object] = lambda _: None,
) -> Selection:
    """Select a set of features.

    A metric judges a set by one table: the tuple of a case's values is its value. A missing value
    is a value of its own.

    Parameters
    ----------
    data
        The cases; those of unknown class are left out.
    metric
        A metric over tables by name or itself; or 'mifs' (Battiti; 'mifs:beta=0.5'), 'mrmr', 'cfs',
        'gd', 'added-gain-ratio' (of the feature that is added); or a scikit-learn classifier or
        `treelab.Learner`, whose cross-validated accuracy is the score.
    search
        'greedy' (forward), 'backward', 'floating', 'best-first', 'beam', 'exhaustive' (up to
        100,000 sets); or 'tree', 'tree-beam': the features that a tree grown with the metric, by
        beam search if so said, uses, in the order of their use.
    k
        How many features; None: as many as improve the score, at least one.
    discretizer
        Cuts numeric features into intervals; None: 'ssv:8' where sets are judged by tables.
        Learners and trees get the numbers themselves.
    threshold
        Stop when a set scores as much.
    width
        How many sets of each size, or trees, a beam keeps.
    pruner
        Prunes the tree of 'tree' and 'tree-beam', such as 'pessimistic': what it uses then counts.
    folds, seed
        For the cross-validation of learners.
    watch
        Is told the number of sets judged so far, for a progress bar.

    Examples
    --------
    >>> import treelab as tl
    >>> print(tl.select(tl.load("iris"), "mifs", k=2))
    size     mifs  features
       1  1.43933  petal length
       2  2.01808  petal length, petal width
    <BLANKLINE>
    greedy search judged 8 sets
    """
    known = usable(data)
    check_choice("search", search, [*SEARCHES, *TREES])
    goal = _goal(known, k, threshold, width)
    check_seed(seed)
    check_function("watch", watch)
    if search in TREES:
        if threshold is not None:
            raise ParameterError(f"search={search!r} takes what the tree uses: no threshold")
        steps = by_tree(known, metric, discretizer, TREES[search], width, k, seed, pruner)
        return _selection(known, metric, search, steps, 1)
    if pruner != "none":
        raise ParameterError(f"search={search!r} grows no tree: a pruner has nothing to prune")
    problem = Problem(known, CUTS if discretizer is None else discretizer)
    judge = Judge(_criterion(metric, folds, seed).on(problem), len(data.features), watch)
    steps = SEARCHES[search](judge, goal)
    return _selection(known, metric, search, steps, judge.n_judged)


def _criterion(metric: str | SplitMetric | Criterion | Any, folds: int, seed: int) -> Criterion:
    if hasattr(metric, "fit") and not isinstance(metric, Criterion):
        return Wrapper(metric, folds, seed)
    return criterion(metric)


def _goal(data: Dataset, k: int | None, threshold: float | None, width: int) -> Goal:
    if k is not None:
        check_number("k", k, 1, whole=True)
        if k > len(data.features):
            raise ParameterError(f"k must be at most {len(data.features)}, got {k}")
    if threshold is not None:
        check_number("threshold", threshold, float("-inf"))
    check_number("width", width, 1, whole=True)
    return Goal(k, threshold, width)


def _selection(
    data: Dataset, metric: Any, search: str, steps: list[Step], n_judged: int
) -> Selection:
    stages = (Stage(tuple(data.features[f] for f in step.subset), step.score) for step in steps)
    return Selection(name_of(metric), search, tuple(stages), n_judged)
