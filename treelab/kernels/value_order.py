"""The order in which the values of a nominal feature go to the left branch, one after the other.

*table*  (value, class) the values that occur at a node.
*place*  the place of each value in the order, from 0 on.
"""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel


@kernel
def order_values(table: FloatArray, place: IndexArray) -> None:
    """Fill the place of each value, by the classes in its own table only."""
    first, n_classes = -1, 0
    for c in range(table.shape[1]):
        weight = 0.0
        for value in range(len(table)):
            weight += table[value, c]
        if weight > 0.0:
            first = c if first < 0 else first
            n_classes += 1
    if n_classes > 2:
        order_greedily(table, place)
    else:
        order_by_share(table, first, place)


@kernel
def order_by_share(table: FloatArray, of_class: int, place: IndexArray) -> None:
    """Order the values by the share of a class, largest first (Breiman: optimal for two classes).

    Values of equal share stay in their order.
    """
    shares = np.empty(len(table))
    for value in range(len(table)):
        weight = 0.0
        for c in range(table.shape[1]):
            weight += table[value, c]
        shares[value] = table[value, of_class] / weight
    order = descending(shares)
    for at in range(len(order)):
        place[order[at]] = at


@kernel
def descending(numbers: FloatArray) -> IndexArray:
    """Return the places of some numbers, largest first, equal ones in their order.

    A merge sort in a few lines: numba takes a second to compile numpy's.
    """
    order, merged = np.arange(len(numbers)), np.empty(len(numbers), np.int64)
    step = 1
    while step < len(order):
        for start in range(0, len(order), 2 * step):
            a, middle = start, min(start + step, len(order))
            b, stop = middle, min(middle + step, len(order))
            for at in range(start, stop):
                if a < middle and (b == stop or numbers[order[a]] >= numbers[order[b]]):
                    merged[at] = order[a]
                    a += 1
                else:
                    merged[at] = order[b]
                    b += 1
        order, merged = merged, order
        step *= 2
    return order


@kernel
def order_greedily(table: FloatArray, place: IndexArray) -> None:
    """Order the values by moving one after another to the left group.

    Each step moves the value that leaves the least weighted Gini impurity in the two groups,
    whatever the metric: the metric then chooses among the groups met on the way.
    """
    n_values, n_classes = table.shape
    left, right = np.zeros(n_classes), np.zeros(n_classes)
    for value in range(n_values):
        place[value] = -1
        for c in range(n_classes):
            right[c] += table[value, c]
    for step in range(n_values):
        best, purest = -1, 0.0
        for value in range(n_values):
            if place[value] < 0:
                purity = _purity(left, table[value], 1.0) + _purity(right, table[value], -1.0)
                purity = np.rint(purity * 1e12) / 1e12
                if best < 0 or purity > purest:
                    best, purest = value, purity
        place[best] = step
        for c in range(n_classes):
            left[c] += table[best, c]
            right[c] -= table[best, c]


@kernel
def _purity(group: FloatArray, value: FloatArray, sign: float) -> float:
    """Return the sum of squares over the sum of a group with or without a value.

    It is large where one class prevails.
    """
    weight, squares = 0.0, 0.0
    for c in range(len(group)):
        count = group[c] + sign * value[c]
        weight += count
        squares += count * count
    return squares / weight if weight > 1e-12 else 0.0
