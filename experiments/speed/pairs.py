"""How fast pair metrics are, as ratios to a peer in the same run: JSON lines.

    python experiments/speed/pairs.py            what treelab and a plain compiled loop need
    pip install fast-select==0.3.0 skrebate==0.8.4    and the ReliefF of others is measured too

Every figure is the best of several runs after a first one that compiles. `ratio` is the peer's
time by treelab's: above 1, treelab is faster.
"""

import json
import time
from importlib.util import find_spec

import numba
import numpy as np

import treelab as tl
from treelab._threads import threads
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.stats.view import Space, View

RUNS = 3


def best_of(function, runs=RUNS):
    """Return the shortest time of some runs, the first one, which compiles, not counted."""
    function()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def report(what, seconds, peer, peer_seconds, **more):
    line = {"what": what, "seconds": round(seconds, 4), "peer": peer,
            "peer_seconds": round(peer_seconds, 4), "ratio": round(peer_seconds / seconds, 2),
            "threads": threads(), **more}  # fmt: skip
    print(json.dumps(line), flush=True)


def made_numbers(n, n_features=20, seed=0):
    """Make two classes of cases, some of whose numeric features tell them apart."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    x = rng.normal(size=(n, n_features))
    x[:, :5] += y[:, None]
    return x, y


def numeric_data(x, y):
    columns = tuple(tl.Column(f"x{f}") for f in range(x.shape[1]))
    return tl.Dataset.of(tl.Schema(columns, tl.Column("class", ("0", "1"))), list(x.T), y)


def score(data, metric):
    """Return a function that scores all features of the data at the root of a tree."""
    coded = Coded.of(data, Coding())
    return lambda: metric(View.root(Space(coded)))


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


def all_pairs():
    """Pi and Contextual Merit over all pairs of mushroom, and a whole tree of Pi."""
    data = tl.load("mushroom")
    codes, y = codes_of(data)
    distance = np.arange(codes.shape[1] + 1)
    decays = {
        "pi": (tl.metric("pi"), 2.0 ** (-0.1 * distance)),
        "contextual-merit, k='all'": (
            tl.metric("contextual-merit", k="all"),
            1.0 / np.maximum(distance, 1.0) ** 2,
        ),
    }
    for name, (metric, weight_of) in decays.items():
        peer = best_of(lambda w=weight_of: plain_pairs(codes, y, w, int(codes.max()) + 1, 2))
        report(f"{name}, mushroom", best_of(score(data, metric)), "plain compiled loop", peer)
    once = best_of(score(data, tl.metric("pi")))
    whole = best_of(lambda: tl.grow(data, "pi", pruner="none"))
    report("one pass of pi, mushroom", once, "a whole tree of pi", whole)


def relieff(x, y, data, discrete_limit, name):
    metric = tl.metric("relieff", k=10)
    seconds = best_of(score(data, metric))
    if find_spec("fast_select"):
        from fast_select import ReliefF

        tool = ReliefF(n_features_to_select=1, n_neighbors=10, discrete_limit=discrete_limit,
                       backend="cpu", n_jobs=threads())  # fmt: skip
        peer = best_of(lambda: tool.fit(x, y))
        report(f"relieff, {name}", seconds, "fast-select 0.3.0", peer)


def slow_relieff(x, y, data, n=1000):
    """Measure skrebate on n cases, for it takes minutes on more."""
    from skrebate import ReliefF

    some = np.random.default_rng(0).permutation(len(y))[:n]
    tool = ReliefF(n_features_to_select=1, n_neighbors=10, categorical_threshold=0)
    seconds = best_of(score(data.take(some), tl.metric("relieff", k=10)))
    peer = best_of(lambda: tool.fit(x[some], y[some]))
    report(f"relieff, {n} x 20 numeric", seconds, "skrebate 0.8.4", peer)


def main():
    all_pairs()
    for n in (5000, 20000):
        x, y = made_numbers(n)
        relieff(x, y, numeric_data(x, y), 0, f"{n} x 20 numeric")
    mushroom = tl.load("mushroom")
    codes, classes = codes_of(mushroom)
    relieff(codes.astype(float), classes, mushroom, 50, "mushroom")
    if find_spec("skrebate"):
        slow_relieff(x, y, numeric_data(x, y))


if __name__ == "__main__":
    main()
