"""Slow, obvious reference implementations: plain loops that a student could check.

Nothing here knows a formula of treelab; a `Dataset` is only read.

*case*       `Case`: values (None is missing; a number, or the code of a label), class, weight.
*table*      list of rows, one per branch; a row is a list of class weights.
*candidate*  a way to part a node; see `Candidate`.
"""

import itertools
import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

TIE = 1e-12
EXHAUSTIVE_VALUES = 7


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
    middle = low + (high - low) / 2
    return middle if middle < high else low


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


FORMULAS = {"gain": gain, "gini": gini, "gain-ratio": gain_ratio, "chi2": chi2}


# Candidates


@dataclass
class Candidate:
    """A way to part a node.

    A number up to `threshold` goes to branch 0, a larger one to branch 1. Without a threshold,
    `branch_of` has the branch of each code that occurs (of an interval feature that is cut: of
    each code). `missing` is the branch of missing values if they have one. The table holds the
    cases that have a branch, and `known` is their share of the node's weight.
    """

    feature: int
    n_branches: int
    branch_of: dict
    missing: Any = None
    threshold: Any = None
    table: Any = None
    known: float = 1.0

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
    ("subset", "interval"): "cut",
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
    """Return the cuts between each two neighbouring values that occur."""
    third = 2 if missing_is_value and _some_missing(cases, feature) else None
    result = []
    for low, threshold in _cut_places(task, values_of(cases, feature), feature):
        codes = range(task.n_codes[feature]) if threshold is None else ()
        branch_of = {code: int(code > low) for code in codes}
        result.append(Candidate(feature, 3 if third else 2, branch_of, third, threshold))
    return result


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
    if len(values) < 2:
        return []
    result = []
    for branches in _branchings(task, cases, feature, how, values):
        branch_of = dict(zip(values, branches, strict=True))
        n_branches = max(branches) + 1
        result.append(Candidate(feature, n_branches, branch_of, branch_of.pop(None, None)))
    return result


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
    table = value_table(cases, feature, values, task.n_classes)
    order = subset_order(table)
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


def scores(metric, found, node_weight):
    """Return the score of each candidate; None where the metric cannot judge it."""
    if metric == "gain-ratio-c45":
        return c45_scores(found, node_weight)
    return [FORMULAS[metric](candidate.table) * candidate.known for candidate in found]


def c45_scores(found, node_weight):
    """Gain ratio among the candidates of at least average gain, as C4.5 release 8 has it."""
    gains = [gain(candidate.table) * candidate.known for candidate in found]
    entering = [i == _best_of_feature(found, gains, c.feature) for i, c in enumerate(found)]
    priced = []
    for i, candidate in enumerate(found):
        choices = sum(c.feature == candidate.feature for c in found)
        priced.append(gains[i] - math.log2(choices) / node_weight)
    # Where nothing is worth its price the price is waived.
    if any(priced[i] > 1e-9 for i in range(len(found)) if entering[i]):
        gains = priced
    worthy = [i for i in range(len(found)) if entering[i] and gains[i] > 1e-9]
    few = [i for i in worthy if _n_branches(found[i]) < 0.3 * node_weight]
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


def _n_branches(candidate):
    return sum(weight > 0 for weight in value_margin(candidate.table))


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
    if missing == "majority":
        candidate.missing = sizes.index(max(sizes))
        shares = [float(b == candidate.missing) for b in range(len(sizes))]
    for branch, share in zip(branches, shares, strict=True):
        branch += [case._replace(weight=case.weight * share) for case in lost if share > 0]
    return branches


def judged_candidates(task, cases, metric, splits="auto", missing="fractional", min_branch=1):
    """Return all candidates of a node and their scores; None where inadmissible."""
    found = candidates(task, cases, splits, missing)
    scored = scores(metric, found, sum(case.weight for case in cases))
    kept = [
        score if is_admissible(candidate, min_branch) else None
        for candidate, score in zip(found, scored, strict=True)
    ]
    return found, kept


def grow(task, metric, splits="auto", missing="fractional", cases=None):
    """Return the whole unpruned tree (min_cases=2, min_branch=1)."""
    cases = task.cases if cases is None else cases
    node = Node(class_weights(cases, task.n_classes))
    weight = sum(node.counts)
    if weight - max(node.counts) <= 1e-12 * weight or weight < 2 - 1e-9:
        return node
    found, scored = judged_candidates(task, cases, metric, splits, missing)
    best = choose(found, scored)
    if best is not None:
        node.split, node.score = found[best], scored[best]
        parts = part(node.split, cases, missing)
        node.children = [grow(task, metric, splits, missing, branch) for branch in parts]
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
