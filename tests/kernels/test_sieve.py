"""The sieve lets nobody through its holes who is near, and changes no result."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import random_dataset, steady

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.kernels import sieve as kernels
from treelab.stats.pairs import rounding, schemes
from treelab.stats.stores.in_memory import root_node

NO_SIEVE = kernels.Sieve(np.empty((0, 0), np.uint16), 0, 0)
METRICS = ["relieff:k=3", "relieff", "relief", "relieff-exp-rank", "contextual-merit:k=2"]


@steady(150)
@given(
    st.lists(st.integers(0, 90), min_size=1, max_size=4), st.integers(1, 12), st.integers(0, 99),
    st.integers(1, 900),
)  # fmt: skip
def test_all_who_may_be_near_are_found(sizes, needed, seed, spread):
    rng, slack = np.random.default_rng(seed), 5
    starts = np.cumsum([0, *sizes])
    in_group = rng.random(len(sizes)) < 0.7
    rough = rng.integers(0, spread, starts[-1]).astype(np.uint16)
    near = np.full(starts[-1], -9)
    found = near[: kernels.sift(rough, starts, in_group, needed, slack, near)].tolist()
    group = [j for c in np.flatnonzero(in_group) for j in range(starts[c], starts[c + 1])]
    last = sorted(int(rough[j]) for j in group)[:needed][-1] if len(group) >= needed else 2**16

    assert found == sorted(set(found))
    assert {j for j in group if rough[j] <= last + slack} <= set(found) <= set(group)


def scores(data, metric):
    return tl.metric(metric)(root_node(Coded.of(data, Coding()))).values


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weights", ["one", "whole", "fraction"])
def test_with_and_without_a_sieve_all_is_the_same(metric, weights, monkeypatch):
    made = [
        random_dataset(seed, cases=120, numeric=3, nominal=nominal, classes=3, missing=0.0,
                       weights=weights)
        for seed, nominal in enumerate([0, 2])
    ]  # fmt: skip
    with_sieve = [scores(data, metric).tolist() for data in made]
    monkeypatch.setattr(schemes, "sieve_of", lambda *_: NO_SIEVE)

    assert with_sieve == [scores(data, metric).tolist() for data in made]


def as_kernels(data):
    view = root_node(Coded.of(data, Coding()))
    pairs = view._pair_cases(schemes.Nearest()).distinct
    return pairs.for_kernels("value", pairs.varying)


def test_rough_distances_are_off_by_less_than_their_slack():
    data = as_kernels(random_dataset(1, cases=60, numeric=3, nominal=2, missing=0.0))
    sieve = rounding.sieve_of(data, euclid=False, k=3)
    n = len(data.y)
    rough, exact = np.empty(n, np.uint16), np.empty(n)
    for i in range(n):
        kernels.rough_distances(data, sieve, i, 0, rough)
        kernels.exact_distances(data, i, np.arange(n), exact)

        assert np.abs(rough - exact * sieve.unit).max() <= sieve.slack / 2


def test_there_is_no_sieve_where_distances_are_others():
    numbers = as_kernels(random_dataset(1, cases=30, numeric=3, nominal=0, missing=0.0))
    labels = as_kernels(random_dataset(1, cases=30, numeric=0, nominal=3, missing=0.0))
    gaps = as_kernels(random_dataset(1, cases=30, numeric=3, nominal=0, missing=0.3))

    assert rounding.sieve_of(numbers, euclid=False, k=3).unit > 0
    assert rounding.sieve_of(numbers, euclid=True, k=3).unit == 0
    assert rounding.sieve_of(numbers, euclid=False, k=-1).unit == 0
    assert rounding.sieve_of(numbers, euclid=False, k=20).unit == 0
    assert rounding.sieve_of(labels, euclid=False, k=3).unit == 0
    assert rounding.sieve_of(gaps, euclid=False, k=3).unit == 0
