"""All ways to part a node, listed one by one: cuts of numbers, groups of values."""

import itertools
import sys
from dataclasses import dataclass
from typing import Any

from naive import (
    TIE,
    class_margin,
    class_weights,
    gini_impurity,
    threshold_between,
    value_margin,
    value_table,
    values_of,
)

EXHAUSTIVE_VALUES = 7
RARE = 5


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


def _some_missing(cases, feature):
    return any(case.values[feature] is None for case in cases)


# Cuts


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


# Groupings


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


# Parting a node


def is_admissible(candidate, min_branch):
    sizes = value_margin(candidate.table)
    return sum(size > 0 and size >= min_branch - 1e-9 for size in sizes) >= 2


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
