"""Contingency counts of nodes: how often each class meets each value.

*code*   small integer that stands for a value of a feature; the largest code of the array's
         type is reserved for missing.

Counts are additive: the counts of two parts of the cases sum to the counts of the whole.
"""

import numpy as np

from treelab.kernels._arrays import CodeArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel


@kernel
def class_counts(y: IntArray, rows: IndexArray, weights: FloatArray, n_classes: int) -> FloatArray:
    """Return the weight of each class among the cases."""
    counts = np.zeros(n_classes)
    for i in range(len(rows)):
        counts[y[rows[i]]] += weights[i]
    return counts


@kernel
def value_counts(
    codes: CodeArray,
    features: IndexArray,
    offsets: IndexArray,
    rows: IntArray,
    labels: IntArray,
    ids: IntArray,
    weights: FloatArray,
    starts: IndexArray,
    stops: IndexArray,
    counts: FloatArray,
) -> None:
    """Count (value, class) for several features at several nodes into tall tables.

    `counts` is (node, value, class). The cases of node k are the places `starts[k]` to `stops[k]`
    of rows, labels and ids, which tell the weights; without weights all weigh 1. The values of
    `features[f]` occupy the rows `offsets[f]` to `offsets[f + 1]`, missing the last of them.
    """
    for f in range(len(features)):
        first, missing = offsets[f], offsets[f + 1] - 1
        column = codes[features[f]]
        for k in range(len(starts)):
            for place in range(starts[k], stops[k]):
                value = min(first + column[rows[place]], missing)
                counts[k, value, labels[place]] += weights[ids[place]] if len(weights) else 1.0
