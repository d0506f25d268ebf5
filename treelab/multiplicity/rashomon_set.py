"""`rashomon`: the trees met during the search that are about as good as the best.

Breiman (2001) named the effect: many models of the same data are equally good and say different
things. All trees of that kind can be listed for small ones only (Xin et al. 2022); here they are
those that look-ahead and beam have finished, for any metric, split and missing value.
"""

from collections.abc import Iterator

import attrs

from treelab.data.checks import check_target
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_share
from treelab.learner import Learner
from treelab.metrics.names import Metrics, asked
from treelab.multiplicity.good_trees import MetricTree, Rashomon, RashomonTree
from treelab.tree.model import ARRAYS, Tree
from treelab.tree.prune.price import ROUNDING, cheapest, cost

SEARCHES = {"look-ahead": "lookahead", "beam": "beam"}
"""What finds trees, by what it is called in answers."""

TESTS = tuple(name for name in ARRAYS if name not in ("counts", "scores"))


def rashomon(
    data: Dataset,
    learner: Learner | None = None,
    metrics: Metrics | None = None,
    *,
    epsilon: float = 0.01,
) -> Rashomon:
    """Return the trees met during look-ahead and beam search that are about as good as the best.

    Every tree costs what look-ahead says it does (SPEC 12.6): the pessimistic errors of its leaves
    and half an error a leaf; subtrees that cost as much as a leaf are leaves, so no pruner is
    asked. Trees that make the same tests are one.

    Parameters
    ----------
    data
        The cases to learn from.
    learner
        How to grow trees: its metric and `width` are those of both searches; the default learner
        without it.
    metrics
        Metrics or their names, or 'all', whose own trees, grown greedily, are looked for among
        them; without any the learner's and some that are usual.
    epsilon
        By how much a tree may cost more than the best, in errors per case: 0.01 is one error more
        in a hundred cases.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.rashomon(tl.load("iris"), metrics=["gain", "gini"])
    >>> found.n, found.roots, found.features_of_all
    (2, {'petal length': 1, 'petal width': 1}, ('petal length', 'petal width'))
    """
    check_target(data)
    check_share("epsilon", epsilon)
    learner = checked(learner)
    found = _Found(learner.max_leaves)
    for name, search in SEARCHES.items():
        found.add(name, attrs.evolve(learner, search=search).trees_met(data))
    greedy = attrs.evolve(learner, search="greedy")
    own = {
        name: found.add(name, attrs.evolve(greedy, metric=metric).trees_met(data))[0]
        for name, metric in asked(metrics, learner.metric).items()
    }
    return _within(found, own, epsilon)


def checked(learner: Learner | None) -> Learner:
    """Return a learner, the default one for None."""
    if learner is None:
        return Learner()
    if not isinstance(learner, Learner):
        raise ParameterError(f"expected a Learner, got {type(learner).__name__}")
    return learner


class _Found:
    """Trees by what they test, in the order in which they were met."""

    def __init__(self, max_leaves: int | None) -> None:
        self.max_leaves = max_leaves
        self.trees: dict[bytes, RashomonTree] = {}

    def add(self, source: str, trees: Iterator[Tree]) -> list[bytes]:
        """Add trees that were met in some way; return by what each of them is known."""
        return [self._add(source, cheapest(tree)) for tree in trees]

    def _add(self, source: str, tree: Tree) -> bytes:
        key = tests_of(tree)
        known = self.trees.get(key) or RashomonTree(tree, cost(tree), ())
        sources = tuple(dict.fromkeys([*known.sources, source]))
        self.trees[key] = attrs.evolve(known, sources=sources)
        return key

    def in_order(self) -> dict[bytes, RashomonTree]:
        """Return the trees that are not too large, the cheapest first, then the smallest."""
        most = self.max_leaves or float("inf")  # completed options may go beyond
        fitting = [(key, met) for key, met in self.trees.items() if met.n_leaves <= most]
        return dict(sorted(fitting, key=lambda item: (round(item[1].price, 9), item[1].n_leaves)))


def tests_of(tree: Tree) -> bytes:
    """Return what tells trees of the same data apart: all their tests.

    The class weights follow from them, but for rounding.
    """
    return b"|".join(getattr(tree, name).tobytes() for name in TESTS)


def _within(found: _Found, own: dict[str, bytes], epsilon: float) -> Rashomon:
    """Keep the trees that cost little more than the best."""
    trees = found.in_order()
    best = next(iter(trees.values()))
    cases = best.tree.root.weight  # added up in an order that is not that of the rows
    limit = best.price + epsilon * cases + ROUNDING
    kept = {key: met for key, met in trees.items() if met.price <= limit}
    places = {key: place for place, key in enumerate(kept, 1)}
    metrics = {
        name: MetricTree(found.trees[key].price, found.trees[key].n_leaves, places.get(key))
        for name, key in own.items()
    }
    return Rashomon(tuple(kept.values()), metrics, epsilon, cases, len(trees))
