"""Metrics over pairs of cases beside the ReliefF of others and a plain compiled loop."""

from importlib.util import find_spec

import numba
import numpy as np
from bench import THREADS, Peer, compare, dataset, main, numbers

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.stats.stores.in_memory import root_node

TASK = "pair metrics"


def scored(data, metric):
    """Return a function that scores all features of the data at the root of a tree."""
    coded = Coded.of(data, Coding())
    return lambda: metric(root_node(coded)).values


def codes_of(data):
    """Return the codes (case, feature) of nominal data; missing is a code too."""
    codes = np.column_stack(data.columns)
    return np.where(codes < 0, codes.max() + 1, codes), np.asarray(data.y)


@numba.njit(cache=True)
def plain_pairs(codes, y, weight_of, n_values, n_classes):
    """Do algorithm 2 of vilalta2001 as written: two loops over cases, two over features."""
    n, n_features = codes.shape
    tables = np.zeros((n_features, n_values, n_classes, 2, 2))
    for i in range(n):
        for j in range(n):
            distance = 0
            for f in range(n_features):
                distance += codes[i, f] != codes[j, f]
            weight = weight_of[distance]
            other = int(y[i] != y[j])
            for f in range(n_features):
                differs = int(codes[i, f] != codes[j, f])
                tables[f, codes[i, f], y[i], differs, other] += weight
    return tables


def all_pairs(data):
    """Pi and Contextual Merit over all pairs, and a whole tree of Pi."""
    codes, y = codes_of(data)
    distance = np.arange(codes.shape[1] + 1)
    decays = {
        "pi": 2.0 ** (-0.1 * distance),
        "contextual-merit:k=all": 1.0 / np.maximum(distance, 1.0) ** 2,
    }
    n_values = int(codes.max()) + 1
    for name, weight_of in decays.items():
        loop = Peer(
            "plain compiled loop",
            lambda weight_of=weight_of: plain_pairs(codes, y, weight_of, n_values, 2),
            4.0,
        )
        case = f"{name}, {len(data):,} x {codes.shape[1]} nominal"
        yield from compare(TASK, case, scored(data, tl.metric(name)), loop)
    yield from compare(
        TASK,
        f"a whole tree of pi, {len(data):,} x {codes.shape[1]} nominal",
        lambda: tl.grow(data, "pi", pruner="none"),
        Peer("one pass of pi at the root", scored(data, tl.metric("pi")), 1 / 3),
    )


def fast_select(x, y, discrete_limit):
    if not find_spec("fast_select"):
        return Peer("fast-select", None, 2.0)
    from fast_select import ReliefF

    tool = ReliefF(n_features_to_select=1, n_neighbors=10, discrete_limit=discrete_limit,
                   backend="cpu", n_jobs=THREADS)  # fmt: skip
    return Peer("fast-select", lambda: tool.fit(x, y), 2.0)


def skrebate(x, y):
    if not find_spec("skrebate"):
        return Peer("skrebate", None, 100.0)
    from skrebate import ReliefF

    tool = ReliefF(n_features_to_select=1, n_neighbors=10, categorical_threshold=0)
    return Peer("skrebate", lambda: tool.fit(x, y), 100.0)


def two_classes(n):
    """Make two classes of cases, some of whose numeric features tell them apart."""
    x, y = numbers(n), np.random.default_rng(2).integers(2, size=n)
    x[:, :5] += y[:, None]
    return x, y


def relieff(quick):
    metric = tl.metric("relieff", k=10)
    for n in (500,) if quick else (5_000, 20_000):
        x, y = two_classes(n)
        case = f"relieff, {n:,} x 20 numeric"
        yield from compare(TASK, case, scored(dataset(x, y), metric), fast_select(x, y, 0))
    # skrebate takes minutes on more cases.
    x, y = two_classes(200 if quick else 1_000)
    case = f"relieff, {len(y):,} x 20 numeric"
    yield from compare(TASK, case, scored(dataset(x, y), metric), skrebate(x, y), runs=1)


def rows(quick):
    mushroom = tl.load("mushroom")
    data = mushroom.take(np.arange(0, len(mushroom), 20)) if quick else mushroom
    yield from all_pairs(data)
    codes, y = codes_of(data)
    case = f"relieff, {len(data):,} x {codes.shape[1]} nominal"
    ours = scored(data, tl.metric("relieff", k=10))
    yield from compare(TASK, case, ours, fast_select(codes.astype(float), y, 50))
    yield from relieff(quick)


if __name__ == "__main__":
    main(rows)
