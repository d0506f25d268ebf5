"""ChiMerge: neighbouring intervals whose classes do not differ are joined, nearest first.

The intervals are a linked list, the pairs a heap in which outdated entries are left to be
skipped: n intervals cost O(n log n).
"""

from heapq import heapify, heappop, heappush

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel


@kernel
def pair_chi2(a: FloatArray, b: FloatArray, zero: float, least: float) -> float:
    """Return the chi-square of two class distributions (kantardzic2011 3.7, SPEC 4.8).

    A cell of expectation 0 (an empty interval or class) is expected `zero`, 0 leaving it out;
    no divisor is below `least` (Kerber's floor). Rounded to 12 digits, so that equals tie.
    """
    in_a, in_b = a.sum(), b.sum()
    chi2 = 0.0
    for c in range(len(a)):
        for count, size in ((a[c], in_a), (b[c], in_b)):
            expected = size * ((a[c] + b[c]) / (in_a + in_b))
            if expected == 0.0:
                expected = zero
            divisor = max(expected, least)
            if divisor > 0.0:
                chi2 += (count - expected) ** 2 / divisor
    unit = 1e-12 * 10.0 ** np.ceil(np.log10(max(chi2, 1.0)))
    return float(np.round(chi2 / unit) * unit)


@kernel
def merge_intervals(
    counts: FloatArray, threshold: float, most: int, zero: float, least: float
) -> IndexArray:
    """Merge the pair of least chi-square, the leftmost among equals, again and again.

    It goes on while that chi-square is below the threshold or there are more than `most`
    intervals. `counts` (interval, class) are changed. Returns where intervals start, but the
    first.
    """
    n = len(counts)
    after = np.arange(1, n + 1)
    before = np.arange(-1, n - 1)
    # How often the pair that starts at an interval has changed; -1 once the interval is gone.
    version = np.zeros(n, np.int64)
    heap = [
        (pair_chi2(counts[i], counts[i + 1], zero, least), i, np.int64(0)) for i in range(n - 1)
    ]
    heapify(heap)
    left = n
    while len(heap) > 0:
        chi2, i, age = heappop(heap)
        if version[i] != age:
            continue
        if chi2 >= threshold and left <= most:
            break
        gone = after[i]
        counts[i] += counts[gone]
        version[gone] = -1
        after[i] = after[gone]
        left -= 1
        version[i] += 1
        if after[i] < n:
            before[after[i]] = i
            following = counts[after[i]]
            heappush(heap, (pair_chi2(counts[i], following, zero, least), i, version[i]))
        if before[i] >= 0:
            j = before[i]
            version[j] += 1
            heappush(heap, (pair_chi2(counts[j], counts[i], zero, least), j, version[j]))
    return np.flatnonzero(version >= 0)[1:]
