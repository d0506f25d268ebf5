"""Features in the order in which a tree uses them (duch2004: SSV trees)."""

from heapq import heappush

from treelab.data.dataset import Dataset
from treelab.metrics import metric as find_metric
from treelab.protocols import Discretizer, Pruner, SplitMetric
from treelab.selection.coding import fitted
from treelab.selection.search import Step
from treelab.stats.ties import pop_first
from treelab.tree.grow import Growth
from treelab.tree.model import Tree
from treelab.tree.prune import prune
from treelab.tree.searches import Search


def order_of_use(tree: Tree) -> list[Step]:
    """Return the features of a tree, each where it is first used, with the score of that test.

    The tests come best first: of those that could be next, the one with the largest score times
    its number of cases.
    """
    path: list[Step] = []
    used: tuple[int, ...] = ()
    waiting = [(0.0, 0)]
    while waiting:
        number = pop_first(waiting)[1]
        feature = int(tree.feature[number])
        if feature < 0:
            continue
        if feature not in used:
            used = (*used, feature)
            path.append(Step(used, float(tree.scores[number])))
        first, last = tree.first_child[number : number + 2]
        for child in tree.children[first:last].tolist():
            heappush(waiting, (-_priority(tree, child), child))
    return path


def _priority(tree: Tree, number: int) -> float:
    if tree.feature[number] < 0:
        return 0.0
    return float(tree.scores[number] * tree.counts[number].sum())


def by_tree(
    data: Dataset,
    metric: str | SplitMetric,
    discretizer: str | Discretizer | None,
    search: Search,
    width: int,
    k: int | None,
    seed: int,
    pruner: str | Pruner = "none",
) -> list[Step]:
    """Grow a tree, prune it and return the first k features it uses."""
    grown = Growth(
        metric=find_metric(metric),
        cut_metric=find_metric("gain"),
        coding=fitted(data, discretizer),
        search=search,
        width=width,
        seed=seed,
    )(data)
    return order_of_use(prune(grown, pruner, data))[:k]
