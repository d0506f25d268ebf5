"""Sums over pairs of each case with its nearest cases; see `pairs` for the words."""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import BoolArray, CodeArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.heap import replace_top
from treelab.kernels.pairs import (
    DIGITS,
    POWER,
    RAMP,
    Cases,
    Decay,
    decayed,
    differences_from,
    distances,
)
from treelab.kernels.sieve import MOST, Sieve, exact_distances, rough_distances, sift
from treelab.kernels.sorting import sort_by
from treelab.kernels.ties import TIE

BLOCK = 8
"""So many cases look for neighbours together, while a tile is at hand."""
TILE = 1024
STRIDE = 32
"""So many cases are passed over at once where none of them is near."""


class Choice(NamedTuple):
    """Which neighbours are chosen, and what they count.

    For a case of class a, the cases of class b belong to group `group[a, b]`, among which
    neighbours are chosen; they count `factor[a, b]` times distance^-alpha. What the places in
    a group are worth together is `worth`, or one each for the k nearest where that is empty, see
    `neighbours`; with `mean` the places of a group are worth 1 together, however many are taken.
    With `shared`, cases at the same distance share places, else the first in `order` take them.
    With `euclid` the distance is Euclidean; with `squared` differences count squared.
    """

    rows: BoolArray
    order: IndexArray
    group: IntArray
    factor: FloatArray
    worth: FloatArray
    k: float
    alpha: float
    shared: bool
    mean: bool
    euclid: bool
    squared: bool


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
def candidates(
    data: Cases,
    starts: IndexArray,
    choice: Choice,
    sieve: Sieve,
    i: int,
    g: int,
    of_class: FloatArray,
    lightest: float,
    rough: CodeArray,
    distance: FloatArray,
    near: IndexArray,
) -> tuple[int, float]:
    """Put the cases of group g that may be neighbours of case i into `near`; return how many.

    They are the nearest that surely fill the k places, and all at the distance of the last of
    them. Also returns k.
    """
    a = data.y[i]
    n = available = 0.0
    for c in range(len(starts) - 1):
        if choice.group[a, c] == g:
            n += starts[c + 1] - starts[c]
            available += of_class[c]
    if choice.group[a, a] == g:
        available -= min(data.weights[i], 1.0)
    k = len(choice.worth) - 1.0 if len(choice.worth) else neighbours(choice.k, available)
    needed = min(n, np.ceil(k / lightest) + 1.0)
    in_group = np.empty(len(starts) - 1, np.bool_)
    for c in range(len(in_group)):
        in_group[c] = choice.group[a, c] == g
    if sieve.unit:
        found, last = sifted(data, starts, in_group, sieve, i, int(needed), rough, distance, near)
    else:
        found, last = searched(data, starts, in_group, i, int(needed), distance, near)
    kept = 0
    for c in range(found):
        j = near[c]
        if distance[j] <= last + TIE:
            near[kept] = j
            kept += 1
            distance[j] = np.rint(distance[j] * DIGITS) / DIGITS  # equal ones tie (SPEC 0.2)
    return kept, k


@kernel
def searched(
    data: Cases,
    starts: IndexArray,
    in_group: BoolArray,
    i: int,
    needed: int,
    distance: FloatArray,
    near: IndexArray,
) -> tuple[int, float]:
    """Put the cases of some classes that may be the nearest into `near`.

    Returns how many they are, and the distance of the last one that is needed.
    """
    if data.weights[i] <= 1.0:
        distance[i] = np.inf
    nearest, found = np.full(max(needed, 1), np.inf), 0
    for c in range(len(in_group)):
        if in_group[c]:
            found = collect(distance, starts[c], starts[c + 1], nearest, near, found)
    return found, nearest[0]


@kernel
def sifted(
    data: Cases,
    starts: IndexArray,
    in_group: BoolArray,
    sieve: Sieve,
    i: int,
    needed: int,
    rough: CodeArray,
    distance: FloatArray,
    near: IndexArray,
) -> tuple[int, float]:
    """Do the same by rough distances, and measure those exactly who are left."""
    # A case that stands for itself only is no neighbour of its own. Marked as far away it does not
    # narrow the bound, but may still be within it, so it is taken out as well.
    if data.weights[i] <= 1.0:
        rough[i] = MOST - 1
    found = sift(rough, starts, in_group, max(needed, 1), sieve.slack, near)
    if data.weights[i] <= 1.0:
        found = _without(i, near, found)
    exact_distances(data, i, near[:found], distance)
    nearest = np.full(max(needed, 1), np.inf)
    for j in near[:found]:
        if distance[j] < nearest[0]:
            replace_top(nearest, distance[j])
    return found, nearest[0]


@kernel
def _without(i: int, near: IndexArray, found: int) -> int:
    """Take case i out of the first cases of `near`; return how many are left."""
    kept = 0
    for c in range(found):
        near[kept] = near[c]
        kept += int(near[c] != i)
    return kept


@kernel
def collect(
    distance: FloatArray,
    start: int,
    stop: int,
    nearest: FloatArray,
    near: IndexArray,
    found: int,
) -> int:
    """Add to `near` the cases that are among the nearest so far; return how many there are.

    `nearest` is a heap of the smallest distances, the largest of them on top.
    """
    # Few cases are near, so a whole stride is tested at once, and single cases only where it has
    # one. The bound falls on the way, so `near` gets more than needed: `candidates` sorts them out.
    for begin in range(start, stop, STRIDE):
        end = min(begin + STRIDE, stop)
        if not any_within(distance[begin:end], nearest[0] + TIE):
            continue
        for j in range(begin, end):
            if distance[j] <= nearest[0] + TIE and distance[j] < np.inf:
                near[found] = j
                found += 1
                replace_top(nearest, distance[j])
    return found


@kernel
def any_within(distance: FloatArray, bound: float) -> bool:
    """Tell whether any distance is within a bound: counted, for that is done many at a time."""
    count = 0
    for j in range(len(distance)):
        count += distance[j] <= bound
    return count > 0


@kernel
def in_order(distance: FloatArray, choice: Choice, near: IndexArray) -> IndexArray:
    """Sort cases by distance; where it matters, those at the same distance by `order`."""
    # Sorts are stable, so the key that matters less goes first.
    keys = np.empty(len(near))
    if not choice.shared:
        for c in range(len(near)):
            keys[c] = choice.order[near[c]]
        sort_by(keys, near)
    for c in range(len(near)):
        keys[c] = distance[near[c]]
    sort_by(keys, near)
    return near


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


@kernel
def within_reach(
    data: Cases, distance: FloatArray, others: IndexArray, needed: float
) -> IndexArray:
    """Return the cases that may be among the nearest when one feature is left out.

    If T is the distance of the last case that is needed, as many cases have Delta <= D <= T; a
    neighbour by Delta then has D = Delta + d_f <= T + 1, where no feature counts more than 1.
    """
    if needed >= len(others) or np.any(data.kind > RAMP):
        return others
    nearest = np.full(int(needed), np.inf)
    for j in others:
        if distance[j] < nearest[0]:
            replace_top(nearest, distance[j])
    return np.asarray(others[distance[others] <= nearest[0] + 1.0 + TIE])


@kernel
def neighbours(k: float, n: float) -> float:
    """Return how many neighbours of n: k, all for k < 0, max(1, floor(log2 n)) for k = 0."""
    if k < 0.0:
        return float(np.ceil(n))
    if k > 0.0:
        return k
    return max(1.0, float(np.floor(np.log2(n) + TIE))) if n >= 1.0 else 1.0
