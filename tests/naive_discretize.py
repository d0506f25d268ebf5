"""Slow and obvious discretizers, from lists of values, classes and weights."""

from itertools import combinations, pairwise
from math import comb, floor, inf, log2

from scipy.stats import chi2 as chi2_distribution


def table(x, y, w=None):
    """Return the distinct values and, for each, the weight of each class that occurs."""
    w = [1] * len(x) if w is None else w
    classes = sorted(set(y))
    points = sorted(set(x))
    counts = [[0] * len(classes) for _ in points]
    for value, label, weight in zip(x, y, w, strict=True):
        counts[points.index(value)][classes.index(label)] += weight
    return points, counts


def middle(low, high):
    return (low + high) / 2


def pair_chi2(a, b, rule="0.1"):
    n, chi2 = sum(a) + sum(b), 0.0
    for row in (a, b):
        for j in range(len(a)):
            expected = sum(row) * (a[j] + b[j]) / n
            if expected == 0 and rule == "0.1":
                expected = 0.1
            divisor = max(expected, 0.5) if rule == "floor" else expected
            if divisor > 0:
                chi2 += (row[j] - expected) ** 2 / divisor
    return chi2


def chimerge(x, y, w=None, alpha=0.1, most=inf, rule="0.1", to=None):
    """Merge one pair at a time, all chi-squares computed anew each time."""
    points, counts = table(x, y, w)
    groups = [([p], c) for p, c in zip(points, counts, strict=True)]
    n_classes = len(counts[0]) if counts else 0
    threshold = chi2_distribution.isf(alpha, n_classes - 1) if n_classes > 1 else inf
    if to is not None:
        threshold, most = -inf, to
    while len(groups) > 1:
        chi2s = [round(pair_chi2(a[1], b[1], rule), 12) for a, b in pairwise(groups)]
        least = min(chi2s)
        if least >= threshold and len(groups) <= most:
            break
        i = chi2s.index(least)
        (p, a), (q, b) = groups[i : i + 2]
        groups[i : i + 2] = [(p + q, [s + t for s, t in zip(a, b, strict=True)])]
    return [middle(a[0][-1], b[0][0]) for a, b in pairwise(groups)]


def ssv(left, right):
    pairs = sum(a * b for i, a in enumerate(left) for j, b in enumerate(right) if i != j)
    return pairs, sum(map(min, left, right))


def total(rows):
    return [sum(column) for column in zip(*rows, strict=True)]


def ssv_cuts(x, y, k, w=None, lexicographic=False):
    points, counts = table(x, y, w)
    intervals = [(0, len(points))]
    while len(intervals) < k:
        found = []
        for a, b in intervals:
            if sum(c > 0 for c in total(counts[a:b])) < 2:
                continue
            for cut in range(a + 1, b):
                pairs, torn = ssv(total(counts[a:cut]), total(counts[cut:b]))
                key = (pairs, -torn) if lexicographic else (2 * pairs - torn,)
                found.append((key, -cut, (a, b)))
        if not found:
            break
        _, cut, (a, b) = max(found)
        intervals.remove((a, b))
        intervals += [(a, -cut), (-cut, b)]
    return sorted(middle(points[a - 1], points[a]) for a, _ in intervals if a)


def entropy(counts):
    n = sum(counts)
    return -sum(c / n * log2(c / n) for c in counts if c)


def fayyad_irani(left, right, _points, _classes):
    both = total([left, right])
    n, h = sum(both), entropy(both)
    gain = h - (sum(left) * entropy(left) + sum(right) * entropy(right)) / n
    k, k1, k2 = (sum(c > 0 for c in counts) for counts in (both, left, right))
    delta = log2(3**k - 2) - (k * h - k1 * entropy(left) - k2 * entropy(right))
    return gain > (log2(max(n - 1, 1)) + delta) / n + 1e-12


def kononenko(left, right, points, classes):
    """By counting: class distributions, then sequences, for whole counts. Ties are exact."""

    def codes(counts):
        n, ways, rest = sum(counts), 1, sum(counts)
        for c in counts:
            ways *= comb(rest, c)
            rest -= c
        return comb(n + classes - 1, classes - 1) * ways

    return codes(total([left, right])) > codes(left) * codes(right) * (points - 1)


def mdl_cuts(x, y, w=None, rule=fayyad_irani, classes=None):
    points, counts = table(x, y, w)
    classes = classes or (len(counts[0]) if counts else 0)

    def cuts(a, b):
        if b - a < 2 or sum(c > 0 for c in total(counts[a:b])) < 2:
            return []
        sides = {c: (total(counts[a:c]), total(counts[c:b])) for c in range(a + 1, b)}
        cost = {c: sum(sum(s) * entropy(s) for s in side) for c, side in sides.items()}
        least = min(cost.values())
        cut = min(c for c in cost if cost[c] <= least + 1e-9)
        if not rule(*sides[cut], b - a, classes):
            return []
        return [*cuts(a, cut), middle(points[cut - 1], points[cut]), *cuts(cut, b)]

    return cuts(0, len(points))


def representatives(values, by):
    values = sorted(values)
    if by == "mean":
        return [sum(values) / len(values)] * len(values)
    if by == "median":
        half = len(values) // 2
        return [(values[half] + values[-half - 1]) / 2] * len(values)
    if by == "mode":
        return [max(values, key=lambda v: (values.count(v), -v))] * len(values)
    low, high = values[0], values[-1]
    return [low if v - low <= high - v else high for v in values]


def bin_error(values, by):
    power = 2 if by == "mean" else 1
    stand = representatives(values, by)
    return sum(abs(v - r) ** power for v, r in zip(sorted(values), stand, strict=True))


def best_bins(values, k, by):
    """Return the least error and the cuts of all ways to part the distinct values."""
    points = sorted(set(values))
    errors = {}
    for cuts in combinations(range(1, len(points)), min(k, len(points)) - 1):
        ends = [0, *cuts, len(points)]
        bins = [[v for v in values if v in points[a:b]] for a, b in pairwise(ends)]
        errors[cuts] = sum(bin_error(each, by) for each in bins)
    return min(errors.values()), errors


def border_moves(values, k, by, move, ties):
    """Return the numbers of values below each border, step by step, while the error falls.

    A step is the best of all single moves of a border, by the border value's whole group or by one
    value; among equals that of the rightmost (or leftmost) border, upwards (or downwards) first.
    """
    values, n = sorted(values), len(values)
    sizes = [n // k + (place >= k - n % k) for place in range(k)]
    steps = [[sum(sizes[:place]) for place in range(1, k)]]
    ends = [i for i in range(n + 1) if i in (0, n) or values[i - 1] != values[i]]

    def error(borders):
        parts = pairwise([0, *borders, n])
        return round(sum(bin_error(values[low:high], by) for low, high in parts), 9)

    while True:
        here, moved = steps[-1], []
        for place, border in enumerate(here):
            down, up = max(e for e in ends if e < border), min(e for e in ends if e > border)
            for step in (border - 1, border + 1) if move == "single" else (down, up):
                there = [*here[:place], step, *here[place + 1 :]]
                if all(low < high for low, high in pairwise([0, *there, n])):
                    moved.append(there)
        best = min(moved[:: -1 if ties == "right" else 1], key=error, default=here)
        if error(best) >= error(here):
            return steps
        steps.append(best)


def greedy(x, y, w, score, bins):
    """Cut the interval first that wins most, by a score over tables; the leftmost of equals."""
    points, counts = table(x, y, w)
    starts = [0]
    while points and len(starts) < bins:
        wins = [_win(counts, *ends, score) for ends in pairwise([*starts, len(points)])]
        most = max(win for win, _ in wins)
        if most == -inf:
            break
        cut = next(cut for win, cut in wins if win >= most - 1e-9)
        starts = sorted([*starts, cut])
    return [middle(points[s - 1], points[s]) for s in starts[1:]]


def _win(counts, low, high, score):
    """Return what the first cut of the largest score wins in an interval, and that cut.

    What is won is the decrease of the Gini impurity times the cases, whatever the score.
    """
    whole = total(counts[low:high])
    if sum(n > 0 for n in whole) < 2 or high - low < 2:
        return -inf, None
    cuts = range(low + 1, high)
    scores = [score([total(counts[low:cut]), total(counts[cut:high])]) for cut in cuts]
    best = next(k for k, s in enumerate(scores) if s >= max(scores) - 1e-12)
    sides = [total(counts[low : cuts[best]]), total(counts[cuts[best] : high])]
    return sum(map(_purity, sides)) - _purity(whole), cuts[best]


def _purity(counts):
    """Return the cases less their Gini impurity times their number."""
    return sum(n * n for n in counts) / sum(counts)


def rounded(values, most):
    """Return the values rounded half up to 10, 100, ... until at most so many remain."""
    power, found = 0, list(values)
    while len(set(found)) > most:
        power += 1
        unit = 10**power
        found = [(2 * x + unit) // (2 * unit) * unit for x in values]
    return found


def interval(x, cuts):
    """Return the number of cuts at or below a value."""
    return sum(cut <= x for cut in cuts)


def equal_width_code(x, low, high, bins):
    """Return min(k - 1, floor((x - lo) / (hi - lo) * k)), and 0 below the least value."""
    if low == high:
        return 0
    return max(0, min(bins - 1, floor((x - low) / (high - low) * bins)))


def equal_frequency_codes(values, bins):
    """Return rank * k // n of each value; equal values have the rank of the first of them."""
    return [sum(other < value for other in values) * bins // len(values) for value in values]
