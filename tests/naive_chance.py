"""What chance gives tables and merits, by plain sums and by dealing out every permutation."""

import itertools
import math
from functools import cache

import naive_candidates
import naive_formulas


def whole(x):
    """Take off the rounding of a sum that should be a whole number."""
    return round(x) if abs(x - round(x)) < 1e-9 else x


def between(function, x):
    """Interpolate a function of whole numbers."""
    low = math.floor(x)
    part = x - low
    return (1 - part) * function(low) + (part * function(low + 1) if part > 0 else 0.0)


@cache
def cell(a, b, n):
    """Return E{k log2(k n / (a b))} of the cases k of a class of b in a value of a, among n."""
    if a > n or b > n:
        return 0.0
    ways = {k: math.comb(b, k) * math.comb(n - b, a - k) for k in range(1, min(a, b) + 1)}
    all_ways = math.comb(n, a)
    return sum(many / all_ways * k * math.log2(k * n / (a * b)) for k, many in ways.items())


def told(a, classes, n):
    """Return what chance tells of the class by a value of `a` cases, a whole number."""
    return sum(between(lambda y: between(lambda z: cell(a, y, z), n), b) for b in classes)


def kept(a, classes, n):
    """Return the cases of a value less what is told, one case telling its class altogether."""
    if a >= n:
        return n
    if a <= 1 or told(1, classes, n) == 0:
        return 0.0
    knots = [math.floor(a), min(math.floor(a) + 1, n)]
    left = [n if k == n else max(k - told(k, classes, n) / told(1, classes, n), 0) for k in knots]
    return left[0] + (left[1] - left[0]) * (a - knots[0]) / (knots[1] - knots[0])


def entropy(weights):
    n = sum(weights)
    return -sum(w / n * math.log2(w / n) for w in weights if w > 0)


def expected_entropy(values, classes, small=math.inf):
    """Return hong1996 eq. 26 as put right: exact for values of up to `small` cases."""
    values, classes = [whole(a) for a in values if a > 0], [whole(b) for b in classes if b > 0]
    n = whole(sum(classes))
    total = 0.0
    for a in values:
        if a <= small:
            total += entropy(classes) * kept(a, classes, n)
        else:
            total += a * entropy(classes) - (len(classes) - 1) * (1 - a / n) / (2 * math.log(2))
    return max(total / n, 0.0)


def expected_gini(values, classes):
    """Return hong1996 eq. 16; small weights may make fewer cases than values."""
    n = sum(classes)
    impurity = 1 - sum((b / n) ** 2 for b in classes)
    more = sum(a > 0 for a in values) - 1
    return impurity * (1 - (0 if more == 0 else min(1, more / max(n - 1, 1e-12))))


def over_chance(found, expected):
    """Return the ratio; 1 where both are equal within 1e-12."""
    if abs(found - expected) <= 1e-12:
        return 1.0
    return found / (expected if abs(expected) > 1e-12 else 1e-12)


def all_tables(values, classes):
    """Yield the table (value, class) of every permutation of the classes."""
    columns = [v for v, a in enumerate(values) for _ in range(a)]
    labels = [c for c, b in enumerate(classes) for _ in range(b)]
    for arrangement in itertools.permutations(labels):
        table = [[0] * len(classes) for _ in values]
        for value, label in zip(columns, arrangement, strict=True):
            table[value][label] += 1
        yield table


def best_by_chance(task, cases, labels, metric, splits, min_branch):
    """Return the best quantity of every feature's candidates when the cases have other classes.

    Candidates are looked for from the start: groups of values depend on the classes.
    """
    dealt = [case._replace(y=label) for case, label in zip(cases, labels, strict=True)]
    found = naive_candidates.candidates(task, dealt, splits, "fractional")
    found = [each for each in found if naive_candidates.is_admissible(each, min_branch)]
    best = {}
    for candidate in found:
        value = naive_formulas.score(metric, candidate.table)
        best[candidate.feature] = max(value, best.get(candidate.feature, -math.inf))
    return best
