"""`why`: every candidate at a node of a tree, judged by every metric."""

from collections.abc import Sequence
from typing import Any, Literal

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.errors import DataError, ParameterError, check_choice
from treelab.explain.judging import best_of_features, concordance, ranks, rescaled
from treelab.explain.own import admission, cut_metric, own_metric
from treelab.explain.report import Option, Verdict, Why
from treelab.explain.words import as_asked, in_words, place_of_test
from treelab.metrics import metric as find_metric
from treelab.metrics.names import Metrics
from treelab.metrics.names import asked as asked_metrics
from treelab.stats.candidates.choice import Judgement, Judges
from treelab.stats.stores.node import InMemoryNode
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.path import read_path, write_path
from treelab.tree.revisit import revisit, training_data
from treelab.tree.weighting import altered

Candidates = Literal["best", "all"]


def why(
    tree: Tree,
    path: str | Sequence[int] = (),
    metrics: Metrics | None = None,
    data: Any = None,
    *,
    candidates: Candidates = "best",
) -> Why:
    """Return every candidate at a node and what every metric says of it.

    Parameters
    ----------
    tree
        The tree to explain.
    path
        The numbers of the branches from the root to the node, such as (0, 2) or '0.2'.
    metrics
        Metrics or their names, or 'all'; without them the tree's own, if it has a name, and some
        that are usual.
    data
        The data the tree was grown from, a `Dataset` or a frame; they need not be given while they
        are alive. Other data tell what the tree would have faced there.
    candidates
        'best': of each feature the best candidate by each metric; 'all': every one. A metric that
        judges whole features gives all candidates of a feature its score; the best of them is then
        the one that the tree's `cut_metric` prefers.

    Examples
    --------
    >>> import treelab as tl
    >>> data = tl.load("lenses")
    >>> answer = tl.why(tl.grow(data, "gain", splits="multiway"), metrics=["gain", "gini"])
    >>> answer.chosen.split, answer.dissent
    ('tear_rate = normal', ())
    """
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree to explain, got {type(tree).__name__}")
    check_choice("candidates", candidates, ("best", "all"))
    path = read_path(path)
    node = _inner_node(tree, path)
    named = asked_metrics(metrics, own_metric(tree))
    judges = {name: find_metric(each) for name, each in named.items()}
    view = revisit(tree, path, training_data(tree, data))
    if not len(view.counts):
        raise DataError(f"these data leave no way to split node {write_path(path)}")
    how = cut_metric(tree), admission(tree)
    judgements = [Judges(metric, *how)(view) for metric in judges.values()]
    asked = _Question(tree, path, view, tuple(judges), judgements, place_of_test(node, view))
    return _report(asked, asked.best if candidates == "best" else asked.all)


def _inner_node(tree: Tree, path: tuple[int, ...]) -> Node:
    node = tree.node(path)
    if node.is_leaf:
        raise ParameterError(
            f"node {write_path(path)} is a leaf, where nothing is split; "
            "`treelab show --paths` tells the paths of the others"
        )
    return node


@attrs.frozen(eq=False)
class _Question:
    """Everything an answer is made of; `own` is the tree's own split among the candidates."""

    tree: Tree
    path: tuple[int, ...]
    view: InMemoryNode
    metrics: tuple[str, ...]
    judgements: Sequence[Judgement]
    own: int | None

    @property
    def choices(self) -> list[int | None]:
        best = (int(judgement.candidates()[0]) for judgement in self.judgements)
        return [None if place < 0 else place for place in best]

    @property
    def all(self) -> IndexArray:
        return np.arange(len(self.view.counts))

    @property
    def best(self) -> IndexArray:
        """The best candidates of each feature, and all that are chosen."""
        shown = np.any([best_of_features(judgement) for judgement in self.judgements], axis=0)
        shown[[place for place in (self.own, *self.choices) if place is not None]] = True
        return np.flatnonzero(shown)

    def words(self, place: int | None) -> str | None:
        if place is None:
            return None
        return in_words(self.tree, self.view, self.view.counts.splits(np.array([place])))[0]


def _report(asked: _Question, places: IndexArray) -> Why:
    of_metrics = np.array([ranks(judgement.worth[places]) for judgement in asked.judgements])
    scaled = [rescaled(judgement.worth) for judgement in asked.judgements]
    order = np.argsort(of_metrics.mean(axis=0), kind="stable")
    chosen = dict(zip(asked.metrics, asked.choices, strict=True))
    counts = asked.view.class_counts
    return Why(
        path=asked.path,
        classes=tuple(zip(asked.tree.classes, counts.tolist(), strict=True)),
        metrics=asked.metrics,
        options=tuple(_option(asked, places[at], of_metrics[:, at], scaled) for at in order),
        n_candidates=len(asked.view.counts),
        choices=tuple(map(asked.words, chosen.values())),
        dissent=tuple(metric for metric, place in chosen.items() if place != asked.own),
        agreement=concordance(of_metrics),
        same_data=bool(np.allclose(counts, altered(asked.tree).node(asked.path).counts)),
    )


def _option(
    asked: _Question, place: int, of_metrics: IndexArray, scaled: Sequence[FloatArray]
) -> Option:
    split = asked.view.counts.splits(np.array([place]))
    words, branches = in_words(asked.tree, asked.view, split)
    verdicts = [
        Verdict(_plain(judgement.said[place]), int(rank), _plain(normalized[place]))
        for judgement, rank, normalized in zip(asked.judgements, of_metrics, scaled, strict=True)
    ]
    feature = asked.tree.features[asked.view.counts.feature[place]]
    by = as_asked(asked.tree, asked.view, split)
    return Option(feature, words, branches, bool(place == asked.own), tuple(verdicts), by)


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
