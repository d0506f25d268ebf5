"""Which cases are the nearest of a case; see `pairs` for the words.

What they count, and their sums, are in `neighbour_sums`.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import BoolArray, CodeArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.heap import replace_top
from treelab.kernels.pairs import DIGITS, RAMP, Cases
from treelab.kernels.sieve import MOST, Sieve, exact_distances, sift
from treelab.kernels.sorting import sort_by
from treelab.kernels.ties import TIE

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
