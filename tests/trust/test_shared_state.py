"""What a process did before, or does at the same time in other threads, changes no byte."""

from contextlib import nullcontext

import numpy as np
import pytest
from strategies import random_dataset
from workload import done

import treelab as tl
from treelab.stats.formulas.impurity import n_log_n
from treelab.tree.file import dumps

# What came before


def gain_of_sums(cells, branches, _shares, classes, whole, n):
    return (cells - branches - classes + whole) / n


def new_metric():
    """Return a metric that no data have been seen with."""
    return tl.from_counts(tl.sums_of(n_log_n)(gain_of_sums))


def results(data, metric):
    tree = tl.grow(data, metric, pruner="none", max_depth=3, splits="multiway")
    return dumps(tree), tl.rank(data, metric).scores.tobytes()


@pytest.mark.compiled("40,000 cases in plain Python take minutes")
def test_data_that_were_seen_before_change_no_byte_of_large_data():
    """Four million cases, 80 of great weight, need coarser units, which 40,000 must not be given.

    Half of these coarser units is what the last digit of their sums is worth: it would change.
    """
    data = random_dataset(0, 40_000, numeric=4, nominal=2, ties=False, missing=0.1)
    larger = random_dataset(1, 80).reweighted(np.full(80, 50_000.0))
    metric, expected = new_metric(), results(data, new_metric())
    results(larger, metric)

    assert results(data, metric) == expected


# What happens meanwhile

AT_ONCE = [(place, number) for number, place in enumerate([0, 1, 2, 3, 4, 5, 7, 0, 0, 2])]


@pytest.fixture(scope="module")
def alone():
    tl.set_threads(1)
    yield [done(call) for call in AT_ONCE]
    tl.set_threads(None)


@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
@pytest.mark.parametrize("way", ["threads", "asyncio"])
def test_ten_calls_at_once_give_the_bytes_of_one_thread(way, cold, alone, script, monkeypatch):
    monkeypatch.setattr("treelab.stats.stores.cases.PART", 50)  # else small data are not shared out
    monkeypatch.setattr("treelab.tree.predict.PART", 20)
    monkeypatch.setattr("treelab.data.coded.MANY", 1)
    threads = script("threads")
    with threads.restless(), threads.cold() if cold else nullcontext():
        assert threads.ways()[way](AT_ONCE) == alone


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
# What is spawned begins as a child of the fork server does: with nothing, like workers of joblib.
@pytest.mark.parametrize(
    "start", ["fork", pytest.param("spawn", marks=pytest.mark.slow), "forkserver"]
)
def test_threads_of_a_child_process_give_the_same_bytes(start, alone, script):
    threads = script("threads")
    with threads.restless():
        assert threads.in_a_child(start, AT_ONCE) == alone


def test_other_calls_give_other_bytes(alone):
    """Else the tests above would show nothing."""
    assert len(set(alone)) == len(AT_ONCE)
