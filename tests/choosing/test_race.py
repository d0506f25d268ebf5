"""Candidates on the same folds, and which of them is taken."""

import numpy as np
import pytest

import treelab as tl
from treelab.choosing import Race, race
from treelab.errors import DataError, TreelabError


def made(accuracy, leaves, errors=()):
    accuracy = np.array(accuracy, float)
    leaves = np.repeat(np.array(leaves, float)[:, None], accuracy.shape[1], axis=1)
    names = tuple("abcdef"[: len(accuracy)])
    return Race(names, accuracy, leaves, dict.fromkeys(errors, "no"))


def test_the_best_is_the_most_accurate_then_the_smallest_then_the_first():
    folds = np.array([0.8, 0.9])

    assert made([folds, folds + 0.01], [2, 5]).best == 1
    assert made([folds, folds[::-1]], [5, 2]).best == 1
    assert made([folds, folds], [2, 2]).best == 0


def test_of_those_within_a_standard_error_the_smallest_is_taken():
    best = np.array([0.80, 0.90, 0.85, 0.95])  # standard error 0.032
    close = best + np.array([0.02, -0.05, -0.02, 0.02])  # behind by 0.0075, standard error 0.017
    found = made([best, close], [9, 3])

    assert found.smallest_within(1.0) == 1
    assert found.smallest_within(0.0) == 0


def test_a_candidate_that_is_a_little_worse_on_every_fold_is_not_close():
    best = np.array([0.80, 0.90, 0.85, 0.95])

    assert made([best, best - 0.01], [9, 3]).smallest_within(1.0) == 0


def test_a_candidate_that_is_much_worse_on_some_folds_is_not_close():
    best = np.array([0.90, 0.91, 0.90, 0.91])
    erratic = np.array([0.50, 0.91, 0.90, 0.91])  # standard error of the difference: 0.1

    assert made([best, erratic], [9, 3]).smallest_within(1.0) == 0


def test_who_fails_is_out_of_the_race():
    found = made([[np.nan, np.nan], [0.5, 0.6]], [np.nan, 3], errors="a")

    assert found.best == found.smallest_within(1.0) == 1


class Fails:
    def fit(self, _data):
        raise DataError("it cannot")


def test_errors_are_kept_unless_all_fail():
    data = tl.load("lenses")
    found = race(data, {"bad": Fails(), "good": tl.Learner()}, folds=3)

    assert found.errors == {"bad": "it cannot"}
    assert found.names[found.best] == "good"
    with pytest.raises(TreelabError, match="it cannot"):
        race(data, {"bad": Fails()}, folds=3)


def test_folds_are_paired_whatever_the_order_of_the_cases():
    data = tl.load("iris")
    learners = {"one": tl.Learner(), "two": tl.Learner()}
    found = race(data, learners, folds=4, seed=3)
    turned = race(data.take(np.arange(150)[::-1]), learners, folds=4, seed=3)

    assert np.array_equal(found.accuracy[0], found.accuracy[1])
    assert np.array_equal(found.accuracy, turned.accuracy)
    assert (
        found.accuracy[0].tolist()
        == tl.cross_validate(data, tl.Learner(), 4, seed=3).of("accuracy").tolist()
    )
