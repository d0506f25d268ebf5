"""The order in which the values of a nominal feature go to the left branch, one after the other.

*table*  (value, class) the values that occur at a node.
*place*  the place of each value in the order, from 0 on.
"""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.groupings import EXHAUSTIVE_VALUES, Ranks, join_values


@kernel
def order_ranks(counts: FloatArray, offsets: IndexArray, ranks: Ranks, joined: FloatArray) -> None:
    """Put the ranks of features with many of them in order, by the classes at the node only.

    See `kernels.groupings`; `joined` is room for a table of ranks and a row more.
    """
    # Few ranks need no order, as all groupings are tried. For two classes sorting finds the best
    # grouping; for more no order is sure to hold it, and a greedy one is made.
    place = np.empty(len(joined), np.int64)
    for k in range(len(counts)):
        for f in range(len(offsets) - 1):
            width = ranks.width[k, f]
            if width <= EXHAUSTIVE_VALUES:
                continue
            join_values(counts, k, offsets[f], offsets[f + 1], ranks.rank, width, joined)
            first, n_classes = -1, 0
            for c in range(counts.shape[2]):
                if joined[width, c] > 0.0:
                    first = c if first < 0 else first
                    n_classes += 1
            if n_classes > 2:
                order_greedily(joined, width, place)
            else:
                order_by_share(joined, width, first, place)
            for value in range(offsets[f], offsets[f + 1]):
                if ranks.rank[k, value] >= 0:
                    ranks.rank[k, value] = place[ranks.rank[k, value]]


@kernel
def order_by_share(table: FloatArray, n: int, of_class: int, place: IndexArray) -> None:
    """Order n values by the share of a class, largest first (Breiman: optimal for two classes).

    Values of equal share stay in their order. It is a merge sort in a few lines, since numba
    compiles numpy's for a second.
    """
    shares, order, merged = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
    for value in range(n):
        weight = 0.0
        for c in range(table.shape[1]):
            weight += table[value, c]
        shares[value], order[value] = table[value, of_class] / weight, value
    step = 1
    while step < n:
        for start in range(0, n, 2 * step):
            a, middle = start, min(start + step, n)
            b, stop = middle, min(middle + step, n)
            for at in range(start, stop):
                if a < middle and (b == stop or shares[order[a]] >= shares[order[b]]):
                    merged[at] = order[a]
                    a += 1
                else:
                    merged[at] = order[b]
                    b += 1
        order, merged = merged, order
        step *= 2
    for at in range(n):
        place[order[at]] = at


@kernel
def order_greedily(table: FloatArray, n: int, place: IndexArray) -> None:
    """Order n values by moving one after another to the left group.

    Each step moves the value that leaves the least weighted Gini impurity in the two groups,
    whatever the metric: the metric then chooses among the groups met on the way.
    """
    n_classes = table.shape[1]
    left, right = np.zeros(n_classes), np.zeros(n_classes)
    for value in range(n):
        place[value] = -1
        for c in range(n_classes):
            right[c] += table[value, c]
    for step in range(n):
        best, purest = -1, 0.0
        for value in range(n):
            if place[value] < 0:
                purity = _purity(left, table, value, 1.0) + _purity(right, table, value, -1.0)
                # Rounded, so that values that do equally well are taken in their order.
                purity = np.rint(purity * 1e12) / 1e12
                if best < 0 or purity > purest:
                    best, purest = value, purity
        place[best] = step
        for c in range(n_classes):
            left[c] += table[best, c]
            right[c] -= table[best, c]


@kernel
def _purity(group: FloatArray, table: FloatArray, value: int, sign: float) -> float:
    """Return the sum of squares over the sum of a group with or without a value.

    It is large where one class prevails.
    """
    # The group itself stays as it is, so trying a value takes one pass over the classes.
    weight, squares = 0.0, 0.0
    for c in range(len(group)):
        count = group[c] + sign * table[value, c]
        weight += count
        squares += count * count
    return squares / weight if weight > 1e-12 else 0.0
