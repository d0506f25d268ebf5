"""Slow, obvious reference implementations: plain loops that a student could check.

Nothing here knows a formula of treelab; a `Dataset` is only read. The other rooms build on this
one: `naive_formulas`, `naive_candidates`, `naive_grow`.

*case*   `Case`: values (None is missing; a number, or the code of a label), class, weight.
*table*  list of rows, one per branch; a row is a list of class weights.
"""

import itertools
import math
from dataclasses import dataclass, field
from typing import NamedTuple

from naive_discretize import equal_width_code

TIE = 1e-12


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


# Where numbers may be cut


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


def values_of(cases, feature):
    """Return the known values that occur, ascending."""
    return sorted({case.values[feature] for case in cases} - {None})


# Margins and impurities of a table


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
