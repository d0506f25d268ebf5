"""Growing step by step: at each test the candidates and what the metric says of them."""

import attrs
import numpy as np

from treelab._typing import IndexArray
from treelab.data.dataset import Dataset
from treelab.errors import DataError
from treelab.explain.own import admission, cut_metric
from treelab.explain.words import in_words, place_of_test
from treelab.protocols import SplitMetric
from treelab.stats.candidates.choice import Judgement, Judges
from treelab.stats.stores.node import InMemoryNode
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.revisit import revisit


@attrs.frozen
class Candidate:
    """A candidate: what it asks and its score, None where the metric cannot judge."""

    feature: str
    split: str
    score: float | None
    chosen: bool


@attrs.frozen
class GrowthStep:
    """A node becomes a test: of so many candidates the best few of each feature, best first."""

    node: int
    path: tuple[int, ...]
    split: str
    n_candidates: int
    candidates: tuple[Candidate, ...]


def growth_steps(
    tree: Tree, data: Dataset, metric: SplitMetric, most: int, per_feature: int
) -> tuple[GrowthStep, ...]:
    """Return the first tests of a tree, level by level, as a greedy builder makes them."""
    found = _by_level(tree)[:most]
    return tuple(_step(tree, data, metric, *each, per_feature) for each in found)


def n_tests(tree: Tree) -> int:
    """Return how many tests a tree has."""
    return int((tree.feature >= 0).sum())


def _by_level(tree: Tree) -> list[tuple[int, tuple[int, ...]]]:
    """Return all tests with their paths: those of a level before those below."""
    found: list[tuple[int, tuple[int, ...]]] = []
    level: list[tuple[Node, tuple[int, ...]]] = [(tree.root, ())]
    while level:
        tests = [(node, path) for node, path in level if not node.is_leaf]
        found += [(node.number, path) for node, path in tests]
        level = [
            (child, (*path, k)) for node, path in tests for k, child in enumerate(node.children)
        ]
    return found


def _step(
    tree: Tree, data: Dataset, metric: SplitMetric, number: int, path: tuple[int, ...], few: int
) -> GrowthStep:
    node = tree.nodes[number]
    words = " | ".join(node.branch_labels)
    try:
        view = revisit(tree, path, data)
    except DataError:  # no case comes here: pruning moved the test, or the data are others
        return GrowthStep(number, path, words, 0, ())
    judged = Judges(metric, cut_metric(tree), admission(tree))(view)
    own = place_of_test(node, view)
    places = _best_few(judged, few)
    if own is not None and own not in places:
        places = np.append(places, own)
    shown = (_candidate(tree, view, judged, int(place), own) for place in places)
    return GrowthStep(number, path, words, len(view.counts), tuple(shown))


def _best_few(judged: Judgement, few: int) -> IndexArray:
    """Return the best candidates of each feature, those of the best feature first."""
    worth = np.where(np.isnan(judged.worth), -np.inf, judged.worth)
    within = np.where(np.isnan(judged.within), -np.inf, judged.within)
    feature = np.asarray(judged.counts.feature)
    order = np.lexsort((np.arange(len(worth)), -within, -worth))
    taken, seen = [], dict[int, int]()
    for place in order:
        at = int(feature[place])
        seen[at] = seen.get(at, 0) + 1
        if seen[at] <= few:
            taken.append(place)
    return np.array(taken, np.int64)


def _candidate(
    tree: Tree, view: InMemoryNode, judged: Judgement, place: int, own: int | None
) -> Candidate:
    words, _ = in_words(tree, view, view.counts.splits(np.array([place])))
    score = float(judged.said[place])
    feature = tree.features[int(view.counts.feature[place])]
    return Candidate(feature, words, score if np.isfinite(score) else None, place == own)
