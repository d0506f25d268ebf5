"""Contingency counts of nodes: how often each class meets each value.

*code*   small integer that stands for a value of a feature; the one behind the last stands for
         missing.

Counts are additive: the counts of two parts of the cases sum to the counts of the whole.
"""

import numpy as np

from treelab.kernels._arrays import CodeArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.nodes import Nodes


@kernel
def class_counts(y: IntArray, rows: IndexArray, weights: FloatArray, n_classes: int) -> FloatArray:
    """Return the weight of each class among the cases."""
    counts = np.zeros(n_classes)
    for i in range(len(rows)):
        counts[y[rows[i]]] += weights[i]
    return counts


@kernel
def value_counts(
    by_case: CodeArray,
    offsets: IndexArray,
    nodes: Nodes,
    span: tuple[int, int],
    counts: FloatArray,
) -> None:
    """Count (value, class) for several features at several nodes into tall tables.

    `counts` is (node, value, class). `by_case` are the codes (row, feature): all features of a case
    stand together, so that it is fetched once, and no count waits for the one before. Code c of
    feature f is counted in the row `offsets[f] + c`. `span` are the first feature and the one
    behind the last that are counted.
    """
    # Unsigned, because such an index need not be checked.
    n_classes = np.uint64(counts.shape[2])
    first, weights = offsets.astype(np.uint64) * n_classes, nodes.weights
    for k in range(len(nodes.starts)):
        cells = counts[k].reshape(-1)
        for place in range(nodes.starts[k], nodes.stops[k]):
            weight = weights[nodes.ids[place]] if len(weights) else 1.0
            label, codes = np.uint64(nodes.labels[place]), by_case[np.uint64(nodes.rows[place])]
            for f in range(span[0], span[1]):
                cells[first[f] + np.uint64(codes[f]) * n_classes + label] += weight


@kernel
def mixed_nodes(counts: FloatArray, min_cases: float) -> IndexArray:
    """Return the nodes of at least `min_cases` and more than one class, by their class weights."""
    # Relative to the weight, because sums of fractional weights are rounded. A node that is not
    # wanted is overwritten by the next one, so no branch has to be predicted.
    found, n = np.empty(len(counts), np.int64), 0
    for k in range(len(counts)):
        weight, largest = 0.0, 0.0
        for c in range(counts.shape[1]):
            weight += counts[k, c]
            largest = max(largest, counts[k, c])
        found[n] = k
        n += int(weight >= min_cases and weight - largest > 1e-12 * weight)
    return found[:n]
