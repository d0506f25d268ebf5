"""Calls of every kind on small awkward data, and the bytes that come out of them.

Each is made of its number and its settings alone, so its bytes may depend on nothing else: not on
what the process did before, not on what other threads do meanwhile, not on how the process began.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
from strategies import random_dataset

import treelab as tl
from treelab.errors import TreelabError
from treelab.stats.formulas.impurity import n_log_n
from treelab.tree.file import dumps

METRICS = (
    "gain", "gain-ratio-c45", "gini", "chi2", "normalized:gain", "p-g", "mdl", "hellinger",
    "relieff", "contextual-merit", "pi",
)  # fmt: skip
DISCRETIZERS = ("mdlp", "chimerge", "equal-frequency:4", "ssv")
PRUNERS = ("pessimistic", "cost-complexity", "reduced-error", "none")
MISSING = ("fractional", "branch", "majority")
SPLITS = ("auto", "multiway", "binary", "subset")
WEIGHTS = ("one", "whole", "fraction")


@cache
def data(number):
    """Return mixed data with missing values; every third has weights that are not whole."""
    return random_dataset(
        number, 40 + 20 * (number % 7), numeric=3, nominal=2,
        weights=WEIGHTS[number % 3], ties=number % 2 == 0,
    )  # fmt: skip


def turn(choices, number):
    return choices[number % len(choices)]


def grow(number):
    tree = tl.grow(
        data(number), turn(METRICS, number), missing=turn(MISSING, number),
        splits=turn(SPLITS, number), pruner=turn(PRUNERS, number // 3), seed=number,
    )  # fmt: skip
    return dumps(tree).encode()


def predict(number):
    tree = tl.grow(data(number), missing=turn(MISSING, number))
    other = data(number + 1)
    return tree.predict_proba(other).tobytes() + tree.apply(other).tobytes()


def rank(number):
    return tl.rank(data(number), turn(METRICS, number)).scores.tobytes()


def discretize(number):
    coding = tl.discretizer(turn(DISCRETIZERS, number)).fit(data(number))
    return b"".join(coding.cuts[name].tobytes() for name in sorted(coding.cuts))


def own_metric(number):
    """A formula that no data have been seen with, made of sums that are looked up in tables."""

    def gain_of_sums(cells, branches, _shares, classes, whole, n):
        return (cells - branches - classes + whole) / n

    metric = tl.from_counts(tl.sums_of(n_log_n)(gain_of_sums))
    return tl.rank(data(number), metric).scores.tobytes()


def heavy_weights(number):
    """Cases of great weight need coarser units, which no other data must be given."""
    heavy = data(number).reweighted(np.full(len(data(number)), 50_000.0))
    return dumps(tl.grow(heavy, turn(METRICS[:4], number), max_depth=2)).encode()


def validate(number):
    learner = tl.Learner(metric=turn(METRICS[:6], number))
    return repr(tl.cross_validate(data(number), learner.fit, folds=3, seed=number)).encode()


def explain(number):
    own = data(number)  # two threads may both make the data: those of the tree must stay
    tree = tl.grow(own, pruner="none", max_depth=2)
    return str(tl.why(tree, metrics=["gain", "relieff", "p-chi2"])).encode()


def export(number):
    tree = tl.grow(data(number), "gini", missing="majority")
    return str(tl.export(tree, turn(("sql", "rules", "c", "dot"), number))).encode()


def refuse(number):
    """A wrong call, in the midst of growing for some."""

    def wrong(node):
        return np.zeros(len(node.counts) + 1)

    try:
        tl.grow(data(number), turn(("gian", wrong), number))
    except (TreelabError, ValueError) as error:
        return str(error).encode()
    raise AssertionError("a wrong call went through")


CALLS = (
    grow, predict, rank, discretize, own_metric, heavy_weights, validate, explain, export, refuse,
)  # fmt: skip


def done(call):
    """Carry out a call, given by its place among all and a number; return its bytes."""
    place, number = call
    return turn(CALLS, place)(number)


def in_threads(calls):
    """Carry out calls in a thread each, all at once."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(done, calls))


def in_coroutines(calls):
    """Carry out calls under asyncio, each in a thread of the loop's."""

    async def everything():
        return await asyncio.gather(*(asyncio.to_thread(done, call) for call in calls))

    return asyncio.run(everything())
