"""Slow, obvious reference implementations: plain loops that a student could check.

Nothing here knows a formula of treelab; a `Dataset` is only read.

*case*       `Case`: values (None is missing; a number, or the code of a label), class, weight.
*table*      list of rows, one per branch; a row is a list of class weights.
*candidate*  a way to part a node; see `Candidate`.
"""

import itertools
import math
import sys
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import naive_chance

TIE = 1e-12
EXHAUSTIVE_VALUES = 7
RARE = 5


class Case(NamedTuple):
    values: list
    y: int
    weight: float


@dataclass
class Problem:
    """Cases to learn from.

    `edges[f]` are least value, largest value and number of intervals of a feature that was cut
    into them, `borders[f]` the upper ends of the bins of a feature that may be cut only there.
    """

    kinds: list
    n_codes: list
    n_classes: int
    cases: list
    edges: dict = field(default_factory=dict)
    borders: dict = field(default_factory=dict)


# Reading a Dataset


def problem(data, equal_width=None, bins=None):
    """Return the usable cases of a data set.

    Numbers become intervals of equal width, or may be cut at the ends of bins only, if asked.
    """
    cases = [case for case in read_cases(data) if case.weight > 0 and case.y >= 0]
    kinds = ["nominal" if column.is_nominal else "numeric" for column in data.schema.features]
    n_codes = [column.n_labels for column in data.schema.features]
    result = Problem(kinds, n_codes, len(data.classes), cases)
    if equal_width is not None:
        _cut_numbers(result, equal_width)
    if bins is not None:
        _find_borders(result, bins)
    return result


def read_cases(data):
    """Return every case of a data set."""
    columns = [
        [_plain(value, column.is_nominal) for value in values.tolist()]
        for column, values in zip(data.schema.features, data.columns, strict=True)
    ]
    return [
        Case([column[i] for column in columns], y, weight)
        for i, (y, weight) in enumerate(zip(data.y.tolist(), data.weights.tolist(), strict=True))
    ]


def coded_case(task, values):
    """Return the values of a case as the problem sees them."""
    return [
        equal_width_code(value, *task.edges[f]) if f in task.edges and value is not None else value
        for f, value in enumerate(values)
    ]


def _plain(value, is_nominal):
    is_missing = value < 0 if is_nominal else math.isnan(value)
    return None if is_missing else value


def _cut_numbers(task, bins):
    for f, kind in enumerate(task.kinds):
        if kind == "numeric":
            known = [case.values[f] for case in task.cases if case.values[f] is not None]
            task.edges[f] = (min(known), max(known), bins) if known else (0.0, 0.0, bins)
            task.kinds[f] = "interval"
            task.n_codes[f] = bins if known and min(known) < max(known) else 1
    task.cases = [case._replace(values=coded_case(task, case.values)) for case in task.cases]


def _find_borders(task, bins):
    for f, kind in enumerate(task.kinds):
        if kind == "numeric":
            known = [(case.values[f], case.weight) for case in task.cases]
            known = [(value, weight) for value, weight in known if value is not None]
            if len({value for value, _ in known}) > bins:
                task.borders[f] = bin_borders(known, bins)


# Discretization as duch2004 has it


def equal_width_code(x, low, high, bins):
    """Return min(k - 1, floor((x - lo) / (hi - lo) * k)), and 0 below the least value."""
    if low == high:
        return 0
    return max(0, min(bins - 1, math.floor((x - low) / (high - low) * bins)))


def equal_frequency_codes(values, bins):
    """Return rank * k // n of each value; equal values have the rank of the first of them."""
    return [sum(other < value for other in values) * bins // len(values) for value in values]


def bin_borders(weighted, bins):
    """Return the upper ends of bins of about equal weight, midway between neighbouring values.

    A value whose lower values weigh r of n lies in bin r * k // n.
    """
    total = sum(weight for _, weight in weighted)
    values = sorted({value for value, _ in weighted})
    borders = []
    for low, high in itertools.pairwise(values):
        numbers = [
            # Weights such as 0.1 add up to a whole number but for rounding.
            math.floor(sum(w for other, w in weighted if other < value) * bins / total + 1e-9)
            for value in (low, high)
        ]
        if numbers[0] < numbers[1]:
            borders.append(threshold_between(low, high))
    return borders


def threshold_between(low, high):
    """Return the middle; the lower one where no number lies between the two."""
    middle = low / 2 + high / 2  # the sum of the two may be too large for a number
    return middle if low <= middle < high else low


# Counting


def class_weights(cases, n_classes):
    counts = [0.0] * n_classes
    for case in cases:
        counts[case.y] += case.weight
    return counts


def value_table(cases, feature, values, n_classes):
    """Return one row of class weights for each of the values (None counts the missing ones)."""
    table = [[0.0] * n_classes for _ in values]
    for case in cases:
        if case.values[feature] in values:
            table[values.index(case.values[feature])][case.y] += case.weight
    return table


# Formulas over a table


def entropy(weights):
    n = sum(weights)
    return -sum(w / n * math.log2(w / n) for w in weights if w > 0)


def gini_impurity(weights):
    n = sum(weights)
    return 1.0 - sum((w / n) ** 2 for w in weights)


def class_margin(table):
    return [sum(column) for column in zip(*table, strict=True)]


def value_margin(table):
    return [sum(row) for row in table]


def _drop(table, impurity):
    n = sum(value_margin(table))
    after = sum(sum(row) / n * impurity(row) for row in table if sum(row) > 0)
    return impurity(class_margin(table)) - after


def gain(table):
    return _drop(table, entropy)


def gini(table):
    return _drop(table, gini_impurity)


def gain_ratio(table):
    cost = entropy(value_margin(table))
    return gain(table) / cost if cost > TIE else 0.0


def chi2(table):
    n, of_class = sum(value_margin(table)), class_margin(table)
    result = 0.0
    for row in table:
        for observed, in_class in zip(row, of_class, strict=True):
            expected = sum(row) * in_class / n
            if expected > 0:
                result += (observed - expected) ** 2 / expected
    return result


def _divided(a, b):
    """Return a / b; 0 where b is 0 but for rounding."""
    return a / b if b > TIE else 0.0


def joint_entropy(table):
    return entropy([weight for row in table for weight in row])


def mantaras(table):
    return _divided(gain(table), joint_entropy(table))


def normalized_gain(table):
    return _divided(gain(table), entropy(class_margin(table)))


def symmetrical_uncertainty(table):
    both = entropy(class_margin(table)) + entropy(value_margin(table))
    return _divided(2 * gain(table), both)


def entropy_distance(table):
    """H(C|A) + H(A|C), each as the mean entropy of the rows and of the columns."""
    return _mean_entropy(table) + _mean_entropy(list(zip(*table, strict=True)))


def _mean_entropy(table):
    n = sum(value_margin(table))
    return sum(sum(row) / n * entropy(row) for row in table if sum(row) > 0)


def weighted_information(table, joint=False):
    if not joint:
        return -_mean_entropy(table)
    n = sum(value_margin(table))
    result = 0.0
    for row in table:
        result += sum(row) / n * sum(w / n * math.log2(w / n) for w in row if w > 0)
    return result


def gd(table):
    cost = entropy(value_margin(table))
    return entropy_distance(table) ** 2 / cost if cost > TIE else math.nan


def j_measure(table):
    """Summed over the cells: how many bits a value moves a class, by their joint share."""
    n, of_class = sum(value_margin(table)), class_margin(table)
    result = 0.0
    for row in table:
        for weight, in_class in zip(row, of_class, strict=True):
            if weight > 0:
                result += weight / n * math.log2(weight / sum(row) / (in_class / n))
    return result


def gini_prime(table):
    sizes = value_margin(table)
    squares = sum(size**2 for size in sizes)
    result = 0.0
    for row, size in zip(table, sizes, strict=True):
        if size > 0:
            result += size**2 / squares * (1 - gini_impurity(row))
    return result - (1 - gini_impurity(class_margin(table)))


def _cells(table):
    """Return value, class and weight of each cell."""
    return [(u, c, weight) for u, row in enumerate(table) for c, weight in enumerate(row)]


def relief_myopic(table):
    """Draw two cases: P(values differ | classes differ) - P(values differ | classes agree)."""
    differ, all_pairs = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
    for (u, c, a), (v, d, b) in itertools.product(_cells(table), repeat=2):
        all_pairs[c == d] += a * b
        differ[c == d] += a * b * (u != v)
    if all_pairs[False] == 0:
        return 0.0
    return differ[False] / all_pairs[False] - differ[True] / all_pairs[True]


def concentration(table):
    n = sum(value_margin(table))
    return sum((weight / n) ** 2 for _, _, weight in _cells(table))


def imc(table):
    return sum(max(row) for row in table) / sum(value_margin(table))


def accuracy(table):
    return imc(table) - max(class_margin(table)) / sum(value_margin(table))


def _occurring(weights):
    return [place for place, weight in enumerate(weights) if weight > 0]


def laplace(table):
    n, n_classes = sum(value_margin(table)), len(_occurring(class_margin(table)))
    result = 0.0
    for row in table:
        result += sum(row) / n * (max(row) + 1) / (sum(row) + n_classes)
    return result


def ssv(table, lexicographic=False):
    n = sum(value_margin(table))
    pairs = 0.0
    for (u, c, a), (v, d, b) in itertools.combinations(_cells(table), 2):
        if u != v and c != d:
            pairs += a * b
    torn = sum(sum(column) - max(column) for column in zip(*table, strict=True))
    return pairs - torn / (n + 1) if lexicographic else 2 * pairs - torn


def weight_of_evidence(table, m=None):
    n, of_class = sum(value_margin(table)), class_margin(table)
    classes = _occurring(of_class)
    if len(classes) == 1:
        return 0.0
    result = 0.0
    for row in table:
        for c in classes:
            prior = of_class[c] / n
            given = (row[c] + 1) / (sum(row) + len(classes))
            if m is not None:
                given = (row[c] + m * prior) / (sum(row) + m)
            odds = given / (1 - given) / (prior / (1 - prior))
            result += prior * sum(row) / n * abs(math.log2(odds))
    return result


def relevance(table):
    of_class = class_margin(table)
    classes = _occurring(of_class)
    if len(classes) == 1:
        return 0.0
    lost = 0.0
    for row in table:
        shares = [row[c] / of_class[c] for c in classes]
        lost += sum(shares) - max(shares)
    return 1 - lost / (len(classes) - 1)


def orthogonality(table):
    rows = [row for row in table if sum(row) > 0]
    apart = both = 0.0
    for a, b in itertools.combinations(rows, 2):
        apart += sum(a) * sum(b) * (1 - _cosine(a, b))
        both += sum(a) * sum(b)
    return _divided(apart, both)


def _cosine(a, b):
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / (math.hypot(*a) * math.hypot(*b))


def dkm(table):
    return _drop(table, _dkm)


def _dkm(weights):
    majority = max(weights) / sum(weights)
    return 2 * math.sqrt(majority * (1 - majority))


def _apart(table, distance, many):
    """Return the mean or largest distance of the value counts of two classes that occur.

    The two are any pair of classes, or a class and all others together.
    """
    which, summary = many.split("-")
    columns = [column for column in zip(*table, strict=True) if sum(column) > 0]
    pairs = list(itertools.combinations(columns, 2))
    if which == "rest" and len(columns) > 1:
        others = [columns[:c] + columns[c + 1 :] for c in range(len(columns))]
        rests = [[sum(row) for row in zip(*rest, strict=True)] for rest in others]
        pairs = list(zip(columns, rests, strict=True))
    found = [distance(a, b) for a, b in pairs] or [0.0]
    return max(found) if summary == "max" else sum(found) / len(found)


def _shares(column):
    return [weight / sum(column) for weight in column]


def hellinger(table, many="pairs-mean"):
    def distance(a, b):
        pairs = zip(_shares(a), _shares(b), strict=True)
        return math.sqrt(sum((math.sqrt(p) - math.sqrt(q)) ** 2 for p, q in pairs))

    return _apart(table, distance, many)


def euclid(table, many="pairs-mean"):
    def distance(a, b):
        return math.dist(_shares(a), _shares(b)) / math.sqrt(2)

    return _apart(table, distance, many)


def auc(table, many="pairs-mean"):
    def area(a, b):
        pairs = zip(_shares(a), _shares(b), strict=True)
        return sum(abs(p * t - s * q) for (p, q), (s, t) in itertools.combinations(pairs, 2))

    return _apart(table, area, many)


def angle(table, many="pairs-mean"):
    def distance(a, b):
        # Rounding of the cosine must not become 1e-8 by the root.
        return math.sqrt(_above(1 - _cosine(a, b)))

    return _apart(table, distance, many)


def _above(x):
    return x if x > 1e-14 else 0.0


def g(table):
    n, of_class = sum(value_margin(table)), class_margin(table)
    result = 0.0
    for row in table:
        for observed, in_class in zip(row, of_class, strict=True):
            if observed > 0:
                result += 2 * observed * math.log(observed * n / (sum(row) * in_class))
    return _above(result)


def freedom(table):
    return (len(_occurring(value_margin(table))) - 1) * (len(_occurring(class_margin(table))) - 1)


def survival(x, dof):
    """Return the chance of a chi-square above x, by the finite sums for whole degrees."""
    if dof == 0:
        return 1.0
    z = x / 2
    first = 1 if dof % 2 else 0
    result = math.erfc(math.sqrt(z)) if first else 0.0
    for k in range(first, dof // 2 + first):
        power = k - first / 2
        result += z**power * math.exp(-z) / math.gamma(power + 1)
    return result


def log_p(statistic):
    """Make a formula: log10 of the chance of a larger statistic."""
    return lambda table: math.log10(survival(statistic(table), freedom(table)))


def confidence(statistic):
    """Make a formula: the chance of a smaller statistic."""
    return lambda table: 1 - survival(statistic(table), freedom(table))


def mdl_prime(table):
    return gain(table) + _decoder(table) / sum(value_margin(table))


def mdl(table):
    before = _log_multinomial(class_margin(table))
    after = sum(_log_multinomial(row) for row in table)
    return (before - after + _decoder(table)) / sum(value_margin(table))


def _decoder(table):
    sizes, n_classes = value_margin(table), len(table[0])
    after = sum(_log_binomial(size + n_classes - 1, n_classes - 1) for size in sizes)
    return _log_binomial(sum(sizes) + n_classes - 1, n_classes - 1) - after


def _log_binomial(n, k):
    return _log_multinomial([k, n - k])


def _log_multinomial(weights):
    logs = math.lgamma(sum(weights) + 1) - sum(math.lgamma(weight + 1) for weight in weights)
    return logs / math.log(2)


def normalized_gini(table):
    margins = value_margin(table), class_margin(table)
    left = gini_impurity(margins[1]) - gini(table)
    return naive_chance.over_chance(left, naive_chance.expected_gini(*margins))


def normalized_entropy(table, expectation="exact"):
    small = {"exact": math.inf, "eq24": 0, "eq26": 20}[expectation]
    expected = naive_chance.expected_entropy(value_margin(table), class_margin(table), small)
    return naive_chance.over_chance(_mean_entropy(table), expected)


FORMULAS = {
    "accuracy": accuracy,
    "angle": angle,
    "auc": auc,
    "chi2": chi2,
    "concentration": concentration,
    "dkm": dkm,
    "entropy-distance": entropy_distance,
    "euclid": euclid,
    "g": g,
    "gain": gain,
    "gain-ratio": gain_ratio,
    "gd": gd,
    "gini": gini,
    "gini-prime": gini_prime,
    "hellinger": hellinger,
    "imc": imc,
    "j-measure": j_measure,
    "joint-information": joint_entropy,
    "laplace": laplace,
    "log-p-chi2": log_p(chi2),
    "log-p-g": log_p(g),
    "mantaras": mantaras,
    "mdl": mdl,
    "mdl-prime": mdl_prime,
    "normalized-entropy": normalized_entropy,
    "normalized-gain": normalized_gain,
    "normalized-gini": normalized_gini,
    "orthogonality": orthogonality,
    "p-chi2": confidence(chi2),
    "p-g": confidence(g),
    "relevance": relevance,
    "relief-myopic": relief_myopic,
    "ssv": ssv,
    "symmetrical-uncertainty": symmetrical_uncertainty,
    "weight-of-evidence": weight_of_evidence,
    "weighted-information": weighted_information,
}

LOWER_IS_BETTER = (
    "entropy-distance",
    "gd",
    "joint-information",
    "log-p-chi2",
    "log-p-g",
    "normalized-entropy",
    "normalized-gini",
)
# P rounds to 1; what ranks is how unlikely a larger statistic is.
RANKED_BY = {"p-chi2": "log-p-chi2", "p-g": "log-p-g"}


def score(metric, table):
    """Return what a metric ranks a table by, larger being better; None where it cannot judge."""
    metric = RANKED_BY.get(metric, metric)
    value = FORMULAS[metric](table)
    if math.isnan(value):
        return None
    return -value if metric in LOWER_IS_BETTER else value


# Candidates


@dataclass
class Candidate:
    """A way to part a node.

    A number up to `threshold` goes to branch 0, a larger one to branch 1. Without a threshold,
    `branch_of` has the branch of each code that occurs (of an interval feature that is cut: of
    each code). `missing` is the branch of missing values if they have one. The table holds the
    cases that have a branch, and `known` is their share of the node's weight; `classes` are the
    class weights of the whole node.
    """

    feature: int
    n_branches: int
    branch_of: dict
    missing: Any = None
    threshold: Any = None
    table: Any = None
    known: float = 1.0
    classes: Any = None
    log2_ways: Any = None

    def branch(self, value):
        """Return the branch of a value; None where it has none."""
        if value is None:
            return self.missing
        if self.threshold is not None:
            return 0 if value <= self.threshold else 1
        return self.branch_of.get(value)

    @property
    def key(self):
        """What two equal candidates have in common."""
        return self.feature, self.threshold, tuple(sorted(self.branch_of.items())), self.missing


HOW_TO_SPLIT = {
    ("auto", "nominal"): "subset",
    ("auto", "interval"): "multiway",
    ("multiway", "nominal"): "multiway",
    ("multiway", "interval"): "multiway",
    ("binary", "nominal"): "one",
    ("binary", "interval"): "cut",
    ("subset", "nominal"): "subset",
    ("subset", "interval"): "subset",
}


def candidates(task, cases, splits, missing):
    """Return all candidates of a node: by feature, then in the order ties are broken."""
    found = []
    for f, kind in enumerate(task.kinds):
        how = "cut" if kind == "numeric" else HOW_TO_SPLIT[splits, kind]
        make = cuts if how == "cut" else groupings
        found += make(task, cases, f, how, missing == "branch")
    for candidate in found:
        candidate.table = branch_table(candidate, cases, task.n_classes)
        candidate.known = sum(value_margin(candidate.table)) / sum(case.weight for case in cases)
        candidate.classes = class_weights(cases, task.n_classes)
    return found


def branch_table(candidate, cases, n_classes):
    table = [[0.0] * n_classes for _ in range(candidate.n_branches)]
    for case in cases:
        branch = candidate.branch(case.values[candidate.feature])
        if branch is not None:
            table[branch][case.y] += case.weight
    return table


def values_of(cases, feature):
    """Return the known values that occur, ascending."""
    return sorted({case.values[feature] for case in cases} - {None})


def _some_missing(cases, feature):
    return any(case.values[feature] is None for case in cases)


def cuts(task, cases, feature, _how, missing_is_value):
    """Return the cut between known and missing, if missing is a value, and those between values."""
    third = 2 if missing_is_value and _some_missing(cases, feature) else None
    values = values_of(cases, feature)
    result = [_known_or_missing(task, feature)] if third and values else []
    for low, threshold in _cut_places(task, values, feature):
        codes = range(task.n_codes[feature]) if threshold is None else ()
        branch_of = {code: int(code > low) for code in codes}
        result.append(Candidate(feature, 3 if third else 2, branch_of, third, threshold))
    return result


def _known_or_missing(task, feature):
    """Every known value to the left, missing ones to the right."""
    if task.kinds[feature] == "interval":
        return Candidate(feature, 2, dict.fromkeys(range(task.n_codes[feature]), 0), 1)
    return Candidate(feature, 2, {}, 1, sys.float_info.max)


def _cut_places(task, values, feature):
    """Return the largest value on the left and the threshold (None for intervals) of each cut."""
    if task.kinds[feature] == "interval":
        return [(low, None) for low in values[:-1]]
    if feature not in task.borders:
        return [(low, threshold_between(low, high)) for low, high in itertools.pairwise(values)]
    # Between two bins that occur, the cut is at the end of the lower one.
    places = {}
    for low, high in itertools.pairwise(values):
        between = [border for border in task.borders[feature] if low <= border < high]
        if between:
            places[low] = between[0]
    return list(places.items())


def groupings(task, cases, feature, how, missing_is_value):
    """Return the ways to send the values that occur to branches; missing may be the last one."""
    values = values_of(cases, feature)
    if missing_is_value and _some_missing(cases, feature):
        values = [*values, None]
    pools = [[value] for value in values]
    if how == "subset" and task.n_codes[feature] > EXHAUSTIVE_VALUES:
        pools = _pooled(cases, feature, values)
    if len(pools) < 2:
        return []
    result = []
    for branches in _branchings(task, cases, feature, how, pools):
        branch_of = {v: b for pool, b in zip(pools, branches, strict=True) for v in pool}
        n_branches = max(branches) + 1
        result.append(Candidate(feature, n_branches, branch_of, branch_of.pop(None, None)))
        if how == "subset" and len(pools) > EXHAUSTIVE_VALUES:
            result[-1].log2_ways = len(pools) - 1  # of 2^(values - 1) groupings, the promising ones
    return result


def _pooled(cases, feature, values):
    """Return the values one by one, those of fewer than five cases in the place of the first."""
    weight = {v: sum(c.weight for c in cases if c.values[feature] == v) for v in values}
    rare = [v for v in values if weight[v] < RARE - 1e-9]
    return [rare if v in rare[:1] else [v] for v in values if v not in rare[1:]]


def _branchings(task, cases, feature, how, values):
    if how == "multiway":
        return [list(range(len(values)))]
    if how == "one":
        chosen = values[:1] if len(values) == 2 else values
        return [[int(value != one) for value in values] for one in chosen]
    if len(values) <= EXHAUSTIVE_VALUES:
        return [
            [0, *right] for right in itertools.product([0, 1], repeat=len(values) - 1) if any(right)
        ]
    tables = [value_table(cases, feature, pool, task.n_classes) for pool in values]
    order = subset_order([class_margin(table) for table in tables])
    return [
        [int(order.index(place) > last) for place in range(len(values))]
        for last in range(len(values) - 1)
    ]


def subset_order(table):
    """Return the order in which the values of a many-valued feature join the left group."""
    occurring = [c for c, weight in enumerate(class_margin(table)) if weight > 0]
    if len(occurring) > 2:
        return greedy_order(table)
    first = occurring[0]
    return sorted(range(len(table)), key=lambda v: -table[v][first] / sum(table[v]))


def greedy_order(table):
    """Move one value after another to the left: the one that leaves the least Gini impurity."""
    order = []
    while len(order) < len(table):
        waiting = [v for v in range(len(table)) if v not in order]
        impurity = {v: _left_impurity(table, [*order, v]) for v in waiting}
        least = min(impurity.values())
        order.append(next(v for v in waiting if impurity[v] <= least + TIE))
    return order


def _left_impurity(table, left):
    groups = [
        [table[v] for v in left],
        [row for v, row in enumerate(table) if v not in left],
    ]
    margins = [class_margin(rows) for rows in groups if rows]
    return sum(sum(margin) * gini_impurity(margin) for margin in margins)


# Scores


def scores(task, metric, found, node_weight):
    """Return the score of each candidate; None where the metric cannot judge it."""
    if metric == "gain-ratio-c45":
        return c45_scores(task, found, node_weight)
    return [_known_score(metric, candidate) for candidate in found]


def _known_score(metric, candidate):
    """A feature known for half of the cases tells half as much more than no information."""
    value = score(metric, candidate.table)
    if value is None or candidate.known > 1 - TIE:
        return value
    of_known, of_all = (
        score_without_information(metric, value_margin(candidate.table), classes)
        for classes in (class_margin(candidate.table), candidate.classes)
    )
    return of_all + candidate.known * (value - of_known)


def score_without_information(metric, values, classes):
    """Score the table in which every class takes the values in the same proportions."""
    if metric in ("normalized-gini", "normalized-entropy"):
        return -1.0  # chance itself, which the table below reaches for many cases only
    if metric in ("p-chi2", "p-g", "log-p-chi2", "log-p-g"):
        return 0.0  # with one degree of freedom a P-value shows the root of a rounding error
    return score(metric, [[c * v / sum(values) for c in classes] for v in values]) or 0.0


def c45_scores(task, found, node_weight):
    """Gain ratio among the candidates of at least average gain, as C4.5 release 8 has it."""
    gains = [gain(candidate.table) * candidate.known for candidate in found]
    entering = [i == _best_of_feature(found, gains, c.feature) for i, c in enumerate(found)]
    priced = []
    for i, candidate in enumerate(found):
        bits = candidate.log2_ways
        if bits is None:
            bits = math.log2(sum(c.feature == candidate.feature for c in found))
        priced.append(gains[i] - bits / node_weight)
    # Where nothing is worth its price the price is waived.
    if any(priced[i] > 1e-9 for i in range(len(found)) if entering[i]):
        gains = priced
    worthy = [i for i in range(len(found)) if entering[i] and gains[i] > 1e-9]
    few = [i for i in worthy if not _has_many_values(task, found[i].feature)]
    judged = few or worthy
    result = [None] * len(found)
    for i in worthy:
        average = sum(gains[j] for j in judged) / len(judged)
        if gains[i] >= average - 1e-3:
            cost = _split_information(found[i])
            result[i] = gains[i] / cost if cost > TIE else 0.0
    return result


def _best_of_feature(found, gains, feature):
    """Return the place of the first candidate of the largest gain of a feature."""
    places = [i for i, c in enumerate(found) if c.feature == feature]
    best = max(gains[i] for i in places)
    return next(i for i in places if gains[i] >= best - TIE)


def _has_many_values(task, feature):
    """Tell whether a feature has 0.3 times as many values, used or not, as there are cases."""
    n_training = sum(case.weight for case in task.cases)
    many = task.n_codes[feature] >= 0.3 * n_training * (1 - TIE)
    return task.kinds[feature] != "numeric" and many


def _split_information(candidate):
    """Return the entropy of the branches, the missing cases being one more branch."""
    sizes = value_margin(candidate.table)
    missing = sum(sizes) / candidate.known - sum(sizes)
    return entropy([*sizes, missing if missing > 0 else 0.0])


def is_admissible(candidate, min_branch):
    sizes = value_margin(candidate.table)
    return sum(size > 0 and size >= min_branch - 1e-9 for size in sizes) >= 2


def choose(found, scored):
    """Return the place of the best score: among equals the lowest feature, then the first."""
    judged = [i for i, score in enumerate(scored) if score is not None]
    if not judged:
        return None
    best = max(scored[i] for i in judged)
    equal = [i for i in judged if scored[i] >= best - TIE * max(1.0, abs(best))]
    return min(equal, key=lambda i: (found[i].feature, i))


def is_clear(scored):
    """Tell whether rounding cannot change which scores are equal within the tie rule."""
    known = [score for score in scored if score is not None]
    best = max(known)
    scale = TIE * max(1.0, abs(best))
    return not any(0.01 * scale < best - score < 100 * scale for score in known)


# Growing


@dataclass
class Node:
    counts: list
    split: Any = None
    score: Any = None
    children: list = field(default_factory=list)


def part(candidate, cases, missing):
    """Return the cases of each branch, and the candidate that knows where missing values go."""
    branches = [[] for _ in candidate.table]
    lost = []
    for case in cases:
        branch = candidate.branch(case.values[candidate.feature])
        (lost if branch is None else branches[branch]).append(case)
    sizes = [sum(case.weight for case in branch) for branch in branches]
    shares = [size / sum(sizes) for size in sizes]
    if missing == "majority" or (missing == "branch" and candidate.missing is None):
        # The first of those that are equal but for rounding.
        large = [size >= max(sizes) * (1 - TIE) for size in sizes]
        candidate.missing = large.index(True)
        shares = [float(b == candidate.missing) for b in range(len(sizes))]
    for branch, share in zip(branches, shares, strict=True):
        branch += [case._replace(weight=case.weight * share) for case in lost if share > 0]
    return branches


def judged_candidates(task, cases, metric, splits="auto", missing="fractional", min_branch=1):
    """Return all admissible candidates of a node and their scores."""
    found = candidates(task, cases, splits, missing)
    found = [candidate for candidate in found if is_admissible(candidate, min_branch)]
    return found, scores(task, metric, found, sum(case.weight for case in cases))


def grow(
    task, metric, splits="auto", missing="fractional", cases=None,
    *, min_cases=2, min_branch=1, max_depth=math.inf,
):  # fmt: skip
    """Return the whole unpruned tree, or the part of it that grows from some of the cases."""
    cases = task.cases if cases is None else cases
    node = Node(class_weights(cases, task.n_classes))
    weight = sum(node.counts)
    is_pure = weight - max(node.counts) <= 1e-12 * weight
    if is_pure or weight < min_cases - 1e-9 or max_depth < 1:
        return node
    found, scored = judged_candidates(task, cases, metric, splits, missing, min_branch)
    best = choose(found, scored)
    if best is not None:
        node.split, node.score = found[best], scored[best]
        stop = {"min_cases": min_cases, "min_branch": min_branch, "max_depth": max_depth - 1}
        parts = part(node.split, cases, missing)
        node.children = [grow(task, metric, splits, missing, each, **stop) for each in parts]
    return node


# Predicting


def probabilities(node, values, missing):
    """Return the class shares of one case."""
    own = [count / sum(node.counts) for count in node.counts]
    if node.split is None:
        return own
    value = values[node.split.feature]
    branch = node.split.branch(value)
    if branch is not None:
        return probabilities(node.children[branch], values, missing)
    if value is not None or missing != "fractional":
        return own
    total = sum(sum(child.counts) for child in node.children)
    result = [0.0] * len(own)
    for child in node.children:
        for c, share in enumerate(probabilities(child, values, missing)):
            result[c] += share * sum(child.counts) / total
    return result


def node_probabilities(node, kind="shares", parameter=0.0, above=(), prior=None):
    """The probabilities of all nodes of a tree in preorder, each by the nodes above it."""
    counts = node.counts.tolist()
    n, path = sum(counts), [*above, node.counts.tolist()]
    prior = [count / n for count in counts] if prior is None else prior
    if kind == "laplace":
        counts = [count + 1 for count in counts]
    elif kind == "m-estimate":
        counts = [count + parameter * p for count, p in zip(counts, prior, strict=True)]
    mine = [count / sum(counts) for count in counts]
    if kind == "shrunk":
        mine = list(prior)
        for parent, child in itertools.pairwise(path):
            for c in range(len(mine)):
                step = child[c] / sum(child) - parent[c] / sum(parent)
                mine[c] += step / (1 + parameter / sum(parent))
    below = [node_probabilities(child, kind, parameter, path, prior) for child in node.children]
    return [mine, *(row for rows in below for row in rows)]
