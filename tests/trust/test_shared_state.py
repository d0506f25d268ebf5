"""What a process did before, or does at the same time in other threads, changes no byte."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.stats.formulas import margin_formula
from treelab.stats.formulas.fixed_point import FixedCell
from treelab.stats.formulas.impurity import n_log_n
from treelab.stats.formulas.sums import SumFormula
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

METRICS = ("gain", "gain-ratio", "gini", "normalized:gain", "relieff")
DATA = [
    random_dataset(
        seed, 60 + 40 * seed, numeric=3, nominal=2,
        weights=("one", "whole", "fraction")[seed % 3], ties=seed % 2 == 0,
    )
    for seed in range(10)
]  # fmt: skip


def everything(number):
    """Grow, predict, rank and discretize, each of the ten with other data and settings."""
    data, metric = DATA[number], METRICS[number % len(METRICS)]
    by_gain = tl.rank(data, "gain").scores.tobytes()  # all begin with the same tables
    missing = ("fractional", "branch", "majority")[number % 3]
    tree = tl.grow(data, metric, missing=missing, splits=("auto", "multiway")[number % 2])
    coding = tl.discretizer(("mdlp", "chimerge", "equal-frequency:4")[number % 3]).fit(data)
    cuts = [coding.cuts[name].tobytes() for name in sorted(coding.cuts)]
    ranked = tl.rank(data, metric).scores.tobytes()
    predicted = tree.predict_proba(data).tobytes(), tree.apply(data).tobytes()
    return dumps(tree), by_gain, ranked, *predicted, cuts


def unhurried(cell):
    """Return a function that lets others have their turn before it gives the same numbers."""

    def wait(counts):
        time.sleep(0.01)
        return cell(counts)

    return wait


@pytest.fixture
def forget(monkeypatch):
    """Forget the tables that formulas look counts up in, as if the process had just begun."""
    formulas = [getattr(tl.metric(name), "formula", None) for name in METRICS]

    def empty():
        margin_formula._x_log_x.cache_clear()
        for formula in formulas:
            if isinstance(formula, SumFormula):
                monkeypatch.setattr(formula, "_fixed", FixedCell(unhurried(formula.cell)))

    return empty


@pytest.fixture
def restless():
    """Change the number of threads, and whose turn it is, all the time."""
    done = threading.Event()

    def change():
        turn = 0
        while not done.wait(0.001):
            tl.set_threads((1, 2, None, 3)[turn % 4])
            turn += 1

    changing, patience = threading.Thread(target=change), sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads take turns in the midst of things
    changing.start()
    yield
    done.set()
    changing.join()
    sys.setswitchinterval(patience)
    tl.set_threads(None)


@pytest.fixture(scope="module")
def alone():
    tl.set_threads(1)
    yield [everything(number) for number in range(len(DATA))]
    tl.set_threads(None)


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
def test_ten_threads_at_once_give_the_bytes_of_one(cold, alone, forget, monkeypatch):
    monkeypatch.setattr("treelab.stats.stores.cases.PART", 50)  # else small data are not shared out
    monkeypatch.setattr("treelab.tree.predict.PART", 20)
    monkeypatch.setattr("treelab.data.coded.MANY", 1)
    start = threading.Barrier(len(DATA), action=forget if cold else None)

    def at_once(number):
        start.wait()
        return everything(number)

    with ThreadPoolExecutor(len(DATA)) as pool:
        for _ in range(2):
            assert list(pool.map(at_once, range(len(DATA)))) == alone


def test_other_data_give_other_bytes(alone):
    """Else the test above would show nothing."""
    for kind in range(5):
        assert len({each[kind] for each in alone}) == len(DATA)
