"""The entropy of the similarities of all pairs of cases, with each feature left out in turn.

*cases*    (case, feature): numbers scaled by their range, or codes.
*weights*  of the cases; a pair counts the product of its two.
*stripe*   every STRIPES-th case, with all cases before it: stripes can be summed side by side.
Results are for each feature left out in turn and, at the end, for none left out.
"""

from math import exp, log, log2, sqrt

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel

STRIPES = 16
NEAR, FAR, STEPS = 0.25, 32.0, 512
"""Entropies between these distances are looked up in a table of so many steps a unit: a
logarithm and an exponential a pair would take most of the time."""


@kernel
def distance_sums(cases: FloatArray, weights: FloatArray, stripe: int) -> FloatArray:
    """Return the sum over the pairs of a stripe of the Euclidean distance."""
    # Case i has i pairs, so stripes have about as many pairs each, which blocks would not.
    n, k = cases.shape
    sums = np.zeros(k + 1)
    squares, distance = np.empty(k), np.empty(k + 1)
    for i in range(stripe, n, STRIPES):
        for j in range(i):
            _distances(cases[i], cases[j], squares, distance)
            for f in range(k + 1):
                sums[f] += weights[i] * weights[j] * distance[f]
    return sums


@kernel
def similarity_entropies(
    cases: FloatArray, weights: FloatArray, stripe: int, alpha: FloatArray
) -> FloatArray:
    """Return -sum S log2 S + (1 - S) log2(1 - S) over a stripe, S = exp(-alpha distance)."""
    # Below NEAR the entropy is too steep for the table, so it is computed there.
    n, k = cases.shape
    sums = np.zeros(k + 1)
    squares, distance = np.empty(k), np.empty(k + 1)
    table = entropy_table()
    for i in range(stripe, n, STRIPES):
        for j in range(i):
            _distances(cases[i], cases[j], squares, distance)
            weight = weights[i] * weights[j]
            for f in range(k + 1):
                far = alpha[f] * distance[f]
                nats = _looked_up(table, far) if NEAR <= far < FAR else entropy_at(far)
                sums[f] += weight * nats
    return sums / log(2.0)


@kernel
def entropy_at(far: float) -> float:
    """Return the entropy in nats of the similarity exp(-far); 0 for cases that are alike."""
    similar = exp(-far)
    if far <= 0.0 or similar >= 1.0:
        return 0.0
    return similar * far - (1.0 - similar) * log(1.0 - similar)


@kernel
def entropy_table() -> FloatArray:
    """Return the entropy and its slope, for one step, at evenly spaced points from NEAR to FAR."""
    table = np.empty((int((FAR - NEAR) * STEPS) + 2, 2))
    for i in range(len(table)):
        far = NEAR + i / STEPS
        similar = exp(-far)
        table[i, 0] = entropy_at(far)
        table[i, 1] = -similar * (far + log(1.0 - similar)) / STEPS
    return table


@kernel
def _looked_up(table: FloatArray, far: float) -> float:
    """Return the entropy from the table by a cubic between two points, exact to 1e-11."""
    place = (far - NEAR) * STEPS
    i = int(place)
    t = place - i
    value, slope = table[i, 0], table[i, 1]
    rise = table[i + 1, 0] - value
    bend = slope + table[i + 1, 1] - 2.0 * rise
    return float(value + t * (slope + t * (rise - slope - bend + t * bend)))


@kernel
def _distances(a: FloatArray, b: FloatArray, squares: FloatArray, distance: FloatArray) -> None:
    """Write the distances without each feature, and with all; nothing is subtracted again."""
    # A sum from the left and one from the right give all distances in two passes. Subtracting a
    # square from the sum of all would lose digits, and might go below 0.
    k = len(a)
    below = 0.0
    for f in range(k):
        squares[f] = (a[f] - b[f]) ** 2
        distance[f] = below
        below += squares[f]
    distance[k] = sqrt(below)
    above = 0.0
    for f in range(k - 1, -1, -1):
        distance[f] = sqrt(distance[f] + above)
        above += squares[f]


@kernel
def agreement_counts(codes: IndexArray, weights: FloatArray) -> FloatArray:
    """Return the weight of the pairs that agree on 0, 1, 2, ... features."""
    n, k = codes.shape
    counts = np.zeros((k + 1, k + 1))
    for i in range(n):
        for j in range(i):
            weight = weights[i] * weights[j]
            agree = 0
            for f in range(k):
                agree += codes[i, f] == codes[j, f]
            # The last row counts all features, row f all but f.
            counts[k, agree] += weight
            for f in range(k):
                counts[f, agree - (codes[i, f] == codes[j, f])] += weight
    return counts


@kernel
def binary_entropy(share: float) -> float:
    """Return -p log2 p - (1 - p) log2(1 - p)."""
    if share <= 0.0 or share >= 1.0:
        return 0.0
    return -share * log2(share) - (1.0 - share) * log2(1.0 - share)
