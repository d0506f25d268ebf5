"""Threads: how many there are, who says so, and that results keep their order."""

import os
import threading
import time

import joblib
import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab._threads import cores, in_parallel, threads
from treelab.errors import ParameterError
from treelab.kernels.similarity import distance_sums
from treelab.reduce import entropy
from treelab.tree import predict


@pytest.fixture(autouse=True)
def no_setting(monkeypatch):
    for name in ("TREELAB_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    yield
    tl.set_threads(None)


def test_as_many_threads_as_cores_the_process_may_use():
    assert threads() == cores() <= os.cpu_count()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"OMP_NUM_THREADS": "1"}, 1),
        ({"OMP_NUM_THREADS": "1", "TREELAB_THREADS": "7"}, 7),
        ({"TREELAB_THREADS": "", "OMP_NUM_THREADS": "3"}, 3),
        ({"TREELAB_THREADS": "0", "OMP_NUM_THREADS": "5"}, 5),
    ],
)
def test_the_environment_limits_threads(monkeypatch, given, expected):
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    assert threads() == expected


def test_a_call_overrules_the_environment(monkeypatch):
    monkeypatch.setenv("TREELAB_THREADS", "7")
    tl.set_threads(3)

    assert threads() == 3


@pytest.mark.parametrize("n", [0, -1, 1.5, "2", True])
def test_a_wrong_number_of_threads_is_told(n):
    with pytest.raises(ParameterError, match="n must be a whole number of at least 1"):
        tl.set_threads(n)


def test_results_come_in_the_order_of_the_jobs_from_several_threads():
    tl.set_threads(3)
    seen = set()

    def job(i):
        seen.add(threading.current_thread().name)
        time.sleep(0.001 * (5 - i))
        return i * i

    assert in_parallel(job, range(6)) == [0, 1, 4, 9, 16, 25]
    assert len(seen) > 1


def test_jobs_within_jobs_end():
    tl.set_threads(2)

    assert in_parallel(lambda i: sum(in_parallel(abs, range(i))), range(6)) == [0, 0, 1, 3, 6, 10]


def test_an_error_in_a_job_is_raised():
    tl.set_threads(2)
    with pytest.raises(ZeroDivisionError):
        in_parallel(lambda i: 1 // i, [1, 0, 1])


def test_processes_of_joblib_share_the_cores():
    """One core may have to be shared by two processes of one thread each."""
    told = joblib.Parallel(n_jobs=2)(joblib.delayed(threads)() for _ in range(4))

    assert 2 * max(told) <= max(2, cores())


def test_entropies_are_summed_by_as_many_threads_as_are_set(monkeypatch):
    seen = set()

    def watched(*given):
        seen.add(threading.current_thread())
        return distance_sums(*given)

    monkeypatch.setattr(entropy, "distance_sums", watched)
    tl.set_threads(1)
    tl.reduce.similarity_entropy(tl.load("iris"))

    assert seen == {threading.current_thread()}


@pytest.mark.parametrize("missing", ["fractional", "majority"])
def test_predictions_do_not_depend_on_the_number_of_threads(missing, monkeypatch):
    monkeypatch.setattr(predict, "PART", 7)
    data = random_dataset(3, cases=60, missing=0.2)
    tree = tl.grow(data, missing=missing, pruner="none", min_branch=1)
    found = []
    for n in (1, 2, 5):
        tl.set_threads(n)
        found.append((tree.predict(data), tree.predict_proba(data), tree.apply(data)))
    monkeypatch.setattr(predict, "PART", 1000)
    found.append((tree.predict(data), tree.predict_proba(data), tree.apply(data)))

    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
