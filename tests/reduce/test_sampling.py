"""Samples: what is drawn, how often, and that only seed and content decide."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, steady

import treelab as tl
from treelab import reduce
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.reduce.sampling import allotment, systematic_of_size

IRIS = tl.load("iris")
DRAWS = {
    "random": lambda data, seed: reduce.random_sample(data, 30, seed=seed),
    "with replacement": lambda data, seed: reduce.random_sample(data, 30, replace=True, seed=seed),
    "stratified": lambda data, seed: reduce.stratified(data, 0.2, seed=seed),
    "inverse": lambda data, seed: reduce.inverse(data, "Iris-virginica", 9, seed=seed),
    "inverse with": lambda data, seed: reduce.inverse(
        data, "Iris-virginica", 60, replace=True, seed=seed
    ),
}
draws = pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)


def contents(data):
    return sorted(zip(*[values.tolist() for values in data.columns], data.y.tolist(), strict=True))


@draws
def test_a_sample_is_the_rows_it_says(draw):
    sample = draw(IRIS, 1)

    assert len(sample) == len(sample.rows) == len(sample.data)
    for name in IRIS.features:
        assert np.array_equal(sample.data[name], IRIS[name][sample.rows])


@draws
def test_seed_and_content_decide_not_the_order_of_rows(draw):
    order = np.random.default_rng(0).permutation(len(IRIS))

    assert draw(IRIS, 5).rows.tolist() == draw(IRIS, 5).rows.tolist()
    assert draw(IRIS, 5).rows.tolist() != draw(IRIS, 6).rows.tolist()
    assert contents(draw(IRIS, 5).data) == contents(draw(IRIS.take(order), 5).data)


def test_systematic_takes_every_step():
    rows = reduce.systematic(IRIS, 7, seed=3).rows

    assert 0 <= rows[0] < 7
    assert set(np.diff(rows)) == {7}
    assert rows[-1] + 7 >= 150
    starts = {int(reduce.systematic(IRIS, 7, seed=s).rows[0]) for s in range(60)}
    assert starts == set(range(7))
    assert reduce.systematic(IRIS, 1).rows.tolist() == list(range(150))


@pytest.mark.parametrize("size", [1, 7, 40, 75, 76, 100, 149, 150])
def test_systematic_samples_of_any_size_are_evenly_spaced(size):
    rows = systematic_of_size(IRIS, size, seed=3).rows
    gaps = np.diff(np.append(rows, rows[0] + 150))

    assert len(rows) == size
    assert set(gaps) <= {150 // size, -(-150 // size)}


def test_steps_of_any_length_take_every_case_as_often():
    small, counts = IRIS.take(np.arange(10)), np.zeros(10)
    for seed in range(1000):
        counts[systematic_of_size(small, 4, seed=seed).rows] += 1

    # 400 each on average, with a standard deviation of about 15.
    assert np.all(np.abs(counts - 400) < 75)


def test_random_samples_with_and_without_replacement():
    without = reduce.random_sample(IRIS, 150).rows
    replaced = reduce.random_sample(IRIS, 400, replace=True).rows

    assert without.tolist() == list(range(150))
    assert len(replaced) == 400
    assert len(set(replaced.tolist())) < 150


def test_every_case_is_as_likely_as_any_other():
    counts = np.zeros(10)
    small = IRIS.take(np.arange(0, 150, 15))
    for seed in range(2000):
        counts[reduce.random_sample(small, 3, seed=seed).rows] += 1

    # 600 each on average, with a standard deviation of about 20.
    assert np.all(np.abs(counts - 600) < 100)


@steady(150)
@given(st.lists(st.integers(1, 200), min_size=1, max_size=8), st.data())
def test_places_are_allotted_in_proportion(counts, data):
    counts = np.array(counts)
    size = data.draw(st.integers(len(counts), int(counts.sum())))
    places = allotment(counts, size)
    quota = size * counts / counts.sum()

    assert places.sum() == size
    assert np.all(places >= 1)
    assert np.all(places <= counts)
    if np.all(quota >= 1):  # nobody had to be helped out
        assert np.all(np.abs(places - quota) < 1 + 1e-9)


def test_strata_keep_their_shares():
    sample = reduce.stratified(IRIS, 31)

    assert np.bincount(sample.data.y).tolist() == [11, 10, 10]
    assert sorted(set(sample.rows.tolist())) == sample.rows.tolist()


def test_strata_of_a_feature_missing_being_one():
    data = dataset([[0] * 8 + [1] * 3 + [-1]], [0] * 12)
    rows = reduce.stratified(data, 6, by="x0").rows

    assert np.unique(data["x0"][rows], return_counts=True)[1].tolist() == [1, 4, 1]


def test_inverse_sampling_ends_with_the_last_rare_case():
    sample = reduce.inverse(IRIS, "Iris-setosa", 7)

    assert (sample.data.labels == "Iris-setosa").sum() == 7
    assert sample.data.labels[-1] == "Iris-setosa"


def test_inverse_sampling_takes_as_many_draws_as_expected():
    rare = dataset([np.arange(20.0)], [1] * 5 + [0] * 15)
    lengths = [len(reduce.inverse(rare, "c1", 2, seed=seed)) for seed in range(1500)]

    # The standard deviation of a draw is about 3.4, of the mean about 0.09.
    assert np.mean(lengths) == pytest.approx(reduce.expected_draws(20, 5, 2), abs=0.4)
    assert reduce.expected_draws(20, 5, 2, replace=True) == 8
    assert reduce.expected_draws(10**300, 1, 10**300, replace=True) == np.inf


def test_windows_go_through_time():
    data = dataset([np.arange(10.0)], [0] * 10)
    rows = [window.rows.tolist() for window in reduce.windows(data, 4, 3)]

    assert rows == [[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 9]]
    assert [len(window) for window in reduce.windows(data, 4)] == [4, 4]


def test_an_aim_that_asks_for_endless_cases_takes_the_population():
    assert reduce.mean_sample_size(1e-200, variance=1e300, population=1000) == 1000
    assert reduce.mean_sample_size(1e-150, variance=1, population=1000) == 1000


@pytest.mark.parametrize("method", ["normal", "chebyshev", "hoeffding"])
def test_what_does_not_vary_takes_no_case(method):
    assert reduce.mean_sample_size(0.1, 1e-310, variance=0, width=0, method=method) == 0


# Two stages


def test_two_stages_reach_the_aim():
    rng = np.random.default_rng(0)
    data = dataset([rng.normal(5, 2, 20_000)], np.zeros(20_000, int))
    found = reduce.two_stage(data, "x0", 0.1, 0.05, pilot=200, seed=1)
    by_hand = reduce.mean_sample_size(0.1, variance=found.variance, population=20_000)

    assert found.needed == by_hand == len(found.sample)
    assert set(found.pilot.rows) <= set(found.sample.rows)
    assert abs(found.mean - data["x0"].mean()) < 0.1


def test_a_pilot_may_be_enough():
    found = reduce.two_stage(IRIS, "petal width", 1.0, pilot=50)

    assert len(found.sample) == 50
    assert found.needed < 50


def test_two_stages_estimate_a_proportion_too():
    data = tl.load("mushroom")
    name = data.features[0]
    label = data.schema.features[0].labels[0]
    found = reduce.two_stage(data, name, 0.03, label=label, pilot=100)

    assert found.mean == pytest.approx((data[name] == 0).mean(), abs=0.03)
    with pytest.raises(DataError, match=r"is nominal: name one of its labels$"):
        reduce.two_stage(data, name, 0.03)
    with pytest.raises(UnknownNameError, match=r"^unknown label 'zz'"):
        reduce.two_stage(data, name, 0.03, label="zz")


# Samples judged by learning


def test_incremental_sampling_stops_where_the_error_does():
    data = tl.load("diabetes-pima")
    full = reduce.incremental(data, tl.Learner().fit, full=True)
    curve = reduce.incremental(data, tl.Learner().fit)
    errors = [step.error for step in full.steps]

    assert [step.share for step in full.steps] == [0.1, 0.2, 0.33, 0.5, 0.67, 1.0]
    assert curve.steps == full.steps[: len(curve.steps)]
    assert curve.chosen == full.chosen
    falls = [later < earlier for earlier, later in pairwise(errors)]
    assert curve.chosen == full.steps[[*falls, False].index(False)]
    assert len(curve.sample) == curve.chosen.cases


def test_incremental_samples_hold_each_other_and_no_test_case():
    seen = []

    class Guess:
        def __init__(self, data):
            seen.append(set(data["id"].tolist()))

        def predict(self, data):
            assert not seen[-1] & set(data["id"].tolist())
            return data.labels

    schema = tl.Schema((tl.Column("id"),), tl.Column("class", ("a", "b")))
    data = tl.Dataset.of(schema, [np.arange(90.0)], np.arange(90) % 2)
    reduce.incremental(data, Guess, full=True)

    assert [len(ids) for ids in seen] == [6, 12, 20, 30, 40, 60]
    assert all(small < large for small, large in pairwise(seen))


def test_incremental_sampling_with_test_cases_of_ones_own():
    curve = reduce.incremental(
        IRIS, tl.Learner().fit, test=IRIS, shares=[0.5, 1.0], tolerance=1.0, seed=2
    )

    assert [step.cases for step in curve.steps] == [75, 150]
    assert curve.chosen.cases == 75


def test_incremental_sampling_of_very_few_cases():
    few = IRIS.take([0, 1, 2, 60, 61, 120])

    assert reduce.incremental(few, tl.Learner().fit).steps[0].cases == 1
    with pytest.raises(DataError, match=r"^incremental sampling needs at least 3 cases"):
        reduce.incremental(few.take([0, 3]), tl.Learner().fit)


def test_a_learner_may_be_given_in_place_of_its_function():
    curve, same = (reduce.incremental(IRIS, fit) for fit in (tl.Learner(), tl.Learner().fit))
    model = reduce.average_sampling(IRIS, tl.Learner(), samples=2)

    assert curve.steps == same.steps
    assert [tree.n_leaves > 1 for tree in model.models] == [True, True]


def test_several_trees_vote():
    model = reduce.average_sampling(IRIS, tl.Learner().fit, samples=5, size=0.4, seed=1)
    votes = [tree.predict(IRIS) for tree in model.models]

    assert [len(sample) for sample in model.samples] == [60] * 5
    assert len({tuple(sample.rows) for sample in model.samples}) == 5
    for predicted, *given_ in zip(model.predict(IRIS), *votes, strict=True):
        assert given_.count(predicted) == max(map(given_.count, given_))
    assert (model.predict(IRIS) == IRIS.labels).mean() > 0.9


# What cannot be


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: reduce.systematic(IRIS, 0), ParameterError, "step must be a whole number of at"),
        (lambda: reduce.random_sample(IRIS, 0), ParameterError, "size must be a whole number of"),
        (lambda: reduce.random_sample(IRIS, 2.5), ParameterError, "size must be a whole number"),
        (lambda: reduce.random_sample(IRIS, 151), ParameterError, "size must be at most the numb"),
        (lambda: reduce.random_sample(IRIS.take([]), 1), DataError, "there are no cases to draw"),
        (lambda: reduce.stratified(IRIS.take([]), 0.5), DataError, "there are no cases to draw"),
        (lambda: reduce.stratified(IRIS, 2), ParameterError, "size must be at least the number"),
        (
            lambda: reduce.stratified(IRIS, 9, by="petal width"),
            DataError,
            "column 'petal width' is",
        ),
        (lambda: reduce.inverse(IRIS, "Iris-setosa", 51), DataError, "only 50 cases have the lab"),
        (lambda: reduce.inverse(IRIS, "setosa", 1), UnknownNameError, "unknown label 'setosa'"),
        (lambda: reduce.windows(IRIS, 151), ParameterError, "a window of 151 cases is larger"),
        (lambda: reduce.systematic(IRIS, 10**30), ParameterError, "step must be a whole number of"),
        (lambda: reduce.expected_draws(5, 2, 3), ParameterError, "there are no 3 of 2 rare cases"),
        (
            lambda: reduce.mean_sample_size(0.1),
            ParameterError,
            "method 'normal' needs the variance",
        ),
        (lambda: reduce.mean_sample_size(0, variance=1), ParameterError, "eps must be above 0 and"),
        (
            lambda: reduce.proportion_sample_size(0.1, 1.0),
            ParameterError,
            "eps must be above 0 and",
        ),
        (
            lambda: reduce.proportion_sample_size(0.1, share=2),
            ParameterError,
            "share must be at mo",
        ),
        (lambda: reduce.mean_sample_size(1e-200, variance=1), ParameterError, "eps is too small"),
        (
            lambda: reduce.two_stage(IRIS, "petal width", 0.1, pilot=1),
            ParameterError,
            "a pilot sam",
        ),
        (lambda: reduce.incremental(IRIS, None, shares=[0.5, 0.2]), ParameterError, "shares must"),
        *(
            (lambda call=call: call("iris", 3), DataError, "expected a Dataset, got str; make one")
            for call in (
                reduce.systematic,
                reduce.random_sample,
                reduce.stratified,
                reduce.windows,
                lambda data, k: reduce.inverse(data, "Iris-setosa", k),
                lambda data, eps: reduce.two_stage(data, "petal width", eps),
                lambda data, _: reduce.incremental(data, tl.Learner()),
                lambda data, _: reduce.average_sampling(data, tl.Learner()),
            )
        ),
        (lambda: reduce.incremental(IRIS, None), ParameterError, "expected a Learner, or a funct"),
        (lambda: reduce.incremental(IRIS, tl.Learner), ParameterError, "expected a Learner, or a "),
        (lambda: reduce.incremental(IRIS, len, test=3), DataError, "expected a Dataset, got int"),
        (lambda: reduce.incremental(IRIS, len), ParameterError, "expected a model with 'predict',"),
        (lambda: reduce.average_sampling(IRIS, None), ParameterError, "expected a Learner, or a"),
        (
            lambda: reduce.combined([["a", "b"], ["b"]]),
            DataError,
            "predictions must be (model, case), as many of each model, got [['a', 'b'], ['b']]",
        ),
        (lambda: reduce.expected_draws("x", 1, 1), ParameterError, "cases must be a whole number"),
        (lambda: reduce.random_sample(IRIS, 5, seed="a"), ParameterError, "seed must be a whole"),
    ],
)
def test_wrong_calls_are_told_in_a_sentence(call, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        call()
