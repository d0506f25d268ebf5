"""Sums over pairs of cases: who differs from whom on which feature.

A *pair table* R[feature, value of i, class of i, differs, other class] sums the weights of
ordered pairs (i, j) of cases: vilalta2001's matrices R_m, whose four cases are (agrees, same),
(agrees, other), (differs, same) and (differs, other). On a numeric feature, which has a single
value here, a pair adds its distance d to "differs" and 1 - d to "agrees".

*sums*   what a pair table adds up, still apart by case: `differs` (feature, other class, case i)
         and `total` (feature, other class, case i), or one `total` for all features. Every case
         has places of its own, so any number of threads fills them with the same result.
*tile*   cases start to stop of one class, small enough to stay in the fastest memory; the
         innermost loops run over a tile, side by side.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import BoolArray, CodeArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.ties import TIE

NOMINAL, RAMP, RAW = 0, 1, 2
EXPONENTIAL, POWER, RADIUS = 0, 1, 2
DIGITS = 1e12


class Cases(NamedTuple):
    """The cases of a node, class after class; arrays are (feature, case), but for `rows`.

    Nominal features are compared by `codes`, numeric ones by `numbers`: at distance min(|a - b|, 1)
    (RAMP) or |a - b| (RAW). A feature f with values that must not be compared has `gap[f]` >= 0:
    its row in `known`, and in `toward` (gap, class, case), which holds the distance of a case
    from one of a class whose value is missing. `rows` (case, feature) has numbers and codes side by
    side, for those who look at a few cases only.
    """

    codes: CodeArray
    numbers: FloatArray
    rows: FloatArray
    kind: IntArray
    gap: IndexArray
    known: BoolArray
    toward: FloatArray
    y: IntArray
    weights: FloatArray


class Decay(NamedTuple):
    """How pairs lose weight with distance: `decayed`, and nothing from `within` on."""

    form: int
    alpha: float
    within: float


class Worth(NamedTuple):
    """The weight of pairs `at` some distances, ascending; without any, it is that of a `Decay`."""

    at: FloatArray
    weight: FloatArray


@kernel
def differences_from(data: Cases, i: int, others: IndexArray, apart: FloatArray) -> None:
    """Fill `apart` (other case, feature) with the distances of case i from some others.

    For all of them at once: handing over the data takes longer than to compare two cases.
    """
    mine, y = data.rows[i], data.y
    for c in range(len(others)):
        j = others[c]
        theirs = data.rows[j]
        for f in range(len(mine)):
            g, d = data.gap[f], abs(mine[f] - theirs[f])
            if g >= 0 and not data.known[g, i]:
                d = data.toward[g, y[i], j]
            elif g >= 0 and not data.known[g, j]:
                d = data.toward[g, y[j], i]
            elif data.kind[f] == NOMINAL:
                d = 1.0 if d > 0.0 else 0.0
            elif data.kind[f] == RAMP:
                d = min(d, 1.0)
            apart[c, f] = d


@kernel
def differences(data: Cases, f: int, i: int, start: int, apart: FloatArray) -> None:
    """Fill `apart` with the distances of case i on a feature from the cases from `start` on."""
    stop = start + len(apart)
    g = data.gap[f]
    if g >= 0 and not data.known[g, i]:
        toward = data.toward[g, data.y[i], start:stop]
        for j in range(len(apart)):  # numba compiles an assignment of arrays for seconds
            apart[j] = toward[j]
        return
    if data.kind[f] == NOMINAL:
        codes, code = data.codes[f, start:stop], data.codes[f, i]
        for j in range(len(apart)):
            apart[j] = 1.0 if codes[j] != code else 0.0
    else:
        numbers, number = data.numbers[f, start:stop], data.numbers[f, i]
        most = 1.0 if data.kind[f] == RAMP else np.inf
        for j in range(len(apart)):
            apart[j] = min(abs(numbers[j] - number), most)
    if g >= 0:
        for j in range(start, stop):
            if not data.known[g, j]:
                apart[j - start] = data.toward[g, data.y[j], i]


@kernel
def count_differing(data: Cases, i: int, start: int, differing: CodeArray) -> None:
    """Count the nominal features without gaps on which case i differs from those from `start` on.

    Small whole numbers: the processor compares many at a time.
    """
    differing[:] = 0
    for f in range(len(data.kind)):
        if data.kind[f] == NOMINAL and data.gap[f] < 0:
            codes, code = data.codes[f, start : start + len(differing)], data.codes[f, i]
            for j in range(len(differing)):
                differing[j] += np.uint16(codes[j] != code)


@kernel
def distances(
    data: Cases, i: int, start: int, euclid: bool, differing: CodeArray, distance: FloatArray
) -> None:
    """Fill `distance` with how far case i is from the cases from `start` on.

    `differing` is room to work in.
    """
    # Feature by feature over the whole tile, nominal ones first in small whole numbers: each inner
    # loop is one that the processor does for many cases at a time.
    count_differing(data, i, start, differing)
    for j in range(len(distance)):
        distance[j] = differing[j]
    for f in range(len(data.kind)):
        if data.gap[f] >= 0 or (data.kind[f] != NOMINAL and euclid):
            apart = np.empty(len(distance))
            differences(data, f, i, start, apart)
            add_powers(distance, apart, euclid)
        elif data.kind[f] != NOMINAL:
            numbers = data.numbers[f, start : start + len(distance)]
            add_apart(
                distance, numbers, data.numbers[f, i], 1.0 if data.kind[f] == RAMP else np.inf
            )
    if euclid:
        for j in range(len(distance)):
            distance[j] = np.sqrt(distance[j])


@kernel
def decayed(distance: float, decay: Decay) -> float:
    """Return the weight of a pair: 2^(-alpha x), x^-alpha (1 at 0), or whether x < alpha."""
    if distance >= decay.within - TIE:
        return 0.0
    if decay.form == EXPONENTIAL:
        return float(2.0 ** (-decay.alpha * distance))
    if decay.form == POWER:
        return float(distance ** (-decay.alpha)) if distance > TIE else 1.0
    return 1.0 if distance < decay.alpha - TIE else 0.0


@kernel
def worth_at(distance: float, decay: Decay, worth: Worth) -> float:
    """Return the weight of a pair, looked up where it is known."""
    if len(worth.at) == 0:
        return decayed(distance, decay)
    # The distances were rounded to 12 digits.
    return float(worth.weight[np.searchsorted(worth.at, distance - 0.6 * TIE)])


@kernel
def tile_distances(data: Cases, start: int, stop: int, apart: FloatArray) -> None:
    """Fill `apart` (case, case of a tile) with the distances of all cases from those of a tile."""
    differing = np.empty(stop - start, np.uint16)
    for i in range(len(data.y)):
        distances(data, i, start, False, differing, apart[i])


@kernel
def all_pairs(
    data: Cases,
    decay: Decay,
    worth: Worth,
    self_pairs: bool,
    start: int,
    stop: int,
    differs: FloatArray,
    total: FloatArray,
) -> None:
    """Sum the pairs of the cases of a tile with every case, weighted by distance (algorithm 2).

    A case of weight w stands for w equal cases: it makes w (w - 1) pairs with itself, and w more
    where self-pairs count.
    """
    size, n_features = stop - start, len(data.kind)
    differing = np.empty(size, np.uint16)
    distance, weight, apart = np.empty(size), np.empty(size), np.empty(size)
    # Where nothing but labels differ, distances are whole numbers: their weights are looked up.
    whole = (data.kind == NOMINAL).all() and (data.gap < 0).all()
    decays = np.zeros(n_features + 1)
    if whole:
        for d in range(n_features + 1):
            decays[d] = worth_at(float(d), decay, worth)
    for i in range(len(data.y)):
        other = int(data.y[i] != data.y[start])
        if whole:
            count_differing(data, i, start, differing)
            here = decays * data.weights[i]
            for j in range(size):
                weight[j] = here[differing[j]]
        else:
            distances(data, i, start, False, differing, distance)
            for j in range(size):
                weight[j] = worth_at(distance[j], decay, worth) * data.weights[i]
        if start <= i < stop and not self_pairs:
            weight[i - start] *= max(data.weights[i] - 1.0, 0.0) / data.weights[i]
        add_powers(total[0, other, start:stop], weight, False)
        for f in range(n_features):
            sums = differs[f, other, start:stop]
            if data.kind[f] == NOMINAL and data.gap[f] < 0:
                add_where_differing(sums, weight, data.codes[f, start:stop], data.codes[f, i])
            else:
                differences(data, f, i, start, apart)
                add_products(sums, weight, apart)


@kernel
def pairs_left_out(
    data: Cases,
    decay: Decay,
    worth: Worth,
    self_pairs: bool,
    start: int,
    stop: int,
    differs: FloatArray,
    total: FloatArray,
) -> None:
    """Sum pairs as `all_pairs` does, but weighted for each feature by the distance on all others.

    Of nominal features without gaps only: a pair that differs on a feature is one nearer without
    it, so two weights serve all features of a pair.
    """
    size, n_features = stop - start, len(data.kind)
    differing = np.empty(size, np.uint16)
    weight, nearer = np.empty(size), np.empty(size)
    decays = np.zeros(n_features + 1)
    for d in range(n_features + 1):
        decays[d] = worth_at(float(d), decay, worth)
    for i in range(len(data.y)):
        other = int(data.y[i] != data.y[start])
        count_differing(data, i, start, differing)
        here = decays * data.weights[i]
        for j in range(size):
            weight[j] = here[differing[j]]
            nearer[j] = here[max(differing[j], 1) - 1]
        if start <= i < stop and not self_pairs:
            weight[i - start] *= max(data.weights[i] - 1.0, 0.0) / data.weights[i]
        if n_features == 0:  # a single feature that never varies
            add_powers(total[0, other, start:stop], weight, False)
        for f in range(n_features):
            codes, code = data.codes[f, start:stop], data.codes[f, i]
            apart, all_of = differs[f, other, start:stop], total[f, other, start:stop]
            for j in range(size):
                if codes[j] != code:
                    apart[j] += nearer[j]
                    all_of[j] += nearer[j]
                else:
                    all_of[j] += weight[j]


@kernel
def add_where_differing(sums: FloatArray, numbers: FloatArray, codes: CodeArray, code: int) -> None:
    """Add to each sum its number where its code is another one."""
    for j in range(len(sums)):
        sums[j] += numbers[j] if codes[j] != code else 0.0


@kernel
def add_apart(sums: FloatArray, numbers: FloatArray, number: float, most: float) -> None:
    """Add to each sum how far its number is from another, at most `most`."""
    for j in range(len(sums)):
        sums[j] += min(abs(numbers[j] - number), most)


@kernel
def add_powers(sums: FloatArray, numbers: FloatArray, squared: bool) -> None:
    """Add numbers, or their squares, to sums, one to each."""
    for j in range(len(sums)):
        sums[j] += numbers[j] * numbers[j] if squared else numbers[j]


@kernel
def add_products(sums: FloatArray, numbers: FloatArray, factors: FloatArray) -> None:
    """Add numbers times factors to sums, one to each."""
    for j in range(len(sums)):
        sums[j] += numbers[j] * factors[j]


@kernel
def tabulate(
    data: Cases, value: IndexArray, differs: FloatArray, total: FloatArray, tables: FloatArray
) -> None:
    """Add the sums of every case, times its weight, to the pair tables.

    `value` (feature, case) says where in the table the value of a case is counted.
    """
    # What agrees is the total less what differs, so pairs need not add it up; rounding may make
    # the difference negative.
    for f in range(len(differs)):
        all_of = total[min(f, len(total) - 1)]
        for i in range(len(data.y)):
            cell, weight = tables[f, value[f, i], data.y[i]], data.weights[i]
            for other in range(2):
                apart = differs[f, other, i]
                cell[1, other] += weight * apart
                cell[0, other] += weight * max(all_of[other, i] - apart, 0.0)
