"""Intervals of a feature cut in two, again and again, by the classes within.

*below*     cumulated counts: row i holds the weight of each class at the points before i. The
            counts are such that they sum up exactly, so differences are counts again.
*interval*  the points from `start` up to `stop`, exclusive; a cut at place i starts a new one.
*rule*      what lets a cut stand: FAYYAD_IRANI or KONONENKO.
"""

from math import lgamma, log, log2

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.ties import TIE

FAYYAD_IRANI, KONONENKO = 0, 1
NONE = -1


@kernel
def cumulated(counts: FloatArray) -> FloatArray:
    """Return the weight of each class before each point, and in the end of all."""
    below = np.zeros((len(counts) + 1, counts.shape[1]))
    for i in range(len(counts)):
        below[i + 1] = below[i] + counts[i]
    return below


@kernel
def best_ssv(
    below: FloatArray, start: int, stop: int, lexicographic: bool
) -> tuple[int, float, float]:
    """Return the cut of largest SSV (duch2004, SPEC 3.3), its value and a second one.

    The value is 2 * pairs - torn or, if lexicographic, pairs, with -torn to break ties. The
    first among equals; `NONE` where the interval holds one class or one point only.
    """
    # Counts of any stretch are differences of `below`, and exact: a new interval needs no counting,
    # and no cut depends on the one before.
    best, best_value, best_second = NONE, -np.inf, -np.inf
    if n_present(below[stop] - below[start]) < 2:
        return best, best_value, best_second
    for cut in range(start + 1, stop):
        pairs, torn = 0.0, 0.0
        n_right = below[stop].sum() - below[cut].sum()
        for c in range(below.shape[1]):
            left, right = below[cut, c] - below[start, c], below[stop, c] - below[cut, c]
            pairs += left * (n_right - right)
            torn += min(left, right)
        value, second = (pairs, -torn) if lexicographic else (2 * pairs - torn, 0.0)
        if exceeds(value, second, best_value, best_second):
            best, best_value, best_second = cut, value, second
    return best, best_value, best_second


@kernel
def exceeds(value: float, second: float, other: float, other_second: float) -> bool:
    """Tell whether a pair of values comes before another one, by more than rounding."""
    slack = TIE * abs(value)
    if value > other + slack:
        return True
    return value > other - slack and second > other_second + TIE * abs(second)


@kernel
def ssv_cuts(below: FloatArray, intervals: int, lexicographic: bool) -> IndexArray:
    """Cut the interval whose best SSV is largest, until there are so many or none can be cut."""
    # Each interval keeps its best cut: a cut changes two intervals, and no other is searched again.
    starts = np.zeros(intervals, np.int64)
    stops = np.zeros(intervals, np.int64)
    cuts = np.full(intervals, NONE)
    values = np.full((intervals, 2), -np.inf)
    stops[0] = len(below) - 1
    cuts[0], values[0, 0], values[0, 1] = best_ssv(below, 0, stops[0], lexicographic)
    for n in range(1, intervals):
        k = _first_best(cuts[:n], starts[:n], values[:n])
        if k == NONE:
            return np.sort(starts[:n])[1:]
        starts[n], stops[n] = cuts[k], stops[k]
        stops[k] = cuts[k]
        for i in (k, n):
            cuts[i], values[i, 0], values[i, 1] = best_ssv(
                below, starts[i], stops[i], lexicographic
            )
    return np.sort(starts)[1:]


@kernel
def _first_best(cuts: IndexArray, starts: IndexArray, values: FloatArray) -> int:
    """Return the interval whose cut is worth most, the leftmost among equals."""
    best = NONE
    for k in np.argsort(starts):
        if cuts[k] == NONE:
            continue
        if best == NONE or exceeds(values[k, 0], values[k, 1], values[best, 0], values[best, 1]):
            best = k
    return best


@kernel
def mdl_cuts(below: FloatArray, rule: int, n_classes: int) -> IndexArray:
    """Cut at the least class entropy, and again on both sides, while the rule lets it stand."""
    # A list instead of recursion. Each side is cut without regard to the other, so any order will
    # do, and marks come out sorted.
    is_cut = np.zeros(len(below), np.bool_)
    waiting = [(0, len(below) - 1)]
    while len(waiting) > 0:
        start, stop = waiting.pop()
        cut = best_entropy(below, start, stop)
        if cut == NONE:
            continue
        left, right = below[cut] - below[start], below[stop] - below[cut]
        if accepts(left, right, stop - start, rule, n_classes):
            is_cut[cut] = True
            waiting.append((start, cut))
            waiting.append((cut, stop))
    return np.flatnonzero(is_cut)


@kernel
def best_entropy(below: FloatArray, start: int, stop: int) -> int:
    """Return the first cut of least class entropy; `NONE` for one class or one point."""
    # The entropy is compared times n, which is the same for all cuts, so the slack is times n, too.
    best, least = NONE, np.inf
    n = below[stop].sum() - below[start].sum()
    slack = TIE * n
    if n_present(below[stop] - below[start]) < 2:
        return best
    for cut in range(start + 1, stop):
        bits = 0.0
        n_left = n_right = 0.0
        for c in range(below.shape[1]):
            left, right = below[cut, c] - below[start, c], below[stop, c] - below[cut, c]
            bits -= _x_log_x(left) + _x_log_x(right)
            n_left += left
            n_right += right
        bits += _x_log_x(n_left) + _x_log_x(n_right)
        if bits < least - slack:
            best, least = cut, bits
    return best


@kernel
def accepts(left: FloatArray, right: FloatArray, n_points: int, rule: int, n_classes: int) -> bool:
    """Tell whether a cut pays for its own description, by more than rounding.

    FAYYAD_IRANI: gain > (log2(n - 1) + log2(3^k - 2) - (k H - k1 H1 - k2 H2)) / n, k being the
    classes that occur. KONONENKO: the bits MDL saves (kononenko1995 eq. 14), with the classes
    of the problem, exceed those that tell one of the cuts.
    """
    both = left + right
    n, n_left, n_right = both.sum(), left.sum(), right.sum()
    if rule == KONONENKO:
        before = _description(both, n_classes)
        after = _description(left, n_classes) + _description(right, n_classes)
        return before * (1.0 - TIE) > after + log2(n_points - 1)
    h, h_left, h_right = entropy(both), entropy(left), entropy(right)
    k, k_left, k_right = n_present(both), n_present(left), n_present(right)
    # log2(3^k - 2), also where 3^k is no number any more.
    codes = k * log2(3.0) + log2(1.0 - 2.0 * 3.0 ** -float(k))
    delta = codes - (k * h - k_left * h_left - k_right * h_right)
    gain = h - (n_left * h_left + n_right * h_right) / n
    return bool(n * (gain - TIE * h) > log2(max(n - 1.0, 1.0)) + delta)


@kernel
def _description(counts: FloatArray, n_classes: int) -> float:
    """Return the bits that tell the class frequencies and then the classes in their order."""
    n = counts.sum()
    bits = lgamma(n + n_classes) - lgamma(n_classes)
    for count in counts:
        bits -= lgamma(count + 1.0)
    return bits / log(2.0)


@kernel
def entropy(counts: FloatArray) -> float:
    """Return the entropy in bits of a class distribution."""
    n = counts.sum()
    bits = _x_log_x(n)
    for count in counts:
        bits -= _x_log_x(count)
    return float(bits / n)


@kernel
def n_present(counts: FloatArray) -> int:
    """Return how many classes occur."""
    return int((counts > 0.0).sum())


@kernel
def _x_log_x(x: float) -> float:
    return x * log2(x) if x > 0.0 else 0.0
