"""Sums over pairs of cases: who differs from whom on which feature.

A *pair table* R[feature, value of i, class of i, differs, other class] sums the weights of
ordered pairs (i, j) of cases: vilalta2001's matrices R_m, whose four cases are (agrees, same),
(agrees, other), (differs, same) and (differs, other). On a numeric feature, which has a single
value here, a pair adds its distance d to "differs" and 1 - d to "agrees".

`cases` is (case, feature). `kind` says how two values of a feature are compared: codes that are
equal or not, numbers at distance min(|a - b|, 1), or numbers at distance |a - b|. NaN is missing:
at distance 0 from missing, 1 from all else. `value` is (case, feature): where in the table the
value of a case is counted.
"""

from typing import Any

import numpy as np

from treelab.kernels._arrays import BoolArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel

NOMINAL, RAMP, RAW = 0, 1, 2
EXPONENTIAL, POWER, RADIUS = 0, 1, 2
TIE = 1e-12
"""Distances that differ by less are equal (SPEC 0.2, rule 7)."""


@kernel
def difference(a: float, b: float, kind: int) -> float:
    """Return the distance of two values of a feature."""
    if np.isnan(a) or np.isnan(b):
        return 0.0 if np.isnan(a) and np.isnan(b) else 1.0
    if kind == NOMINAL:
        return 0.0 if a == b else 1.0
    return min(abs(a - b), 1.0) if kind == RAMP else abs(a - b)


@kernel
def differences(
    cases: FloatArray, i: int | np.integer[Any], kind: IntArray, apart: FloatArray
) -> None:
    """Fill `apart[j, f]` with the distance of case i from every case on every feature."""
    for j in range(len(cases)):
        for f in range(cases.shape[1]):
            apart[j, f] = difference(cases[i, f], cases[j, f], kind[f])


@kernel
def decayed(distance: float, decay: int, alpha: float) -> float:
    """Return the weight of a pair: 2^(-alpha x), x^-alpha (1 at 0), or whether x < alpha."""
    if decay == EXPONENTIAL:
        return float(2.0 ** (-alpha * distance))
    if decay == POWER:
        return float(distance ** (-alpha)) if distance > TIE else 1.0
    return 1.0 if distance < alpha - TIE else 0.0


@kernel
def total_distance(apart: FloatArray, euclid: bool) -> float:
    """Return the distance of two cases, rounded so that equal distances tie (SPEC 0.2)."""
    total = 0.0
    for d in apart:
        total += d * d if euclid else d
    return float(np.round(np.sqrt(total) if euclid else total, 12))


@kernel
def add_pair(
    tables: FloatArray, value: IndexArray, label: int, other: int, apart: FloatArray, weight: float
) -> None:
    """Add a pair to the tables of all features."""
    for f in range(len(apart)):
        tables[f, value[f], label, 1, other] += weight * apart[f]
        tables[f, value[f], label, 0, other] += weight * (1.0 - apart[f])


@kernel
def all_pairs(
    cases: FloatArray,
    value: IndexArray,
    kind: IntArray,
    y: IntArray,
    weights: FloatArray,
    tables: FloatArray,
    decay: int,
    alpha: float,
    self_pairs: bool,
    within: float,
) -> None:
    """Add every ordered pair closer than `within`, weighted by its distance (algorithm 2).

    A case of weight w stands for w equal cases: it makes w (w - 1) pairs with itself, and w more
    where self-pairs count.
    """
    apart = np.empty(cases.shape)
    for i in range(len(cases)):
        differences(cases, i, kind, apart)
        for j in range(len(cases)):
            partner = weights[j] - 1.0 if i == j and not self_pairs else weights[j]
            distance = total_distance(apart[j], False)
            weight = weights[i] * max(partner, 0.0) * decayed(distance, decay, alpha)
            if weight > 0.0 and distance < within - TIE:
                add_pair(tables, value[i], y[i], int(y[i] != y[j]), apart[j], weight)


@kernel
def take_places(
    order: IndexArray,
    distance: FloatArray,
    available: FloatArray,
    worth: FloatArray,
    shared: bool,
    places: FloatArray,
) -> None:
    """Deal out places to the cases in `order`, nearest first.

    `worth[p]` is what the first p places are worth together. Cases at the same distance share
    what their places are worth, or the first ones take them all.
    """
    taken, k = 0.0, float(len(worth) - 1)
    start = 0
    while start < len(order) and taken < k:
        stop = start + 1
        while shared and stop < len(order) and distance[order[stop]] == distance[order[start]]:
            stop += 1
        size = available[order[start:stop]].sum()
        if size > 0.0:
            value = _worth_of(worth, min(taken + size, k)) - _worth_of(worth, taken)
            for j in order[start:stop]:
                places[j] = value * available[j] / size
        taken += size
        start = stop


@kernel
def _worth_of(worth: FloatArray, places: float) -> float:
    below = min(int(places), len(worth) - 1)
    part = places - below
    more = part * (worth[below + 1] - worth[below]) if part > 0.0 else 0.0
    return float(worth[below] + more)


@kernel
def nearest_pairs(
    cases: FloatArray,
    value: IndexArray,
    kind: IntArray,
    y: IntArray,
    weights: FloatArray,
    tables: FloatArray,
    rows: BoolArray,
    group: IntArray,
    factor: FloatArray,
    worth: FloatArray,
    k: int,
    alpha: float,
    shared: bool,
    euclid: bool,
    squared: bool,
    mean: bool,
) -> None:
    """Add the pairs of each case in `rows` with its nearest cases.

    For a case of class a, the cases of class b belong to group `group[a, b]`, among which
    neighbours are chosen; they count `factor[a, b]` times distance^-alpha. What the places in
    a group are worth together is `worth`, or one each for the k nearest where that is empty, see
    `neighbours`; with `mean` the places of a group are worth 1 together, however many are taken.
    With `euclid` the distance is Euclidean; with `squared` differences count squared.
    """
    apart = np.empty(cases.shape)
    distance, places = np.empty(len(cases)), np.empty(len(cases))
    for i in np.flatnonzero(rows):
        differences(cases, i, kind, apart)
        for j in range(len(cases)):
            distance[j] = total_distance(apart[j], euclid)
        order = np.argsort(distance, kind="mergesort")
        available = weights.copy()
        available[i] = max(weights[i] - 1.0, 0.0)
        places[:] = 0.0
        for g in range(int(group.max()) + 1):
            members = order[group[y[i]][y[order]] == g]
            prices = worth
            if not len(worth):
                prices = uniform_worth(neighbours(k, available[members].sum()))
            take_places(members, distance, available, prices, shared, places)
            if mean and places[members].sum() > 0.0:
                places[members] /= places[members].sum()
        for near in np.flatnonzero(places):
            j = int(near)
            weight = places[j] * weights[i] * factor[y[i], y[j]]
            weight *= decayed(distance[j], POWER, alpha)
            there = apart[j] * apart[j] if squared else apart[j]
            add_pair(tables, value[i], y[i], int(y[i] != y[j]), there, weight)


@kernel
def contextual_pairs(
    cases: FloatArray,
    value: IndexArray,
    kind: IntArray,
    y: IntArray,
    weights: FloatArray,
    tables: FloatArray,
    rows: BoolArray,
    k: int,
    shared: bool,
) -> None:
    """Add pairs of different class, chosen and weighted for each feature by all the others.

    hong1996's CM1: for feature f the distance of a pair is Delta = D - d_f, and the nearest
    counter-examples by Delta count 1 / (1 + Delta)^2 each.
    """
    apart = np.empty(cases.shape)
    distance, delta = np.empty(len(cases)), np.empty(len(cases))
    places = np.empty(len(cases))
    for i in np.flatnonzero(rows):
        differences(cases, i, kind, apart)
        others = np.flatnonzero(y != y[i])
        worth = uniform_worth(neighbours(k, weights[others].sum()))
        for j in others:
            distance[j] = apart[j].sum()
        for f in range(cases.shape[1]):
            for j in others:
                delta[j] = np.round(distance[j] - apart[j, f], 12)
            order = others[np.argsort(delta[others], kind="mergesort")]
            places[:] = 0.0
            take_places(order, delta, weights, worth, shared, places)
            for j in np.flatnonzero(places):
                weight = weights[i] * places[j] / (1.0 + delta[j]) ** 2
                tables[f, value[i, f], y[i], 1, 1] += weight * apart[j, f]
                tables[f, value[i, f], y[i], 0, 1] += weight * (1.0 - apart[j, f])


@kernel
def neighbours(k: int, n: float) -> int:
    """Return how many neighbours of n: k, all for k < 0, max(1, floor(log2 n)) for k = 0."""
    if k < 0:
        return int(np.ceil(n))
    if k > 0:
        return k
    return max(1, int(np.floor(np.log2(n) + TIE))) if n >= 1.0 else 1


@kernel
def uniform_worth(k: int) -> FloatArray:
    """Return what places are worth together when each is worth 1."""
    return np.arange(k + 1).astype(np.float64)
