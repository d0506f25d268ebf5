"""`why`: every candidate at a node of a tree, judged by every metric."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.errors import DataError, ParameterError, TreelabError, check_choice
from treelab.explain.judging import Judgement, concordance, judge, ranks, rescaled
from treelab.explain.report import Option, Verdict, Why
from treelab.explain.words import in_words, place_of_test
from treelab.metrics import metric as find_metric
from treelab.metrics import metric_names
from treelab.protocols import SplitMetric
from treelab.stats.view import View
from treelab.tree.model import Node, Tree
from treelab.tree.path import read_path, write_path
from treelab.tree.revisit import parameters, revisit, training_data

Candidates = Literal["best", "all"]
Metrics = str | Sequence[str | SplitMetric]

USUAL = ("gain", "gain-ratio", "gini", "chi2", "relieff")
"""Asked beside the tree's own metric where no others are named."""


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
    node, path = _inner_node(tree, read_path(path))
    named = _named(tree, metrics)
    view = revisit(tree, path, training_data(tree, data))
    if not len(view.counts):
        raise DataError(f"these data leave no way to split node {write_path(path)}")
    cut_metric = find_metric(parameters(tree.learner).get("cut_metric", "gain"))
    judgements = [judge(view, metric, cut_metric) for metric in named.values()]
    own = place_of_test(node, view)
    shown = (
        _best_of_features(judgements) if candidates == "best" else np.ones(len(view.counts), bool)
    )
    if own is not None:
        shown[own] = True
    return _report(_Question(tree, path, view, tuple(named), judgements, own), shown)


def _inner_node(tree: Tree, path: tuple[int, ...]) -> tuple[Node, tuple[int, ...]]:
    node = tree.node(path)
    if node.is_leaf:
        raise ParameterError(
            f"node {write_path(path)} is a leaf, where nothing is split; "
            "`treelab show --paths` tells the paths of the others"
        )
    return node, path


def _named(tree: Tree, metrics: Metrics | None) -> dict[str, SplitMetric]:
    """Return the metrics by name; what has no name goes by its text, each text once."""
    asked = _asked(tree, metrics)
    if not asked:
        raise ParameterError("metrics must name at least one metric, got none")
    named: dict[str, SplitMetric] = {}
    seen: Counter[str] = Counter()
    for metric in asked:
        name = metric if isinstance(metric, str) else getattr(metric, "__name__", repr(metric))
        seen[name] += 1
        named[name if seen[name] == 1 else f"{name} ({seen[name]})"] = find_metric(metric)
    return named


def _asked(tree: Tree, metrics: Metrics | None) -> Sequence[str | SplitMetric]:
    if metrics is None:
        return tuple(dict.fromkeys([*_own_metric(tree), *USUAL]))
    if isinstance(metrics, str):
        return metric_names() if metrics == "all" else [metrics]
    return tuple(metrics)


def _own_metric(tree: Tree) -> list[str]:
    name = parameters(tree.learner).get("metric")
    try:
        find_metric(name)  # type: ignore[arg-type]
    except TreelabError:  # a function, or a metric of a package that is not here
        return []
    return [str(name)]


def _best_of_features(judgements: Sequence[Judgement]) -> BoolArray:
    """Tell which candidates are the best of their feature by some metric."""
    feature = judgements[0].feature
    shown = np.zeros(len(feature), bool)
    for judgement in judgements:
        best = (judgement.best(feature == f) for f in np.unique(feature))
        shown[[place for place in best if place is not None]] = True
    return shown


@attrs.frozen(eq=False)
class _Question:
    tree: Tree
    path: tuple[int, ...]
    view: View
    names: tuple[str, ...]
    judgements: Sequence[Judgement]
    own: int | None

    def words(self, place: int | None) -> tuple[str | None, tuple[float, ...]]:
        if place is None:
            return None, ()
        return in_words(self.tree, self.view, self.view.counts.split(place))


def _report(asked: _Question, shown: BoolArray) -> Why:
    places = np.flatnonzero(shown)
    of_metrics = np.array([ranks(j.scores[places]) for j in asked.judgements])
    order = np.argsort(of_metrics.mean(axis=0), kind="stable")
    scaled = [rescaled(judgement.scores) for judgement in asked.judgements]
    choices = [judgement.choice for judgement in asked.judgements]
    dissent = [name for name, c in zip(asked.names, choices, strict=True) if c != asked.own]
    counts = asked.view.class_counts
    return Why(
        path=asked.path,
        classes=tuple(zip(asked.tree.classes, counts.tolist(), strict=True)),
        metrics=asked.names,
        options=tuple(_option(asked, int(places[at]), of_metrics[:, at], scaled) for at in order),
        n_candidates=len(shown),
        choices=tuple(asked.words(choice)[0] for choice in choices),
        dissent=tuple(dissent),
        agreement=concordance(of_metrics),
        same_data=bool(np.allclose(counts, asked.tree.node(asked.path).counts)),
    )


def _option(
    asked: _Question, place: int, places: IndexArray, scaled: Sequence[FloatArray]
) -> Option:
    words, branches = asked.words(place)
    verdicts = [
        Verdict(_plain(judgement.scores[place]), int(rank), _plain(normalized[place]))
        for judgement, rank, normalized in zip(asked.judgements, places, scaled, strict=True)
    ]
    feature = asked.tree.features[asked.view.counts.feature[place]]
    return Option(feature, words or "", branches, place == asked.own, tuple(verdicts))


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
