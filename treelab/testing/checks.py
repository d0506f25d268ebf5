"""What trees rely on in the scores of a metric, one small function each.

A check takes a metric and raises `ConformanceError` where the metric breaks its property.
"""

from collections.abc import Callable

import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data.dataset import Dataset
from treelab.protocols import SplitMetric
from treelab.stats.stores.context import SplitStrategy
from treelab.stats.stores.node import InMemoryNode
from treelab.testing import examples
from treelab.testing.verdict import (
    ConformanceError,
    answer,
    close,
    expect_no_infinity,
    expect_same,
    scores_of,
)

Check = Callable[[SplitMetric], None]
Change = Callable[[Dataset], Dataset]

# Of any node


def gives_one_score_per_candidate_or_feature(metric: SplitMetric) -> None:
    """Expect an array with a number per candidate, or `FeatureScores` with one per feature."""
    for make in examples.EXAMPLES:
        for node in examples.nodes(make()):
            scores_of(metric, node, make())


def gives_finite_scores_or_nan(metric: SplitMetric) -> None:
    """Expect a finite number, or NaN where the metric cannot judge."""
    for make in examples.EXAMPLES:
        _expect_no_harm(metric, make())


def gives_the_same_scores_twice(metric: SplitMetric) -> None:
    """Expect the same of the same node, asked again or made again."""
    data, rule = examples.mixed(), "the same node must have the same scores"
    node = examples.node(data)
    first = scores_of(metric, node, data)
    expect_same(scores_of(metric, node, data), first, rule, f"asked again on {data.name}")
    again = scores_of(metric, examples.node(data), data)
    expect_same(again, first, rule, f"made again from {data.name}")


def changes_no_array(metric: SplitMetric) -> None:
    """Expect everything the metric looks at to stay as it was."""
    for make in examples.EXAMPLES:
        data = make()
        node = examples.node(data)
        before = _arrays(data, node)
        answer(metric, node, data)
        for name, array in _arrays(data, node).items():
            _expect_unchanged(name, array, before[name], data)


# Of awkward nodes


def survives_a_node_of_one_class(metric: SplitMetric) -> None:
    """Expect finite scores or NaN where there is one class."""
    _expect_no_harm(metric, examples.of_one_class())


def survives_a_node_of_one_case(metric: SplitMetric) -> None:
    """Expect no scores where there is one case, and so no candidate."""
    _expect_no_harm(metric, examples.of_one_case())


def survives_missing_values(metric: SplitMetric) -> None:
    """Expect finite scores or NaN where values are missing, and not NaN for all candidates."""
    data = examples.with_missing_values()
    _expect_no_harm(metric, data)
    for node in examples.nodes(data):
        scores = scores_of(metric, node, data)
        if np.isnan(scores).all():
            raise ConformanceError(
                "missing values must leave something to choose from, but on "
                f"{data.name} 0 of {len(scores)} candidates can be judged"
            )


# What must not matter


def does_not_depend_on_the_order_of_cases(metric: SplitMetric) -> None:
    """Expect the same of the same cases in another order."""
    rule = "the order of the cases must not matter"
    for data in (examples.mixed(), examples.with_missing_values()):
        _expect_invariance(metric, data, examples.backwards, rule, "backwards")


def does_not_depend_on_the_names_of_values(metric: SplitMetric) -> None:
    """Expect the same when the labels of nominal features are listed in another order."""
    rule, change = "the order of a feature's labels must not matter", examples.with_codes_reversed
    for data in (examples.mixed(), examples.with_missing_values()):
        _expect_invariance(metric, data, change, rule, "with the labels listed backwards")


def does_not_depend_on_the_names_of_classes(metric: SplitMetric) -> None:
    """Expect the same when the classes are listed in another order."""
    rule, change = "the order of the classes must not matter", examples.with_classes_reversed
    for data in (examples.mixed(), examples.with_missing_values()):
        _expect_invariance(metric, data, change, rule, "with the classes listed backwards")


def takes_a_weight_of_two_for_two_cases(metric: SplitMetric) -> None:
    """Expect the same of a case of weight 2 as of two equal cases."""
    rule = "a case of weight 2 must count as two cases"
    for data in (examples.weighted(), examples.with_missing_values()):
        _expect_invariance(metric, data, examples.duplicated, rule, "with cases for weights")


# What wins


def lets_nothing_beat_a_copy_of_the_class(metric: SplitMetric) -> None:
    """Expect no feature to be worth more than one that tells the class; equals are allowed."""
    data = examples.with_copy_of_class()
    node = examples.node(data, "multiway")
    scores = scores_of(metric, node, data)
    of_copy = scores[node.counts.feature == len(data.features) - 1].max()
    best = np.asarray(np.nanmax(scores, initial=-np.inf))
    if not (of_copy >= best or close(of_copy, best)):
        raise ConformanceError(
            f"nothing must beat a copy of the class, but on {data.name} it scores {of_copy:.12g} "
            f"and another candidate {best:.12g}"
        )


def never_lets_noise_win_because_values_are_missing(metric: SplitMetric) -> None:
    """Expect no noise to beat a feature just because some of its values are missing at random.

    Equals are allowed (SPEC 12.1).
    """
    found, noise = _first_and_best_other(metric, examples.with_noise())
    if not found > noise or close(found, noise):
        return
    data = examples.with_noise_and_missing_values()
    found, noise = _first_and_best_other(metric, data)
    if not (found >= noise or close(found, noise)):
        raise ConformanceError(
            "values missing at random must not cost a feature its lead over noise, but on "
            f"{data.name} it scores {found:.12g} and noise {noise:.12g}"
        )


# Tools


def _first_and_best_other(metric: SplitMetric, data: Dataset) -> tuple[FloatArray, FloatArray]:
    """Return what the first feature scores, and the best of the others."""
    node = examples.node(data, "multiway")
    scores = np.nan_to_num(scores_of(metric, node, data), nan=-np.inf)
    first = node.counts.feature == 0
    return np.asarray(scores[first].max()), np.asarray(scores[~first].max())


def _expect_no_harm(metric: SplitMetric, data: Dataset) -> None:
    for node in examples.nodes(data):
        expect_no_infinity(scores_of(metric, node, data), data)


def _arrays(data: Dataset, node: InMemoryNode) -> dict[str, AnyArray]:
    """Return copies of everything a metric can reach."""
    columns = zip(data.features, data.columns, strict=True)
    arrays = {
        **{f"column {name!r}": values for name, values in columns},
        "the classes": data.y,
        "the weights of the data": data.weights,
        "the rows of the node": node.rows,
        "the weights of the node": node.weights,
        "the class counts": node.class_counts,
        "the tables": np.asarray(node.counts),
        "the features of the candidates": node.counts.feature,
        "the known shares": node.counts.known,
    }
    return {name: array.copy() for name, array in arrays.items()}


def _expect_unchanged(name: str, found: AnyArray, before: AnyArray, data: Dataset) -> None:
    differs = (found != before) & ~((found != found) & (before != before))
    if differs.any():
        raise ConformanceError(
            f"a metric must not change what it looks at, but on {data.name} it changed {name} "
            f"from {before[differs][0]:g} to {found[differs][0]:g}"
        )


def _expect_invariance(
    metric: SplitMetric, data: Dataset, change: Change, rule: str, how: str
) -> None:
    ways: tuple[SplitStrategy, ...] = ("multiway", "subset")
    for splits in ways:
        expected = _sorted_scores(metric, data, splits)
        found = _sorted_scores(metric, change(data), splits)
        expect_same(found, expected, rule, f"on {data.name} {how}")


def _sorted_scores(metric: SplitMetric, data: Dataset, splits: SplitStrategy) -> FloatArray:
    """Return the scores sorted within each feature, for other labels list candidates otherwise."""
    node = examples.node(data, splits)
    scores = scores_of(metric, node, data)
    return np.asarray(scores[np.lexsort((scores, node.counts.feature))])
