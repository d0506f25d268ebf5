"""What all benchmarks share: data made to order, timing, and one JSON line per comparison.

`ratio` is the peer's time by treelab's: above 1, treelab is faster. `wanted` is the least ratio
to reach; "at most three times slower" is wanted = 1 / 3. `equal` says whether both came to the
same result, and is null where they cannot be expected to.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import treelab as tl

THREADS = 2
RUNS = 3
GRID = 2.0**20

Rows = Iterator[dict[str, Any]]


class Timed(NamedTuple):
    """A result of somebody who took the time himself, as a program of another language does."""

    seconds: float
    result: Any


class Peer(NamedTuple):
    """Somebody to compare with.

    `run` is None where he is not installed. `agree` is given treelab's result and his, and
    returns what is known of them: `equal` at least.
    """

    name: str
    run: Callable[[], Any] | None
    wanted: float | None = None
    agree: Callable[[Any, Any], dict[str, Any]] | None = None


def compare(
    task: str,
    case: str,
    ours: Callable[[], Any],
    *peers: Peer,
    runs: int = RUNS,
    is_warm: bool = False,
) -> Rows:
    """Time treelab and its peers in turn, and yield a row for each peer."""
    present = [peer for peer in peers if peer.run is not None]
    (seconds, result), *theirs = alternating([ours, *(peer.run for peer in present)], runs, is_warm)
    for peer, (peer_seconds, peer_result) in zip(present, theirs, strict=True):
        known = peer.agree(result, peer_result) if peer.agree else {}
        yield row(task, case, seconds, peer.name, peer_seconds, peer.wanted, **known)
    for peer in peers:
        if peer.run is None:
            yield row(task, case, seconds, peer.name, None, peer.wanted, note="not installed")


def alternating(
    functions: list[Callable[[], Any]], runs: int, is_warm: bool = False
) -> list[tuple[float, Any]]:
    """Return the shortest time of each function and what it returned.

    They are called in turn, so that a slow minute of the machine hits all of them. A first
    round, which compiles and fills caches, is not counted; it is left out where the same was done
    before with fewer cases.
    """
    first = 0 if is_warm else 1
    rounds = [[timed(function) for function in functions] for _ in range(first + runs)]
    best = np.min([[one.seconds for one in each] for each in rounds[first:]], axis=0)
    return [(float(s), one.result) for s, one in zip(best, rounds[-1], strict=True)]


def timed(function: Callable[[], Any]) -> Timed:
    """Call a function and take the time, unless it did so itself."""
    start = time.perf_counter()
    result = function()
    seconds = time.perf_counter() - start
    return result if isinstance(result, Timed) else Timed(seconds, result)


def row(
    task: str,
    case: str,
    ours: float,
    peer: str,
    theirs: float | None,
    wanted: float | None,
    unit: str = "s",
    **known: Any,
) -> dict[str, Any]:
    """Return one comparison; `unit` says whether it is of seconds (s) or megabytes (mb)."""
    return {
        "task": task, "case": case, f"ours_{unit}": figure(ours), "peer": peer,
        f"peer_{unit}": figure(theirs), "ratio": figure(theirs and theirs / ours),
        "wanted": figure(wanted), "equal": None, **known,
    }  # fmt: skip


def figure(number: float | None) -> float | None:
    """Return a number, if there is one, with no more figures than a measurement is good for."""
    return None if number is None else float(f"{number:.4g}")


def numbers(n: int, n_features: int = 20, seed: int = 0) -> np.ndarray:
    """Make normal numbers (case, feature) on a grid that 32 bits hold.

    scikit-learn and YDF read 32 bits, and scikit-learn takes numbers within 1e-7 for equal: on
    the grid of 2 to the -20 all see the same data.
    """
    x = np.random.default_rng(seed).standard_normal((n, n_features))
    return np.round(x * GRID, out=x) / GRID


def classes(x: np.ndarray, n_classes: int = 3, seed: int = 1) -> np.ndarray:
    """Deal out classes by six of the features, two of them together, and a good part of chance."""
    rng = np.random.default_rng(seed)
    score = x[:, :6] @ rng.standard_normal((6, n_classes)) + rng.gumbel(size=(len(x), n_classes))
    score[:, 0] += x[:, 0] * x[:, 1]
    return score.argmax(axis=1)


def dataset(x: np.ndarray, y: np.ndarray) -> tl.Dataset:
    """Return numbers and classes as treelab takes them."""
    features = tuple(tl.Column(f"x{f}") for f in range(x.shape[1]))
    labels = tuple(map(str, range(y.max() + 1)))
    return tl.Dataset.of(tl.Schema(features, tl.Column("y", labels)), list(x.T), y)


def grown(data: tl.Dataset, metric: Any = "gain", **settings: Any) -> Callable[[], tl.Tree]:
    """Return a function that grows a tree to the end: to pure leaves, or a given depth."""
    return lambda: tl.grow(data, metric, pruner="none", min_branch=1, **settings)


def main(rows: Callable[[bool], Rows]) -> None:
    """Print the rows of a benchmark; with --quick of small sizes, to see that it works."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    quick = parser.parse_args().quick
    tl.set_threads(THREADS)
    for each in rows(quick):
        print(json.dumps(each), flush=True)
