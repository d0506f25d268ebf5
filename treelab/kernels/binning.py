"""Optimal bins by dynamic programming over distinct values."""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel
from treelab.kernels.ties import TIE

MEAN, MEDIAN, MODE, BOUNDARIES = 0, 1, 2, 3


@kernel
def optimal_bins(points: FloatArray, mass: FloatArray, bins: int, by: int) -> IndexArray:
    """Return where the bins of least total error start, but the first.

    ER(j, b) = min_i ER(i, b - 1) + error(i..j) (SPEC 4.6), the smallest i among equals. The
    error of all bins that start at a value is found in one sweep to the right: for n values and
    k bins O(k n^2) steps and O(k n) memory.
    """
    n = len(points)
    best = np.full((bins + 1, n + 1), np.inf)
    start = np.zeros((bins + 1, n + 1), np.int64)
    best[0, 0] = 0.0
    error = np.empty(n + 1)
    slack = 0.0
    for i in range(n):
        errors_from(points, mass, i, by, error)
        if i == 0:
            slack = TIE * error[n]
        for b in range(min(bins, i + 1)):
            # Starts come from left to right: a later one must be better by more than rounding.
            before = best[b, i]
            for j in range(i + 1, n + 1):
                if before + error[j] < best[b + 1, j] - slack:
                    best[b + 1, j] = before + error[j]
                    start[b + 1, j] = i
    cuts = np.empty(bins - 1, np.int64)
    stop = n
    for b in range(bins, 1, -1):
        stop = start[b, stop]
        cuts[b - 2] = stop
    return cuts


@kernel
def errors_from(
    points: FloatArray, mass: FloatArray, first: int, by: int, error: FloatArray
) -> None:
    """Write to `error[j]` the error of the bin of the points from `first` up to j, exclusive."""
    # `by` is a number, not a function, so `optimal_bins` is compiled once for all four.
    if by == MEAN:
        _from_means(points, mass, first, error)
    elif by == MEDIAN:
        _from_medians(points, mass, first, error)
    elif by == MODE:
        _from_modes(points, mass, first, error)
    else:
        _from_boundaries(points, mass, first, error)


@kernel
def _from_means(points: FloatArray, mass: FloatArray, first: int, error: FloatArray) -> None:
    total, mean, squares = 0.0, points[first], 0.0
    for j in range(first, len(points)):
        total += mass[j]
        off = points[j] - mean
        mean += off * (mass[j] / total)
        squares += mass[j] * off * (points[j] - mean)
        error[j + 1] = squares


@kernel
def _from_medians(points: FloatArray, mass: FloatArray, first: int, error: FloatArray) -> None:
    """Move the median right: what is below gets farther from it, what is not gets nearer."""
    # As points are added on the right the median never moves left: one sweep makes all its moves.
    # `max`, because rounding must not make an error negative.
    total, below, middle, sum_off = 0.0, 0.0, first, 0.0
    for j in range(first, len(points)):
        total += mass[j]
        sum_off += mass[j] * (points[j] - points[middle])
        while below + mass[middle] < total / 2:
            below += mass[middle]
            step = points[middle + 1] - points[middle]
            sum_off += step * (2 * below - total)
            middle += 1
        error[j + 1] = max(sum_off, 0.0)


@kernel
def _from_modes(points: FloatArray, mass: FloatArray, first: int, error: FloatArray) -> None:
    """Where the mode changes, the sum starts anew; else one value is added."""
    # A new mode is the last point, and what is added later lies above it: no difference needs
    # `abs`.
    mode, sum_off = first, 0.0
    for j in range(first, len(points)):
        if mass[j] > mass[mode] * (1 + TIE):
            mode, sum_off = j, 0.0
            for i in range(first, j):
                sum_off += mass[i] * (points[j] - points[i])
        else:
            sum_off += mass[j] * (points[j] - points[mode])
        error[j + 1] = sum_off


@kernel
def _from_boundaries(points: FloatArray, mass: FloatArray, first: int, error: FloatArray) -> None:
    """As the upper boundary moves right, values change over to the lower one, in order."""
    low = points[first]
    # `sum_high` is how far the values from `middle` on are from the upper boundary: when it moves
    # by a step, all of them, of weight `above`, are so much farther from it.
    middle, near_low, above, sum_high = first, 0.0, 0.0, 0.0
    for j in range(first, len(points)):
        high = points[j]
        if j > first:
            sum_high += above * (high - points[j - 1])
        above += mass[j]
        while middle < j and points[middle] - low <= high - points[middle]:
            near_low += mass[middle] * (points[middle] - low)
            sum_high -= mass[middle] * (high - points[middle])
            above -= mass[middle]
            middle += 1
        error[j + 1] = near_low + max(sum_high, 0.0)
