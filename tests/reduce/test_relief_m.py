"""Relief's m: only some cases, drawn at random, look for their neighbours."""

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.errors import ParameterError
from treelab.reduce import relief


@pytest.fixture
def data():
    return random_dataset(5, cases=12, numeric=3, nominal=1, ties=False)


def contributions(data):
    """What each case alone gives, by hand: diff(miss)^2 - diff(hit)^2 of its nearest cases."""
    numbers = []
    for column, values in zip(data.schema.features, data.columns, strict=True):
        if column.is_nominal:
            numbers.append((values[:, None] != values[None, :]).astype(float))
            continue
        known = values[~np.isnan(values)]
        apart = np.abs(values[:, None] - values[None, :]) / np.ptp(known)
        gap = np.isnan(values)
        apart[gap[:, None] ^ gap[None, :]] = 1.0  # missing is a value of its own
        apart[gap[:, None] & gap[None, :]] = 0.0
        numbers.append(apart)
    square = np.array(numbers) ** 2
    distance = np.sqrt(square.sum(axis=0))
    found = []
    for i in range(len(data)):
        same = (data.y == data.y[i]) & (np.arange(len(data)) != i)
        sides = []
        for group in (data.y != data.y[i], same):
            if not group.any():
                sides.append(np.zeros(len(square)))
                continue
            near = group & (distance[i] <= distance[i][group].min() + 1e-9)
            sides.append(square[:, i, near].mean(axis=1))
        found.append(sides[0] - sides[1])
    return np.array(found)


def test_one_case_that_is_asked_gives_what_it_gives_alone(data):
    alone = contributions(data)
    asked = set()
    for seed in range(60):
        found = np.array(list(relief(data, 0.0, m=1, seed=seed).scores.values()))
        near = np.abs(alone - found).max(axis=1)
        asked.add(int(near.argmin()))
        assert near.min() < 1e-9
    # Each of twelve cases is left out by sixty draws with probability (11/12)^60 = 0.005.
    assert len(asked) >= 10


def test_all_cases_that_are_asked_give_the_mean_of_all(data):
    whole = relief(data, 0.0).scores
    assert relief(data, 0.0, m=len(data)).scores == whole
    assert list(whole.values()) == pytest.approx(contributions(data).mean(axis=0), abs=1e-12)


def test_the_mean_over_draws_is_that_of_all_cases(data):
    draws = [list(relief(data, 0.0, m=4, seed=s).scores.values()) for s in range(200)]
    error = np.std(draws, axis=0) / np.sqrt(200)
    # Four standard errors.
    assert (np.abs(np.mean(draws, axis=0) - list(relief(data, 0.0).scores.values()))
            < 4 * error + 1e-12).all()  # fmt: skip


@pytest.mark.parametrize("ties", ["shared", "first"])
def test_the_order_of_rows_does_not_matter_and_the_seed_does(data, ties):
    shuffled = data.take(np.random.default_rng(1).permutation(len(data)))
    words = {"m": 3, "ties": ties}
    one, two = (relief(d, 0.0, seed=7, **words).scores for d in (data, shuffled))
    assert one == pytest.approx(two, abs=1e-12)
    assert any(relief(data, 0.0, seed=s, **words).scores != one for s in range(1, 9))


def test_a_case_of_weight_two_is_two_cases(data):
    twice = data.take([*range(len(data)), 4])
    weights = np.ones(len(data))
    weights[4] = 2
    weighted = tl.Dataset.of(data.schema, data.columns, data.y, weights, data.name)
    for seed in range(5):
        one, two = (relief(d, 0.0, m=5, seed=seed).scores for d in (twice, weighted))
        assert one == pytest.approx(two, abs=1e-12)


def test_the_threshold_of_a_chance_goes_by_the_cases_that_are_asked():
    iris = tl.load("iris")
    # 1 / sqrt(alpha m): 0.5 for 10 of them, 0.13 for all.
    assert relief(iris, alpha=0.4, m=10).kept == ()
    scores = relief(iris, 0.0).scores
    assert relief(iris, alpha=0.999).kept == tuple(
        n for n in iris.features if scores[n] > 1 / np.sqrt(0.999 * 150)
    )


def test_the_metric_has_it_too_and_says_what_is_wrong(data):
    assert tl.rank(data, "relief:m=6", seed=3).scores.shape == (4,)
    with pytest.raises(ParameterError, match="m must be a whole number of at least 1, got 0"):
        tl.metric("relief", m=0)
