"""A sieve for the nearest cases: distances in small whole numbers, many of which are added at once.

Numbers are rounded to whole multiples of 1 / `unit`, so a rough distance, in these units, is off by
at most 1 for each numeric feature. Those who may be among the nearest are few, and their distances
are measured exactly: what is found does not depend on the sieve.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import BoolArray, CodeArray, FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.heap import replace_top
from treelab.kernels.pairs import NOMINAL, Cases, differences_from
from treelab.kernels.sorting import sort_by

ROWS, HEAPS = 16, 4
"""So many cases are passed over at once where none of them is near, if that leaves so many heaps
for each case that is needed."""

MOST = 2**16
"""More than any rough distance."""


class Sieve(NamedTuple):
    """Numbers (feature, case) in whole units; nominal features have zeros.

    Two rough distances that differ by more than `slack` are in the order of the exact ones.
    `unit` is 0 where there is no sieve.
    """

    rounded: CodeArray
    unit: int
    slack: int


@kernel
def rough_distances(data: Cases, sieve: Sieve, i: int, start: int, rough: CodeArray) -> None:
    """Fill `rough` with about how far case i is from the cases from `start` on, in units."""
    # All in unsigned 16 bits, so the processor adds many at once; the larger less the smaller,
    # because an unsigned difference below 0 would wrap around.
    rough[:] = 0
    stop, unit = start + len(rough), np.uint16(sieve.unit)
    for f in range(len(data.kind)):
        if data.kind[f] == NOMINAL:
            codes, code = data.codes[f, start:stop], data.codes[f, i]
            for j in range(len(rough)):
                rough[j] += unit if codes[j] != code else np.uint16(0)
        else:
            numbers, number = sieve.rounded[f, start:stop], sieve.rounded[f, i]
            for j in range(len(rough)):
                rough[j] += np.uint16(max(numbers[j], number) - min(numbers[j], number))


@kernel
def exact_distances(data: Cases, i: int, others: IndexArray, distance: FloatArray) -> None:
    """Put down how far case i is from some others, added up as `pairs.distances` does."""
    apart = np.empty((len(others), len(data.kind)))
    differences_from(data, i, others, apart)
    for c in range(len(others)):
        sum_apart = 0.0
        for f in range(len(data.kind)):  # nominal features first
            sum_apart += apart[c, f] if data.kind[f] == NOMINAL else 0.0
        for f in range(len(data.kind)):
            sum_apart += apart[c, f] if data.kind[f] != NOMINAL else 0.0
        distance[others[c]] = sum_apart


@kernel
def least_of_rows(rough: CodeArray, least: CodeArray) -> None:
    """Fill `least` with the smallest of every len(least)-th rough distance from each place on."""
    width = len(least)
    for m in range(width):
        least[m] = rough[m]
    for begin in range(width, len(rough), width):
        row = rough[begin : begin + width]
        for m in range(len(row)):
            least[m] = min(least[m], row[m])


@kernel
def collect_rough(
    rough: CodeArray, start: int, least: CodeArray, bound: int, near: IndexArray, found: int
) -> int:
    """Add to `near` the cases, numbered from `start` on, whose rough distance is within a bound.

    Returns how many there are in all.
    """
    # A heap is every len(least)-th case, and most heaps are passed over by their least; so the
    # cases do not come in order, and `sift` sorts the few that are left.
    for m in range(len(least)):
        if least[m] <= bound:
            for j in range(m, len(rough), len(least)):
                if rough[j] <= bound:
                    near[found] = start + j
                    found += 1
    return found


@kernel
def sift(
    rough: CodeArray, starts: IndexArray, in_group: BoolArray, needed: int, slack: int,
    near: IndexArray,
) -> int:  # fmt: skip
    """Put the cases of some classes that may be among the `needed` nearest into `near`, in order.

    The cases are looked at in heaps of up to `ROWS`. As many heaps as are needed hold a case each
    that is no farther than the farthest of their nearest: nobody beyond needs to be looked at.
    Returns how many there are.
    """
    size, total = 0, 0
    for c in range(len(in_group)):
        size += starts[c + 1] - starts[c] if in_group[c] else 0
    rows, widths = max(1, min(ROWS, size // (HEAPS * needed))), np.zeros(len(in_group), np.int64)
    for c in range(len(in_group)):
        widths[c] = (starts[c + 1] - starts[c] + rows - 1) // rows if in_group[c] else 0
        total += widths[c]
    least, nearest = np.empty(total, np.uint16), np.full(needed, MOST)
    end, found = 0, 0
    for c in range(len(widths)):
        if widths[c]:
            here = least[end : end + widths[c]]
            least_of_rows(rough[starts[c] : starts[c + 1]], here)
            for low in here:
                if low < nearest[0]:
                    replace_top(nearest, int(low))
            end += widths[c]
    end = 0
    for c in range(len(widths)):
        if widths[c]:
            here, end = least[end : end + widths[c]], end + widths[c]
            mine = rough[starts[c] : starts[c + 1]]
            found = collect_rough(mine, starts[c], here, nearest[0] + slack, near, found)
    keys = np.empty(found)
    for place in range(found):
        keys[place] = near[place]
    sort_by(keys, near[:found])
    return found
