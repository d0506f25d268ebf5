"""`stability`: how much the tree changes when the cases are drawn again."""

import attrs
import numpy as np

from treelab.data.checks import check_target
from treelab.data.dataset import Dataset
from treelab.data.order import by_content
from treelab.errors import check_number
from treelab.learner import Learner
from treelab.metrics.names import Metrics, asked
from treelab.multiplicity.rashomon_set import checked
from treelab.multiplicity.steadiness import MetricStability, TreeStability
from treelab.stats.stores.bootstrap import bootstrap
from treelab.tree.model import Tree


def stability(
    data: Dataset,
    learner: Learner | None = None,
    metrics: Metrics | None = None,
    *,
    samples: int = 50,
    seed: int = 0,
) -> TreeStability:
    """Return how much the tree of each metric changes over bootstrap samples.

    The tree of every sample is compared with the tree of all cases: whether it tests the same
    feature first; how many features both test of those that one of them does (Jaccard); for how
    many of the cases, by their weight, it predicts the same class. All metrics see the same
    samples, which are as large as the data and drawn with replacement: a case of weight 2 is two
    cases; one of a fractional weight is one, drawn in proportion to it.

    Parameters
    ----------
    data
        The cases to learn from.
    learner
        How to make trees; the default learner without it.
    metrics
        Metrics or their names, or 'all', each of which takes the place of the learner's; without
        any the learner's own and some that are usual.
    samples
        How many samples are drawn.
    seed
        For the samples; that of the learner is its own.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.stability(tl.load("iris"), metrics=["gain", "gini"], samples=20)
    >>> found["gain"].root, found["gain"].roots
    ('petal length', {'petal length': 18, 'petal width': 2})
    """
    check_target(data)
    check_number("samples", samples, 2, whole=True)
    check_number("seed", seed, -np.inf, whole=True)
    learner = checked(learner)
    known = by_content(data.take(data.y >= 0))  # sums over them are always the same
    learners = {
        name: attrs.evolve(learner, metric=metric)
        for name, metric in asked(metrics, learner.metric).items()
    }
    whole = {name: each.fit(known) for name, each in learners.items()}  # says what is amiss first
    drawn = list(bootstrap(known, samples, seed))
    return TreeStability(
        {
            name: _compared(name, known, whole[name], [each.fit(sample) for sample in drawn])
            for name, each in learners.items()
        },
        samples,
        seed,
    )


def _compared(name: str, data: Dataset, whole: Tree, others: list[Tree]) -> MetricStability:
    """Compare trees with that of all cases."""
    said, total = whole.predict(data), data.weights.sum()
    return MetricStability(
        metric=name,
        tree=whole,
        sample_roots=tuple(tree.root.feature for tree in others),
        jaccard=np.array([_jaccard(whole.tested, tree.tested) for tree in others]),
        agreement=np.array(
            [data.weights[tree.predict(data) == said].sum() / total for tree in others]
        ),
        leaves=np.array([tree.n_leaves for tree in others]),
    )


def _jaccard(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Return how many of the features of both are common to them; 1 where there are none at all."""
    either = {*one, *other}
    return len({*one} & {*other}) / len(either) if either else 1.0
