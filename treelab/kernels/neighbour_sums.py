"""Sums over pairs of each case with its nearest cases; see `pairs` for the words.

Who the nearest are is found in `neighbours`.
"""

import numpy as np

from treelab.kernels._arrays import BoolArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.neighbours import Choice, candidates, in_order, neighbours, within_reach
from treelab.kernels.pairs import DIGITS, POWER, Cases, Decay, decayed, differences_from, distances
from treelab.kernels.sieve import Sieve, rough_distances

BLOCK = 8
"""So many cases look for neighbours together, while a tile is at hand."""
TILE = 1024


@kernel
def nearest_pairs(
    data: Cases,
    starts: IndexArray,
    choice: Choice,
    sieve: Sieve,
    first: int,
    last: int,
    differs: FloatArray,
    total: FloatArray,
) -> None:
    """Sum the pairs of the cases from `first` to `last` with their nearest cases.

    The cases of class c are those from `starts[c]` to `starts[c + 1]`.
    """
    n = len(data.y)
    distance, differing = np.empty((BLOCK, n)), np.empty(TILE, np.uint16)
    rough = np.empty((BLOCK, n), np.uint16)
    near, places = np.empty(n, np.int64), np.empty(n)
    lightest, of_class, n_groups = np.inf, class_weights(data, starts), _n_groups(choice.group)
    for i in range(n):
        lightest = min(lightest, data.weights[i])
    for top in range(first, last, BLOCK):
        block = min(BLOCK, last - top)
        for start in range(0, n, TILE):
            stop = min(start + TILE, n)
            for b in range(block):
                if sieve.unit:
                    rough_distances(data, sieve, top + b, start, rough[b, start:stop])
                    continue
                here = distance[b, start:stop]
                distances(data, top + b, start, choice.euclid, differing[: stop - start], here)
        for b in range(block):
            if choice.rows[top + b]:
                for g in range(n_groups):
                    found, k = candidates(data, starts, choice, sieve, top + b, g, of_class,
                                          lightest, rough[b], distance[b], near)  # fmt: skip
                    chosen = in_order(distance[b], choice, near[:found])
                    deal_out(data, choice, top + b, chosen, distance[b], k, places)
                    add_near(data, choice, top + b, chosen, distance[b], places, differs, total)


@kernel
def _n_groups(group: IntArray) -> int:
    most = -1
    for a in range(len(group)):
        for b in range(len(group)):
            most = max(most, int(group[a, b]))
    return most + 1


@kernel
def class_weights(data: Cases, starts: IndexArray) -> FloatArray:
    """Return the weight of the cases of each class."""
    weights = np.zeros(len(starts) - 1)
    for i in range(len(data.y)):
        weights[data.y[i]] += data.weights[i]
    return weights


@kernel
def deal_out(
    data: Cases,
    choice: Choice,
    i: int,
    chosen: IndexArray,
    distance: FloatArray,
    k: float,
    places: FloatArray,
) -> None:
    """Give each chosen case what its place is worth: `places[c]` is that of `chosen[c]`."""
    # A case of weight w stands for w equal cases, w - 1 of which are neighbours of the one that
    # asks.
    n, whole = len(chosen), 0.0
    available, apart, places = np.empty(n), np.empty(n), places[:n]
    for c in range(n):
        own = 1.0 if chosen[c] == i else 0.0
        available[c], apart[c] = data.weights[chosen[c]] - own, distance[chosen[c]]
    take_places(apart, available, choice.worth, k, choice.shared, places)
    if choice.mean:
        for c in range(n):
            whole += places[c]
        for c in range(n if whole > 0.0 else 0):
            places[c] /= whole


@kernel
def take_places(
    distance: FloatArray,
    available: FloatArray,
    worth: FloatArray,
    k: float,
    shared: bool,
    places: FloatArray,
) -> None:
    """Deal out k places to cases, nearest first.

    `worth[p]` is what the first p places are worth together; 1 each where it is empty. Cases at
    the same distance share what their places are worth, or the first ones take them all.
    """
    # `worth` is cumulated, so what a group of ties gets, or a case of fractional weight, is the
    # difference of two look-ups.
    taken = 0.0
    places[:] = 0.0
    start = 0
    while start < len(distance) and taken < k:
        stop = start + 1
        while shared and stop < len(distance) and distance[stop] == distance[start]:
            stop += 1
        size = 0.0
        for c in range(start, stop):
            size += available[c]
        if size > 0.0:
            value = _worth_of(worth, min(taken + size, k)) - _worth_of(worth, taken)
            for c in range(start, stop):
                places[c] = value * available[c] / size
        taken += size
        start = stop


@kernel
def _worth_of(worth: FloatArray, places: float) -> float:
    if not len(worth):
        return places
    below = min(int(places), len(worth) - 1)
    part = places - below
    more = part * (worth[below + 1] - worth[below]) if part > 0.0 else 0.0
    return float(worth[below] + more)


@kernel
def add_near(
    data: Cases,
    choice: Choice,
    i: int,
    chosen: IndexArray,
    distance: FloatArray,
    places: FloatArray,
    differs: FloatArray,
    total: FloatArray,
) -> None:
    """Add the pairs of case i with its chosen neighbours."""
    # Feature by feature differences are found for the chosen few only: the search needs no more
    # than their sums.
    decay, a = Decay(POWER, choice.alpha, np.inf), data.y[i]
    weights, apart = places[: len(chosen)], np.empty((len(chosen), len(differs)))
    differences_from(data, i, chosen, apart)
    for c in range(len(chosen)):
        j = chosen[c]
        weights[c] *= choice.factor[a, data.y[j]]
        weights[c] *= decayed(distance[j], decay)
        other = int(data.y[j] != a)
        total[0, other, i] += weights[c]
        for f in range(len(differs)):
            d = apart[c, f] * apart[c, f] if choice.squared else apart[c, f]
            differs[f, other, i] += weights[c] * d


@kernel
def contextual_pairs(
    data: Cases,
    rows: BoolArray,
    order: IndexArray,
    k: float,
    shared: bool,
    first: int,
    last: int,
    differs: FloatArray,
    total: FloatArray,
) -> None:
    """Sum pairs of different class, chosen and weighted for each feature by all the others.

    hong1996's CM1: for feature f the distance of a pair is Delta = D - d_f, and the nearest
    counter-examples by Delta count 1 / (1 + Delta)^2 each.
    """
    n = len(data.y)
    differing, distance, nothing = np.empty(n, np.uint16), np.empty(n), np.empty(0)
    lightest = data.weights.min()
    for i in range(first, last):
        others = np.flatnonzero(data.y != data.y[i])
        if not rows[i] or not len(others):
            continue
        distances(data, i, 0, False, differing, distance)
        n_places = neighbours(k, data.weights[others].sum())
        others = within_reach(data, distance, others, np.ceil(n_places / lightest))
        others = others[np.argsort(order[others])]
        delta, places = np.empty(len(others)), np.empty(len(others))
        apart = np.empty((len(others), len(differs)))
        differences_from(data, i, others, apart)
        for f in range(len(differs)):
            d = apart[:, f]
            for c in range(len(others)):
                # Rounded, so that sums in another order tie; then the order of content decides.
                delta[c] = np.rint((distance[others[c]] - d[c]) * DIGITS) / DIGITS
            by_delta = np.argsort(delta, kind="mergesort")
            available = data.weights[others[by_delta]]
            take_places(delta[by_delta], available, nothing, n_places, shared, places)
            weight = places / (1.0 + delta[by_delta]) ** 2
            total[f, 1, i] = weight.sum()
            differs[f, 1, i] = (weight * d[by_delta]).sum()
