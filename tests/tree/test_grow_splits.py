"""Thresholds of numbers, and subsets of values."""

from itertools import product

import naive
import naive_formulas
import numpy as np
import pytest
from grown import full, my_gini
from strategies import dataset, random_dataset

import treelab as tl


def test_a_threshold_lies_midway_between_the_values_at_the_node():
    """The values 2 and 3 occur, but not where x0 is b."""
    x1 = [1.0, 2.0, 3.0, 7.0, 1.0, 1.0, 7.0, 7.0]
    data = dataset([[0, 0, 0, 0, 1, 1, 1, 1], x1], [0, 0, 0, 0, 1, 1, 2, 2])
    tree = full(data, splits="multiway")

    assert tree.root.feature == "x0"
    assert tree.root.children[1].threshold == 4.0


def test_neighbouring_numbers_can_be_told_apart():
    for low in (1.0, np.nextafter(1.0, 2.0)):  # the middle is rounded down or up
        high = np.nextafter(low, 2.0)
        data = dataset([[low, low, high, high]], [0, 0, 1, 1])

        assert full(data).predict(data).tolist() == ["c0", "c0", "c1", "c1"]
        assert full(data).root.threshold == low


def test_bins_tell_neighbouring_numbers_apart():
    values = [1.0]
    for _ in range(7):
        values.append(np.nextafter(values[-1], 2.0))
    data = dataset([values], [0, 0, 1, 1, 0, 0, 1, 1])
    tree = full(data, bins=4)

    assert tree.predict(data).tolist() == data.labels.tolist()


@pytest.mark.parametrize("name", ["iris", "bupa", "diabetes-pima"])
def test_as_many_bins_as_values_change_nothing(name):
    data = tl.load(name)
    data = data.reweighted(np.random.default_rng(0).integers(1, 20, len(data)))
    most = max(len(np.unique(column)) for column in data.columns)

    assert full(data) == full(data, bins=most)


@pytest.mark.parametrize("bins", [2, 5, 10])
def test_few_bins_part_the_cases_as_intervals_of_equal_frequency_do(bins):
    data = tl.load("bupa")
    tree = full(data, bins=bins)
    cut = full(data, discretizer=f"equal-frequency:{bins}", splits="binary")

    assert tree.n_leaves > 2
    np.testing.assert_array_equal(cut.feature, tree.feature)
    np.testing.assert_array_equal(cut.counts, tree.counts)
    np.testing.assert_array_equal(cut.predict_proba(data), tree.predict_proba(data))


def naive_root(data, metric):
    """Return the best score among ALL two-group partitions, whatever their number."""
    task = naive.problem(data)
    known = [case for case in task.cases if case.values[0] is not None]
    values = naive.values_of(known, 0)
    table = naive.value_table(known, 0, values, task.n_classes)
    best = -np.inf
    for right in product([False, True], repeat=len(values) - 1):
        if any(right):
            groups = [[], []]
            for row, is_right in zip(table, [False, *right], strict=True):
                groups[is_right].append(row)
            best = max(best, naive_formulas.FORMULAS[metric](list(map(naive.class_margin, groups))))
    return best * len(known) / len(task.cases)


@pytest.mark.parametrize("metric", ["gain", "gini", "chi2"])
@pytest.mark.parametrize("labels", [7, 9, 11])
def test_two_classes_many_values_the_best_of_all_subsets_is_found(labels, metric):
    """Breiman's theorem: the best subset is the start of the order by class share."""
    for seed in range(3):
        # So many that each label has five cases: rarer ones were grouped together.
        data = random_dataset(seed, 300, numeric=0, nominal=1, labels=labels, classes=2)
        root = full(data, metric, splits="subset", max_depth=1).root

        assert len(np.unique(data["x0"])) == labels + 1
        assert root.score == pytest.approx(naive_root(data, metric), rel=1e-9)


def test_up_to_seven_values_all_subsets_are_tried_for_any_number_of_classes():
    for seed in range(5):
        data = random_dataset(seed, 60, numeric=0, nominal=1, labels=7, classes=4)
        root = full(data, "gini", splits="subset", max_depth=1).root

        assert root.score == pytest.approx(naive_root(data, "gini"), rel=1e-9)


def test_the_groups_of_a_feature_do_not_depend_on_other_features():
    """Where its value is known, x0 sees two classes only; x1 sees all three."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    x0 = np.where(y == 2, -1, rng.integers(0, 9, 120))
    x1 = rng.integers(0, 9, 120)

    def groups(columns):
        data = dataset(columns, y, labels=dict.fromkeys(range(len(columns)), 9))
        seen = []

        def metric(node):
            scores = node.counts.map(my_gini)
            seen.append(scores[node.counts.feature == 0])
            return scores

        full(data, metric, splits="subset", max_depth=1)
        return seen[0]

    np.testing.assert_array_equal(groups([x0]), groups([x0, x1]))
