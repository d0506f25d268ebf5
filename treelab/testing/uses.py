"""What else a metric must be good for: trees, other metrics, files and labels."""

import pickle
import sys
from typing import Any

from treelab import metrics
from treelab.data.dataset import Dataset
from treelab.metrics.normalized import Normalized
from treelab.protocols import SplitMetric
from treelab.testing import examples
from treelab.testing.verdict import (
    ConformanceError,
    expect_no_infinity,
    expect_same,
    scores_of,
)
from treelab.tree.grow import Growth
from treelab.tree.model import Tree
from treelab.tree.stop import Stop


def grows_a_tree(metric: SplitMetric) -> None:
    """Expect a tree that tells its training cases at least as well as a leaf does."""
    for data in (examples.mixed(), examples.with_missing_values()):
        tree = _grown(metric, data)
        right = data.weights[tree.predict(data) == data.labels].sum()
        most = tree.root.counts.max()
        if tree.root.is_leaf or right < most:
            raise ConformanceError(
                f"a metric must grow a tree, but on {data.name} one of {tree.n_leaves} leaves "
                f"tells {right:g} cases right, a leaf {most:g}"
            )


def never_lets_a_constant_column_win(metric: SplitMetric) -> None:
    """Expect a tree of constant columns and a copy of the class to test the copy."""
    data = examples.with_constants()
    tree, copy = _grown(metric, data), data.features[-1]
    if tree.root.feature != copy:
        raise ConformanceError(
            f"a constant column must never win, but on {data.name} the root tests "
            f"{tree.root.feature or 'nothing'} instead of {copy}"
        )


def works_inside_normalized(metric: SplitMetric) -> None:
    """Expect finite scores or NaN of `Normalized`, which asks again with permuted classes."""
    data = examples.mixed()
    normalized = Normalized(metric, "permutation", "difference", rounds=2)
    expect_no_infinity(scores_of(normalized, examples.node(data, "multiway"), data), data)


def can_be_pickled(metric: SplitMetric) -> None:
    """Expect a copy that went through pickle to give the same scores.

    Lambdas and functions inside functions, which Python cannot pickle, are exempt.
    """
    if _has_no_name(metric):
        return
    data, rule = examples.mixed(), "a metric must survive pickle"
    node = examples.node(data)
    try:
        copy = pickle.loads(pickle.dumps(metric))  # noqa: S301  (its own pickle)
    except Exception as error:  # whatever somebody's metric may raise
        raise ConformanceError(f"{rule}, but {metric!r} raised {error}") from error
    expect_same(scores_of(copy, node, data), scores_of(metric, node, data), rule, f"on {data.name}")


def can_be_pasted_back(metric: SplitMetric) -> None:
    """Expect `repr` of a metric that can be compared to be an expression that makes an equal one.

    Functions, and what is made of functions that only its user can name, are exempt.
    """
    if _has_no_name(metric) or type(metric).__eq__ is object.__eq__:
        return
    rule = "the text of a metric must make it again"
    try:
        copy = eval(repr(metric), _names_around(metric))  # noqa: S307  (its own text)
    except NameError:
        return
    except Exception as error:  # whatever the text may be
        raise ConformanceError(f"{rule}, but {metric!r} raised {error}") from error
    if copy != metric:
        raise ConformanceError(f"{rule}, but {metric!r} made {copy!r}")


def _grown(metric: SplitMetric, data: Dataset) -> Tree:
    stop = Stop(min_cases=2, min_branch=1)
    return Growth(metric, cut_metric=metrics.metric("gain"), stop=stop)(data)


def _has_no_name(metric: SplitMetric) -> bool:
    return any(mark in repr(metric) for mark in ("<lambda>", "<locals>"))


def _names_around(metric: SplitMetric) -> dict[str, Any]:
    """Return the public names of metrics, and what stands beside the metric and its parts."""
    names = {name: getattr(metrics, name) for name in metrics.__all__}
    parts = [getattr(metric, field) for field in getattr(metric, "__match_args__", ())]
    modules = [getattr(part, "__module__", None) for part in (type(metric), *parts)]
    for module in filter(None, modules):
        names |= vars(sys.modules[module])
    return names
