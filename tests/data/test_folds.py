"""Folds: of equal size, with the classes of the whole, by seed and key only."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from treelab.data.folds import stratified_folds
from treelab.errors import ParameterError

CLASSES = st.lists(st.integers(-1, 3), min_size=2, max_size=60).map(np.array)


def spread(fold, folds):
    sizes = np.bincount(fold, minlength=folds)
    return sizes.max() - sizes.min()


@steady()
@given(CLASSES, st.data(), st.integers(0, 9))
def test_sizes_differ_by_at_most_one_also_those_of_each_class(y, data, seed):
    folds = data.draw(st.integers(2, len(y)))
    fold = stratified_folds(y, folds, seed)

    assert len(fold) == len(y)
    assert set(fold.tolist()) == set(range(folds))
    assert spread(fold, folds) <= 1
    for c in np.unique(y):
        assert spread(fold[y == c], folds) <= 1


def test_the_same_seed_and_key_give_the_same_folds():
    y = np.arange(40) % 3

    assert np.array_equal(stratified_folds(y, 5, 1), stratified_folds(y, 5, 1))
    assert np.array_equal(stratified_folds(y, 5, 1, "a", 2), stratified_folds(y, 5, 1, "a", 2))


def test_another_seed_or_key_gives_other_folds():
    y = np.arange(40) % 3
    made = [
        stratified_folds(y, 5, 1),
        stratified_folds(y, 5, 2),
        stratified_folds(y, 5, 1, "a"),
        stratified_folds(y, 5, 1, "b"),
        stratified_folds(y, 5, 1, "a", "b"),
    ]

    assert len({tuple(fold.tolist()) for fold in made}) == len(made)


def test_cases_of_a_class_do_not_stay_together():
    """Neighbours in the file must not always meet in one fold, nor always be kept apart."""
    y = np.zeros(30, int)
    together = [
        np.mean(np.diff(stratified_folds(y, 3, seed)) == 0) for seed in range(50)
    ]  # fmt: skip

    # Two of 30 cases share one of three folds with chance 9/29; 50 seeds, 29 pairs each.
    assert np.mean(together) == pytest.approx(9 / 29, abs=0.06)


@pytest.mark.parametrize("folds", [-1, 0, 1, 5])
def test_there_are_at_least_two_folds_and_no_more_than_cases(folds):
    message = f"folds must be from 2 to the number of cases, 4, got {folds}"
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        stratified_folds(np.zeros(4, int), folds, 0)


@pytest.mark.parametrize("folds", ["a", 2.5, None])
def test_the_number_of_folds_is_a_whole_one(folds):
    with pytest.raises(ParameterError, match=f"^folds must be a whole number, got {folds!r}$"):
        stratified_folds(np.zeros(4, int), folds, 0)
